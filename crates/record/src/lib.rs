//! Records of games: PGN text as trees of turns, read leniently and in bounded memory.
//!
//! A [`Reader`] takes the text in pieces and asks for the game once it has read the tags of a record; what was wrong in
//! the text is reported with its line and column. An error costs at most the rest of its line of play.
//!
//! ```
//! use record::{Reader, Step, start_of};
//! use std::sync::Arc;
//!
//! let mut reader = Reader::new();
//! reader.feed(b"[Variant \"maasai\"]\n\n1. e6 e7 *");
//! reader.end();
//! let game = Arc::new(rules::Game::shipped("maasai", &[]).unwrap());
//! while let Step::Start = reader.step(false) {
//!     let start = start_of(&game, reader.start_tags());
//!     reader.begin(start.board, &start.faults);
//! }
//! let record = reader.take().unwrap();
//! assert_eq!((record.turns.len(), record.errors.len()), (2, 0));
//! ```

mod annotations;
mod bounds;
mod glyphs;
mod lexer;
mod moves;
mod reader;
mod reading;
mod start;
mod tags;
mod text;
mod tree;
mod writer;
mod written;

pub use annotations::{Arrow, Evaluation, Score, arrows, evaluation, time, with_arrows, with_evaluation, with_time};
pub use lexer::CHUNK;
pub use moves::{Given, GivenTurn, TreeError, moves_json, tree_json, tree_pgn};
pub use reader::{Reader, Step};
pub use start::{Start, read_options, shipped_named, start_of, start_tags, unknown_game};
pub use tags::{ROSTER, START_TAGS, termination};
pub use tree::{Fault, Record, Turn};
pub use writer::Writer;
