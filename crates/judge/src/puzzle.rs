//! Puzzles: what a position of a tactical suite claims, and the proof.

use crate::mates::Mates;
use crate::turns::{CaptureKind, Captures};
use rules::{Board, Game, Position, move_text, read_board};
use std::sync::Arc;

/// The task of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Mate in this many moves and not in fewer.
    Mate(u32),
    /// Capture a royal piece in this turn, which no single move does and which is not the last one, and lose none in
    /// return.
    Take,
    /// Capture all remaining royal pieces in this turn, which no single move does.
    TakeLast,
    /// Leave no royal piece to be captured in the next turn. One is threatened now, and nothing compensates for losing
    /// it: every turn that leaves one loses it, and captures none in return.
    Save,
}

impl Task {
    /// Reads a task as the files of puzzles name it.
    pub fn parse(text: &str) -> Option<Task> {
        match text {
            "take a chieftain" => Some(Task::Take),
            "take the last chieftain" => Some(Task::TakeLast),
            "save all chieftains" => Some(Task::Save),
            _ => text.strip_prefix("mate in ")?.parse().ok().filter(|moves| (2..=4).contains(moves)).map(Task::Mate),
        }
    }
}

/// Node budget of the proof that royal pieces must be saved.
const MOST_NODES: u64 = 1_000_000;

/// Proves a puzzle, and that its solutions are right: for a mate all first moves that force it, for the other tasks one
/// turn that achieves it. Returns the number of positions visited.
///
/// # Errors
/// Says which claim is false.
pub fn prove(game: &Arc<Game>, fen: &str, task: Task, solutions: &[String]) -> Result<u64, String> {
    let board = read_board(game, fen).map_err(|error| error.to_string())?;
    match task {
        Task::Mate(moves) => prove_mate(&board, moves, solutions),
        _ => prove_captures(&board, task, solutions),
    }
}

fn prove_mate(board: &Board, moves: u32, solutions: &[String]) -> Result<u64, String> {
    let game = board.game();
    let mut mates = Mates::new(u64::MAX, false);
    let mut position = board.position().clone();
    if (1..moves).any(|fewer| mates.wins(game, &mut position, fewer) == Ok(true)) {
        return Err(format!("there is a mate in fewer than {moves}"));
    }
    let keys = mates.keys(game, &mut position, moves).expect("any number of positions is allowed");
    let mut keys: Vec<String> = keys.into_iter().map(|mv| move_text(game, mv)).collect();
    keys.sort();
    if keys.is_empty() || keys != solutions {
        return Err(format!("{keys:?} mate in {moves}, not {solutions:?}"));
    }
    Ok(mates.nodes)
}

fn prove_captures(board: &Board, task: Task, solutions: &[String]) -> Result<u64, String> {
    let rules = &board.game().rules;
    let mut captures = Captures::new(rules);
    let (us, start) = (board.turn(), board.position().clone());
    let [solution] = solutions else { return Err("one turn is expected".into()) };
    let mut after = board.clone();
    for mv in solution.split(',') {
        if after.turn() != us {
            return Err(format!("{solution} is more than a turn"));
        }
        after.push_text(mv).map_err(|error| error.to_string())?;
    }
    if after.turn() == us {
        return Err(format!("{solution} is no whole turn"));
    }
    let taken = start.royals(!us).count() - after.position().royals(!us).count();
    match task {
        Task::Save => {
            let mut idle = start.clone();
            idle.set_turn(!us);
            if captures.is_safe(&mut idle) {
                return Err("nothing is threatened".into());
            }
            if let Some(instead) = compensation(&mut captures, &start) {
                return Err(instead.into());
            }
        }
        _ => {
            let wanted = if task == Task::Take { 1 } else { start.royals(!us).count() };
            if task == Task::Take && start.royals(!us).count() == 1 {
                return Err("only one is left".into());
            }
            if taken < wanted {
                return Err(format!("{solution} captures {taken}, not {wanted}"));
            }
            if captures.find(&mut start.clone(), CaptureKind::Royal, wanted, 1).is_some() {
                return Err("one move is enough".into());
            }
        }
    }
    if task != Task::TakeLast && !captures.is_safe(&mut after.position().clone()) {
        return Err(format!("after {solution} a royal piece can be captured"));
    }
    Ok(captures.nodes)
}

/// What might compensate for losing a royal piece: capturing one at once or in return, capturing three pieces, or
/// having more royal pieces than the enemy.
pub fn compensation(captures: &mut Captures, position: &Position) -> Option<&'static str> {
    let us = position.turn();
    let length = usize::from(position.turn_length(captures.rules()));
    if position.royals(us).count() > position.royals(!us).count() {
        return Some("the enemy has fewer royal pieces");
    }
    if !captures.is_safe(&mut position.clone()) {
        return Some("a royal piece can be captured instead");
    }
    if captures.find(&mut position.clone(), CaptureKind::Any, 3, length).is_some() {
        return Some("three pieces can be captured instead");
    }
    match captures.must_be_safe(position, MOST_NODES) {
        Some(true) => None,
        Some(false) => Some("a turn loses a royal piece, but not for nothing"),
        None => Some("too many turns to prove that a royal piece would be lost for nothing"),
    }
}
