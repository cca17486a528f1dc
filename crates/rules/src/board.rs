//! A board: a position with the moves that led to it, which repetition, undo and FEN need.

use crate::fen::{self, FenError, fail};
use crate::game::Game;
use crate::moves::{Move, MoveTag};
use crate::piece::{Color, Symbol};
use crate::position::{Position, Undo};
use crate::set::Set;
use crate::square::Square;
use crate::text::shorten;
use std::fmt;
use std::sync::Arc;

/// Why a move or a turn could not be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text is not a move.
    Unreadable(String),
    /// The move is not legal here.
    Illegal(String),
    /// The notation fits several moves.
    Ambiguous(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MoveError::Unreadable(message) | MoveError::Illegal(message) | MoveError::Ambiguous(message) => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for MoveError {}

/// A position with its history.
#[derive(Clone)]
pub struct Board {
    game: Arc<Game>,
    position: Position,
    stack: Vec<(Move, Undo)>,
    /// Keys of the position at the start of each turn; the last is that of the current turn.
    keys: Vec<u64>,
}

impl Board {
    /// Returns the start position of a game.
    pub fn new(game: Arc<Game>) -> Board {
        read_board(&game, &game.definition.start).expect("checked when the game was loaded")
    }

    /// Returns a board without history.
    pub fn from_position(game: Arc<Game>, position: Position) -> Board {
        let keys = vec![position.key(&game.rules)];
        Board { game, position, stack: Vec::new(), keys }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The moves made, oldest first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + '_ {
        self.stack.iter().map(|(mv, _)| *mv)
    }

    /// The number of moves on the stack that belong to the current turn.
    pub fn moves_in_turn(&self) -> usize {
        let turn = self.position.turn();
        self.stack.iter().rev().take_while(|(_, undo)| undo.turn() == turn).count()
    }

    /// How many more moves the current turn may have.
    pub fn moves_left(&self) -> u8 {
        self.position.turn_length(&self.game.rules).saturating_sub(self.position.state().moves)
    }

    /// The number of moves made.
    pub fn stack_len(&self) -> usize {
        self.stack.len()
    }

    /// Whether the turn before the last one was a pass.
    pub(crate) fn was_passed_before_last_turn(&self) -> bool {
        self.stack.last().is_some_and(|(_, undo)| undo.rights() & self.game.rules.passed != 0)
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(128);
        self.position.legal_moves(&self.game.rules, &mut moves);
        moves
    }

    /// All pseudo-legal moves. En passant is among them where the last move was made on this board; a FEN names only the
    /// squares where it is legal.
    pub fn pseudo_legal_moves(&self, moves: &mut Vec<Move>) {
        let rules = &self.game.rules;
        match self.stack.last().filter(|_| self.moves_in_turn() == 0) {
            Some((mv, undo)) => self.position.with_all_tracks(rules, *mv, *undo).pseudo_legal_moves(rules, moves),
            None => self.position.pseudo_legal_moves(rules, moves),
        }
    }

    /// Returns the legal move with these squares and promotion.
    pub fn find(&self, wanted: Move) -> Option<Move> {
        let mut moves = Vec::with_capacity(32);
        let from = if wanted.moves_piece() { Set::of(wanted.from()) } else { Set::EMPTY };
        self.position.legal_moves_of(&self.game.rules, from, &mut moves);
        moves.into_iter().find(|mv| mv.same_text(wanted))
    }

    /// Makes a move that is known to be legal.
    pub fn push(&mut self, mv: Move) {
        let turn = self.position.turn();
        let undo = self.position.make(&self.game.rules, mv);
        self.stack.push((mv, undo));
        if self.position.turn() != turn {
            self.keys.push(self.position.key(&self.game.rules));
        }
    }

    /// Unmakes the last move and returns it.
    pub fn pop(&mut self) -> Option<Move> {
        let (mv, undo) = self.stack.pop()?;
        let turn = self.position.turn();
        self.position.unmake(&self.game.rules, undo);
        if self.position.turn() != turn {
            self.keys.pop();
        }
        Some(mv)
    }

    /// Forgets the moves before the current turn, except the last, and the positions that cannot occur again: what is
    /// left has the same outcomes, but those moves cannot be unmade.
    pub fn forget(&mut self) {
        let needed = self.moves_in_turn().max(1);
        self.stack.drain(..self.stack.len().saturating_sub(needed));
        let needed = self.position.state().halfmove as usize + 1;
        self.keys.drain(..self.keys.len().saturating_sub(needed));
    }

    /// Reads a move in coordinates and makes it if it is legal.
    ///
    /// # Errors
    /// Names the text that is wrong; the board is unchanged.
    pub fn push_text(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.parse_move(text)?;
        self.push(mv);
        Ok(mv)
    }

    /// Reads a legal move in coordinates.
    ///
    /// # Errors
    /// [`MoveError::Unreadable`] or [`MoveError::Illegal`].
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let Some(wanted) = self.read_move(text) else {
            return Err(MoveError::Unreadable(format!(
                "{:?} is not a move; expected squares such as {}, with the letter of a promotion",
                shorten(text),
                self.legal_moves().first().map_or("e2e4".into(), |mv| self.move_text(*mv))
            )));
        };
        self.legal_as(wanted, text)
    }

    /// Returns the legal move with these squares and promotion, or says why it is not legal.
    pub(crate) fn legal_as(&self, wanted: Move, text: &str) -> Result<Move, MoveError> {
        self.find(wanted)
            .or_else(|| self.castling_onto_partner(wanted))
            .ok_or_else(|| MoveError::Illegal(format!("{text} is not legal here: {}", self.why_not(wanted))))
    }

    /// The castling that programs for Chess960 write as the King taking its own Rook: `e1h1`.
    fn castling_onto_partner(&self, wanted: Move) -> Option<Move> {
        if wanted.promotion().is_some() || !wanted.moves_piece() {
            return None;
        }
        let squares = (wanted.from(), wanted.to());
        let castlings = &self.game.rules.castlings[self.turn().index()];
        let (from, to) = castlings.iter().find(|castling| (castling.king.0, castling.rook.0) == squares)?.king;
        self.find(Move::new(from, to, MoveTag::Normal)).filter(|mv| mv.tag() == MoveTag::Castling)
    }

    pub(crate) fn read_move(&self, text: &str) -> Option<Move> {
        match text {
            "end" => return Some(Move::END),
            "claim" => return Some(Move::CLAIM),
            "playon" => return Some(Move::PLAY_ON),
            "0000" => return Some(Move::NULL),
            _ => {}
        }
        let (from, length) = Square::read(text)?;
        let rest = &text[length..];
        let (to, length) = Square::read(rest)?;
        let rest = &rest[length..];
        if !self.game.rules.board.contains(from) || !self.game.rules.board.contains(to) {
            return None;
        }
        if rest.is_empty() {
            return Some(Move::new(from, to, MoveTag::Normal));
        }
        let kind = self.game.piece_type_of(Symbol::read_promotion(rest)?)?;
        Some(Move::promoting(from, to, MoveTag::Normal, kind))
    }

    /// Writes a move in coordinates: `f2h3`, `e11e12q`, `end`.
    pub fn move_text(&self, mv: Move) -> String {
        move_text(&self.game, mv)
    }

    /// The moves of the current turn, in coordinates, joined by commas.
    pub fn turn_text(&self) -> String {
        let start = self.stack.len() - self.moves_in_turn();
        self.stack[start..].iter().map(|(mv, _)| self.move_text(*mv)).collect::<Vec<_>>().join(",")
    }

    /// The FEN: six fields for the position at the start of the turn, and the moves made since as a seventh.
    pub fn fen(&self) -> String {
        let made = self.moves_in_turn();
        if made == 0 {
            return fen::write_position(&self.game, &self.position);
        }
        let mut position = self.position.clone();
        for (_, undo) in self.stack.iter().rev().take(made) {
            position.unmake(&self.game.rules, *undo);
        }
        format!("{} {}", fen::write_position(&self.game, &position), self.turn_text())
    }

    /// The name of the setup that the pieces form; `None` if they form none.
    pub fn setup_name(&self) -> Option<String> {
        let at = |square| self.position.piece(square).map(|piece| (piece.color(), piece.piece_type()));
        self.game.setups().name_of(&at, self.game.rules.ranks)
    }

    /// The key of the position.
    pub fn key(&self) -> u64 {
        self.position.key(&self.game.rules)
    }

    /// Keys of the position at the start of each turn, oldest first; the last is that of the current turn.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The board with the keys of an earlier board whose position is this one; `None` if they are of another.
    pub fn with_keys(mut self, keys: Vec<u64>) -> Option<Board> {
        let is_same = keys.last() == self.keys.last();
        self.keys = keys;
        is_same.then_some(self)
    }

    /// How often the position at the start of the current turn has occurred, this time included.
    pub fn repetitions(&self) -> u32 {
        let (&now, before) = self.keys.split_last().expect("never empty");
        let reach = self.position.state().halfmove as usize;
        1 + before.iter().rev().take(reach).filter(|key| **key == now).count() as u32
    }

    /// The keys of the turns from the first occurrence of the position at the start of the current turn to the last.
    pub(crate) fn repeated_keys(&self) -> &[u64] {
        let (now, before) = self.keys.split_last().expect("never empty");
        let reach = before.len().saturating_sub(self.position.state().halfmove as usize);
        let first = before[reach..].iter().position(|key| key == now).map_or(before.len(), |at| reach + at);
        &self.keys[first..]
    }

    /// Returns a copy with the moves of the current turn only: its cost does not depend on the length of the game.
    pub fn without_past(&self) -> Board {
        let stack = self.stack[self.stack.len() - self.moves_in_turn()..].to_vec();
        let keys = self.keys[self.keys.len() - 1..].to_vec();
        Board { game: self.game.clone(), position: self.position.clone(), stack, keys }
    }

    /// Returns a copy with the last `moves` moves, and the earlier moves of the turn in which the first of them was
    /// made.
    pub fn with_past(&self, moves: usize) -> Board {
        let turn_of = |at: usize| self.stack.get(at).map_or(self.turn(), |(_, undo)| undo.turn());
        let mut start = self.stack.len().saturating_sub(moves.max(self.moves_in_turn()));
        while start > 0 && turn_of(start - 1) == turn_of(start) {
            start -= 1;
        }
        let turns = (start..self.stack.len()).filter(|at| turn_of(*at) != turn_of(at + 1)).count();
        let keys = self.keys[self.keys.len() - 1 - turns..].to_vec();
        Board { game: self.game.clone(), position: self.position.clone(), stack: self.stack[start..].to_vec(), keys }
    }

    /// The number of bytes that this board uses, its stack included, the game excluded.
    pub fn size(&self) -> usize {
        size_of::<Board>() + self.stack.capacity() * size_of::<(Move, Undo)>() + self.keys.capacity() * size_of::<u64>()
    }
}

/// Reads a FEN into a board. The first six fields give the position at the start of the turn, the seventh the moves
/// made since.
///
/// # Errors
/// Returns a [`FenError`] for anything that is not exactly a position of the game. Nothing is repaired, except that en
/// passant squares on which no capture is possible are dropped.
pub fn read_board(game: &Arc<Game>, text: &str) -> Result<Board, FenError> {
    replay(game, fen::read(game, text, true)?)
}

/// Reads the FEN of a board that is still being edited: the position need not be playable.
///
/// # Errors
/// Returns a [`FenError`] if the text is not a FEN.
pub fn read_unfinished_board(game: &Arc<Game>, text: &str) -> Result<Board, FenError> {
    replay(game, fen::read(game, text, false)?)
}

pub(crate) fn replay(game: &Arc<Game>, (position, moves): fen::Read) -> Result<Board, FenError> {
    let mut board = Board::from_position(Arc::clone(game), position);
    let color = board.turn();
    for text in &moves {
        board.push_text(text).or_else(|error| fail("moves of the turn", error.to_string()))?;
        if board.turn() != color {
            let moves = moves.join(",");
            return fail("moves of the turn", format!("{moves:?} is a whole turn; give the position after it"));
        }
    }
    Ok(board)
}

/// A move in coordinates.
pub fn move_text(game: &Game, mv: Move) -> String {
    match mv {
        Move::END => "end".into(),
        Move::CLAIM => "claim".into(),
        Move::PLAY_ON => "playon".into(),
        Move::NULL => "0000".into(),
        _ => {
            let promotion = mv.promotion().map(|kind| game.symbol(kind).cased(Color::Black).to_string());
            format!("{}{}{}", mv.from(), mv.to(), promotion.unwrap_or_default())
        }
    }
}
