//! Data for machine learning: games that the engine plays against itself, their packed form, and a trainer of networks.
//!
//! No files and no threads of its own besides those of the trainer: callers decide where games are played and kept.

pub mod census;
pub mod games;
pub mod material;
pub mod mates;
mod quiet;
pub mod samples;
pub mod selfplay;
pub mod trainer;
pub mod tuner;
