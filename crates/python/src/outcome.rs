//! How games end, for Python.

use crate::game::color_of;
use pyo3::prelude::*;
use rules::{Board, Color, Outcome, Reason};

/// How a game ended: the reason, the winner (True is White), the score, and the limit that was reached.
pub(crate) type Ended = (&'static str, Option<bool>, String, Option<u32>);

pub(crate) fn ended(board: &Board, outcome: &Outcome) -> Ended {
    let winner = outcome.winner.map(|color| color == Color::White);
    (outcome.reason.name(), winner, outcome.score(), outcome.reason.limit(&board.game().rules.end))
}

/// The names of all reasons why a game ends.
#[pyfunction]
pub(crate) fn terminations() -> Vec<&'static str> {
    Reason::ALL.into_iter().map(Reason::name).collect()
}

/// The texts about how games end in a language, by their keys.
#[pyfunction]
pub(crate) fn ending_texts(language: &str) -> Vec<(String, String)> {
    rules::ending_texts(language).to_vec()
}

/// Why a game ended or may end, in a few words; `limit` is that of the game, 0 if there is none.
#[pyfunction]
pub(crate) fn reason_text(reason: &str, limit: u32, language: &str) -> String {
    rules::reason_text(language, reason, limit)
}

/// Why a game ended and who won (True is White), in a sentence.
#[pyfunction]
pub(crate) fn ending_text(reason: &str, winner: Option<bool>, score: &str, limit: u32, language: &str) -> String {
    rules::ending_text(language, reason, winner.map(color_of), score, limit)
}

/// The outcome for a reason that names a forfeit, or by agreement if nobody loses.
pub(crate) fn outcome_by_players(board: &Board, reason: &str, loser: Option<bool>) -> Option<Outcome> {
    let Some(white) = loser else { return Some(board.agreement()) };
    let reason = Reason::FORFEITS.into_iter().find(|known| known.name() == reason)?;
    board.forfeit(reason, color_of(white))
}
