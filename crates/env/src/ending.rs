//! Numbers for how a game ended.

use rules::{Outcome, Reason};

/// The game goes on.
pub const RUNNING: u8 = 0;
/// The game was stopped at its greatest length.
pub const LENGTH_LIMIT: u8 = 1;
/// The side to move chose an action that was not legal.
pub const ILLEGAL_ACTION: u8 = 2;

/// The names of all endings, by their numbers; that of [`RUNNING`] is empty.
pub fn endings() -> impl Iterator<Item = &'static str> {
    ["", "length_limit", "illegal_action"].into_iter().chain(Reason::ALL.into_iter().map(Reason::name))
}

/// The number of an outcome.
pub(crate) fn number(outcome: &Outcome) -> u8 {
    let place = Reason::ALL.iter().position(|reason| *reason == outcome.reason).expect("all reasons are listed");
    ILLEGAL_ACTION + 1 + place as u8
}

/// The rewards of White and Black: 1 for all points, -1 for none, 0 for a draw.
pub(crate) fn rewards(outcome: &Outcome) -> [f32; 2] {
    let (white, black) = (f32::from(outcome.half_points.0), f32::from(outcome.half_points.1));
    let share = (white - black) / (white + black);
    [share, -share]
}
