//! Positions with their legal moves, check and perft, from files that every language's tests share.

use judge::sample;
use rules::{Board, Game, perft, read_board};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Deeper counts are left to `make nightly`, and those above ten times as many to the benchmarks.
const MAX_NODES: u64 = 1_000_000;

fn data(folder: &str) -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(!files.is_empty(), "no data in {}", folder.display());
    files
        .into_iter()
        .map(|path| (path.clone(), serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()))
        .collect()
}

fn choices(options: &str) -> Vec<(String, String)> {
    options
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, "on"));
            (name.to_string(), value.to_string())
        })
        .collect()
}

fn game(id: &str, options: &str) -> Arc<Game> {
    match Game::shipped(id, &choices(options)) {
        Ok(game) => Arc::new(game),
        Err(faults) => panic!("{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("\n")),
    }
}

fn check_position(id: &str, case: &Value) -> Result<(), String> {
    let text = |key: &str| case[key].as_str().unwrap_or("").to_string();
    let game = game(id, &text("options"));
    let fen = if case["fen"].is_null() { game.definition.start.clone() } else { text("fen") };
    let mut board: Board = read_board(&game, &fen).map_err(|error| format!("{fen}: {error}"))?;
    for mv in case["plies"].as_array().into_iter().flatten() {
        board.push_text(mv.as_str().unwrap()).map_err(|error| format!("{fen}: {error}"))?;
    }
    let mut moves: Vec<String> = board.legal_moves().iter().map(|mv| board.move_text(*mv)).collect();
    moves.sort();
    let wanted = case["moves"].as_array().map(|list| list.iter().map(|mv| mv.as_str().unwrap().into()).collect());
    let wanted: Vec<String> = wanted.unwrap_or_else(|| moves.clone());
    if moves != wanted {
        let missing: Vec<_> = wanted.iter().filter(|mv| !moves.contains(mv)).collect();
        let extra: Vec<_> = moves.iter().filter(|mv| !wanted.contains(mv)).collect();
        return Err(format!("{fen} {}: missing {missing:?}, too many {extra:?}", case["plies"]));
    }
    if let Some(check) = case["check"].as_bool()
        && check != board.position().is_check(&game.rules)
    {
        return Err(format!("{fen}: check should be {check}"));
    }
    if let Some(giving) = case["gives_check"].as_array() {
        let giving: Vec<&str> = giving.iter().map(|mv| mv.as_str().unwrap()).collect();
        for mv in board.legal_moves() {
            let says = board.position().gives_check(&game.rules, mv);
            if says != giving.contains(&board.move_text(mv).as_str()) {
                return Err(format!("{fen}: {} gives check: {says}", board.move_text(mv)));
            }
        }
    }
    for (index, nodes) in case["perft"].as_array().into_iter().flatten().enumerate() {
        if nodes.as_u64().unwrap() > sample(MAX_NODES, 10 * MAX_NODES) {
            break;
        }
        let mut position = board.position().clone();
        let found = perft(&game.rules, &mut position, index as u32 + 1);
        if found != nodes.as_u64().unwrap() {
            return Err(format!("{fen} {}: perft({}) is {found}, should be {nodes}", case["plies"], index + 1));
        }
        if position != *board.position() {
            return Err(format!("{fen}: perft did not restore the position"));
        }
    }
    Ok(())
}

fn check_folder(folder: &str) {
    let mut wrong = Vec::new();
    let mut total = 0;
    for (path, file) in data(folder) {
        for case in file["positions"].as_array().unwrap() {
            total += 1;
            if let Err(message) = check_position(case["game"].as_str().or(file["game"].as_str()).unwrap(), case) {
                wrong.push(format!("{}: {message}", path.file_name().unwrap().display()));
            }
        }
    }
    let shown: Vec<String> = wrong.iter().take(40).cloned().collect();
    assert!(wrong.is_empty(), "{} of {total} wrong:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn selected_positions_have_the_recorded_moves_and_counts() {
    check_folder("vectors");
}

/// Positions of random play from a second implementation, written from the rules alone.
#[test]
fn random_positions_agree_with_the_second_implementation() {
    check_folder("random");
}

/// Published numbers, and numbers of other programs.
#[test]
fn perft_matches_published_counts() {
    check_folder("perft");
}

#[test]
fn perft_from_each_start_matches_the_rules() {
    let numbers: [(&str, &str, &[u64]); 10] = [
        ("metamachy", "", &[61, 3721, 233_126]),
        ("zanzibar-s", "", &[53, 2809, 163_758]),
        ("maasai", "", &[26, 676, 20_654]),
        ("magi", "", &[38, 1442, 56_685, 2_223_369]),
        ("chieftain", "", &[130, 16_420]),
        ("chieftain", "bent=on", &[148, 21_166]),
        ("chieftain", "augmented=on", &[140, 18_986]),
        ("chieftain", "bent=on,augmented=on", &[158, 24_048]),
        ("chieftain", "command_range=unlimited", &[158, 24_234]),
        ("chieftain", "chiefs_command_chiefs=off", &[130, 15_710]),
    ];
    for (id, options, counts) in numbers {
        let game = game(id, options);
        let mut position = Board::new(Arc::clone(&game)).position().clone();
        for (depth, count) in counts.iter().enumerate() {
            assert_eq!(
                perft(&game.rules, &mut position, depth as u32 + 1),
                *count,
                "{id} {options} depth {}",
                depth + 1
            );
        }
    }
}
