//! Search and evaluation for any game that the rules describe.
//!
//! ```
//! use engine::{Engine, Limits, TimeLimit};
//! use rules::{Board, Game};
//! use std::sync::Arc;
//!
//! let game = Arc::new(Game::shipped("chess", &[]).unwrap());
//! let mut board = Board::new(Arc::clone(&game));
//! for mv in ["f2f3", "e7e5", "g2g4"] {
//!     board.push_text(mv).unwrap();
//! }
//! let mut engine = Engine::new(game, 1, 16).unwrap();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let decision = engine.search(&board, &limits, &Engine::watch(TimeLimit::default(), false), &mut |_| {});
//! assert_eq!(board.san(decision.turn[0]), "Qh4#");
//! ```

mod adjudication;
mod bench;
mod card;
mod deepening;
mod engine;
pub mod evaluation;
mod exchange;
mod formations;
mod history;
mod level;
mod limits;
mod mates;
mod memory;
mod native;
pub mod network;
mod picker;
mod prefetch;
mod quiescence;
mod recall;
pub mod score;
mod search;
mod table;
mod threats;
mod turns;
mod worker;

pub use bench::bench;
pub use card::Card;
pub use engine::{Decision, Engine, MAX_THREADS};
pub use level::FULL;
pub use limits::{Limits, TimeLimit, Watch};
pub use worker::{Line, Report};
