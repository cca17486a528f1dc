//! The rules of chess on large boards.
//!
//! A game is a definition file ([`Game::load`]); a [`Board`] is a position of a game with its history. Every question
//! about the rules (legal moves, FEN, SAN, outcomes, how a piece reaches a square) is answered here and nowhere else.
//! This crate has no search, no files, no threads and no clocks.
//!
//! ```
//! use rules::{Board, Game};
//! use std::sync::Arc;
//!
//! let game = Arc::new(Game::shipped("maasai", &[]).unwrap());
//! let mut board = Board::new(game);
//! assert_eq!(board.legal_moves().len(), 26);
//! board.push_text("e4e6").unwrap();
//! assert!(board.fen().contains(" b Kk "));
//! ```

mod attack;
pub mod betza;
mod board;
mod canonical;
mod command;
mod compile;
mod condition;
mod dead;
pub mod definition;
mod drawing;
mod edit;
mod effect;
mod ending;
mod fen;
mod few;
mod game;
mod generate;
mod geometry;
mod hash;
mod idle;
pub mod json;
mod layout;
mod legality;
pub mod limits;
mod loading;
mod locale;
mod material;
mod moves;
mod null;
mod outcome;
mod perft;
mod piece;
mod pin;
mod placement;
mod position;
mod possible;
mod premove;
mod progress;
mod reach;
mod reader;
mod repair;
mod rulebook;
mod san;
mod set;
mod setup;
mod shipped;
mod source;
mod square;
mod squares;
mod stored;
pub mod tables;
mod text;
mod threats;
mod validate;
pub mod walk;
mod why;

pub use board::{Board, MoveError, move_text, read_board, read_unfinished_board};
pub use effect::{Effect, Partner};
pub use ending::{ending_text, ending_texts, reason_text};
pub use fen::{FenError, possible_rights, set_rights, write_pieces, write_rights};
pub use game::Game;
pub use geometry::Geometry;
pub use hash::{hash_text, mix};
pub use idle::Idle;
pub use json::{attacks_json, board_json, edited_json, move_json, position_json, reaches_json};
pub use layout::{Entry, Layout, Section, Step, layout};
pub use moves::{Move, MoveTag};
pub use outcome::{Outcome, Reason, earliest_draw};
pub use perft::perft;
pub use piece::{CasedSymbol, Cell, Color, Piece, PieceType, Symbol};
pub use position::{EnPassant, MAX_COUNT, Position, State, Undo};
pub use premove::reach_alone;
pub use reach::{Diagram, MoveInfo, Reach, ReachKind, diagram};
pub use repair::{read_xboard_board, repair_board};
pub use rulebook::{RuleText, area, rule_keys, rule_texts};
pub use san::is_null_text;
pub use set::Set;
pub use setup::Setups;
pub use shipped::{languages, shipped, shipped_source};
pub use source::{Fault, Node, Value};
pub use square::{DIRECTIONS, Square};
pub use squares::known_squares;
pub use tables::Rules;
pub use text::nearest;
pub use validate::Problem;
