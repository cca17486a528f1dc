//! Which pieces the enemy threatens with weaker ones: a quiet move that saves such a piece is worth a look, and one that
//! puts a piece there is not.

use crate::evaluation::{CLASSES, Evaluator};
use crate::history::Danger;
use rules::{Move, Piece, Position, Set};

/// By class, the history that a move which saves a piece has before anything is learnt.
const WORTH: [i32; CLASSES] = [4_000, 8_000, 14_000];

/// By class, the squares on which the enemy's soldiers and its pieces of lower classes could capture.
#[derive(Clone, Copy)]
pub struct Threats([Set; CLASSES]);

impl Threats {
    /// The threats to the side to move.
    pub fn of(evaluator: &Evaluator, position: &Position) -> Threats {
        let (rules, enemy) = (&evaluator.game().rules, !position.turn());
        let mut sets = [Set::EMPTY; CLASSES];
        for (kind, class) in evaluator.threatening() {
            for square in position.pieces(enemy, kind) {
                sets[class] |= position.attack_set(rules, Piece::new(enemy, kind), square);
            }
        }
        for class in 1..CLASSES {
            sets[class] |= sets[class - 1];
        }
        Threats(sets)
    }

    /// What a quiet move of a piece does about them.
    pub fn danger(&self, evaluator: &Evaluator, piece: Piece, mv: Move) -> Danger {
        let Some(class) = evaluator.threatened_class(piece.piece_type()) else { return Danger::default() };
        let is_threatened = |square| self.0[class].contains(square);
        Danger { leaves: is_threatened(mv.from()), enters: is_threatened(mv.to()), worth: WORTH[class] }
    }
}
