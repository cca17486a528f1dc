//! Tunes the weights of the evaluation by features: fits it to labels of positions (Texel's method, Österlund 2014).

use crate::games::Played;
use crate::quiet::{Quiet, chance};
use engine::evaluation::{Evaluator, Tally, Tapered, UNIT, Weights};
use engine::network::SCALE;
use rules::Board;
use std::sync::Arc;

/// The strength of the regularisation towards the estimated weights.
const REGULARISATION: f64 = 4e-6;
/// Steps of the optimiser, each over all positions.
pub const STEPS: u32 = 300;
/// The parts of the positions, each summed by itself: the order of the sums must not depend on the count of threads.
const PARTS: usize = 16;

/// The weights of a feature in centipawns: middlegame, then endgame.
type Pair = [f64; 2];

/// Quiet positions as counts of features.
#[derive(Default)]
struct Samples {
    /// The features of all positions, one position after another: number and count.
    features: Vec<(u16, i16)>,
    /// For each position: where its features end, its game phase, and its label for White from 0 to 1.
    parts: Vec<(usize, f32, f32)>,
}

/// Fits weights to positions.
pub struct Tuner {
    evaluator: Arc<Evaluator>,
    lambda: f64,
    threads: usize,
    quiet: Quiet,
    learnt: Samples,
    held_out: Samples,
    now: Vec<Pair>,
    anchor: Vec<Pair>,
    moments: Vec<[Pair; 2]>,
    step: u32,
    best: (f64, Vec<Pair>),
}

struct Counts(Vec<i32>);

impl Tally for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count;
    }
}

impl Tuner {
    /// Begins with the weights of an evaluator.
    pub fn new(evaluator: Arc<Evaluator>, lambda: f64, threads: usize) -> Tuner {
        let (now, anchor) = (numbers(evaluator.weights()), numbers(&Weights::estimate(evaluator.game())));
        Tuner {
            evaluator,
            lambda,
            threads: threads.max(1),
            quiet: Quiet::default(),
            learnt: Samples::default(),
            held_out: Samples::default(),
            moments: vec![[[0.0; 2]; 2]; now.len()],
            best: (f64::INFINITY, now.clone()),
            now,
            anchor,
            step: 0,
        }
    }

    /// Adds the quiet positions of games, each position once.
    ///
    /// # Errors
    /// Names the game that is not one of this evaluator's game.
    pub fn add(&mut self, games: &[Played]) -> Result<(), String> {
        let game = Arc::clone(self.evaluator.game());
        let mut counts = Counts(vec![0; self.now.len()]);
        self.quiet.each(&game, games, self.lambda, |board, label, held_out| {
            let samples = if held_out { &mut self.held_out } else { &mut self.learnt };
            samples.take(&self.evaluator, &mut counts, board, label);
        })
    }

    /// The positions to learn from, and those held out.
    pub fn counts(&self) -> (usize, usize) {
        (self.learnt.parts.len(), self.held_out.parts.len())
    }

    /// The mean loss on the positions held out.
    pub fn loss(&self) -> f64 {
        self.held_out.slopes(&self.now, 0..self.held_out.parts.len()).1 / self.held_out.parts.len().max(1) as f64
    }

    /// Makes a step with the Adam optimiser, and remembers the weights if they are the best so far.
    pub fn advance(&mut self) {
        self.step += 1;
        let gradient = self.gradient();
        let rate = 0.7 * (1.0 - f64::from(self.step.min(STEPS)) / f64::from(STEPS + 1));
        let unbias = [0.9f64, 0.999].map(|share| 1.0 - share.powf(f64::from(self.step)));
        for (index, part) in (0..self.now.len()).flat_map(|index| [(index, 0), (index, 1)]) {
            let (now, anchor) = (&mut self.now[index][part], self.anchor[index][part]);
            let spread = anchor.abs().max(4.0);
            let pull = REGULARISATION * (*now - anchor) / spread;
            let slope = gradient[index][part] / self.learnt.parts.len() as f64 + pull;
            let [first, second] = &mut self.moments[index][part];
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            // Large weights take large steps.
            let size = rate * (spread / 100.0).clamp(0.02, 3.0);
            *now -= size * (*first / unbias[0]) / ((*second / unbias[1]).sqrt() + 1e-12);
        }
        let loss = self.loss();
        if loss < self.best.0 {
            self.best = (loss, self.now.clone());
        }
    }

    fn gradient(&self) -> Vec<Pair> {
        let all = self.learnt.parts.len();
        let size = all.div_ceil(PARTS).max(1);
        let parts: Vec<_> = (0..all).step_by(size).map(|start| start..(start + size).min(all)).collect();
        let found: Vec<Vec<Pair>> = std::thread::scope(|scope| {
            let workers: Vec<_> = parts
                .chunks(parts.len().div_ceil(self.threads).max(1))
                .map(|parts| {
                    let slopes = |part: &std::ops::Range<usize>| self.learnt.slopes(&self.now, part.clone()).0;
                    scope.spawn(move || parts.iter().map(slopes).collect::<Vec<_>>())
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
        });
        let mut sum = vec![[0.0; 2]; self.now.len()];
        for part in found {
            sum.iter_mut().zip(part).for_each(|(sum, [middle, end])| *sum = [sum[0] + middle, sum[1] + end]);
        }
        sum
    }

    /// The best weights so far, as the engine reads them, and their loss on the positions held out.
    pub fn weights(&self) -> (String, f64) {
        let mut tuned = self.evaluator.weights().clone();
        let whole = |value: f64| (value * f64::from(UNIT)).round() as i32;
        for (index, [middle, end]) in self.best.1.iter().enumerate() {
            tuned.set(index, Tapered::new(whole(*middle), whole(*end)));
        }
        (tuned.write(&self.evaluator.game().definition), self.best.0)
    }
}

impl Samples {
    fn take(&mut self, evaluator: &Evaluator, counts: &mut Counts, board: &Board, label: f64) {
        counts.0.fill(0);
        evaluator.all_features(board.position(), counts);
        let counted = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
        self.features.extend(counted.map(|(feature, count)| (feature as u16, *count as i16)));
        let phase = evaluator.phase(&evaluator.sums(board.position())) as f32 / 1000.0;
        self.parts.push((self.features.len(), phase, label as f32));
    }

    /// The gradient of the loss over some positions, summed, and the loss.
    fn slopes(&self, weights: &[Pair], part: std::ops::Range<usize>) -> (Vec<Pair>, f64) {
        let scale = f64::from(SCALE);
        let mut gradient = vec![[0.0; 2]; weights.len()];
        let mut loss = 0.0;
        let mut start = part.start.checked_sub(1).map_or(0, |before| self.parts[before].0);
        for (end, phase, label) in &self.parts[part] {
            let (features, phase) = (&self.features[start..*end], f64::from(*phase));
            start = *end;
            let mut sum = [0.0; 2];
            for (feature, count) in features {
                let [middle, end] = weights[usize::from(*feature)];
                sum = [sum[0] + middle * f64::from(*count), sum[1] + end * f64::from(*count)];
            }
            let chance = chance((sum[0] * phase + sum[1] * (1.0 - phase)) / scale);
            let error = chance - f64::from(*label);
            loss += error * error;
            let slope = 2.0 * error * chance * (1.0 - chance) / scale;
            for (feature, count) in features {
                let slope = slope * f64::from(*count);
                let [middle, end] = &mut gradient[usize::from(*feature)];
                *middle += slope * phase;
                *end += slope * (1.0 - phase);
            }
        }
        (gradient, loss)
    }
}

/// The weights in centipawns.
fn numbers(weights: &Weights) -> Vec<Pair> {
    let unit = f64::from(UNIT);
    let pair = |weight: Tapered| [f64::from(weight.middle) / unit, f64::from(weight.end) / unit];
    (0..weights.len()).map(|index| pair(weights.at(index))).collect()
}
