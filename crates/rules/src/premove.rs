//! For user interfaces: where a piece might go after a move of the other side, and what it would reach alone.

use crate::fen;
use crate::game::Game;
use crate::piece::{Cell, Piece};
use crate::position::Position;
use crate::reach::{Reach, ReachKind};
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

impl Position {
    /// Where the piece on a square might go after the next move of the other side.
    ///
    /// Besides what it reaches now, these are the captures that it could make if an enemy were on an empty square or
    /// had captured one of its own pieces, and its moves if it were its turn, such as castling. Legality is checked
    /// when the premove is played.
    pub fn premoves(&self, rules: &Rules, from: Square) -> Vec<Reach> {
        let mut found = self.reach(rules, from);
        let Some(piece) = self.piece(from) else { return found };
        let mut captured = self.clone();
        captured.set_turn(piece.color());
        let mut moves = Vec::new();
        captured.legal_moves_of(rules, Set::of(from), &mut moves);
        let mut landings: Vec<Square> = moves.iter().filter(|mv| mv.moves_piece()).map(|mv| mv.to()).collect();
        landings.sort();
        for to in landings {
            let plain = Reach { to, kind: ReachKind::Move, mount: None, path: vec![to], legs: vec![to] };
            add(&mut found, plain);
        }
        for square in self.by_color(piece.color()).into_iter().filter(|square| *square != from) {
            let other = self.piece(square).expect("a piece on an occupied square");
            captured.set(rules, square, Cell::full(Piece::new(!other.color(), other.piece_type())));
        }
        let mut crowded = captured.clone();
        for square in rules.board.into_iter().filter(|square| captured.piece(*square).is_none()) {
            crowded.set(rules, square, Cell::full(Piece::new(!piece.color(), piece.piece_type())));
        }
        for hypothetical in [captured, crowded] {
            for reach in hypothetical.reach(rules, from).into_iter().filter(|reach| reach.kind_name() != "move") {
                add(&mut found, reach);
            }
        }
        found
    }
}

fn add(found: &mut Vec<Reach>, new: Reach) {
    if found.iter().all(|old| old.to != new.to) {
        found.push(new);
    }
}

/// Where a piece on a square could go on an empty board with the rights of the start, captures included.
pub fn reach_alone(game: &Game, piece: Piece, at: Square) -> Vec<Reach> {
    let mut position = Position::empty();
    position.set(&game.rules, at, Cell::full(piece));
    let start = fen::read(game, &game.definition.start, false);
    position.state.rights = start.map_or(0, |(start, _)| start.state().rights);
    position.premoves(&game.rules, at)
}
