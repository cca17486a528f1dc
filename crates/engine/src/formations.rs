//! Formations: where all pieces of one side stand. A side that is ahead and returns to a formation makes no progress,
//! and lets the enemy repeat positions by replies that are too many to be searched.

use rules::{Board, Color, Position, mix};
use std::collections::HashSet;

/// The formations that the side to move has had, at the start of a turn, since the last move that cannot be taken back.
pub(crate) fn since_progress(board: &Board) -> HashSet<u64> {
    let us = board.turn();
    let mut past = board.clone();
    let mut turns = board.position().state().halfmove;
    let mut formations = HashSet::new();
    loop {
        if past.position().state().moves == 0 {
            formations.insert(of(past.position(), us));
            if turns == 0 {
                return formations;
            }
            turns -= 1;
        }
        if past.pop().is_none() {
            return formations;
        }
    }
}

/// The key of a side's formation.
pub(crate) fn of(position: &Position, color: Color) -> u64 {
    let pieces = position.by_color(color).into_iter();
    pieces.fold(0, |key, square| {
        let piece = position.piece(square).expect("of the color");
        key ^ mix((piece.index() as u64) << 8 | u64::from(square.0))
    })
}
