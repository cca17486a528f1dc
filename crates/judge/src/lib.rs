//! The judge of the rules: brute force that shares nothing with generation and legality but the walks that a definition
//! means, random play that holds the two against each other, and random definitions to play.

mod brute;
mod definitions;
mod play;
mod random;
mod sweep;

pub use brute::Brute;
pub use definitions::random_definition;
pub use play::{Played, play, play_seed};
pub use random::Random;
pub use sweep::sweep;
