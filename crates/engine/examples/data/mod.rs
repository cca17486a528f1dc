//! Training data: positions of games that the engine played against itself, a line each: FEN, score and result for
//! White.

use engine::network::SCALE;
use rules::{Board, Game, read_board};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// The default file for a game's positions.
pub fn file_of(id: &str) -> String {
    format!("target/positions-{id}.txt")
}

/// Lambda: the share of later scores and the result in a label, as against the position's own score.
const LAMBDA: f64 = 0.8;

/// Calls `each` with every position of a file and its label for White from 0 to 1: its search score, blended with the
/// scores of later positions, with decreasing weight, and finally the result (temporal differences, Sutton 1988). A
/// single search misses what lies just beyond its horizon, and a result alone is noisy.
///
/// # Errors
/// If the file cannot be read, or a line is not a position of the game; the message names the line.
pub fn read(game: &Arc<Game>, path: &str, each: &mut dyn FnMut(&Board, f64)) -> Result<(), String> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let mut played: Vec<(Board, f64)> = Vec::new();
    let mut result = 0.5;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let fault = |what: String| format!("{path}, line {}: {what}", number + 1);
        let line = line.map_err(|error| fault(error.to_string()))?;
        let parts: Vec<&str> = line.split('|').collect();
        let &[fen, score, end] = parts.as_slice() else { return Err(fault("expected FEN|score|result".into())) };
        let board = read_board(game, fen).map_err(|error| fault(error.to_string()))?;
        let number = |text: &str| text.parse::<f64>().map_err(|error| fault(error.to_string()));
        if played.last().is_some_and(|(last, _)| last.position().state().fullmove > board.position().state().fullmove) {
            label(&mut played, result, each);
        }
        result = number(end)?;
        played.push((board, chance(number(score)?, SCALE.into())));
    }
    label(&mut played, result, each);
    Ok(())
}

/// Calls `each` with the positions of one game.
fn label(played: &mut Vec<(Board, f64)>, result: f64, each: &mut dyn FnMut(&Board, f64)) {
    let mut later = result;
    for (_, worth) in played.iter_mut().rev() {
        *worth += LAMBDA * (later - *worth);
        later = *worth;
    }
    played.drain(..).for_each(|(board, worth)| each(&board, worth));
}

/// The expected result at a score in centipawns, on a logistic curve.
pub fn chance(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}
