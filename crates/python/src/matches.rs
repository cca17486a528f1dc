//! Matches between players, for the server: commands, events and states are JSON.

use crate::board::Board;
use crate::errors::{Error, RefusedError};
use crate::game::Game;
use ::matches::{Command, Context, Event, Refusal, Side, claim_delay, decide, may};
use pyo3::prelude::*;
use serde_json::{from_str, to_string};

/// A match, folded from its events.
#[pyclass(module = "acedrex._native")]
pub(crate) struct Match {
    inner: ::matches::Match,
}

fn broken(error: impl std::fmt::Display) -> PyErr {
    Error::new_err(error.to_string())
}

fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    let error = RefusedError::new_err(refusal.message);
    let value = error.value(py);
    match value.setattr("code", refusal.code).and_then(|()| value.setattr("where", refusal.r#where)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn sides(names: &[String]) -> PyResult<Vec<Side>> {
    let side = |name: &String| Side::BOTH.into_iter().find(|side| side.name() == name);
    names.iter().map(|name| side(name).ok_or_else(|| broken(format!("no side is called {name:?}")))).collect()
}

fn json(value: &impl serde::Serialize) -> String {
    to_string(value).expect("plain data is JSON")
}

#[pymethods]
impl Match {
    /// The most that is given back for a move's way through the network, in milliseconds.
    #[classattr]
    const MAX_LAG: i64 = ::matches::MAX_LAG;

    /// Builds a match from its events, of which the first says how it was created, in the game that it names.
    #[new]
    fn new(events: Vec<String>, game: &Game) -> PyResult<Match> {
        let events = events.iter().map(|event| from_str(event)).collect::<Result<Vec<Event>, _>>().map_err(broken)?;
        Ok(Match { inner: ::matches::Match::fold(events, &game.inner).map_err(broken)? })
    }

    fn copy(&self) -> Match {
        Match { inner: self.inner.clone() }
    }

    /// Applies the next event; after an error the match must not be used any more.
    fn apply(&mut self, event: &str) -> PyResult<()> {
        self.inner.apply(&from_str(event).map_err(broken)?).map_err(broken)
    }

    /// Returns the events of a command.
    fn decide(&self, py: Python<'_>, command: &str, seats: Vec<String>, context: &str) -> PyResult<Vec<String>> {
        let (command, context): (Command, Context) =
            (from_str(command).map_err(broken)?, from_str(context).map_err(broken)?);
        let decided = decide(&self.inner, &command, &sides(&seats)?, &context);
        Ok(decided.map_err(|refusal| refused(py, refusal))?.iter().map(json).collect())
    }

    /// Returns the commands that the player of some sides may send now.
    fn may(&self, seats: Vec<String>) -> PyResult<Vec<&'static str>> {
        Ok(may(&self.inner, &sides(&seats)?))
    }

    /// The state besides moves and position.
    #[getter]
    fn state(&self) -> String {
        json(&self.inner)
    }

    /// The number of moves.
    #[getter]
    fn made(&self) -> usize {
        self.inner.moves.len()
    }

    /// Returns the moves from one on.
    fn moves(&self, start: usize) -> String {
        json(&self.inner.moves.get(start..).unwrap_or_default())
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
        let control = self.inner.shown_time();
        self.inner.clock.map(|clock| json(&clock.show(control, now)))
    }

    /// The moment at which the flag falls, unless the player moves.
    #[getter]
    fn deadline(&self) -> Option<i64> {
        self.inner.clock.and_then(|clock| clock.deadline())
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
