//! Perft for Python, with bounded depth and interruptible by Ctrl-C, and random play.

use crate::errors::Error;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Subtrees of this depth are counted without checking for signals: some milliseconds.
const WATCHED_DEPTH: u32 = 3;
/// The greatest depth.
const MAX_DEPTH: u32 = 64;

/// Reads a depth: the tree is searched by recursion, and nothing deeper could ever be counted.
pub(crate) fn depth_of(depth: &Bound<'_, PyAny>) -> PyResult<u32> {
    match depth.extract::<u32>() {
        Ok(depth) if depth <= MAX_DEPTH => Ok(depth),
        Err(error) if !error.is_instance_of::<PyOverflowError>(depth.py()) => Err(error),
        _ => Err(Error::new_err(format!("a depth is a number from 0 to {MAX_DEPTH}"))),
    }
}

/// Counts leaves and checks for signals such as Ctrl-C between subtrees.
pub(crate) fn watched_perft(rules: &rules::Rules, position: &mut rules::Position, depth: u32) -> PyResult<u64> {
    if depth <= WATCHED_DEPTH {
        let nodes = rules::perft(rules, position, depth);
        if depth == WATCHED_DEPTH {
            Python::attach(|py| py.check_signals())?;
        }
        return Ok(nodes);
    }
    Ok(watched_divide(rules, position, depth)?.into_iter().map(|(_, nodes)| nodes).sum())
}

/// Counts as [`watched_perft`], separately for each first move.
pub(crate) fn watched_divide(
    rules: &rules::Rules,
    position: &mut rules::Position,
    depth: u32,
) -> PyResult<Vec<(rules::Move, u64)>> {
    let mut moves = Vec::new();
    position.legal_moves(rules, &mut moves);
    let count = |mv| {
        let undo = position.make(rules, mv);
        let nodes = watched_perft(rules, position, depth.saturating_sub(1));
        position.unmake(rules, undo);
        Ok((mv, nodes?))
    };
    moves.into_iter().map(count).collect()
}

/// Plays until the game ends or `moves` moves are made; the same seed plays the same game.
pub(crate) fn play_at_random(board: &mut rules::Board, seed: u64, max_plies: usize) -> (usize, Option<rules::Outcome>) {
    let mut random = rules::mix(seed);
    for made in 0..max_plies {
        if let Some(outcome) = board.outcome(false) {
            return (made, Some(outcome));
        }
        let moves = board.legal_moves();
        random = rules::mix(random);
        board.push(moves[(random % moves.len() as u64) as usize]);
    }
    (max_plies, board.outcome(false))
}
