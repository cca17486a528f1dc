//! Mates against a bare King, for the lab.

use crate::errors::Error;
use crate::game::Game;
use ::lab::mates::{Class, Study};
use pyo3::prelude::*;
use rules::PieceType;
use std::sync::Arc;

/// What was found about one class of positions of a set.
#[derive(IntoPyObject)]
pub(crate) struct MatesClass {
    same_color: Option<bool>,
    to_move: (u64, u64),
    bare_to_move: (u64, u64),
    mates: u64,
    dead: (u64, u64),
    by_moves: Vec<u64>,
    longest: String,
}

impl From<Class> for MatesClass {
    fn from(class: Class) -> MatesClass {
        let Class { same_color, to_move, bare_to_move, mates, dead, by_moves, longest } = class;
        MatesClass { same_color, to_move, bare_to_move, mates, dead, by_moves, longest }
    }
}

/// What was found about a set.
#[derive(IntoPyObject)]
pub(crate) struct MatesReport {
    checked: u64,
    classes: Vec<MatesClass>,
}

fn piece_types(game: &Game, numbers: &[u8]) -> PyResult<Vec<PieceType>> {
    match numbers.iter().find(|number| usize::from(**number) >= game.inner.rules.piece_types) {
        Some(number) => Err(Error::new_err(format!("{number} is not the number of a piece type"))),
        None => Ok(numbers.iter().map(|number| PieceType(*number)).collect()),
    }
}

fn study(game: &Game) -> PyResult<Study> {
    Study::new(Arc::clone(&game.inner)).map_err(Error::new_err)
}

/// Solves a King and pieces of these types against a bare King, and compares the solution with the legal moves.
#[pyfunction]
#[pyo3(signature = (game, pieces, seed) -> "acedrex.lab.records.MatesReport")]
pub(crate) fn solve_mates(py: Python<'_>, game: &Game, pieces: &[u8], seed: u64) -> PyResult<MatesReport> {
    let piece_types = piece_types(game, pieces)?;
    let report = py.detach(|| study(game)?.report(&piece_types, seed).map_err(Error::new_err))?;
    Ok(MatesReport { checked: report.checked, classes: report.classes.into_iter().map(MatesClass::from).collect() })
}

/// Why sets cannot be solved, `None` for those that can.
#[pyfunction]
pub(crate) fn unsolved_mates(py: Python<'_>, game: &Game, sets: Vec<Vec<u8>>) -> PyResult<Vec<Option<String>>> {
    let sets = sets.iter().map(|set| piece_types(game, set)).collect::<PyResult<Vec<_>>>()?;
    py.detach(|| {
        let mut study = study(game)?;
        Ok(sets.iter().map(|set| study.refusal(set)).collect())
    })
}
