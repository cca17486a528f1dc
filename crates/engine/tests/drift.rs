//! What one search leaves behind must not change the result of the next search of the same position.

use engine::{Engine, Limits, TimeLimit};
use judge::{Random, sample};
use rules::{Board, Game};
use std::sync::Arc;

const GAMES: [&str; 10] =
    ["chess", "shako", "magi", "metamachy", "maasai", "zanzibar-s", "grand", "capablanca", "terachess", "knightmate"];

fn score(engine: &mut Engine, board: &Board, limits: Limits) -> i32 {
    let watch = Engine::watch(TimeLimit::default(), false);
    engine.search(board, &limits, &watch, &mut |_| {}).report.expect("something to search").lines[0].score
}

#[test]
fn an_earlier_search_hardly_changes_a_shallow_score() {
    let mut differences = Vec::new();
    let mut random = Random::new(31);
    for id in GAMES {
        let game = Arc::new(Game::shipped(id, &[]).expect("a shipped game"));
        let mut engine = Engine::new(Arc::clone(&game), 1, 16).expect("a few megabytes");
        let mut found = 0;
        while found < sample(8, 20) {
            let mut board = Board::new(Arc::clone(&game));
            for _ in 0..6 {
                board.push(*random.pick(&board.legal_moves()));
            }
            for _ in 0..5 {
                for _ in 0..4 {
                    let watch = Engine::watch(TimeLimit::default(), false);
                    let limits = Limits { nodes: Some(100), ..Limits::default() };
                    let turn = engine.search(&board, &limits, &watch, &mut |_| {}).turn;
                    turn.iter().for_each(|mv| board.push(*mv));
                }
                if board.outcome(false).is_some() {
                    break;
                }
                engine.clear();
                let shallow = || Limits { depth: Some(1), ..Limits::default() };
                let fresh = score(&mut engine, &board, shallow());
                let deep = score(&mut engine, &board, Limits { nodes: Some(8_000), ..Limits::default() });
                let warm = score(&mut engine, &board, shallow());
                if fresh.abs() < 1_000 && deep.abs() < 1_000 {
                    differences.push((warm - fresh).abs());
                    found += 1;
                }
            }
        }
    }
    differences.sort_unstable();
    let median = differences[differences.len() / 2];
    assert!(differences.len() >= GAMES.len() * sample(8, 20) && median <= 15, "{median} centipawns");
}
