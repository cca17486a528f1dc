//! `cargo run --release -p acedrex-judge --example mine_tactics -- GAME [SEED]`: mines the tactical suite of a game
//! into
//! `tests/data/tactics`. It takes minutes to an hour. The tests prove every puzzle again.

mod chieftains;
mod endings;
mod games;
mod themes;

use judge::{Mates, Random, Task, prove};
use rules::{Board, Game};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Candidates found for each puzzle that is chosen.
const CANDIDATES: usize = 3;
/// Node budget of a proof, so that the tests can prove every puzzle again.
const MOST_NODES: u64 = 300_000;

/// A candidate puzzle.
pub struct Found {
    fen: String,
    kind: String,
    themes: Vec<String>,
    solutions: Vec<String>,
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [id, rest @ ..] = &words[..] else { return Err("expected GAME [SEED]".into()) };
    let seed: u64 = rest.first().map_or(Ok(1), |seed| seed.parse()).map_err(|_| "expected a seed".to_string())?;
    let game = Arc::new(Game::shipped(id, &[]).map_err(|faults| format!("{faults:?}"))?);
    let mut random = Random::new(seed);
    let chosen = if game.rules.has_check() { mates(&game, &mut random) } else { captures(&game, &mut random) };
    write(&game, &chosen)
}

fn mates(game: &Arc<Game>, random: &mut Random) -> Vec<Found> {
    let mut chosen = choose(in_games(game, random, 60 * CANDIDATES * 2), 60);
    for (moves, wanted) in [(3, 30), (4, 12)] {
        chosen.extend(choose(in_endings(game, random, moves, wanted * CANDIDATES), wanted));
    }
    chosen
}

fn captures(game: &Arc<Game>, random: &mut Random) -> Vec<Found> {
    let mut chosen = chieftains::in_games(game, random, "take a chieftain", 15);
    for (kind, wanted) in [("take a chieftain", 20), ("take the last chieftain", 35)] {
        chosen.extend(choose(chieftains::in_skirmishes(game, random, kind, wanted * CANDIDATES), wanted));
    }
    // These are too rare to choose among.
    chosen.extend(chieftains::in_skirmishes(game, random, "save all chieftains", 35));
    chosen
}

/// Mates from the middles of whole games, one or two per game.
fn in_games(game: &Arc<Game>, random: &mut Random, wanted: usize) -> Vec<Found> {
    let mut all = Vec::new();
    while all.len() < wanted {
        let mut board = games::start(game, random);
        let player = games::Player::new(game, random);
        let mut next = 16;
        let mut here = 0;
        let fewest = board.position().occupied().count() * 2 / 5;
        while board.outcome(true).is_none() && board.position().occupied().count() >= fewest && here < 2 {
            if board.stack_len() >= next
                && let Some(found) = mate(&board, 2)
            {
                eprint!("\r{} of {wanted} mates in 2", all.len() + 1);
                all.push(found);
                here += 1;
                next = board.stack_len() + 30;
            }
            let mv = player.choose(&board, random);
            board.push(mv);
        }
    }
    eprintln!();
    all
}

fn in_endings(game: &Arc<Game>, random: &mut Random, moves: u32, wanted: usize) -> Vec<Found> {
    let mut all = Vec::new();
    while all.len() < wanted {
        if let Some(found) = endings::place(game, random).and_then(|board| mate(&board, moves)) {
            eprint!("\r{} of {wanted} mates in {moves}", all.len() + 1);
            all.push(found);
        }
    }
    eprintln!();
    all
}

/// Returns the puzzle of a position in which exactly one move forces mate in `moves` moves, and none forces it in
/// fewer.
fn mate(board: &Board, moves: u32) -> Option<Found> {
    let mut mates = Mates::new(&board.game().rules);
    let mut position = board.position().clone();
    if board.outcome(true).is_some() || (1..moves).any(|fewer| mates.mates(&mut position, fewer)) {
        return None;
    }
    let keys = mates.keys(&mut position, moves);
    let [key] = keys[..] else { return None };
    if mates.nodes > MOST_NODES {
        return None;
    }
    Some(Found {
        fen: games::fresh_fen(board),
        kind: format!("mate in {moves}"),
        themes: themes::themes(board, key, moves),
        solutions: vec![board.move_text(key)],
    })
}

/// Chooses puzzles so that rare themes are well represented: always the one whose themes have been chosen least so far.
fn choose(mut all: Vec<Found>, wanted: usize) -> Vec<Found> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut chosen = Vec::new();
    while chosen.len() < wanted && !all.is_empty() {
        let worth = |found: &Found| -> f64 {
            found.themes.iter().map(|theme| 1.0 / f64::from(1 + counts.get(theme).unwrap_or(&0))).sum()
        };
        let best = (0..all.len()).max_by(|a, b| worth(&all[*a]).total_cmp(&worth(&all[*b]))).expect("not empty");
        let found = all.remove(best);
        found.themes.iter().for_each(|theme| *counts.entry(theme.clone()).or_default() += 1);
        chosen.push(found);
    }
    chosen
}

fn write(game: &Arc<Game>, chosen: &[Found]) -> Result<(), String> {
    let mut lines = Vec::new();
    for Found { fen, kind, themes, solutions } in chosen {
        let task = Task::parse(kind).expect("a task");
        let nodes = prove(game, fen, task, solutions).map_err(|message| format!("{fen}: {message}"))?;
        let puzzle = json!({
            "fen": fen, "kind": kind, "themes": themes, "solutions": solutions, "proof_nodes": nodes,
        });
        lines.push(puzzle.to_string());
    }
    let id = &game.definition.texts.id;
    let text = format!("{{\"game\":\"{id}\",\"puzzles\":[\n{}\n]}}\n", lines.join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tactics").join(format!("{id}.json"));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}
