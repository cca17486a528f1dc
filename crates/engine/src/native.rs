//! The clock and the threads of the operating system.
//!
//! Nothing else in the engine uses either. A browser has neither: there an engine has one thread, and its caller makes
//! a watch with another clock.

use std::time::{Duration, Instant};

/// Returns a clock that starts now.
pub(crate) fn clock() -> Box<dyn Fn() -> Duration + Send + Sync> {
    let start = Instant::now();
    Box::new(move || start.elapsed())
}

/// Runs `lead` here and, at the same time, `help` with each helper and its number in a thread of its own.
pub(crate) fn together<T: Send>(lead: impl FnOnce(), helpers: &mut [T], help: impl Fn(usize, &mut T) + Send + Copy) {
    if helpers.is_empty() {
        return lead();
    }
    std::thread::scope(|scope| {
        for (number, helper) in helpers.iter_mut().enumerate() {
            scope.spawn(move || help(number, helper));
        }
        lead();
    });
}
