//! The native module of the Python package: thin wrappers around the rules and the engine.

mod board;
mod count;
mod engine;
mod env;
mod errors;
mod game;
mod json;
mod lab;
mod matches;
mod mates;
mod moves;
mod outcome;
mod pgn;
mod properties;
mod prover;
mod queries;

mod records;
mod squares;
mod studies;
mod text;

use pyo3::prelude::*;

/// The native core of Acedrex. Import `acedrex` instead: it re-exports everything that is public.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<board::Board>()?;
    module.add_class::<moves::LegalMoves>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<squares::SquareSet>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Watch>()?;
    module.add_class::<records::Fault>()?;
    module.add_class::<records::Reach>()?;
    module.add_function(wrap_pyfunction!(engine::bench, module)?)?;
    module.add_function(wrap_pyfunction!(engine::chances_of, module)?)?;
    module.add_function(wrap_pyfunction!(game::shipped, module)?)?;
    module.add_function(wrap_pyfunction!(game::check, module)?)?;
    module.add_function(wrap_pyfunction!(game::languages, module)?)?;
    module.add_function(wrap_pyfunction!(game::rule_keys, module)?)?;
    module.add_function(wrap_pyfunction!(json::position, module)?)?;
    module.add_function(wrap_pyfunction!(json::reaches, module)?)?;
    module.add_function(wrap_pyfunction!(json::premoves, module)?)?;
    module.add_function(wrap_pyfunction!(json::reaches_alone, module)?)?;
    module.add_class::<env::Actions>()?;
    module.add_class::<env::Batch>()?;
    module.add_class::<env::Planes>()?;
    module.add_function(wrap_pyfunction!(env::episode_endings, module)?)?;
    module.add_class::<lab::Seen>()?;
    module.add_class::<lab::Trainer>()?;
    module.add_class::<lab::Tuner>()?;
    module.add_function(wrap_pyfunction!(lab::endings, module)?)?;
    module.add_function(wrap_pyfunction!(lab::self_play, module)?)?;
    module.add_function(wrap_pyfunction!(lab::games_of, module)?)?;
    module.add_function(wrap_pyfunction!(lab::count_games, module)?)?;
    module.add_function(wrap_pyfunction!(lab::positions_of, module)?)?;
    module.add_function(wrap_pyfunction!(matches::attempt, module)?)?;
    module.add_function(wrap_pyfunction!(mates::solve_mates, module)?)?;
    module.add_function(wrap_pyfunction!(mates::unsolved_mates, module)?)?;
    module.add_function(wrap_pyfunction!(studies::census, module)?)?;
    module.add_function(wrap_pyfunction!(studies::ended_games, module)?)?;
    module.add_function(wrap_pyfunction!(studies::piece_values, module)?)?;
    module.add_function(wrap_pyfunction!(studies::play_from, module)?)?;
    module.add_function(wrap_pyfunction!(studies::quiet_differences, module)?)?;
    module.add_function(wrap_pyfunction!(queries::piece_map, module)?)?;
    module.add_function(wrap_pyfunction!(queries::piece_index, module)?)?;
    module.add_function(wrap_pyfunction!(queries::attackers, module)?)?;
    module.add_function(wrap_pyfunction!(queries::attacks, module)?)?;
    module.add_function(wrap_pyfunction!(queries::pin, module)?)?;
    module.add_function(wrap_pyfunction!(queries::why_idle, module)?)?;
    module.add_function(wrap_pyfunction!(queries::cannot_win, module)?)?;
    module.add_function(wrap_pyfunction!(queries::variation_san, module)?)?;
    module.add_function(wrap_pyfunction!(queries::en_passant_squares, module)?)?;
    module.add_function(wrap_pyfunction!(properties::is_null_text, module)?)?;
    module.add_function(wrap_pyfunction!(properties::captures, module)?)?;
    module.add_function(wrap_pyfunction!(properties::pseudo_legal_moves, module)?)?;
    module.add_function(wrap_pyfunction!(properties::is_en_passant, module)?)?;
    module.add_function(wrap_pyfunction!(properties::castling_side, module)?)?;
    module.add_function(wrap_pyfunction!(properties::is_zeroing, module)?)?;
    module.add_function(wrap_pyfunction!(properties::is_irreversible, module)?)?;
    module.add_class::<matches::Match>()?;
    module.add_class::<prover::MateProver>()?;
    module.add_class::<pgn::RecordReader>()?;
    module.add_class::<pgn::RecordWriter>()?;
    module.add_function(wrap_pyfunction!(pgn::start_tags, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::moves_made, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::tree, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::tree_pgn, module)?)?;
    module.add_function(wrap_pyfunction!(json::attack_report, module)?)?;
    module.add_function(wrap_pyfunction!(json::edited, module)?)?;
    module.add_function(wrap_pyfunction!(json::possible_rights, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::limits, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::read_options, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::push_written, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::xboard_fen, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::pgn_termination, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::shipped_named, module)?)?;
    module.add_function(wrap_pyfunction!(pgn::unknown_game, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::terminations, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::ending_texts, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::reason_text, module)?)?;
    module.add_function(wrap_pyfunction!(outcome::ending_text, module)?)?;
    errors::register(module)
}
