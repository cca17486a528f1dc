//! The judge of the rules: brute force that shares nothing with generation and legality but the walks of a definition,
//! random play that compares the two, and random definitions to play. It also proves puzzles exhaustively: those that
//! engines are judged by, and those that people learn from.

mod brute;
mod definitions;
mod mates;
mod play;
mod puzzle;
mod random;
mod solution;
mod sweep;
mod turns;

pub use brute::Brute;
pub use definitions::random_definition;
pub use mates::{Mates, TooLong};
pub use play::{Played, play, play_seed};
pub use puzzle::{Task, compensation, prove};
pub use random::Random;
pub use solution::Solver;
pub use sweep::sweep;
pub use turns::{CaptureKind, Captures, after_threat};

/// How much a test tries: little, or what takes long where `ACEDREX_NIGHTLY` is set, as `make nightly` does.
pub fn sample<T>(short: T, long: T) -> T {
    if std::env::var_os("ACEDREX_NIGHTLY").is_some() { long } else { short }
}
