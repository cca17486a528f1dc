//! Features of soldiers: their structure, what they attack and how far the passed ones have to go.

use super::{Evaluator, SideFeature, Tally, sign};
use rules::{Color, Piece, PieceType, Position, Set};

impl Evaluator {
    /// Counts the features of a side's soldier structure.
    pub(super) fn structure(&self, position: &Position, color: Color, near: Set, tally: &mut impl Tally) {
        let (rules, sign) = (&self.game.rules, sign(color));
        let mut soldiers = Set::EMPTY;
        for kind in (0..rules.piece_types).filter(|kind| rules.soldier[*kind] && rules.promotes[*kind]) {
            soldiers |= position.pieces(color, PieceType(kind as u8));
        }
        let (mut isolated, mut doubled, mut before) = (0, 0, 0);
        let mut counts = [0; 18];
        for (file, squares) in self.files.iter().enumerate() {
            counts[file + 1] = (soldiers & *squares).count() as i32;
        }
        for file in 1..=self.files.len() {
            let after = counts[file + 1];
            isolated += if before + after == 0 { counts[file] } else { 0 };
            doubled += (counts[file] - 1).max(0);
            before = counts[file];
        }
        tally.add(self.weights.of_side(SideFeature::Isolated), sign * isolated);
        tally.add(self.weights.of_side(SideFeature::Doubled), sign * doubled);
        tally.add(self.weights.of_side(SideFeature::Guard), sign * (soldiers & near).count() as i32);
    }

    /// Counts the features of a side's soldiers; returns all squares that they attack.
    pub(super) fn soldiers(&self, position: &Position, color: Color, tally: &mut impl Tally) -> Set {
        let (rules, sign) = (&self.game.rules, sign(color));
        let mut attacks = Set::EMPTY;
        let mut all = Set::EMPTY;
        let mut enemy = Set::EMPTY;
        for kind in (0..rules.piece_types).filter(|kind| rules.soldier[*kind]).map(|kind| PieceType(kind as u8)) {
            let piece = Piece::new(color, kind);
            all |= position.pieces(color, kind);
            enemy |= position.pieces(!color, kind);
            for square in position.pieces(color, kind) {
                attacks |= position.attack_set(rules, piece, square);
            }
        }
        tally.add(self.weights.of_side(SideFeature::Chain), sign * (all & attacks).count() as i32);
        for square in all {
            let kind = position.piece(square).expect("a soldier").piece_type();
            if rules.promotes[kind.index()] && !self.front[color.index()][square.index()].meets(&enemy) {
                let steps = self.places[color.index()][square.index()].steps as usize;
                let feature = self.weights.of_side_place(SideFeature::Passed, steps.saturating_sub(1));
                tally.add(feature, sign);
            }
        }
        attacks
    }
}
