//! Matches between players, for the server: events, commands and states are JSON.

use crate::board::Board;
use crate::errors::{Error, move_error};
use crate::game::Game;
use crate::text::Text;
use ::matches::{AttemptError, BrokenError, Goal, claim_delay};
use pyo3::prelude::*;

/// A match, folded from its events.
#[pyclass(module = "acedrex._native")]
pub(crate) struct Match {
    inner: ::matches::Match,
}

fn broken(error: BrokenError) -> PyErr {
    Error::new_err(error.to_string())
}

#[pymethods]
impl Match {
    /// The most that is given back for a move's way through the network, in milliseconds.
    #[classattr]
    const MAX_LAG: i64 = ::matches::MAX_LAG;

    /// Builds a match from its events, of which the first says how it was created, in the game that it names.
    #[new]
    fn new(events: &str, game: &Game) -> PyResult<Match> {
        Ok(Match { inner: ::matches::Match::from_json(events, &game.inner).map_err(broken)? })
    }

    fn copy(&self) -> Match {
        Match { inner: self.inner.clone() }
    }

    /// Applies the next event; after an error the match must not be used any more.
    fn apply(&mut self, event: &str) -> PyResult<()> {
        self.inner.apply_json(event).map_err(broken)
    }

    /// Returns the events of a command, or why it is refused.
    fn decide(&self, asked: &str) -> PyResult<String> {
        self.inner.decide_json(asked).map_err(broken)
    }

    /// Returns the commands that the player of some sides may send now.
    fn may(&self, seats: &str) -> PyResult<String> {
        self.inner.may_json(seats).map_err(broken)
    }

    /// The state besides moves and position.
    #[getter]
    fn state(&self) -> String {
        self.inner.state_json()
    }

    /// The number of moves.
    #[getter]
    fn made(&self) -> usize {
        self.inner.moves.len()
    }

    /// Returns the moves from one on.
    fn moves(&self, start: usize) -> String {
        self.inner.moves_json(start)
    }

    /// What the clock of its side showed after each move.
    #[getter]
    fn shown(&self) -> Vec<Option<i64>> {
        self.inner.shown.clone()
    }

    /// Returns what each side has left at a moment.
    fn left(&self, now: i64) -> Option<(i64, i64)> {
        self.inner.clock.map(|clock| clock.left_at(now)).map(|left| (left.white, left.black))
    }

    /// The value of the PGN tag `TimeControl`.
    #[getter]
    fn time_tag(&self) -> String {
        self.inner.created.time.tag()
    }

    /// Returns the clock as it is shown at a moment.
    fn clock(&self, now: i64) -> Option<String> {
        self.inner.clock_json(now)
    }

    /// The moment at which the flag falls, unless the player moves.
    #[getter]
    fn deadline(&self) -> Option<i64> {
        self.inner.clock.and_then(|clock| clock.deadline())
    }

    /// Returns how many milliseconds the engine may think about its turn.
    fn thinking(&self, now: i64) -> i64 {
        self.inner.thinking(now)
    }

    /// For how many milliseconds an opponent must be offline before the match can be claimed.
    #[getter]
    fn claim_delay(&self) -> Option<i64> {
        claim_delay(self.inner.created.time)
    }

    /// A copy of the position with its history.
    #[getter]
    fn board(&self) -> Board {
        Board::rooted(self.inner.board.clone())
    }
}

/// The verdict of an attempt at a puzzle, and the moves that are accepted.
#[pyfunction]
#[pyo3(signature = (
    start, goal, line, moves
) -> "tuple[typing.Literal['right', 'solved', 'wrong'], list[str]]")]
pub(crate) fn attempt(
    start: PyRef<'_, Board>,
    goal: &str,
    line: Vec<Text>,
    moves: Vec<Text>,
) -> PyResult<(&'static str, Vec<String>)> {
    let [line, moves] = [line, moves].map(|texts| texts.into_iter().map(|text| text.0).collect::<Vec<_>>());
    let goal = Goal::parse(goal).map_err(Error::new_err)?;
    let judged = ::matches::attempt(&start.inner, goal, &line, &moves).map_err(|error| match error {
        AttemptError::Move(error) => move_error(error),
        AttemptError::Mismatch => Error::new_err(error.to_string()),
    })?;
    Ok((judged.0.name(), judged.1))
}
