//! Matches without a server: events, commands and states are JSON.

use crate::board::Board;
use crate::game::Game;
use crate::values::{invalid, move_error, texts};
use ::matches::{AttemptError, BrokenError, Goal};
use js_sys::Array;
use wasm_bindgen::prelude::*;

/// A match, folded from its events.
#[wasm_bindgen]
pub struct Match {
    inner: ::matches::Match,
}

fn broken(error: BrokenError) -> JsValue {
    invalid(error.to_string())
}

#[wasm_bindgen]
impl Match {
    /// Builds a match from its events, of which the first says how it was created, in the game that it names.
    #[wasm_bindgen(constructor)]
    pub fn new(events: &str, game: &Game) -> Result<Match, JsValue> {
        Ok(Match { inner: ::matches::Match::from_json(events, &game.inner).map_err(broken)? })
    }

    /// Applies the next event; after an error the match must not be used any more.
    pub fn apply(&mut self, event: &str) -> Result<(), JsValue> {
        self.inner.apply_json(event).map_err(broken)
    }

    /// The events of a command, or why it is refused.
    pub fn decide(&self, asked: &str) -> Result<String, JsValue> {
        self.inner.decide_json(asked).map_err(broken)
    }

    /// The commands that the player of some sides may send now.
    pub fn may(&self, seats: &str) -> Result<String, JsValue> {
        self.inner.may_json(seats).map_err(broken)
    }

    /// The state besides moves and position.
    pub fn state(&self) -> String {
        self.inner.state_json()
    }

    /// The moves.
    pub fn moves(&self) -> String {
        self.inner.moves_json(0)
    }

    /// What the clock of its side showed after a move; null without a clock.
    pub fn shown(&self, index: usize) -> Option<f64> {
        self.inner.shown.get(index).copied().flatten().map(|ms| ms as f64)
    }

    /// The clock as it is shown at a moment.
    pub fn clock(&self, now: f64) -> Option<String> {
        self.inner.clock_json(now as i64)
    }

    /// The moment at which the flag falls, unless the player moves.
    pub fn deadline(&self) -> Option<f64> {
        self.inner.clock.and_then(|clock| clock.deadline()).map(|at| at as f64)
    }

    /// How many milliseconds the engine may think about its turn.
    pub fn thinking(&self, now: f64) -> f64 {
        self.inner.thinking(now as i64) as f64
    }

    /// The value of the PGN tag `TimeControl`.
    pub fn time_tag(&self) -> String {
        self.inner.created.time.tag()
    }

    /// A copy of the position with its history.
    pub fn board(&self) -> Board {
        Board { inner: self.inner.board.clone() }
    }
}

/// The verdict of an attempt at a puzzle, and then the moves that are accepted.
#[wasm_bindgen]
pub fn attempt(start: &Board, goal: &str, line: Vec<String>, moves: Vec<String>) -> Result<Array, JsValue> {
    let goal = Goal::parse(goal).map_err(invalid)?;
    let (verdict, moves) = ::matches::attempt(&start.inner, goal, &line, &moves).map_err(|error| match error {
        AttemptError::Move(error) => move_error(error),
        AttemptError::Mismatch => invalid(error.to_string()),
    })?;
    Ok(texts([verdict.name().to_string()].into_iter().chain(moves)))
}
