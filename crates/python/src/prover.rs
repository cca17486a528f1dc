//! Proofs of puzzles.

use crate::board::Board;
use crate::errors::{Error, TooLongError};
use crate::moves::Move;
use crate::text::Text;
use judge::{Solver, TooLong};
use matches::Goal;
use pyo3::prelude::*;
use rules::Position;

/// No proof of a longer puzzle would ever end.
const MOST_MOVES: u32 = 100;

/// The goals of puzzles, and whether the enemy replies.
#[pyfunction]
pub(crate) fn puzzle_goals() -> Vec<(&'static str, bool)> {
    Goal::ALL.map(|goal| (goal.name(), goal.has_replies())).to_vec()
}

fn too_long(_: TooLong) -> PyErr {
    TooLongError::new_err("the proof takes more positions than it may; allow more, or choose a shorter puzzle")
}

fn solver(board: &Board, goal: &str, takes: u32, most: u64) -> PyResult<(Solver, Position)> {
    let goal = Goal::parse(goal).map_err(Error::new_err)?;
    Ok((Solver::new(board.inner.game(), goal, takes, most), board.inner.position().clone()))
}

/// Returns the solution that takes `moves` moves, with the replies if the goal has them; None if there is another one, or
/// if fewer moves are enough.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    board: PyRef<'_, Board>,
    goal: &str,
    moves: u32,
    takes: u32,
    most: u64,
) -> PyResult<Option<Vec<Move>>> {
    if !(1..=MOST_MOVES).contains(&moves) {
        return Err(Error::new_err(format!("a puzzle has from 1 to {MOST_MOVES} moves, not {moves}")));
    }
    let (mut solver, position) = solver(&board, goal, takes, most)?;
    let game = board.inner.game().clone();
    let found = py.detach(|| solver.solve(&position, moves)).map_err(too_long)?;
    Ok(found.map(|line| line.into_iter().map(|mv| Move::from_move(&game, mv)).collect()))
}

/// Whether these moves are the only solution.
#[pyfunction]
pub(crate) fn is_solution(
    py: Python<'_>,
    board: PyRef<'_, Board>,
    goal: &str,
    line: Vec<Text>,
    takes: u32,
    most: u64,
) -> PyResult<bool> {
    let (mut solver, position) = solver(&board, goal, takes, most)?;
    let line: Vec<String> = line.into_iter().map(|text| text.0).collect();
    py.detach(|| solver.is_solution(&position, &line)).map_err(too_long)
}

/// Whether the side to move can capture a royal piece in what is left of its turn.
#[pyfunction]
#[pyo3(signature = (board, most=2_000_000))]
pub(crate) fn captures_royal(py: Python<'_>, board: PyRef<'_, Board>, most: u64) -> PyResult<bool> {
    let (mut solver, mut position) = solver(&board, "save", 1, most)?;
    py.detach(|| solver.captures_royal(&mut position)).map_err(too_long)
}
