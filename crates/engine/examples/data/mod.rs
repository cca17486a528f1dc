//! Positions of games that the engine played against itself, a line each: FEN, score and result for White.

use engine::network::SCALE;
use rules::{Board, Game, read_board};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// Where the positions of a game are kept unless told otherwise.
pub fn file_of(id: &str) -> String {
    format!("target/positions-{id}.txt")
}

/// Calls `each` with every position of a file, and with what it was worth to White from 0 to 1: `by_result` parts of it as the game
/// went, the rest as the search thought.
///
/// # Errors
/// If the file cannot be read, or a line is no position of the game: the line is named.
pub fn read(game: &Arc<Game>, path: &str, by_result: f64, each: &mut dyn FnMut(&Board, f64)) -> Result<(), String> {
    let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let fault = |what: String| format!("{path}, line {}: {what}", number + 1);
        let line = line.map_err(|error| fault(error.to_string()))?;
        let parts: Vec<&str> = line.split('|').collect();
        let &[fen, score, result] = parts.as_slice() else { return Err(fault("expected FEN|score|result".into())) };
        let board = read_board(game, fen).map_err(|error| fault(error.to_string()))?;
        let number = |text: &str| text.parse::<f64>().map_err(|error| fault(error.to_string()));
        let expected = chance(number(score)?, SCALE.into());
        each(&board, by_result * number(result)? + (1.0 - by_result) * expected);
    }
    Ok(())
}

/// The chance to win with so many centipawns, on a logistic curve.
pub fn chance(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}
