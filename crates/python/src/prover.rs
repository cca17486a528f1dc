//! `MateProver`: proofs of puzzles with replies.

use crate::board::Board;
use crate::moves::Move;
use judge::{Mates, TooLong};
use pyo3::prelude::*;

/// Proves by exhaustive search what the side to move can force. After too many positions its answers are None.
#[pyclass(module = "acedrex._native")]
pub(crate) struct MateProver {
    inner: Mates,
}

#[pymethods]
impl MateProver {
    #[new]
    fn new(most: u64, pieces_count: bool) -> MateProver {
        MateProver { inner: Mates::new(most, pieces_count) }
    }

    /// Every move that forces the goal in at most `moves` moves, including itself.
    fn keys(&mut self, py: Python<'_>, board: PyRef<'_, Board>, moves: u32) -> Option<Vec<Move>> {
        let (game, mut position) = (board.inner.game().clone(), board.inner.position().clone());
        let keys = py.detach(|| self.inner.keys(&game, &mut position, moves)).ok()?;
        Some(keys.into_iter().map(|mv| Move::from_move(&game, mv)).collect())
    }

    /// Whether the side to move can force the goal in at most `moves` moves.
    fn wins(&mut self, py: Python<'_>, board: PyRef<'_, Board>, moves: u32) -> Option<bool> {
        let (game, mut position) = (board.inner.game().clone(), board.inner.position().clone());
        let wins: Result<bool, TooLong> = py.detach(|| self.inner.wins(&game, &mut position, moves));
        wins.ok()
    }
}
