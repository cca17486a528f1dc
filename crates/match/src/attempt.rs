//! Attempts at puzzles.

use crate::goal::Goal;
use rules::{Board, MoveError};

/// What is said of the last move of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is correct so far.
    Right,
    /// The solution is complete.
    Solved,
    /// It is not in the solution.
    Wrong,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Solved => "solved",
            Verdict::Wrong => "wrong",
        }
    }
}

/// Why an attempt cannot be judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttemptError {
    /// A move is not legal.
    Move(MoveError),
    /// The moves before the last are not part of the solution.
    Mismatch,
}

impl std::fmt::Display for AttemptError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            AttemptError::Move(error) => error.fmt(f),
            AttemptError::Mismatch => f.write_str("these moves do not match the puzzle so far; start it again"),
        }
    }
}

impl std::error::Error for AttemptError {}

/// Judges the last move of an attempt, and returns the moves that are accepted with the reply to them.
///
/// In the solution `line` every second move is a reply if the goal has them. For other goals it is a turn, whose moves may
/// be made in any legal order. `moves` are all so far, replies too.
///
/// # Errors
/// If a move is not legal, or the moves before the last are not part of the solution.
pub fn attempt(
    start: &Board,
    goal: Goal,
    line: &[String],
    moves: &[String],
) -> Result<(Verdict, Vec<String>), AttemptError> {
    let Some((last, before)) = moves.split_last() else { return Ok((Verdict::Right, Vec::new())) };
    let replies = goal.has_replies();
    let (mut board, mut rest) = (start.without_past(), line.to_vec());
    let mut goes_on = |text: &String, rest: &mut Vec<String>| {
        let mv = board.parse_move(text).map_err(AttemptError::Move)?;
        let made = board.move_text(mv);
        let place = rest.iter().position(|next| *next == made).filter(|place| !replies || *place == 0);
        let Some(place) = place else { return Ok(false) };
        rest.remove(place);
        board.push(mv);
        Ok(replies || can_be_made(&board, rest))
    };
    for text in before {
        if !goes_on(text, &mut rest)? {
            return Err(AttemptError::Mismatch);
        }
    }
    if rest.is_empty() {
        return Err(AttemptError::Mismatch);
    }
    if !goes_on(last, &mut rest)? {
        return Ok((Verdict::Wrong, before.to_vec()));
    }
    let reply = rest.first().filter(|_| replies).cloned();
    let verdict = if rest.is_empty() { Verdict::Solved } else { Verdict::Right };
    Ok((verdict, moves.iter().cloned().chain(reply).collect()))
}

/// Whether moves can be made one after another in some order.
fn can_be_made(board: &Board, moves: &[String]) -> bool {
    let goes_on = |index: usize| {
        let mut after = board.clone();
        let mut rest = moves.to_vec();
        after.push_text(&rest.remove(index)).is_ok() && can_be_made(&after, &rest)
    };
    moves.is_empty() || (0..moves.len()).any(goes_on)
}
