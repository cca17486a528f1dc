//! Lines of the 16x16 grid, the same for every board without holes: the squares between two squares, and the direction
//! from one to the other.

use crate::set::Set;
use crate::square::{DIRECTIONS, Square};
use std::sync::{Arc, LazyLock};

/// Tables of the grid, computed once per process; those of a grid with holes belong to a game.
pub struct Geometry {
    between: Box<[Set]>,
    direction: Box<[u8]>,
    lines: Box<[Set]>,
}

/// Marks two squares that share no line.
const NO_DIRECTION: u8 = 8;

static GEOMETRY: LazyLock<Arc<Geometry>> = LazyLock::new(|| Arc::new(Geometry::new(Set::EMPTY)));

impl Geometry {
    /// Returns the tables.
    pub fn get() -> &'static Geometry {
        &GEOMETRY
    }

    /// Returns the tables of a grid in which no line goes across these holes.
    pub(crate) fn of(holes: Set) -> Arc<Geometry> {
        if holes.is_empty() { Arc::clone(&GEOMETRY) } else { Arc::new(Geometry::new(holes)) }
    }

    fn new(holes: Set) -> Geometry {
        let mut between = vec![Set::EMPTY; 65_536].into_boxed_slice();
        let mut direction = vec![NO_DIRECTION; 65_536].into_boxed_slice();
        let mut lines = vec![Set::EMPTY; 256].into_boxed_slice();
        for from in (0..=255).map(Square) {
            for (number, step) in DIRECTIONS.iter().enumerate() {
                let mut passed = Set::EMPTY;
                let mut square = from;
                while let Some(next) = square.offset(step.0, step.1).filter(|next| !holes.contains(*next)) {
                    let pair = from.index() << 8 | next.index();
                    between[pair] = passed;
                    direction[pair] = number as u8;
                    lines[from.index()].insert(next);
                    passed.insert(next);
                    square = next;
                }
            }
        }
        Geometry { between, direction, lines }
    }

    /// The squares strictly between two squares of a rank, file or diagonal; empty if they share none.
    #[inline]
    pub fn between(&self, from: Square, to: Square) -> &Set {
        &self.between[from.index() << 8 | to.index()]
    }

    /// The index in [`DIRECTIONS`] of the direction from one square to another on its line.
    #[inline]
    pub fn direction(&self, from: Square, to: Square) -> Option<usize> {
        let direction = self.direction[from.index() << 8 | to.index()];
        if direction == NO_DIRECTION { None } else { Some(direction as usize) }
    }

    /// All squares of the rank, file and diagonals through a square.
    #[inline]
    pub fn lines(&self, square: Square) -> &Set {
        &self.lines[square.index()]
    }
}
