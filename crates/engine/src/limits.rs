//! What ends a search, and the clock that it looks at.

use rules::Move;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::Duration;

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Depth in half-moves.
    pub depth: Option<i32>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Look for a mate within this many turns.
    pub mate: Option<i32>,
    /// The root moves to consider; all if empty.
    pub root_moves: Vec<Move>,
    /// The number of lines (MultiPV).
    pub lines: usize,
    /// Whether to search with one thread only, so that the result is reproducible.
    pub alone: bool,
}

/// The time for a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimit {
    /// No new iteration starts after this time; extended while the best move keeps changing.
    pub soft: Option<Duration>,
    /// The search ends at this time, whatever happens.
    pub hard: Option<Duration>,
}

impl TimeLimit {
    /// Uses exactly this much time.
    pub fn exactly(time: Duration) -> TimeLimit {
        TimeLimit { soft: None, hard: Some(time) }
    }

    /// Allots a share of a clock: time left, increment, turns until the next time control, and the overhead of
    /// communication. Always keeps a reserve, so that a clock with at least `overhead` left never runs out.
    pub fn of_clock(left: Duration, increment: Duration, turns: Option<u32>, overhead: Duration) -> TimeLimit {
        let left = left.saturating_sub(overhead).max(Duration::from_millis(1));
        let turns = turns.map_or(38, |turns| turns.clamp(1, 38) + 1);
        let share = left / turns + increment.min(left) * 3 / 4;
        let soft = share.min(left * 6 / 10);
        let hard = (share * 4).min(left * 7 / 10).max(Duration::from_millis(1));
        TimeLimit { soft: Some(soft), hard: Some(hard) }
    }
}

const NEVER: u64 = u64::MAX;

/// What the threads of a search share besides the table: the time, the stop flag and the node counts.
pub struct Watch {
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
    stop: AtomicBool,
    /// When the limits began to count, in microseconds since the search began. The limits below are relative to it.
    from: AtomicU64,
    soft: AtomicU64,
    hard: AtomicU64,
    /// Set while pondering: no limit counts yet.
    pondering: AtomicBool,
}

impl Watch {
    /// A watch that reads the time since the search began from `elapsed`.
    pub fn new(elapsed: Box<dyn Fn() -> Duration + Send + Sync>, time: TimeLimit, pondering: bool) -> Watch {
        let watch = Watch {
            elapsed,
            stop: AtomicBool::new(false),
            from: AtomicU64::new(0),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            pondering: AtomicBool::new(pondering),
        };
        watch.set(time);
        watch
    }

    /// A watch for a search without a limit of time: its clock stands still.
    pub fn without_clock() -> Watch {
        Watch::new(Box::new(|| Duration::ZERO), TimeLimit::default(), false)
    }

    fn set(&self, time: TimeLimit) {
        let micros = |limit: Option<Duration>| limit.map_or(NEVER, |limit| limit.as_micros() as u64);
        self.soft.store(micros(time.soft), Relaxed);
        self.hard.store(micros(time.hard), Relaxed);
    }

    /// Ponder hit: the opponent played the expected turn, and the limits count from now on.
    pub fn ponder_hit(&self, time: TimeLimit) {
        self.from.store(self.elapsed().as_micros() as u64, Relaxed);
        self.set(time);
        self.pondering.store(false, Release);
    }

    /// Whether the search is pondering.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Microseconds since the limits began to count.
    fn spent(&self) -> u64 {
        (self.elapsed().as_micros() as u64).saturating_sub(self.from.load(Relaxed))
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        (self.elapsed)()
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search should end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Ends the search if its time is up.
    pub fn check_time(&self) {
        if self.is_pondering() {
            return;
        }
        let hard = self.hard.load(Relaxed);
        if hard != NEVER && self.spent() >= hard {
            self.stop();
        }
    }

    /// Whether no further iteration should start; a `stretch` over 1 allows more time.
    pub fn is_soft_over(&self, stretch: f64) -> bool {
        if self.is_pondering() {
            return false;
        }
        let soft = self.soft.load(Relaxed);
        soft != NEVER && self.spent() as f64 >= soft as f64 * stretch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn only_time_after_the_ponder_hit_counts() {
        let millis = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&millis);
        let watch = Watch::new(
            Box::new(move || Duration::from_millis(clock.load(Relaxed))),
            TimeLimit::exactly(Duration::from_millis(1)),
            true,
        );
        millis.store(60_000, Relaxed);
        watch.check_time();
        assert!(!watch.is_stopped() && !watch.is_soft_over(0.1));
        watch.ponder_hit(TimeLimit { soft: Some(Duration::from_secs(2)), hard: Some(Duration::from_secs(6)) });
        for (now, half, once, stretched, stopped) in [
            (60_900, false, false, false, false),
            (61_100, true, false, false, false),
            (62_100, true, true, false, false),
            (64_100, true, true, true, false),
            (66_100, true, true, true, true),
        ] {
            millis.store(now, Relaxed);
            watch.check_time();
            let over = [0.5, 1.0, 2.0].map(|stretch| watch.is_soft_over(stretch));
            assert_eq!((over, watch.is_stopped()), ([half, once, stretched], stopped), "{now}");
        }
    }

    #[test]
    fn the_time_limit_of_a_turn_never_exceeds_the_clock() {
        for left in [1, 5, 20, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 10, 1_000, 30_000] {
                for turns in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (left, overhead) = (Duration::from_millis(left), Duration::from_millis(30));
                    let limit = TimeLimit::of_clock(left, Duration::from_millis(increment), turns, overhead);
                    let (soft, hard) = (limit.soft.unwrap(), limit.hard.unwrap());
                    assert!(
                        soft <= hard || hard == Duration::from_millis(1),
                        "{left:?} {increment} {turns:?}: {limit:?}"
                    );
                    assert!(hard + overhead <= left || hard <= Duration::from_millis(1), "{left:?}: {limit:?}");
                }
            }
        }
    }
}
