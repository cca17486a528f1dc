//! Questions about a board besides its moves: which pieces stand where, what they attack, and what pins them.

use crate::board::Board;
use crate::game::color_of;
use crate::moves::Move;
use crate::squares::{SquareSet, Squares};
use crate::typed::Number;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySequence};
use rules::{Set, Square};

/// The pieces on a board by square. `pieces` holds one object for each piece type and side, in the order of
/// `_native.piece_index`.
#[pyfunction]
#[pyo3(signature = (board, pieces: "collections.abc.Sequence[acedrex.game.Piece]") -> "dict[int, acedrex.game.Piece]")]
pub(crate) fn piece_map<'py>(
    board: &Bound<'py, Board>,
    pieces: &Bound<'py, PySequence>,
) -> PyResult<Bound<'py, PyDict>> {
    let map = PyDict::new(board.py());
    let board = board.try_borrow()?;
    let position = board.inner.position();
    for square in position.occupied() {
        if let Some(piece) = position.piece(square) {
            map.set_item(square.0, pieces.get_item(piece.index())?)?;
        }
    }
    Ok(map)
}

/// The index of the piece on a square: twice its piece type's number, plus one for Black; None if the square is empty.
#[pyfunction]
pub(crate) fn piece_index(board: PyRef<'_, Board>, square: Number<'_, '_>) -> PyResult<Option<usize>> {
    Ok(board.inner.position().piece(board.square(&square)?).map(|piece| piece.index()))
}

/// The pieces of a side that would capture on a square if an enemy stood there; `occupied` replaces the squares that
/// block and that are hopped over.
#[pyfunction]
#[pyo3(signature = (board, white, square, occupied=None))]
pub(crate) fn attackers(
    board: PyRef<'_, Board>,
    white: bool,
    square: Number<'_, '_>,
    occupied: Option<Squares>,
) -> PyResult<SquareSet> {
    let (rules, position, square) = (&board.inner.game().rules, board.inner.position(), board.square(&square)?);
    let occupied = occupied.map_or_else(|| position.occupied(), |Squares(set)| set);
    Ok(SquareSet::of(rules, position.attackers(rules, color_of(white), square, &occupied)))
}

/// The squares on which a piece would capture if enemies stood there.
#[pyfunction]
pub(crate) fn attacks(board: PyRef<'_, Board>, square: Number<'_, '_>) -> PyResult<SquareSet> {
    let (rules, from, position) = (&board.inner.game().rules, board.square(&square)?, board.inner.position());
    let attacks = position.piece(from).map_or(Set::EMPTY, |piece| {
        let occupied = position.occupied();
        let attacks = |to: &Square| *to != from && position.piece_attacks(rules, piece, from, *to, &occupied);
        rules.board.into_iter().filter(attacks).collect()
    });
    Ok(SquareSet::of(rules, attacks))
}

/// Where a piece may go without exposing its King; None if it is not pinned.
#[pyfunction]
pub(crate) fn pin(board: PyRef<'_, Board>, white: bool, square: Number<'_, '_>) -> PyResult<Option<SquareSet>> {
    let rules = &board.inner.game().rules;
    let pin = board.inner.position().pin(rules, color_of(white), board.square(&square)?);
    Ok(pin.map(|set| SquareSet::of(rules, set)))
}

/// Why the piece on a square has no legal move, in a language; None if it has one, or if its side may move no piece now.
#[pyfunction]
pub(crate) fn why_idle(board: PyRef<'_, Board>, square: Number<'_, '_>, language: &str) -> PyResult<Option<String>> {
    Ok(board.inner.why_idle_in(language, board.square(&square)?))
}

/// Writes a line of moves in SAN, with move numbers.
#[pyfunction]
pub(crate) fn variation_san(board: PyRef<'_, Board>, moves: Vec<Bound<'_, Move>>) -> PyResult<String> {
    Ok(board.inner.variation_san(&board.line(&moves)?))
}

/// Whether a side certainly cannot win any more.
#[pyfunction]
pub(crate) fn cannot_win(board: PyRef<'_, Board>, white: bool) -> bool {
    board.inner.position().cannot_win(&board.inner.game().rules, color_of(white))
}

/// The squares on which a piece may be captured en passant.
#[pyfunction]
pub(crate) fn en_passant_squares(board: PyRef<'_, Board>) -> SquareSet {
    let en_passant = board.inner.position().state().en_passant;
    SquareSet::of(&board.inner.game().rules, en_passant.iter().flat_map(|track| track.landings()).collect())
}
