//! How games end, for Python.

use crate::game::color_of;
use pyo3::prelude::*;
use rules::{Board, Color, Outcome, Reason};

/// How a game ended; True stands for White.
#[derive(IntoPyObject)]
pub(crate) struct Ended {
    reason: &'static str,
    winner: Option<bool>,
    score: String,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Ended {
        let winner = outcome.winner.map(|color| color == Color::White);
        Ended { reason: outcome.reason.name(), winner, score: outcome.score() }
    }
}

/// The outcome for a reason that names a forfeit, or by agreement if nobody loses.
pub(crate) fn outcome_by_players(board: &Board, reason: &str, loser: Option<bool>) -> Option<Outcome> {
    let Some(white) = loser else { return Some(board.agreement()) };
    let reason = Reason::FORFEITS.into_iter().find(|known| known.name() == reason)?;
    board.forfeit(reason, color_of(white))
}
