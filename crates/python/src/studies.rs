//! What the studies of the lab count in games, for Python. All of it runs without holding the interpreter.

use crate::errors::Error;
use crate::game::Game;
use crate::lab::evaluator;
use ::lab::census::{Census, Event, PieceTypeCounts};
use ::lab::games::{self, Played};
use ::lab::material;
use ::lab::selfplay::{Player, Style};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rules::{PieceType, read_board};
use std::sync::Arc;

/// How a game began and ended.
#[derive(IntoPyObject)]
pub(crate) struct Ended {
    start: String,
    half_points: (u8, u8),
    ending: &'static str,
    /// The score of the first turn, in centipawns for White.
    score: Option<i32>,
    /// By piece type, White's pieces minus Black's after the random moves.
    difference: Vec<i16>,
}

/// Counts over the games of a block.
#[derive(IntoPyObject)]
pub(crate) struct Counts {
    /// By piece type: started, survived, moves, captures, captured, promotions, steps, paths.
    kinds: Vec<[u64; 8]>,
    /// By event: its name, the games in which it happened, how often it happened.
    events: Vec<(&'static str, u64, u64)>,
    /// By turn: positions and legal moves.
    branching: Vec<(u64, u64)>,
    /// By game.
    turns: Vec<u32>,
}

/// By piece type, what the engine thinks a piece is worth, in centipawns.
#[pyfunction]
pub(crate) fn piece_values(game: &Game) -> PyResult<Vec<i32>> {
    let evaluator = evaluator(&game.inner, None)?;
    Ok((0..game.inner.rules.piece_types).map(|kind| evaluator.value(PieceType(kind as u8))).collect())
}

/// Plays games from positions, numbered from `first`, and returns them packed.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_from(
    py: Python<'_>,
    game: &Game,
    network: Option<&[u8]>,
    nodes: u64,
    opening: usize,
    seed: u64,
    first: u64,
    starts: Vec<String>,
) -> PyResult<Py<PyBytes>> {
    let evaluator = Arc::new(evaluator(&game.inner, network)?);
    let packed: Result<Vec<u8>, String> = py.detach(|| {
        let mut player = Player::new(evaluator, Style { nodes, opening, seed }).map_err(|error| error.to_string())?;
        let games = (first..).zip(&starts).map(|(number, start)| {
            let board = read_board(&game.inner, start).map_err(|error| format!("{start:?}: {error}"))?;
            if board.outcome(false).is_some() {
                return Err(format!("{start:?}: the game is over before it begins"));
            }
            Ok(player.play_from(board, number))
        });
        Ok(games::pack(&game.inner, &games.collect::<Result<Vec<Played>, String>>()?))
    });
    packed.map(|bytes| PyBytes::new(py, &bytes).unbind()).map_err(Error::new_err)
}

/// Unpacks how games began and ended.
#[pyfunction]
#[pyo3(signature = (game, payload) -> "list[acedrex.lab.records.Ended]")]
pub(crate) fn ended_games(py: Python<'_>, game: &Game, payload: &[u8]) -> PyResult<Vec<Ended>> {
    let ended = |played: Played| -> Result<Ended, String> {
        let random = played.moves.iter().take_while(|(_, score)| score.is_none()).count();
        let opening = Played { moves: played.moves[..random].to_vec(), ..played.clone() };
        let board = opening.replay(&game.inner, |_, _, _| ())?;
        Ok(Ended {
            difference: material::difference(&game.inner, board.position()),
            half_points: played.half_points,
            ending: played.ending.name(),
            score: played.moves.iter().find_map(|(_, score)| *score),
            start: played.start,
        })
    };
    let games: Result<Vec<Ended>, String> =
        py.detach(|| games::unpack(&game.inner, payload)?.into_iter().map(ended).collect());
    games.map_err(Error::new_err)
}

/// Up to `most` quiet positions of each game: the game's place in the block as 4 bytes each, and by piece type White's
/// pieces minus Black's as 2 bytes each.
#[pyfunction]
pub(crate) fn quiet_differences(
    py: Python<'_>,
    game: &Game,
    payload: &[u8],
    most: usize,
) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
    let (mut places, mut rows) = (Vec::<u8>::new(), Vec::<u8>::new());
    let read: Result<(), String> = py.detach(|| {
        for (place, played) in games::unpack(&game.inner, payload)?.iter().enumerate() {
            for row in material::quiet_differences(&game.inner, played, most)? {
                places.extend((place as u32).to_le_bytes());
                rows.extend(row.into_iter().flat_map(i16::to_le_bytes));
            }
        }
        Ok(())
    });
    read.map_err(Error::new_err)?;
    Ok((PyBytes::new(py, &places).unbind(), PyBytes::new(py, &rows).unbind()))
}

/// Counts what happens in the games of a block.
#[pyfunction]
#[pyo3(signature = (game, payload) -> "acedrex.lab.records.Counts")]
pub(crate) fn census(py: Python<'_>, game: &Game, payload: &[u8]) -> PyResult<Counts> {
    let counted: Result<Census, String> = py.detach(|| {
        let mut census = Census::new(&game.inner);
        for played in games::unpack(&game.inner, payload)? {
            census.add(&game.inner, &played)?;
        }
        Ok(census)
    });
    let census = counted.map_err(Error::new_err)?;
    let row = |counts: PieceTypeCounts| {
        let PieceTypeCounts { started, survived, moves, captures, captured, promotions, steps, paths } = counts;
        [started, survived, moves, captures, captured, promotions, steps, paths]
    };
    Ok(Counts {
        kinds: census.piece_types.into_iter().map(row).collect(),
        events: Event::ALL
            .iter()
            .zip(census.events)
            .map(|(event, (games, times))| (event.name(), games, times))
            .collect(),
        branching: census.branching,
        turns: census.turns,
    })
}
