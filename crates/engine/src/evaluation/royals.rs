//! Features of royals that can be captured, in games without check: their safety, their distance from enemy pieces, the
//! hunt for them by a side that is far ahead; and their command.

use super::{Evaluator, PieceTypeFeature, SideFeature, Tally, Weights, sign};
use rules::{Color, PieceType, Position, Set};

/// The lead in centipawns, by the values of the pieces, from which on the side ahead hunts the enemy's royals, and from
/// which on it does so in full. Nearer to balance a hunt exposes more than it gains.
const HUNTS: std::ops::Range<i32> = 600..1_500;
/// The degrees of a hunt.
pub(super) const DEGREES: i32 = 16;

impl Evaluator {
    /// Where royals are captured: in how many degrees the side that is ahead hunts, negative if that is Black.
    pub(super) fn hunt(&self, position: &Position) -> i32 {
        if self.game.rules.has_check() {
            return 0;
        }
        let lead = |kind: PieceType| {
            let count = |color| position.pieces(color, kind).count() as i32;
            self.value(kind) * (count(Color::White) - count(Color::Black))
        };
        let ahead: i32 = (0..self.game.rules.piece_types as u8).map(PieceType).map(lead).sum();
        let beyond = (ahead.abs() - HUNTS.start).clamp(0, HUNTS.end - HUNTS.start);
        ahead.signum() * beyond * DEGREES / (HUNTS.end - HUNTS.start)
    }

    /// Counts the features of a side's royals, and how near its pieces are to the enemy's royals.
    pub(super) fn capturable_royals(
        &self,
        position: &Position,
        color: Color,
        attacked: Set,
        hunt: i32,
        tally: &mut impl Tally,
    ) {
        let (rules, sign) = (&self.game.rules, sign(color));
        let (hunts, hunted) = ((sign * hunt).max(0), (-sign * hunt).max(0));
        let (own, royals, targets) = (position.by_color(color), position.royals(color), position.royals(!color));
        let feature = self.weights.of_side_place(SideFeature::Royals, royals.count() as usize);
        tally.add(feature, sign);
        for square in royals {
            let piece = position.piece(square).expect("own");
            // Among several royals each attacked one counts as chased.
            if attacked.contains(square) {
                tally.add(Weights::of_type(piece.piece_type(), PieceTypeFeature::AttackedBySoldier), sign);
            }
            let flight = position.attack_set(rules, piece, square).minus(own).minus(attacked);
            let flight = self.mobility[flight.count() as usize];
            tally.add(self.weights.of_side(SideFeature::Flight), sign * flight);
            if hunted > 0 {
                tally.add(self.weights.of_side(SideFeature::Refuge), sign * flight * hunted / DEGREES);
            }
        }
        // By square, the steps to the nearest target.
        let mut steps = [if targets.is_empty() { 0 } else { u8::MAX }; 256];
        for target in targets {
            steps
                .iter_mut()
                .zip(&self.distances[target.index()])
                .for_each(|(steps, from)| *steps = (*steps).min(*from));
        }
        for square in own {
            let kind = position.piece(square).expect("own").piece_type();
            let nearer = i32::from(rules.files.max(rules.ranks)) - i32::from(steps[square.index()]);
            tally.add(Weights::of_type(kind, PieceTypeFeature::Nearness), sign * nearer);
            if hunts > 0 {
                tally.add(Weights::of_type(kind, PieceTypeFeature::Pursuit), sign * nearer * hunts / DEGREES);
            }
        }
    }

    /// Counts the pieces of a side that none of its royals commands. A hunt leaves behind what it does not need.
    pub(super) fn command(&self, position: &Position, color: Color, hunt: i32, tally: &mut impl Tally) {
        let sign = sign(color);
        let Some(command) = self.game.rules.command.as_ref().filter(|_| sign * hunt <= 0) else { return };
        let reached = position.royals(color).into_iter().fold(Set::EMPTY, |set, at| set | command[at.index()]);
        for square in position.by_color(color).minus(reached) {
            let kind = position.piece(square).expect("own").piece_type();
            tally.add(Weights::of_type(kind, PieceTypeFeature::Uncommanded), sign);
        }
    }
}
