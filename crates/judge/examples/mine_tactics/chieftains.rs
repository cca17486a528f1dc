//! Puzzles about capturing and saving royal pieces in turns of several moves.

use crate::{Found, endings, games};
use judge::{CaptureKind, Captures, Random, Task, after_threat, compensation};
use rules::{Board, Game, Move};
use std::sync::Arc;

/// Random turns tried to find one that saves everything.
const TRIES: usize = 600;
/// The most of those that may succeed; with more, the puzzle is too easy.
const MOST_SAVING: usize = TRIES / 20;
/// Node budget of the proof that a turn saves everything. Judging an engine's turn takes as many.
const MOST_NODES: u64 = 5_000;

/// Finds puzzles of a kind in whole games, at most one per game.
pub fn in_games(game: &Arc<Game>, random: &mut Random, kind: &str, wanted: usize) -> Vec<Found> {
    let mut all = Vec::new();
    while all.len() < wanted {
        let mut board = games::start(game, random);
        let player = games::Player::new(game, random);
        while board.outcome(true).is_none() && board.stack_len() < 800 {
            if board.moves_in_turn() == 0
                && let Some(found) = find_puzzle(&board, random, kind)
            {
                all.push(found);
                eprint!("\r{} of {wanted} in games: {kind}", all.len());
                break;
            }
            let mv = player.choose(&board, random);
            board.push(mv);
        }
    }
    eprintln!();
    all
}

/// Finds puzzles of a kind in skirmishes of few pieces.
pub fn in_skirmishes(game: &Arc<Game>, random: &mut Random, kind: &str, wanted: usize) -> Vec<Found> {
    let mut all = Vec::new();
    while all.len() < wanted {
        if let Some(found) = endings::skirmish(game, random).and_then(|board| find_puzzle(&board, random, kind)) {
            all.push(found);
            eprint!("\r{} of {wanted} in skirmishes: {kind}", all.len());
        }
    }
    eprintln!();
    all
}

fn find_puzzle(board: &Board, random: &mut Random, kind: &str) -> Option<Found> {
    let mut captures = Captures::new(&board.game().rules);
    let (after, mut themes) = match Task::parse(kind).expect("a task") {
        Task::Save => save(board, random, &mut captures)?,
        Task::Take if board.position().royals(!board.turn()).count() == 1 => return None,
        Task::Take => take(board, random, &mut captures, 1)?,
        _ => take(board, random, &mut captures, board.position().royals(!board.turn()).count())?,
    };
    themes.sort_unstable();
    themes.dedup();
    Some(Found {
        fen: games::fresh_fen(board),
        kind: kind.into(),
        themes,
        solutions: vec![
            after.moves().skip(board.stack_len()).map(|mv| board.move_text(mv)).collect::<Vec<_>>().join(","),
        ],
    })
}

/// Finds a turn that captures `wanted` royal pieces with as few moves as possible, but more than one, and then loses
/// none if the game goes on.
fn take(board: &Board, random: &mut Random, captures: &mut Captures, wanted: u32) -> Option<(Board, Vec<String>)> {
    let rules = &board.game().rules;
    let (us, mut position) = (board.turn(), board.position().clone());
    let length = usize::from(position.turn_length(rules));
    if wanted as usize > length || captures.find(&mut position, CaptureKind::Royal, wanted, 1).is_some() {
        return None;
    }
    let (moves, made) = (2..=length)
        .find_map(|moves| Some((moves, captures.find(&mut position, CaptureKind::Royal, wanted, moves)?)))?;
    let mut themes = vec![format!("{moves} moves")];
    if wanted > 1 {
        themes.push("several captured".into());
    }
    let mut after = board.clone();
    for mv in made {
        let royal = position.royals(us).contains(mv.from());
        if after.position().cell(mv.to()).is_empty() {
            themes.push(if royal { "commander comes" } else { "way opened" }.into());
        } else if royal {
            themes.push("chieftain captures".into());
        }
        after.push(mv);
    }
    // The rest of the turn must lose nothing.
    (0..20).find_map(|_| {
        let mut whole = after.clone();
        finish(&mut whole, board, random);
        captures.is_safe(&mut whole.position().clone()).then_some((whole, themes.clone()))
    })
}

/// Plays random moves to the end of the turn that begins on `start`.
fn finish(board: &mut Board, start: &Board, random: &mut Random) {
    while board.turn() == start.turn() && board.outcome(false).is_none() {
        let moves = board.legal_moves();
        let mv = if moves.contains(&Move::END) && random.one_in(8) { Move::END } else { *random.pick(&moves) };
        board.push(mv);
    }
}

/// Finds a turn after which no royal piece can be captured, where one is threatened, nothing compensates for its loss,
/// and few turns save it.
fn save(board: &Board, random: &mut Random, captures: &mut Captures) -> Option<(Board, Vec<String>)> {
    let rules = &board.game().rules;
    let us = board.turn();
    let mut idle = board.position().clone();
    idle.set_turn(!us);
    let length = usize::from(idle.turn_length(rules));
    if board.position().royals(us).count() == 1 {
        return None;
    }
    let mut threats = vec![captures.find(&mut idle, CaptureKind::Royal, 1, length)?];
    let mut saving: Vec<Board> = Vec::new();
    for _ in 0..TRIES {
        let mut after = board.clone();
        finish(&mut after, board, random);
        if threats.iter().any(|threat| after_threat(rules, after.position(), threat).is_some()) {
            continue;
        }
        let before = captures.nodes;
        match captures.find(&mut after.position().clone(), CaptureKind::Royal, 1, length) {
            Some(threat) => threats.push(threat),
            None => saving.push(after),
        }
        if captures.nodes - before > MOST_NODES || saving.len() > MOST_SAVING {
            return None;
        }
    }
    let after = saving.into_iter().next()?;
    if compensation(captures, board.position()).is_some() {
        return None;
    }
    let mut themes = vec![format!("{} to save", board.position().royals(us).count())];
    let mut replay = board.clone();
    for mv in after.moves().skip(board.stack_len()).filter(|mv| mv.moves_piece()) {
        if !replay.position().cell(mv.to()).is_empty() {
            themes.push("captor captured".into());
        } else if replay.position().royals(us).contains(mv.from()) {
            themes.push("flight".into());
        }
        replay.push(mv);
    }
    Some((after, themes))
}
