//! Outcomes, as tuples.

use crate::game::color_of;
use rules::{Board, Color, Outcome, Reason};

/// An outcome: reason, winner (True is White), result, score.
pub(crate) type OutcomeTuple = (&'static str, Option<bool>, &'static str, String);

pub(crate) fn outcome_tuple(outcome: Outcome) -> OutcomeTuple {
    let winner = outcome.winner.map(|color| color == Color::White);
    (outcome.reason.name(), winner, outcome.result(), outcome.score())
}

/// The outcome by a reason that names a forfeit, or by agreement if nobody loses.
pub(crate) fn outcome_by_players(board: &Board, reason: &str, loser: Option<bool>) -> Option<Outcome> {
    let Some(white) = loser else { return Some(board.agreement()) };
    let reason = Reason::FORFEITS.into_iter().find(|known| known.name() == reason)?;
    board.forfeit(reason, color_of(white))
}
