//! Moves as numbers: one table for each game and its options.

use crate::{cell, facing};
use rules::{Board, Color, Game, Move, Rules};

const NONE: u32 = u32::MAX;

/// All moves that are possible on the board of a game, numbered as the side to move sees them.
///
/// First the moves of pieces, ordered by origin, destination and promotion (none first, then by the number of the
/// piece type), then `end`, `claim` and `playon` if the game has them.
pub struct Actions {
    moves: Vec<Move>,
    files: u8,
    ranks: u8,
    /// By origin and destination, the number of the first action between them, or [`NONE`].
    first: Vec<u32>,
}

impl Actions {
    /// The table of a game.
    pub fn new(game: &Game) -> Actions {
        let Rules { files, ranks, .. } = game.rules;
        let moves = game.rules.possible_moves(Color::White);
        let cells = usize::from(files) * usize::from(ranks);
        let mut actions = Actions { moves, files, ranks, first: vec![NONE; cells * cells] };
        for number in (0..actions.moves.len()).rev().filter(|number| actions.moves[*number].moves_piece()) {
            let pair = actions.pair(actions.moves[number], Color::White);
            actions.first[pair] = number as u32;
        }
        actions
    }

    /// The moves in order, as White sees them.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    #[inline]
    fn pair(&self, mv: Move, color: Color) -> usize {
        let board = (self.files, self.ranks);
        let cells = usize::from(self.files) * usize::from(self.ranks);
        cell(mv.from(), color, board) * cells + cell(mv.to(), color, board)
    }

    /// The number of a move of a side.
    #[inline]
    pub fn number(&self, mv: Move, color: Color) -> Option<u32> {
        if !mv.moves_piece() {
            return self.moves.iter().rposition(|other| *other == mv).map(|number| number as u32);
        }
        let first = *self.first.get(self.pair(mv, color))?;
        let mut number = first;
        // The promotions between the same squares follow each other.
        while self.moves.get(number as usize)?.promotion() != mv.promotion() {
            number += 1;
        }
        let found = self.moves[number as usize];
        let same = found.from() == facing(mv.from(), color, self.ranks)
            && found.to() == facing(mv.to(), color, self.ranks)
            && found.moves_piece();
        same.then_some(number)
    }

    /// The move that a number means for a side; squares and promotion only, without its tag.
    #[inline]
    pub fn of(&self, number: i64, color: Color) -> Option<Move> {
        let mv = *self.moves.get(usize::try_from(number).ok()?)?;
        if color == Color::White || !mv.moves_piece() {
            return Some(mv);
        }
        let (from, to) = (facing(mv.from(), color, self.ranks), facing(mv.to(), color, self.ranks));
        Some(match mv.promotion() {
            None => Move::new(from, to, mv.tag()),
            Some(kind) => Move::promoting(from, to, mv.tag(), kind),
        })
    }

    /// For each action its origin, its destination (both as `rank * files + file`) and the number of the piece type to
    /// which it promotes; -1 where there is none.
    pub fn columns(&self) -> [Vec<i16>; 3] {
        let board = (self.files, self.ranks);
        let square = |mv: &Move, square| if mv.moves_piece() { cell(square, Color::White, board) as i16 } else { -1 };
        let from = self.moves.iter().map(|mv| square(mv, mv.from())).collect();
        let to = self.moves.iter().map(|mv| square(mv, mv.to())).collect();
        let promotion = self.moves.iter().map(|mv| mv.promotion().map_or(-1, |kind| i16::from(kind.0))).collect();
        [from, to, promotion]
    }

    /// The numbers of the legal moves of a board, in the order of its legal moves.
    pub fn legal(&self, board: &Board) -> Vec<i64> {
        let number = |mv| self.number(mv, board.turn()).expect("every legal move is possible");
        board.legal_moves().into_iter().map(|mv| i64::from(number(mv))).collect()
    }
}
