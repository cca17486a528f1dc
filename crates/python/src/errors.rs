//! The exceptions, which are `ValueError`s where an input is to blame.

use crate::records::Fault;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use rules::{FenError, MoveError};

create_exception!(acedrex, Error, PyValueError, "An input is invalid; the message says what is wrong and where.");
create_exception!(acedrex, DefinitionError, Error, "A game definition is wrong. `faults` lists everything found.");
create_exception!(acedrex, InvalidFenError, Error, "A text is not the FEN of a position of the game.");
create_exception!(acedrex, InvalidMoveError, Error, "A text cannot be a move.");
create_exception!(acedrex, IllegalMoveError, Error, "A move is not legal in the position.");
create_exception!(acedrex, AmbiguousMoveError, Error, "A move's notation fits several legal moves.");
create_exception!(acedrex._native, TooLongError, PyException, "A proof would take more positions than allowed.");

pub(crate) fn definition_error(py: Python<'_>, faults: Vec<rules::Fault>) -> PyErr {
    let lines: Vec<String> = faults.iter().map(rules::Fault::to_string).collect();
    let error = DefinitionError::new_err(lines.join("\n"));
    let faults: Vec<Fault> = faults.into_iter().map(Fault::from).collect();
    match error.value(py).setattr("faults", faults) {
        Ok(()) => error,
        Err(other) => other,
    }
}

pub(crate) fn fen_error(error: FenError) -> PyErr {
    InvalidFenError::new_err(error.to_string())
}

pub(crate) fn move_error(error: MoveError) -> PyErr {
    let message = error.to_string();
    match error {
        MoveError::Unreadable(_) => InvalidMoveError::new_err(message),
        MoveError::Illegal(_) => IllegalMoveError::new_err(message),
        MoveError::Ambiguous(_) => AmbiguousMoveError::new_err(message),
    }
}
