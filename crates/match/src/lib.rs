//! Matches between players: events, what may be done, clocks; and attempts at puzzles.
//!
//! A match is folded from its events ([`Match::fold`]), and [`decide`] says which events a command causes, or why it is
//! refused. Everything is plain data: no clock, no input or output, no randomness. The server stores the events in JSON, and
//! so do browsers for matches without a server.

mod attempt;
mod clock;
mod decide;
mod event;
mod goal;
mod json;
mod state;

pub use attempt::{AttemptError, Verdict, attempt};
pub use clock::{Clock, MAX_LAG, Running, TimeControl};
pub use decide::{Absence, Command, Context, Refusal, claim_delay, decide, may};
pub use event::{Claim, Created, Event, Series, Side, Sides, What};
pub use goal::Goal;
pub use state::{BrokenError, Ending, Match, MoveMade, Offer, Phase, Seat};
