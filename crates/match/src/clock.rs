//! Clock arithmetic: how much time a side has left, and what a finished turn adds.
//!
//! The time left of a side is one number of milliseconds. Under byo-yomi it includes the periods left; in correspondence
//! the days of the turn and the reserve.

use crate::event::{Side, Sides};
use serde::Serialize;

const DAY: i64 = 86_400_000;
/// Milliseconds for choosing a setup in a match with live clocks.
const SETUP: i64 = 180_000;
/// The most that is given back for a move's way through the network, in milliseconds.
pub const MAX_LAG: i64 = 500;

/// How much time the sides have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TimeControl {
    /// No clock.
    None,
    /// Time for the game, and an increment for every turn.
    Fischer {
        /// For the game.
        initial_ms: i64,
        /// For every turn.
        increment_ms: i64,
    },
    /// Time for the game, then periods, each for one turn.
    ByoYomi {
        /// For the game.
        initial_ms: i64,
        /// The length of a period.
        period_ms: i64,
        /// How many there are.
        periods: i64,
    },
    /// Days for every turn, and a reserve of days for the match.
    Correspondence {
        /// For every turn.
        days_per_turn: i64,
        /// For the match.
        reserve_days: i64,
    },
}

impl TimeControl {
    /// The time of a side at the start.
    pub fn initial(self) -> i64 {
        match self {
            TimeControl::None => 0,
            TimeControl::Fischer { initial_ms, .. } => initial_ms,
            TimeControl::ByoYomi { initial_ms, period_ms, periods } => initial_ms + periods * period_ms,
            TimeControl::Correspondence { days_per_turn, reserve_days } => (days_per_turn + reserve_days) * DAY,
        }
    }

    /// The time for choosing the setup.
    pub fn for_setup(self) -> i64 {
        match self {
            TimeControl::Correspondence { days_per_turn, .. } => days_per_turn * DAY,
            _ => SETUP,
        }
    }

    /// What a side has left after a turn that took `used` in all.
    pub fn after_turn(self, left: i64, used: i64) -> i64 {
        match self {
            TimeControl::None => 0,
            TimeControl::Fischer { increment_ms, .. } => left + increment_ms,
            // A period that was started is renewed in full.
            TimeControl::ByoYomi { period_ms, periods, .. } if left <= periods * period_ms => {
                begun_periods(left, period_ms) * period_ms
            }
            TimeControl::ByoYomi { .. } => left,
            TimeControl::Correspondence { days_per_turn, .. } => {
                let days = days_per_turn * DAY;
                days + left.min(left + used - days)
            }
        }
    }

    /// What a side has again when a move is taken back that it made with `left`, and `used` in its turn.
    ///
    /// No increment was earned, and the time for the move stays spent; but a turn's own time begins anew: the days of
    /// correspondence, and a period.
    pub fn before_move(self, left: i64, used: i64) -> i64 {
        if matches!(self, TimeControl::Fischer { .. }) { left } else { self.after_turn(left, used) }
    }

    /// The value of the PGN tag `TimeControl`, in seconds.
    ///
    /// The standard has no byo-yomi, nor a reserve of days: after the main time, each move has its period or its days.
    pub fn tag(self) -> String {
        let seconds = |ms: i64| (ms as f64 / 1000.0).to_string();
        match self {
            TimeControl::None => "-".into(),
            TimeControl::Fischer { initial_ms, increment_ms } => {
                format!("{}+{}", seconds(initial_ms), seconds(increment_ms))
            }
            TimeControl::ByoYomi { initial_ms: 0, period_ms, .. } => format!("1/{}", seconds(period_ms)),
            TimeControl::ByoYomi { initial_ms, period_ms, .. } => {
                format!("{}:1/{}", seconds(initial_ms), seconds(period_ms))
            }
            TimeControl::Correspondence { days_per_turn, .. } => format!("1/{}", days_per_turn * DAY / 1000),
        }
    }
}

/// The periods of which some time is left, the last one begun.
fn begun_periods(left: i64, period: i64) -> i64 {
    -(-left).div_euclid(period)
}

/// The clock of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Running {
    /// What each side has left.
    pub left: Sides<i64>,
    /// What the side to move has used in this turn.
    pub used: i64,
    /// Whose clock runs.
    pub running: Option<Side>,
    /// Since when: from the end of days off, if that is to come.
    pub since: i64,
    /// Until when each side's days off last, or lasted.
    pub off: Sides<Option<i64>>,
}

impl Running {
    /// A clock that does not run yet.
    pub fn new(left: Sides<i64>, off: Sides<Option<i64>>) -> Running {
        Running { left, used: 0, running: None, since: 0, off }
    }

    /// Starts the clock of a side, or notes that it starts when the side's days off end.
    pub fn run(&mut self, side: Side, at: i64) {
        self.running = Some(side);
        self.since = at.max(self.off[side].unwrap_or(at));
    }

    /// Stops a side's clock from one moment until another, of which the second may be to come, and replaces the days
    /// off that it had.
    pub fn rest(&mut self, side: Side, since: i64, until: i64, at: i64) {
        self.off[side] = Some(until);
        if self.running == Some(side) {
            let from = self.since.max(since).min(at);
            let ran = (from - self.since).max(0);
            self.left[side] -= ran;
            self.used += ran;
            self.since = from.max(until);
        }
    }

    /// The time that has run since the clock was started, less the lag.
    pub fn elapsed(&self, now: i64, lag: i64) -> i64 {
        if self.running.is_none() { 0 } else { (now - self.since - lag.min(MAX_LAG)).max(0) }
    }

    /// The moment at which the flag falls, unless the player moves.
    pub fn deadline(&self) -> Option<i64> {
        self.running.map(|side| self.since + self.left[side])
    }

    /// Whether the side whose clock runs has used all its time.
    pub fn is_out(&self, now: i64, lag: i64) -> bool {
        self.running.is_some_and(|side| self.elapsed(now, lag) > self.left[side])
    }

    /// Stops the clock.
    pub fn stop(&mut self, at: i64) {
        if let Some(side) = self.running {
            self.left[side] = (self.left[side] - self.elapsed(at, 0)).max(0);
            self.running = None;
        }
    }

    /// What each side has left at a moment.
    pub fn left_at(&self, now: i64) -> Sides<i64> {
        let mut clock = *self;
        clock.stop(now);
        clock.left
    }

    /// The clock as it is shown: main time apart from periods, and the days of a turn apart from the reserve.
    pub fn show(&self, control: TimeControl, now: i64) -> Clock {
        let (mut left, mut used) = (self.left_at(now), Sides { white: 0, black: 0 });
        if let Some(side) = self.running {
            used[side] = self.used + self.elapsed(now, 0);
        }
        let (mut periods, mut reserve) = (None, None);
        match control {
            TimeControl::ByoYomi { period_ms, periods: all, .. } => {
                let mut shown = Sides { white: 0, black: 0 };
                for side in Side::BOTH {
                    let ms = left[side];
                    let whole = begun_periods(ms, period_ms).min(all);
                    // The period that is running is shown as time, not as a period left.
                    let apart = if ms > all * period_ms { whole } else { (whole - 1).max(0) };
                    shown[side] = apart;
                    left[side] -= apart * period_ms;
                }
                periods = Some(shown);
            }
            TimeControl::Correspondence { days_per_turn, .. } => {
                let days = |side: Side| left[side].min((days_per_turn * DAY - used[side]).max(0));
                let of_turn = Sides { white: days(Side::White), black: days(Side::Black) };
                reserve = Some(Sides { white: left.white - of_turn.white, black: left.black - of_turn.black });
                left = of_turn;
            }
            _ => {}
        }
        let off = |side: Side| self.off[side].filter(|until| *until > now);
        let off = Sides { white: off(Side::White), black: off(Side::Black) };
        Clock { white_ms: left.white, black_ms: left.black, running: self.running, periods, reserve, off, at: now }
    }
}

/// The clocks at a moment, as they are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Clock {
    /// White's time.
    pub white_ms: i64,
    /// Black's time.
    pub black_ms: i64,
    /// Whose clock runs.
    pub running: Option<Side>,
    /// The byo-yomi periods left.
    pub periods: Option<Sides<i64>>,
    /// In correspondence: the milliseconds used when the days of the turn have run out.
    pub reserve: Option<Sides<i64>>,
    /// Until when each side has days off, in which its clock does not run.
    pub off: Sides<Option<i64>>,
    /// The moment.
    pub at: i64,
}

impl Clock {
    /// The time of a side.
    pub fn of(&self, side: Side) -> i64 {
        if side == Side::White { self.white_ms } else { self.black_ms }
    }
}
