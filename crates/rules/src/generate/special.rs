//! The King, castling, the King's jump and captures en passant.

use super::pieces::Targets;
use super::sinks::*;
use crate::moves::{Move, MoveTag};
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

impl Position {
    pub(super) fn generate_king<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let spec = rules.piece(self.piece(king).expect("a King"));
        let Targets { quiet, capture, .. } = self.targets(&self.scene(rules, self.state.turn), spec, king);
        let safe = (quiet | capture).into_iter().filter(|to| self.is_safe_for_king(rules, king, *to)).collect();
        sink.moves(king, safe);
    }

    /// Whether a King lifted from its square would be safe on another, in place of the piece that stands there.
    pub(crate) fn is_safe_for_king(&self, rules: &Rules, king: Square, square: Square) -> bool {
        let them = !self.state.turn;
        let occupied = self.occupied().without(king).with(square);
        !self.attacked(rules, square, them, self.by_color(them).without(square), &occupied)
    }

    pub(super) fn generate_castling<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let us = self.state.turn;
        for castling in &rules.castlings[us.index()] {
            if !self.holds(castling.right)
                || castling.king.0 != king
                || self.piece(castling.rook.0) != Some(castling.partner)
                || castling.empty.meets(&self.occupied())
            {
                continue;
            }
            let mut occupied = self.occupied().without(king).without(castling.rook.0);
            occupied = occupied.with(castling.rook.1).with(castling.king.1);
            let is_safe = || {
                castling.safe.iter().all(|square| self.is_safe_for_king(rules, king, *square))
                    && !self.attacked(rules, castling.king.1, !us, self.by_color(!us), &occupied)
            };
            if !rules.has_check() || is_safe() {
                sink.mv(Move::new(king, castling.king.1, MoveTag::Castling));
            }
        }
    }

    /// Generates the castlings of a game without check.
    pub(super) fn generate_free_castlings<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        let mut kings: Set = rules.castlings[self.state.turn.index()].iter().map(|castling| castling.king.0).collect();
        kings &= movers;
        kings.into_iter().for_each(|king| self.generate_castling(rules, king, sink));
    }

    pub(super) fn generate_jumps<S: Sink>(&self, rules: &Rules, king: Square, sink: &mut S) {
        let us = self.state.turn.index();
        if rules.jumps[us].is_empty() || !self.holds(rules.jump_right[us]) {
            return;
        }
        for jump in &rules.jumps[us][king.index()] {
            if self.cell(jump.to).is_empty()
                && jump.middles.iter().any(|middle| self.is_safe_for_king(rules, king, *middle))
                && self.is_safe_for_king(rules, king, jump.to)
            {
                sink.mv(Move::new(king, jump.to, MoveTag::Jump));
            }
        }
    }

    pub(super) fn generate_en_passant<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        for track in self.state.en_passant.iter() {
            for to in track.landings() {
                for from in self.en_passant_capturers(rules, to) & movers {
                    if rules.has_check() && self.exposes(rules, from, to, Some(track.victim)) {
                        continue;
                    }
                    let spec = rules.piece(self.piece(from).expect("a taker"));
                    self.emit_arrival(&self.scene(rules, self.state.turn), spec, from, to, MoveTag::EnPassant, sink);
                }
            }
        }
    }
}
