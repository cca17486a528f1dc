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

/// How much of what a position is worth is what the game came to later, and not what the search thought of it.
const LATER: f64 = 0.8;

/// Calls `each` with every position of a file, and with what it was worth to White from 0 to 1: what the search thought, and more and
/// more faintly what it thought of the positions that followed, and at last how the game went (temporal differences, Sutton 1988). One
/// search alone is deceived by what lies just behind its end, and a result alone by all that happened in between.
///
/// # Errors
/// If the file cannot be read, or a line is no position of the game: the line is named.
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
            tell(&mut played, result, each);
        }
        result = number(end)?;
        played.push((board, chance(number(score)?, SCALE.into())));
    }
    tell(&mut played, result, each);
    Ok(())
}

/// Tells the positions of one game.
fn tell(played: &mut Vec<(Board, f64)>, result: f64, each: &mut dyn FnMut(&Board, f64)) {
    let mut later = result;
    for (_, worth) in played.iter_mut().rev() {
        *worth += LATER * (later - *worth);
        later = *worth;
    }
    played.drain(..).for_each(|(board, worth)| each(&board, worth));
}

/// The probability of winning with a score in centipawns, on a logistic curve.
pub fn chance(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}
