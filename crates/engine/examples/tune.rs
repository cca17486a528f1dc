//! Tunes a game's weights: plays against itself, then fits the evaluation to how the games went (Texel's method, Österlund 2014).
//!
//! `cargo run --release -p acedrex-engine --example tune -- GAME [--games 2000] [--nodes 800] [--seed 1] [--threads 2] [--rounds 2]`
//! writes `crates/engine/weights/GAME.txt`. Each round plays with the weights of the one before.

use engine::evaluation::{Evaluator, Tally, Tapered, UNIT, Weights};
use engine::{Engine, Limits, TimeLimit};
use rules::{Board, Color, Game, mix, read_board};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Random plies before a game is played in earnest.
const OPENING: usize = 8;
/// Plies after which a game is called a draw.
const LONGEST: usize = 400;
/// How much of a label is the game's result; the rest is what the search thought.
const RESULT: f64 = 0.65;
/// How strongly weights are drawn back to where they began.
const PULL: f64 = 4e-6;
/// One part in so many of the samples is held out, to see when fitting turns into learning by heart.
const HELD_OUT: usize = 8;

/// A quiet position: its features, how much of a middlegame it is, and what it was worth to White from 0 to 1.
struct Sample {
    features: Vec<(u16, i16)>,
    phase: f32,
    label: f32,
}

struct Features(Vec<i32>);

impl Tally for Features {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count;
    }
}

struct Plan {
    games: u64,
    nodes: u64,
    seed: u64,
    threads: u64,
    rounds: u64,
}

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let id = words.next().ok_or("which game?")?;
    let mut plan = Plan { games: 2000, nodes: 800, seed: 1, threads: 2, rounds: 2 };
    while let Some(name) = words.next() {
        let value = words.next().and_then(|word| word.parse().ok()).ok_or(format!("{name} needs a number"))?;
        match name.as_str() {
            "--games" => plan.games = value,
            "--nodes" => plan.nodes = value,
            "--seed" => plan.seed = value,
            "--threads" => plan.threads = value,
            "--rounds" => plan.rounds = value,
            _ => return Err(format!("{name}: expected --games, --nodes, --seed, --threads or --rounds")),
        }
    }
    let game = Arc::new(Game::shipped(&id, &[]).map_err(|faults| faults[0].to_string())?);
    let prior = Weights::estimate(&game);
    let mut weights = Evaluator::new(Arc::clone(&game)).weights().clone();
    for round in 0..plan.rounds {
        let evaluator = Arc::new(Evaluator::with_weights(Arc::clone(&game), weights.clone()));
        let samples = play(&evaluator, &plan, round);
        weights = fit(&samples, &weights, &prior);
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/weights");
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let path = format!("{folder}/{id}.txt");
        std::fs::write(&path, weights.write(&game.definition)).map_err(|error| format!("{path}: {error}"))?;
        println!("round {}: wrote {path}", round + 1);
    }
    Ok(())
}

/// Games of the evaluator against itself, as samples.
fn play(evaluator: &Arc<Evaluator>, plan: &Plan, round: u64) -> Vec<Sample> {
    let (next, start) = (AtomicU64::new(0), Instant::now());
    let samples: Vec<Vec<Sample>> = std::thread::scope(|scope| {
        let players: Vec<_> = (0..plan.threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut engine = Engine::with_evaluator(Arc::clone(evaluator), 1, 8).expect("a few megabytes");
                    let mut samples = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= plan.games {
                            return samples;
                        }
                        if number % 100 == 0 {
                            eprintln!("game {number} after {:.0?}", start.elapsed());
                        }
                        play_one(&mut engine, mix(plan.seed << 32 ^ round << 48 ^ number), plan.nodes, &mut samples);
                    }
                })
            })
            .collect();
        players.into_iter().map(|player| player.join().expect("a player")).collect()
    });
    samples.into_iter().flatten().collect()
}

fn play_one(engine: &mut Engine, seed: u64, nodes: u64, samples: &mut Vec<Sample>) {
    let game = Arc::clone(engine.game());
    let evaluator = Arc::clone(engine.evaluator());
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
        let plies = board.legal_plies();
        if plies.is_empty() {
            return;
        }
        board.push(plies[number(plies.len() as u64) as usize]);
    }
    engine.clear();
    let mut taken: Vec<(Sample, f64)> = Vec::new();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut decided = 0;
    let result = loop {
        if let Some(outcome) = board.outcome(true) {
            let (white, black) = outcome.half_points;
            break f64::from(white) / f64::from(white + black);
        }
        if board.stack_len() > LONGEST {
            break 0.5;
        }
        let decision = engine.search(&board, &limits, &Engine::watch(TimeLimit::default(), false), &mut |_| {});
        let Some(line) = decision.report.and_then(|report| report.lines.into_iter().next()) else { break 0.5 };
        let white = if board.turn() == Color::White { line.score } else { -line.score };
        let position = board.position();
        let quiet = decision
            .turn
            .iter()
            .all(|ply| ply.promotion().is_none() && (!ply.moves_piece() || position.piece(ply.to()).is_none()));
        if quiet && !position.is_check(&game.rules) && white.abs() < 3000 && position.state().plies == 0 {
            let mut features = Features(vec![0; evaluator.weights().len()]);
            evaluator.all_features(position, &mut features);
            let features = features.0.iter().enumerate().filter(|(_, count)| **count != 0);
            let phase = evaluator.phase(&evaluator.sums(position)) as f32 / 1000.0;
            let features = features.map(|(feature, count)| (feature as u16, *count as i16)).collect();
            taken.push((Sample { features, phase, label: 0.0 }, f64::from(white)));
        }
        // What both sides have agreed on for long is as good as played.
        decided = if white.abs() > 1500 { decided + 1 } else { 0 };
        if decided >= 8 {
            break if white > 0 { 1.0 } else { 0.0 };
        }
        for ply in decision.turn {
            board.push(ply);
        }
    };
    for (mut sample, score) in taken {
        sample.label = (RESULT * result + (1.0 - RESULT) * chance(score, 200.0)) as f32;
        samples.push(sample);
    }
}

/// The chance to win with so many centipawns.
fn chance(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Weights as numbers in centipawns: middlegame, then endgame, of each feature.
fn numbers(weights: &Weights) -> Vec<[f64; 2]> {
    let unit = f64::from(UNIT);
    let pair = |weight: Tapered| [f64::from(weight.middle) / unit, f64::from(weight.end) / unit];
    (0..weights.len()).map(|index| pair(weights.at(index))).collect()
}

fn evaluate(sample: &Sample, weights: &[[f64; 2]]) -> f64 {
    let phase = f64::from(sample.phase);
    let sum = |part: usize| -> f64 {
        sample.features.iter().map(|(feature, count)| weights[*feature as usize][part] * f64::from(*count)).sum()
    };
    sum(0) * phase + sum(1) * (1.0 - phase)
}

fn loss(samples: &[Sample], weights: &[[f64; 2]], scale: f64) -> f64 {
    let one = |sample: &Sample| (chance(evaluate(sample, weights), scale) - f64::from(sample.label)).powi(2);
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}

/// Fits all weights to the labels by gradient descent with momentum of both orders (Adam).
fn fit(samples: &[Sample], weights: &Weights, prior: &Weights) -> Weights {
    const STEPS: i32 = 500;
    let (held_out, samples) = samples.split_at(samples.len() / HELD_OUT);
    let mut now = numbers(weights);
    let anchor = numbers(prior);
    let scales = (100..500).step_by(10).map(f64::from);
    let scale = scales.min_by(|a, b| loss(held_out, &now, *a).total_cmp(&loss(held_out, &now, *b))).expect("some");
    let mut best = (loss(held_out, &now, scale), now.clone());
    println!("{} samples, scale {scale}, loss {:.5}", samples.len(), best.0);
    let mut momentum = vec![[[0.0f64; 2]; 2]; now.len()];
    for step in 1..=STEPS {
        let mut gradient = vec![[0.0f64; 2]; now.len()];
        for sample in samples {
            let chance = chance(evaluate(sample, &now), scale);
            let slope = 2.0 * (chance - f64::from(sample.label)) * chance * (1.0 - chance) / scale;
            let phase = f64::from(sample.phase);
            for (feature, count) in &sample.features {
                let slope = slope * f64::from(*count);
                gradient[*feature as usize][0] += slope * phase;
                gradient[*feature as usize][1] += slope * (1.0 - phase);
            }
        }
        let rate = 0.7 * (1.0 - f64::from(step) / f64::from(STEPS + 1));
        for (index, part) in (0..now.len()).flat_map(|index| [(index, 0), (index, 1)]) {
            let spread = anchor[index][part].abs().max(4.0);
            let pull = PULL * (now[index][part] - anchor[index][part]) / spread;
            let slope = gradient[index][part] / samples.len() as f64 + pull;
            let [first, second] = &mut momentum[index][part];
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            let unbiased = *first / (1.0 - 0.9f64.powi(step));
            let size = (*second / (1.0 - 0.999f64.powi(step))).sqrt();
            // Large weights move in large steps.
            now[index][part] -= rate * (spread / 100.0).clamp(0.02, 3.0) * unbiased / (size + 1e-12);
        }
        if step % 10 == 0 {
            let loss = loss(held_out, &now, scale);
            if loss < best.0 {
                best = (loss, now.clone());
            }
        }
    }
    println!("loss {:.5}", best.0);
    let mut tuned = weights.clone();
    let whole = |value: f64| (value * f64::from(UNIT)).round() as i32;
    for (index, [middle, end]) in best.1.into_iter().enumerate() {
        tuned.set(index, Tapered::new(whole(middle), whole(end)));
    }
    tuned
}
