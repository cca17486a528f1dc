//! Proves the puzzles of every tactical suite.

use judge::{Task, prove, sample};
use rules::Game;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Longer proofs are left to `make nightly`.
const MAX_PROOF_NODES: u64 = 100_000;

fn check(id: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tactics").join(format!("{id}.json"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a suite")).expect("JSON");
    let game = Arc::new(Game::shipped(id, &[]).expect("a shipped game loads"));
    let puzzles = file["puzzles"].as_array().expect("a list");
    let (mut seen, mut proven) = (HashSet::new(), 0);
    for puzzle in puzzles {
        let text = |key: &str| puzzle[key].as_str().expect("a text");
        let solutions = puzzle["solutions"].as_array().expect("a list").iter();
        let solutions: Vec<String> = solutions.map(|text| text.as_str().expect("a text").into()).collect();
        let task = Task::parse(text("kind")).expect("a task");
        if puzzle["proof_nodes"].as_u64().expect("a number") <= sample(MAX_PROOF_NODES, u64::MAX) {
            if let Err(message) = prove(&game, text("fen"), task, &solutions) {
                panic!("{id}: {} of {}: {message}", text("kind"), text("fen"));
            }
            proven += 1;
        }
        assert!(seen.insert(text("fen").split(' ').next()), "{id}: {} comes twice", text("fen"));
    }
    assert!(puzzles.len() >= 100 && proven >= 85, "{id} has {} puzzles, {proven} proven", puzzles.len());
}

#[test]
fn puzzles_of_metamachy_can_be_proven() {
    check("metamachy");
}

#[test]
fn puzzles_of_zanzibar_can_be_proven() {
    check("zanzibar-s");
}

#[test]
fn puzzles_of_maasai_chess_can_be_proven() {
    check("maasai");
}

#[test]
fn puzzles_of_magi_can_be_proven() {
    check("magi");
}

#[test]
fn puzzles_of_chieftain_chess_can_be_proven() {
    check("chieftain");
}

#[test]
fn false_solutions_are_refused() {
    let refused = |id: &str, fen: &str, kind: &str, solution: &str| {
        let game = Arc::new(Game::shipped(id, &[]).expect("a shipped game loads"));
        prove(&game, fen, Task::parse(kind).expect("a task"), &[solution.to_string()]).expect_err("it does not hold")
    };
    let ending = "k9/10/1K8/10/10/10/10/10/10/7R2 w - - 0 1";
    assert!(refused("magi", ending, "mate in 2", "h1h10").contains("fewer"));
    let ending = "k9/10/2K7/10/10/10/10/10/10/7R2 w - - 0 1";
    assert!(refused("magi", ending, "mate in 2", "h1h10").contains("mate in 2, not"));
    let near = "15c/16/16/16/16/16/16/16/2c13/16/1M14/C15 w - - 0 1";
    assert!(refused("chieftain", near, "take a chieftain", "b2c3").contains("captures 0"));
    // The Chieftain that captures one can itself be captured: a trade.
    let trade = "2c13/16/4m11/c2C12/2M1m11/3C12/1m3M10/16/16/16/16/16 w - - 0 1";
    assert!(refused("chieftain", trade, "save all chieftains", "d7d5,d9e8").contains("but not for nothing"));
}
