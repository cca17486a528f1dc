//! Questions about moves: lists besides all legal ones, and the properties of a move.

use crate::board::Board;
use crate::moves::Move;
use crate::text::Text;
use pyo3::prelude::*;
use rules::MoveTag;

fn of_board(board: &Board, moves: &[rules::Move]) -> Vec<Move> {
    moves.iter().map(|mv| Move::from_move(board.inner.game(), *mv)).collect()
}

/// Whether a text means a null move: `--`, `Z0`, `0000` or `@@@@`.
#[pyfunction]
pub(crate) fn is_null_text(text: Text) -> bool {
    rules::is_null_text(&text)
}

/// The legal captures, including en passant.
#[pyfunction]
pub(crate) fn captures(board: PyRef<'_, Board>) -> Vec<Move> {
    let (position, rules) = (board.inner.position(), &board.inner.game().rules);
    let mut moves = Vec::new();
    if !position.must_decide(rules) {
        position.tactical_moves(rules, &mut moves);
        moves.retain(|mv| mv.tag() == MoveTag::EnPassant || !position.cell(mv.to()).is_empty());
    }
    of_board(&board, &moves)
}

/// The pseudo-legal moves: those that the pieces can make, whether or not they leave the King attacked.
#[pyfunction]
pub(crate) fn pseudo_legal_moves(mut board: PyRefMut<'_, Board>) -> Vec<Move> {
    if board.inner.position().must_decide(&board.inner.game().rules) {
        return board.moves();
    }
    let mut moves = Vec::new();
    board.inner.pseudo_legal_moves(&mut moves);
    of_board(&board, &moves)
}

/// Whether a legal move captures en passant.
#[pyfunction]
pub(crate) fn is_en_passant(board: PyRef<'_, Board>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
    Ok(board.playable(*r#move.get())?.tag() == MoveTag::EnPassant)
}

/// Which way a legal move castles: True towards the last file, False towards the first, None if it does not castle.
#[pyfunction]
pub(crate) fn castling_side(board: PyRef<'_, Board>, r#move: &Bound<'_, Move>) -> PyResult<Option<bool>> {
    let mv = board.playable(*r#move.get())?;
    let castlings = &board.inner.game().rules.castlings[board.inner.turn().index()];
    let mut found = castlings.iter().filter(|castling| castling.king == (mv.from(), mv.to()));
    Ok(found.next().filter(|_| mv.tag() == MoveTag::Castling).map(|castling| castling.short))
}

/// Whether a legal move resets the counter of quiet moves.
#[pyfunction]
pub(crate) fn is_zeroing(board: PyRef<'_, Board>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
    let mv = board.playable(*r#move.get())?;
    Ok(board.inner.position().makes_progress(&board.inner.game().rules, mv))
}

/// Whether no earlier position can occur again after a legal move.
#[pyfunction]
pub(crate) fn is_irreversible(board: PyRef<'_, Board>, r#move: &Bound<'_, Move>) -> PyResult<bool> {
    let mv = board.playable(*r#move.get())?;
    Ok(board.inner.position().is_irreversible(&board.inner.game().rules, mv))
}
