//! What happens with generated moves, and which of them are legal.

use crate::legality::Legality;
use crate::moves::{Move, MoveTag};
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

/// The consumer of generated moves.
pub(super) trait Sink {
    /// Receives a move.
    fn mv(&mut self, mv: Move);
    /// Receives a plain move, known to be a capture or not.
    #[inline]
    fn plain(&mut self, from: Square, to: Square, _captures: bool) {
        self.mv(Move::new(from, to, MoveTag::Normal));
    }
    /// Receives several plain moves of one piece.
    fn moves(&mut self, from: Square, targets: Set);
    /// Whether generation may stop.
    fn is_done(&self) -> bool {
        false
    }
    /// Whether soldiers may be counted all at once.
    const COUNTS: bool = false;
    /// Receives a number of moves, for counting.
    fn add(&mut self, _count: u32) {}
    /// Whether it wants moves to empty squares that do not promote.
    const QUIET: bool = true;
}

impl Sink for Vec<Move> {
    #[inline]
    fn mv(&mut self, mv: Move) {
        self.push(mv);
    }
    #[inline]
    fn moves(&mut self, from: Square, targets: Set) {
        for to in targets {
            self.push(Move::new(from, to, MoveTag::Normal));
        }
    }
}

/// Collects captures and promotions, or all other moves.
pub(super) struct Half<'a, const TACTICAL: bool> {
    pub moves: &'a mut Vec<Move>,
    pub enemy: Set,
}

impl<const TACTICAL: bool> Sink for Half<'_, TACTICAL> {
    #[inline]
    fn mv(&mut self, mv: Move) {
        let captures = self.enemy.contains(mv.to()) && mv.moves_piece() || mv.tag() == MoveTag::EnPassant;
        if (captures || mv.promotion().is_some()) == TACTICAL {
            self.moves.push(mv);
        }
    }
    #[inline]
    fn plain(&mut self, from: Square, to: Square, captures: bool) {
        if captures == TACTICAL {
            self.moves.push(Move::new(from, to, MoveTag::Normal));
        }
    }
    #[inline]
    fn moves(&mut self, from: Square, targets: Set) {
        let targets = if TACTICAL { targets & self.enemy } else { targets.minus(self.enemy) };
        self.moves.moves(from, targets);
    }
    const QUIET: bool = !TACTICAL;
}

/// Counts moves.
pub(super) struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn mv(&mut self, _: Move) {
        self.0 += 1;
    }
    #[inline]
    fn moves(&mut self, _: Square, targets: Set) {
        self.0 += u64::from(targets.count());
    }
    const COUNTS: bool = true;
    #[inline]
    fn add(&mut self, count: u32) {
        self.0 += u64::from(count);
    }
}

/// Stops at the first move.
pub(super) struct Any(pub bool);

impl Sink for Any {
    fn mv(&mut self, _: Move) {
        self.0 = true;
    }
    fn moves(&mut self, _: Square, targets: Set) {
        self.0 |= !targets.is_empty();
    }
    fn is_done(&self) -> bool {
        self.0
    }
}

/// A test of which moves of pieces that are not royal are legal.
pub(super) trait Filter {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool;

    fn targets(&self, from: Square, quiet: Set, capture: Set) -> Set {
        let quiet = quiet.into_iter().filter(|to| self.allows(from, *to, false));
        let capture = capture.into_iter().filter(|to| self.allows(from, *to, true));
        quiet.chain(capture).collect()
    }

    /// The same for many pieces that all move `by` square numbers.
    fn legal_targets(&self, targets: Set, by: i32, capture: bool) -> Set {
        let from = |to: Square| Square((i32::from(to.0) - by) as u8);
        targets.into_iter().filter(|to| self.allows(from(*to), *to, capture)).collect()
    }
}

/// Every move is legal.
pub(super) struct Free;

impl Filter for Free {
    #[inline]
    fn allows(&self, _: Square, _: Square, _: bool) -> bool {
        true
    }
    #[inline]
    fn targets(&self, _: Square, quiet: Set, capture: Set) -> Set {
        quiet | capture
    }
    #[inline]
    fn legal_targets(&self, targets: Set, _: i32, _: bool) -> Set {
        targets
    }
}

/// Moves that avoid some empty squares are legal.
pub(super) struct Avoid(pub Set);

impl Filter for Avoid {
    #[inline]
    fn allows(&self, _: Square, to: Square, _: bool) -> bool {
        !self.0.contains(to)
    }
    #[inline]
    fn targets(&self, _: Square, quiet: Set, capture: Set) -> Set {
        (quiet | capture).minus(self.0)
    }
    #[inline]
    fn legal_targets(&self, targets: Set, _: i32, _: bool) -> Set {
        targets.minus(self.0)
    }
}

/// Moves that the critical lines allow are legal.
impl Filter for Legality {
    #[inline]
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        Legality::allows(self, from, to, capture)
    }
}

/// Tests moves one by one for exposing the King.
pub(super) struct Tried<'a>(pub &'a Position, pub &'a Rules);

impl Filter for Tried<'_> {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        !self.0.exposes(self.1, from, to, capture.then_some(to))
    }
}
