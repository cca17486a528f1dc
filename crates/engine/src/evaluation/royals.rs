//! Features of royals that can be captured, in games without check: their safety, and their distance from enemy pieces.

use super::{Evaluator, KindFeature, SideFeature, Tally, Weights, sign};
use rules::{Color, Position, Set};

impl Evaluator {
    /// Counts the features of a side's royals, and how near its pieces are to the enemy's royals.
    pub(super) fn capturable_royals(&self, position: &Position, color: Color, attacked: Set, tally: &mut impl Tally) {
        let (rules, sign) = (&self.game.rules, sign(color));
        let (own, royals, targets) = (position.by_color(color), position.royals(color), position.royals(!color));
        let feature = self.weights.of_side_place(SideFeature::Royals, royals.count() as usize);
        tally.add(feature, sign);
        for square in royals {
            let piece = position.piece(square).expect("own");
            // Among several royals each attacked one counts as chased.
            if attacked.contains(square) {
                tally.add(Weights::of_kind(piece.kind(), KindFeature::Chased), sign);
            }
            let flight = position.attack_set(rules, piece, square).minus(own).minus(attacked);
            tally.add(self.weights.of_side(SideFeature::Flight), sign * self.mobility[flight.count() as usize]);
        }
        for square in own {
            let kind = position.piece(square).expect("own").kind();
            let steps = targets.into_iter().map(|target| square.distance(target)).min().unwrap_or(0);
            let nearer = i32::from(rules.files.max(rules.ranks)) - i32::from(steps);
            tally.add(Weights::of_kind(kind, KindFeature::Nearness), sign * nearer);
        }
    }
}
