//! Plays games of the engine against itself, as data for `tune` and `train`.
//!
//! `cargo run --release -p acedrex-engine --example play -- GAME [--games 10000] [--nodes 300] [--seed 1] [--threads 2]
//! [--data FILE]` appends the quiet positions of the games to a file. A different seed plays different games.

#[allow(dead_code)] // reading is for those who learn
mod data;

use engine::evaluation::Evaluator;
use engine::{Engine, Limits, TimeLimit};
use rules::{Board, Color, Game, mix, read_board};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Random moves before the engine starts to play.
const OPENING: usize = 8;
/// Turns after which a game is adjudicated a draw.
const LONGEST: usize = 400;

struct Plan {
    games: u64,
    nodes: u64,
    seed: u64,
    threads: u64,
    data: String,
}

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let id = words.next().ok_or("which game?")?;
    let mut plan = Plan { games: 10_000, nodes: 300, seed: 1, threads: 2, data: data::file_of(&id) };
    while let Some(name) = words.next() {
        let word = words.next().ok_or(format!("{name}: expected something after it"))?;
        let number = || word.parse().map_err(|_| format!("{name}: expected a number, not {word}"));
        match name.as_str() {
            "--data" => plan.data = word,
            "--games" => plan.games = number()?,
            "--nodes" => plan.nodes = number()?,
            "--seed" => plan.seed = number()?,
            "--threads" => plan.threads = number()?,
            _ => return Err(format!("{name}: expected --games, --nodes, --seed, --threads or --data")),
        }
    }
    let game = Arc::new(Game::shipped(&id, &[]).map_err(|faults| faults[0].to_string())?);
    play(&Arc::new(Evaluator::new(game)), &plan).map_err(|error| format!("{}: {error}", plan.data))
}

/// Plays games of the evaluator against itself. Each quiet position becomes a line of data: FEN, score and result for
/// White.
fn play(evaluator: &Arc<Evaluator>, plan: &Plan) -> std::io::Result<()> {
    let file = Mutex::new(OpenOptions::new().create(true).append(true).open(&plan.data)?);
    let (next, start) = (AtomicU64::new(0), Instant::now());
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..plan.threads)
            .map(|_| {
                scope.spawn(|| -> std::io::Result<()> {
                    let mut engine = Engine::with_evaluator(Arc::clone(evaluator), 1, 8).expect("a few megabytes");
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= plan.games {
                            return Ok(());
                        }
                        if number % 500 == 0 {
                            eprintln!("game {number} after {:.0?}", start.elapsed());
                        }
                        let lines = play_one(&mut engine, mix(plan.seed << 32 ^ number), plan.nodes);
                        file.lock().expect("no player panicked").write_all(lines.as_bytes())?;
                    }
                })
            })
            .collect();
        players.into_iter().try_for_each(|player| player.join().expect("a player"))
    })
}

/// Plays one game and returns its lines of data.
fn play_one(engine: &mut Engine, seed: u64, nodes: u64) -> String {
    let game = Arc::clone(engine.game());
    let mut random = seed;
    let mut number = |below: u64| {
        random = mix(random);
        random % below
    };
    let mut board = Board::new(Arc::clone(&game));
    if game.setups().count() > 0 {
        let name = game.setups().name(1 + number(game.setups().count())).expect("numbered");
        let fen = game.setups().fen(&game.definition, &name).expect("a setup");
        board = read_board(&game, &fen).expect("a setup");
    }
    for _ in 0..OPENING {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return String::new();
        }
        board.push(moves[number(moves.len() as u64) as usize]);
    }
    engine.clear();
    let mut taken: Vec<(String, i32)> = Vec::new();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let (mut decided, mut turns) = (0, 0);
    let result = loop {
        if let Some(outcome) = board.outcome(true) {
            let (white, black) = outcome.half_points;
            break f64::from(white) / f64::from(white + black);
        }
        if turns == LONGEST {
            break 0.5;
        }
        turns += 1;
        let decision = engine.search(&board, &limits, &Engine::watch(TimeLimit::default(), false), &mut |_| {});
        let Some(line) = decision.report.and_then(|report| report.lines.into_iter().next()) else { break 0.5 };
        let white = if board.turn() == Color::White { line.score } else { -line.score };
        let position = board.position();
        let quiet = decision
            .turn
            .iter()
            .all(|mv| mv.promotion().is_none() && (!mv.moves_piece() || position.piece(mv.to()).is_none()));
        if quiet && !position.is_check(&game.rules) && white.abs() < 3000 && position.state().moves == 0 {
            taken.push((board.fen(), white));
        }
        // A score that both sides have agreed on for long decides the game.
        decided = if white.abs() > 1500 { decided + 1 } else { 0 };
        if decided >= 8 {
            break if white > 0 { 1.0 } else { 0.0 };
        }
        for mv in decision.turn {
            board.push(mv);
        }
    };
    taken.into_iter().fold(String::new(), |mut lines, (fen, score)| {
        writeln!(lines, "{fen}|{score}|{result}").expect("texts take all");
        lines
    })
}
