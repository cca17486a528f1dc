//! Positions as plain data: in JSON, since a server sends one after every move, and reaches with the names of squares.

use crate::board::Board;
use pyo3::prelude::*;
use rules::{Reach, Square, position_json};

/// Returns a position in the shape of ``acedrex.shapes.Position``; `last` holds names of squares, and with `legal` the
/// legal moves are included.
#[pyfunction]
pub(crate) fn position(mut board: PyRefMut<'_, Board>, last: Vec<String>, legal: bool) -> String {
    let moves = if legal && board.inner.outcome(false).is_none() { board.core_moves().to_vec() } else { Vec::new() };
    position_json(&board.inner, &moves, &last)
}

/// A reach in the shape of ``acedrex.shapes.Reach``.
#[derive(IntoPyObject)]
pub(crate) struct NamedReach {
    to: String,
    kind: &'static str,
    mount: Option<String>,
    path: Vec<String>,
    legs: Vec<String>,
}

/// Returns where the piece on a square could go by its own moves.
#[pyfunction]
pub(crate) fn reaches(board: PyRef<'_, Board>, square: &Bound<'_, PyAny>) -> PyResult<Vec<NamedReach>> {
    let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
    let named = |reach: &Reach| NamedReach {
        to: reach.to.to_string(),
        kind: reach.kind_name(),
        mount: reach.mount.map(|square| square.to_string()),
        path: names(&reach.path),
        legs: names(&reach.legs),
    };
    Ok(board.inner.position().reach(&board.inner.game().rules, board.square(square)?).iter().map(named).collect())
}
