//! Judges the turns of a match log by exhaustive search:
//! `cargo run --release -p acedrex-judge --example judge_turns -- GAME MATCH.jsonl [EVERY]`.
//!
//! A win is missed if the last royal pieces could have been captured in a turn and were not. A royal piece is left if
//! the turn captured none and the reply can capture one; this is avoidable if some turn of one or two moves leaves
//! none. It is lost if a reply that ends with the capture loses no royal piece in return; otherwise it may be a trade.
//! With `EVERY`, only every `EVERY`th turn is examined for losses, since that takes long. Prints the avoidable losses.
//! Only for games without check in which a turn has several moves.

use judge::{CaptureKind, Captures};
use rules::{Board, Game, Position, Rules, Set, read_board};
use std::io::{BufRead, BufReader};
use std::sync::Arc;

/// The most moves of a turn that is tried to prevent a loss.
const MAX_SAVING_MOVES: u32 = 2;

#[derive(Default, Debug)]
struct Count {
    games: u64,
    turns: u64,
    missed_wins: u64,
    looked_at: u64,
    left: u64,
    avoidably_left: u64,
    avoidably_lost: u64,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [id, path, rest @ ..] = &words[..] else { return Err("expected GAME MATCH.jsonl [EVERY]".into()) };
    let every: u64 = rest.first().map_or(Ok(1), |word| word.parse()).map_err(|_| "expected a number")?;
    let game = Arc::new(Game::shipped(id, &[]).map_err(|faults| faults[0].to_string())?);
    let file = std::fs::File::open(path).map_err(|error| format!("{path}: {error}"))?;
    let mut count = Count::default();
    for (number, line) in BufReader::new(file).lines().enumerate().skip(1) {
        let fault = |what: String| format!("{path}, line {}: {what}", number + 1);
        let line = line.map_err(|error| fault(error.to_string()))?;
        let record: serde_json::Value = serde_json::from_str(&line).map_err(|error| fault(error.to_string()))?;
        judge_game(&game, &record, every, &mut count).map_err(fault)?;
        count.games += 1;
        eprint!("\r{count:?}");
    }
    let share = 100.0 * count.avoidably_lost as f64 / count.looked_at.max(1) as f64;
    println!("\n{count:?}: {share:.2} % of the turns looked at lose a royal piece that could have been saved");
    Ok(())
}

fn judge_game(game: &Arc<Game>, record: &serde_json::Value, every: u64, count: &mut Count) -> Result<(), String> {
    let words = |key: &str| -> Vec<String> {
        let list = record[key].as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|word| word.as_str().map(str::to_string)).collect()
    };
    let mut board =
        read_board(game, record["start"].as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
    for turn in words("opening") {
        make(&mut board, &turn)?;
    }
    for turn in words("turns") {
        judge_turn(&mut board, &turn, every, count)?;
    }
    Ok(())
}

/// Makes a turn as the log writes it, and ends it if it ended early.
fn make(board: &mut Board, turn: &str) -> Result<(), String> {
    let us = board.turn();
    for word in turn.split(',').filter(|word| *word != "pass") {
        board.push(board.parse_move(word).map_err(|error| error.to_string())?);
    }
    if board.turn() == us && board.outcome(false).is_none() {
        board.push(board.parse_move("end").map_err(|error| error.to_string())?);
    }
    Ok(())
}

fn judge_turn(board: &mut Board, turn: &str, every: u64, count: &mut Count) -> Result<(), String> {
    let rules = &Arc::clone(board.game()).rules;
    let mut captures = Captures::new(rules);
    let (us, fen, mut before) = (board.turn(), board.fen(), board.position().clone());
    let (royals, most) = (before.royals(!us).count(), usize::from(before.turn_length(rules)));
    let wins = captures.find(&mut before, CaptureKind::Royal, royals, most).is_some();
    make(board, turn)?;
    let left = board.position().royals(!us).count();
    count.turns += 1;
    count.missed_wins += u64::from(wins && left > 0);
    if count.turns.is_multiple_of(every) && board.outcome(true).is_none() {
        count.looked_at += 1;
        if left == royals && !captures.is_safe(&mut board.position().clone()) {
            count.left += 1;
            if can_save(rules, &mut before, &mut captures, MAX_SAVING_MOVES) {
                count.avoidably_left += 1;
                if captures.find_for_nothing(&mut board.position().clone()).is_some() {
                    count.avoidably_lost += 1;
                    println!("{fen} turn {turn}");
                }
            }
        }
    }
    Ok(())
}

/// Whether some turn of at most `moves` moves leaves no royal piece to be captured.
fn can_save(rules: &Rules, position: &mut Position, captures: &mut Captures, moves: u32) -> bool {
    let us = position.turn();
    let mut all = Vec::new();
    position.legal_moves_of(rules, !Set::EMPTY, &mut all);
    all.into_iter().any(|mv| {
        if mv.moves_piece() && moves == 0 {
            return false;
        }
        let undo = position.make(rules, mv);
        let saved = if position.turn() == us {
            can_save(rules, position, captures, moves.saturating_sub(1))
        } else {
            captures.is_safe(position)
        };
        position.unmake(rules, undo);
        saved
    })
}
