//! What becomes of generated plies, and which of them are legal.

use crate::legality::Legality;
use crate::ply::{Ply, PlyTag};
use crate::position::Position;
use crate::rules::Rules;
use crate::set::Set;
use crate::square::Square;

/// What generation does with a ply.
pub(super) trait Sink {
    /// A ply.
    fn ply(&mut self, ply: Ply);
    /// A plain ply, known to capture or not to.
    #[inline]
    fn plain(&mut self, from: Square, to: Square, _captures: bool) {
        self.ply(Ply::new(from, to, PlyTag::Normal));
    }
    /// Several plain plies of one piece.
    fn plies(&mut self, from: Square, targets: Set);
    /// Whether no more is wanted.
    fn is_done(&self) -> bool {
        false
    }
    /// Whether soldiers may be counted together.
    const COUNTS: bool = false;
    /// So many more plies.
    fn add(&mut self, _count: u32) {}
    /// Whether moves to empty squares that promote nothing are wanted.
    const QUIET: bool = true;
}

impl Sink for Vec<Ply> {
    #[inline]
    fn ply(&mut self, ply: Ply) {
        self.push(ply);
    }
    #[inline]
    fn plies(&mut self, from: Square, targets: Set) {
        for to in targets {
            self.push(Ply::new(from, to, PlyTag::Normal));
        }
    }
}

/// Keeps captures and promotions, or else all the rest.
pub(super) struct Half<'a, const TACTICAL: bool> {
    pub plies: &'a mut Vec<Ply>,
    pub enemy: Set,
}

impl<const TACTICAL: bool> Sink for Half<'_, TACTICAL> {
    #[inline]
    fn ply(&mut self, ply: Ply) {
        let captures = self.enemy.contains(ply.to()) && ply.moves_piece() || ply.tag() == PlyTag::EnPassant;
        if (captures || ply.promotion().is_some()) == TACTICAL {
            self.plies.push(ply);
        }
    }
    #[inline]
    fn plain(&mut self, from: Square, to: Square, captures: bool) {
        if captures == TACTICAL {
            self.plies.push(Ply::new(from, to, PlyTag::Normal));
        }
    }
    #[inline]
    fn plies(&mut self, from: Square, targets: Set) {
        let targets = if TACTICAL { targets & self.enemy } else { targets.minus(self.enemy) };
        self.plies.plies(from, targets);
    }
    const QUIET: bool = !TACTICAL;
}

/// Counts plies.
pub(super) struct Count(pub u64);

impl Sink for Count {
    #[inline]
    fn ply(&mut self, _: Ply) {
        self.0 += 1;
    }
    #[inline]
    fn plies(&mut self, _: Square, targets: Set) {
        self.0 += u64::from(targets.count());
    }
    const COUNTS: bool = true;
    #[inline]
    fn add(&mut self, count: u32) {
        self.0 += u64::from(count);
    }
}

/// Stops at the first ply.
pub(super) struct Any(pub bool);

impl Sink for Any {
    fn ply(&mut self, _: Ply) {
        self.0 = true;
    }
    fn plies(&mut self, _: Square, targets: Set) {
        self.0 |= !targets.is_empty();
    }
    fn is_done(&self) -> bool {
        self.0
    }
}

/// Which moves of pieces that are not royal are legal.
pub(super) trait Filter {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool;

    fn targets(&self, from: Square, quiet: Set, capture: Set) -> Set {
        let quiet = quiet.into_iter().filter(|to| self.allows(from, *to, false));
        let capture = capture.into_iter().filter(|to| self.allows(from, *to, true));
        quiet.chain(capture).collect()
    }

    /// The same for many pieces that all go `by` square numbers.
    fn together(&self, targets: Set, by: i32, capture: bool) -> Set {
        let from = |to: Square| Square((i32::from(to.0) - by) as u8);
        targets.into_iter().filter(|to| self.allows(from(*to), *to, capture)).collect()
    }
}

/// All are.
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
    fn together(&self, targets: Set, _: i32, _: bool) -> Set {
        targets
    }
}

/// All that keep off some empty squares.
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
    fn together(&self, targets: Set, _: i32, _: bool) -> Set {
        targets.minus(self.0)
    }
}

/// Those that the critical lines allow.
impl Filter for Legality {
    #[inline]
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        Legality::allows(self, from, to, capture)
    }
}

/// Those that do not expose the King, tried one by one.
pub(super) struct Tried<'a>(pub &'a Position, pub &'a Rules);

impl Filter for Tried<'_> {
    fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        !self.0.exposes(self.1, from, to, capture.then_some(to))
    }
}
