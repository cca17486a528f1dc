//! What a ply does to the pieces on the board, worked out in one place for all who follow it: the position itself, check,
//! evaluation, exchanges, the order of plies, interfaces.

use crate::piece::Piece;
use crate::rules::Rules;
use crate::set::Set;
use crate::square::Square;

/// What a legal ply does to the pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// The piece that moves, as it leaves its square.
    pub piece: Piece,
    /// Where it comes from.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// The piece as it arrives: another kind if it promotes.
    pub becomes: Piece,
    /// What is captured, and where it stood.
    pub captured: Option<(Square, Piece)>,
    /// The King's partner in castling.
    pub partner: Option<Partner>,
}

/// How the King's partner moves in castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partner {
    /// The partner.
    pub piece: Piece,
    /// Where it comes from.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Effect {
    /// Tells the pieces that leave their squares.
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

    /// Tells the pieces that come to new squares.
    #[inline]
    pub fn each_arriving(&self, mut each: impl FnMut(Square, Piece)) {
        if let Some(partner) = self.partner {
            each(partner.to, partner.piece);
        }
        each(self.to, self.becomes);
    }

    /// The occupied squares afterwards.
    #[inline]
    pub fn occupied(&self, before: Set) -> Set {
        let mut occupied = before;
        self.each_leaving(|square, _| occupied.remove(square));
        self.each_arriving(|square, _| occupied.insert(square));
        occupied
    }

    /// The rights that are lost, a bit each.
    #[inline]
    pub fn rights_lost(&self, rules: &Rules) -> u64 {
        let lost = rules.rights_lost[self.from.index()] | rules.rights_lost[self.to.index()];
        if rules.royal[self.piece.kind().index()] {
            lost | rules.royal_rights[self.piece.color().index()]
        } else {
            lost
        }
    }
}
