//! Games for learning: moves as numbers, positions as planes, and many games at once.
//!
//! A position is shown and a move is numbered as the side to move sees the board: it plays up. No files and no clocks; [`Batch`] starts threads
//! for the time of one call.

mod actions;
mod batch;
mod ending;
mod planes;
mod start;

pub use actions::Actions;
pub use batch::{Autoreset, Batch, Outputs, Saved, Style};
pub use ending::{ILLEGAL_ACTION, LENGTH_LIMIT, RUNNING, endings};
pub use planes::{Plane, Planes};

use rules::{Color, Square};

/// A square as a side sees it: for Black with the ranks turned around.
#[inline]
fn facing(square: Square, color: Color, ranks: u8) -> Square {
    match color {
        Color::White => square,
        Color::Black => Square::new(square.file(), ranks - 1 - square.rank()),
    }
}

/// The place of a square among those of the board, as a side sees it: `rank * files + file`.
#[inline]
fn cell(square: Square, color: Color, (files, ranks): (u8, u8)) -> usize {
    let square = facing(square, color, ranks);
    usize::from(square.rank()) * usize::from(files) + usize::from(square.file())
}
