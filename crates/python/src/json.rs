//! Positions as plain data: in JSON, since a server sends one after every move, and reaches with the names of squares.

use crate::board::Board;
use crate::game::{color_of, piece_type_of};
use crate::text::Text;
use crate::typed::Number;
use pyo3::prelude::*;
use rules::{Piece, Reach, Square, position_json};

/// Returns a position in the shape of ``acedrex.shapes.Position``. `last` holds the names of the squares that the last
/// move touched, by default as the board knows them; with `legal` the legal moves are included.
#[pyfunction]
pub(crate) fn position(mut board: PyRefMut<'_, Board>, last: Option<Vec<String>>, legal: bool) -> String {
    let moves = if legal && board.inner.outcome(false).is_none() { board.core_moves().to_vec() } else { Vec::new() };
    let last = last.unwrap_or_else(|| board.inner.last_touched().iter().map(Square::to_string).collect());
    position_json(&board.inner, &moves, &last)
}

/// Returns how many pieces attack each square and which captures win something, in the shape of ``wire.Attacks``.
#[pyfunction]
pub(crate) fn attack_report(board: PyRef<'_, Board>) -> String {
    rules::attacks_json(&board.inner)
}

/// Returns a position that is being edited, in the shape of ``wire.Edited``.
#[pyfunction]
pub(crate) fn edited(board: PyRef<'_, Board>) -> String {
    rules::edited_json(&board.inner)
}

/// Those of some rights whose pieces are in place.
#[pyfunction]
pub(crate) fn possible_rights(board: PyRef<'_, Board>, rights: Text) -> String {
    rules::possible_rights(board.inner.game(), board.inner.position(), &rights)
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

fn named(reaches: &[Reach]) -> Vec<NamedReach> {
    let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
    let one = |reach: &Reach| NamedReach {
        to: reach.to.to_string(),
        kind: reach.kind_name(),
        mount: reach.mount.map(|square| square.to_string()),
        path: names(&reach.path),
        legs: names(&reach.legs),
    };
    reaches.iter().map(one).collect()
}

/// Returns where the piece on a square could go by its own moves.
#[pyfunction]
#[pyo3(signature = (board, square) -> "list[acedrex.shapes.Reach]")]
pub(crate) fn reaches(board: PyRef<'_, Board>, square: Number<'_, '_>) -> PyResult<Vec<NamedReach>> {
    Ok(named(&board.inner.position().reach(&board.inner.game().rules, board.square(&square)?)))
}

/// Returns where the piece on a square might go after the next move of the other side.
#[pyfunction]
#[pyo3(signature = (board, square) -> "list[acedrex.shapes.Reach]")]
pub(crate) fn premoves(board: PyRef<'_, Board>, square: Number<'_, '_>) -> PyResult<Vec<NamedReach>> {
    Ok(named(&board.inner.position().premoves(&board.inner.game().rules, board.square(&square)?)))
}

/// Returns where a piece could go alone on a board.
#[pyfunction]
#[pyo3(signature = (board, letter, white, square) -> "list[acedrex.shapes.Reach]")]
pub(crate) fn reaches_alone(
    board: PyRef<'_, Board>,
    letter: Text,
    white: bool,
    square: Number<'_, '_>,
) -> PyResult<Vec<NamedReach>> {
    let game = board.inner.game();
    let piece = Piece::new(color_of(white), piece_type_of(game, &letter)?);
    Ok(named(&rules::reach_alone(game, piece, board.square(&square)?)))
}
