//! The native module of the Python package: thin wrappers around the rules and the engine.

mod annotations;
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
mod typed;

/// The native core of Acedrex. Import `acedrex` instead: it re-exports everything that is public.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::annotations::{
        annotated_arrows, annotated_evaluation, annotated_time, with_arrows, with_evaluation, with_time,
    };
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::{Clock, Decision, Engine, Line, Watch, bench, chances};
    #[pymodule_export]
    use crate::env::{Actions, Batch, Planes, episode_endings};
    #[pymodule_export]
    use crate::errors::{
        AmbiguousMoveError, DefinitionError, Error, IllegalMoveError, InvalidFenError, InvalidMoveError, TooLongError,
    };
    #[pymodule_export]
    use crate::game::{Game, check, known_squares, languages, rule_keys, shipped};
    #[pymodule_export]
    use crate::json::{attack_report, edited, position, possible_rights, premoves, reaches, reaches_alone};
    #[pymodule_export]
    use crate::lab::{Seen, Trainer, Tuner, count_games, endings, games_of, positions_of, self_play};
    #[pymodule_export]
    use crate::matches::{Match, attempt};
    #[pymodule_export]
    use crate::mates::{solve_mates, unsolved_mates};
    #[pymodule_export]
    use crate::moves::{LegalMoves, Move};
    #[pymodule_export]
    use crate::outcome::{ending_text, ending_texts, reason_text, terminations};
    #[pymodule_export]
    use crate::pgn::{
        RecordReader, RecordWriter, limits, moves_made, pgn_termination, push_written, read_options, shipped_named,
        start_tags, tree, tree_pgn, unknown_game, xboard_fen,
    };
    #[pymodule_export]
    use crate::properties::{
        captures, castling_side, is_en_passant, is_irreversible, is_null_text, is_zeroing, pseudo_legal_moves,
    };
    #[pymodule_export]
    use crate::prover::{captures_royal, is_solution, puzzle_goals, solve};
    #[pymodule_export]
    use crate::queries::{
        attackers, attacks, cannot_win, en_passant_squares, piece_index, piece_map, pin, variation_san, why_idle,
    };
    #[pymodule_export]
    use crate::records::{Fault, Reach};
    #[pymodule_export]
    use crate::squares::SquareSet;
    #[pymodule_export]
    use crate::studies::{census, ended_games, piece_values, play_from, quiet_differences};
}
