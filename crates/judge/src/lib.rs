//! The judge of the rules: brute force that shares nothing with generation and legality but the walks of a definition,
//! random play that compares the two, and random definitions to play. It also proves puzzles exhaustively, to judge
//! engines by.

mod brute;
mod definitions;
mod mates;
mod play;
mod puzzle;
mod random;
mod sweep;
mod turns;

pub use brute::Brute;
pub use definitions::random_definition;
pub use mates::Mates;
pub use play::{Played, play, play_seed};
pub use puzzle::{Task, compensation, prove};
pub use random::Random;
pub use sweep::sweep;
pub use turns::{CaptureKind, Captures, after_threat};
