//! Which pieces the enemy threatens with weaker ones: a quiet move that saves such a piece is worth a look, and one that
//! puts a piece there is not.

use crate::evaluation::{CLASSES, Evaluator};
use rules::{Move, Piece, Position, Set};

/// By class, the squares on which the enemy's soldiers and its pieces of lower classes could capture.
#[derive(Clone, Copy)]
pub struct Threats([Set; CLASSES]);

/// What a quiet move does about threats.
#[derive(Clone, Copy, Default)]
pub struct Danger {
    class: usize,
    /// Whether its origin is threatened.
    leaves: bool,
    /// Whether its destination is.
    enters: bool,
}

impl Danger {
    /// The number of indices.
    pub const COUNT: usize = 4;
    /// By class, what a history would learn of saving a piece in most positions.
    const WORTH: [i32; CLASSES] = [4_000, 8_000, 14_000];

    /// A number for what it does, whatever the class of the piece.
    pub fn index(self) -> usize {
        2 * usize::from(self.leaves) + usize::from(self.enters)
    }

    /// The history that such a move has before anything is learnt.
    pub fn prior(self) -> i32 {
        Danger::WORTH[self.class] * (i32::from(self.leaves) - i32::from(self.enters))
    }
}

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

    /// What a move of a piece does about them.
    pub fn danger(&self, evaluator: &Evaluator, piece: Piece, mv: Move) -> Danger {
        match evaluator.threatened_class(piece.kind()) {
            Some(class) => {
                Danger { class, leaves: self.0[class].contains(mv.from()), enters: self.0[class].contains(mv.to()) }
            }
            None => Danger::default(),
        }
    }
}
