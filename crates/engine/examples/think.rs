//! `cargo run --release --example think -- GAME DEPTH [FEN]`: prints the engine's analysis of a position.

use engine::{Engine, Limits, TimeLimit};
use rules::{Board, Game, read_board};
use std::sync::Arc;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let game = Arc::new(Game::shipped(&words[0], &[]).expect("a game"));
    let mut board = Board::new(Arc::clone(&game));
    if let Some(fen) = words.get(2) {
        board = read_board(&game, fen).expect("a FEN");
    }
    let mut engine = Engine::new(game, 1, 64).expect("a few megabytes");
    let limits = Limits { depth: Some(words[1].parse().expect("a depth")), ..Limits::default() };
    engine.search(&board, &limits, &Engine::watch(TimeLimit::default(), false), &mut |report| {
        for line in &report.lines {
            let mut after = board.clone();
            let mut text = String::new();
            for mv in &line.moves {
                text += &format!(" {}", after.san(*mv));
                after.push(*mv);
            }
            let nps = report.nodes as f64 / report.time.as_secs_f64().max(1e-9);
            println!(
                "depth {:2}/{:2} score {:6} nodes {:9} knps {:5.0} time {:6.2}{text}",
                line.depth,
                line.seldepth,
                line.score,
                report.nodes,
                nps / 1000.0,
                report.time.as_secs_f64()
            );
        }
    });
}
