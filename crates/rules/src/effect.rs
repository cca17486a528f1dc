//! What a move does to the pieces on the board, computed in one place for all that need it: the position itself, check,
//! evaluation, static exchange, move ordering, interfaces.

use crate::piece::Piece;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

/// What a legal move does to the pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// The moving piece, as it leaves its square.
    pub piece: Piece,
    /// Its origin.
    pub from: Square,
    /// Its destination.
    pub to: Square,
    /// The piece on its destination: another piece type if it promotes.
    pub becomes: Piece,
    /// The captured piece, and its square.
    pub captured: Option<(Square, Piece)>,
    /// The move of the King's partner in castling.
    pub partner: Option<Partner>,
}

/// The move of the King's partner in castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partner {
    /// The partner.
    pub piece: Piece,
    /// Its origin.
    pub from: Square,
    /// Its destination.
    pub to: Square,
}

impl Effect {
    /// Calls `each` with the pieces that leave their squares.
    #[inline]
    pub fn each_leaving(&self, mut each: impl FnMut(Square, Piece)) {
        if let Some((square, piece)) = self.captured {
            each(square, piece);
        }
        each(self.from, self.piece);
        if let Some(partner) = self.partner {
            each(partner.from, partner.piece);
        }
    }

    /// Calls `each` with the pieces that arrive on new squares.
    #[inline]
    pub fn each_arriving(&self, mut each: impl FnMut(Square, Piece)) {
        if let Some(partner) = self.partner {
            each(partner.to, partner.piece);
        }
        each(self.to, self.becomes);
    }

    /// The occupied squares after the move.
    #[inline]
    pub fn occupied(&self, before: Set) -> Set {
        let mut occupied = before;
        self.each_leaving(|square, _| occupied.remove(square));
        self.each_arriving(|square, _| occupied.insert(square));
        occupied
    }

    /// The rights that are lost, as a bit mask.
    #[inline]
    pub fn rights_lost(&self, rules: &Rules) -> u64 {
        let lost = rules.rights_lost[self.from.index()] | rules.rights_lost[self.to.index()];
        if rules.royal[self.piece.piece_type().index()] {
            lost | rules.royal_rights[self.piece.color().index()]
        } else {
            lost
        }
    }
}
