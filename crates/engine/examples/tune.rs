//! Tunes a game's weights: fits the evaluation to the results of the games that `play` made (Texel's method, Österlund
//! 2014).
//!
//! `cargo run --release -p acedrex-engine --example tune -- GAME [--data FILE]` writes
//! `crates/engine/weights/GAME.txt`.

mod data;

use data::chance;
use engine::evaluation::{Evaluator, Tally, Tapered, UNIT, Weights};
use rules::{Board, Game};
use std::sync::Arc;

/// The strength of the regularisation towards the initial weights.
const REGULARISATION: f64 = 4e-6;
/// One sample in this many is held out, to detect overfitting.
const HELD_OUT: usize = 8;

/// A quiet position: its features, its game phase, and its label for White from 0 to 1.
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

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (id, path) = match words.as_slice() {
        [id] => (id, data::file_of(id)),
        [id, option, path] if option == "--data" => (id, path.clone()),
        _ => return Err("expected GAME [--data FILE]".into()),
    };
    let game = Arc::new(Game::shipped(id, &[]).map_err(|faults| faults[0].to_string())?);
    let evaluator = Evaluator::new(Arc::clone(&game));
    let mut samples = Vec::new();
    data::read(&game, &path, &mut |board, label| samples.push(sample(&evaluator, board, label)))?;
    let weights = fit(&samples, evaluator.weights(), &Weights::estimate(&game));
    let path = format!("{}/weights/{id}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(&path, weights.write(&game.definition)).map_err(|error| format!("{path}: {error}"))?;
    println!("wrote {path}");
    Ok(())
}

fn sample(evaluator: &Evaluator, board: &Board, label: f64) -> Sample {
    let mut features = Features(vec![0; evaluator.weights().len()]);
    evaluator.all_features(board.position(), &mut features);
    let features = features.0.iter().enumerate().filter(|(_, count)| **count != 0);
    Sample {
        features: features.map(|(feature, count)| (feature as u16, *count as i16)).collect(),
        phase: evaluator.phase(&evaluator.sums(board.position())) as f32 / 1000.0,
        label: label as f32,
    }
}

/// The weights in centipawns: middlegame, then endgame, of each feature.
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

/// Fits all weights to the labels with the Adam optimiser.
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
            let pull = REGULARISATION * (now[index][part] - anchor[index][part]) / spread;
            let slope = gradient[index][part] / samples.len() as f64 + pull;
            let [first, second] = &mut momentum[index][part];
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            let unbiased = *first / (1.0 - 0.9f64.powi(step));
            let size = (*second / (1.0 - 0.999f64.powi(step))).sqrt();
            // Large weights take large steps.
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
