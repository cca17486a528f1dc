//! All moves that a side could make in some position: what the pieces, their promotions and the special rules allow on
//! the board as such.

use crate::moves::{Move, MoveTag};
use crate::piece::{Color, Piece, PieceType};
use crate::square::{Square, mirror};
use crate::tables::Rules;
use std::collections::BTreeSet;

/// A move as it is written: origin, destination and promotion.
type Written = (Square, Square, Option<PieceType>);

impl Rules {
    /// Every move that some position of the game could allow a side, each text once: the moves of pieces by origin,
    /// destination and promotion, then `end`, `claim` and `playon` if the game has them.
    ///
    /// A path that would cross its own origin counts too, so a few of the moves of bent pieces may never be legal.
    pub fn possible_moves(&self, color: Color) -> Vec<Move> {
        // Also those of the other side alone: both sides' moves have the same numbers for whoever learns them.
        let mut written = self.moves_of_pieces(!color);
        let turned = |square: Square| mirror(square, self.ranks);
        written = written.into_iter().map(|(from, to, promotion)| (turned(from), turned(to), promotion)).collect();
        written.append(&mut self.moves_of_pieces(color));
        let one = |(from, to, promotion)| match promotion {
            None => Move::new(from, to, MoveTag::Normal),
            Some(kind) => Move::promoting(from, to, MoveTag::Normal, kind),
        };
        let mut moves: Vec<Move> = written.into_iter().map(one).collect();
        if self.turn.may_end || self.turn.may_pass {
            moves.push(Move::END);
        }
        if self.end.four_points && !self.end.bare_king.claim.is_empty() {
            moves.extend([Move::CLAIM, Move::PLAY_ON]);
        }
        moves
    }

    fn moves_of_pieces(&self, color: Color) -> BTreeSet<Written> {
        let mut written = BTreeSet::new();
        for kind in (0..self.piece_types as u8).map(PieceType) {
            self.add_moves_of(Piece::new(color, kind), &mut written);
        }
        let castlings = self.castlings[color.index()].iter().map(|castling| castling.king);
        written.extend(castlings.map(|(from, to)| (from, to, None)));
        for (from, jumps) in self.jumps[color.index()].iter().enumerate() {
            written.extend(jumps.iter().map(|jump| (Square(from as u8), jump.to, None)));
        }
        written
    }

    fn add_moves_of(&self, piece: Piece, written: &mut BTreeSet<Written>) {
        let spec = self.piece(piece);
        for free in &self.walks[piece.index()] {
            for from in free.from {
                for to in free.walk.possible_targets(from, &free.board) {
                    let ways = || spec.promotions.iter().filter(|way| way.leads(self, from, to));
                    written.extend(ways().flat_map(|way| &way.to).map(|kind| (from, to, Some(*kind))));
                    // A move that only captures promote so may also be one that captures nothing.
                    if !ways().any(|way| way.captures.is_none() && way.at.contains(to)) {
                        written.insert((from, to, None));
                    }
                }
            }
        }
    }
}
