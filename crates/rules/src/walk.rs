//! Moves as walks: the meaning of Betza notation, leg by leg.
//!
//! A [`Walk`] is a sequence of legs in absolute directions. All other tables of moves are compiled from walks;
//! [`Walk::paths`] follows one square by square and is the definition that the compiled forms are tested against.

use crate::limits::MAX_LEGS;
use crate::set::Set;
use crate::square::Square;
use arrayvec::ArrayVec;

/// One straight part of a walk: the same step, one to `max` times, over empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Leg {
    /// Files and ranks of one step, for White.
    pub step: (i8, i8),
    /// The most steps; 15 crosses any board.
    pub max: u8,
    /// Whether the leg ends on a piece to hop over instead of on an empty square. Ignored on the last leg.
    pub mount: bool,
}

/// A walk: legs, and what the last one may do.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Walk {
    /// The legs in order, at least one.
    pub legs: Vec<Leg>,
    /// Whether it may end on an empty square.
    pub quiet: bool,
    /// Whether it may end on an enemy piece.
    pub capture: bool,
    /// Whether it may be captured en passant on the squares passed (`nn`).
    pub track: bool,
    /// Whether it may capture en passant (`e`).
    pub en_passant: bool,
    /// Whether it only begins on the squares where the piece type stands at the start (`i`).
    pub initial: bool,
}

/// One concrete path of a walk over a board.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Every square stepped on after the origin, the destination last.
    pub squares: ArrayVec<Square, 240>,
    /// The squares of `squares` that must be occupied, in order.
    pub mounts: ArrayVec<Square, MAX_LEGS>,
}

impl Path {
    /// Where the path ends.
    pub fn to(&self) -> Square {
        *self.squares.last().expect("a path has a destination")
    }

    /// The squares passed, which must be empty.
    pub fn empties(&self) -> impl Iterator<Item = Square> + '_ {
        let passed = &self.squares[..self.squares.len() - 1];
        passed.iter().copied().filter(|square| !self.mounts.contains(square))
    }
}

impl Walk {
    /// The same walk for the side that plays down the board.
    pub fn mirrored(&self) -> Walk {
        let mut walk = self.clone();
        for leg in &mut walk.legs {
            leg.step.1 = -leg.step.1;
        }
        walk
    }

    /// The same walk, turned by half a circle.
    pub fn turned(&self) -> Walk {
        let mut walk = self.mirrored();
        for leg in &mut walk.legs {
            leg.step.0 = -leg.step.0;
        }
        walk
    }

    /// Whether every leg moves forward.
    pub fn goes_forward(&self) -> bool {
        self.legs.iter().all(|leg| leg.step.1 > 0)
    }

    /// Follows the walk from a square over a board, and calls `found` with every path whose intermediate squares are as
    /// they must be; the caller checks the destination. A path never returns to its origin.
    pub fn paths(&self, from: Square, board: &Set, occupied: &Set, found: &mut impl FnMut(&Path)) {
        let mut path = Path::default();
        self.follow(0, from, from, board, Some(occupied), &mut path, found);
    }

    /// Every path that some occupancy of the board would allow.
    pub fn possible_paths(&self, from: Square, board: &Set, found: &mut impl FnMut(&Path)) {
        let mut path = Path::default();
        self.follow(0, from, from, board, None, &mut path, found);
    }

    /// All squares where the walk could end under some occupancy; it may include a few more if a path crosses its
    /// origin.
    pub fn possible_targets(&self, from: Square, board: &Set) -> Set {
        let mut starts = Set::of(from);
        for leg in &self.legs {
            let mut ends = Set::EMPTY;
            for start in starts {
                let mut square = start;
                for _ in 0..leg.max {
                    match square.offset(leg.step.0, leg.step.1).filter(|next| board.contains(*next)) {
                        Some(next) => square = next,
                        None => break,
                    }
                    ends.insert(square);
                }
            }
            starts = ends;
        }
        starts.without(from)
    }

    #[allow(clippy::too_many_arguments)]
    fn follow(
        &self,
        index: usize,
        origin: Square,
        start: Square,
        board: &Set,
        occupied: Option<&Set>,
        path: &mut Path,
        found: &mut impl FnMut(&Path),
    ) {
        let leg = self.legs[index];
        let last = index + 1 == self.legs.len();
        let length = path.squares.len();
        let mut square = start;
        for _ in 0..leg.max {
            let Some(next) = square.offset(leg.step.0, leg.step.1) else { break };
            if !board.contains(next) || next == origin || path.squares.try_push(next).is_err() {
                break;
            }
            square = next;
            let filled = occupied.map(|set| set.contains(square));
            if last {
                found(path);
            } else if leg.mount && filled != Some(false) {
                path.mounts.push(square);
                self.follow(index + 1, origin, square, board, occupied, path, found);
                path.mounts.pop();
            } else if !leg.mount && filled != Some(true) {
                self.follow(index + 1, origin, square, board, occupied, path, found);
            }
            if filled == Some(true) {
                break;
            }
        }
        path.squares.truncate(length);
    }
}
