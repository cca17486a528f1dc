//! Trains a game's network on positions that `play` made.
//!
//! `cargo run --release -p acedrex-engine --example train -- GAME [--data FILE] [--epochs 20] [--threads 2] [--seed 1]`
//! writes `crates/engine/nets/GAME.net`. The loss printed after each epoch is that of held-out positions.

mod data;

use data::chance;
use engine::network::{BUCKETS, FULL, Network, OUTPUT_UNIT, Shape, WIDTH};
use rules::{Color, Game, mix};
use std::sync::Arc;
use std::time::Instant;

/// The batch size.
const BATCH: usize = 16_384;
/// The learning rate at the start and at the end, with a cosine schedule between.
const RATES: (f32, f32) = (2e-3, 1e-5);
/// One sample in this many is held out.
const HELD_OUT: usize = 50;
/// The weight decay of the rows of single inputs, so that they keep only what the shared rows cannot express.
const DECAY: f32 = 0.1;
/// Output weights stay below this, so that they fit in eight bits.
const LARGEST: f32 = 1.98;
/// The number of output parameters.
const OUTPUTS: usize = BUCKETS * (2 * WIDTH + 1);

/// All samples: their inputs one after another, those of the side to move and then the other side's.
#[derive(Default)]
struct Samples {
    inputs: Vec<u16>,
    /// For each sample: where its inputs begin, how many each side has, its bucket, and its label for the side to move.
    parts: Vec<(usize, u8, u8, f32)>,
}

impl Samples {
    fn sides(&self, sample: usize) -> ([&[u16]; 2], usize, f32) {
        let (start, count, bucket, label) = self.parts[sample];
        let count = usize::from(count);
        let (us, them) = self.inputs[start..start + 2 * count].split_at(count);
        ([us, them], usize::from(bucket), label)
    }
}

fn main() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let id = words.next().ok_or("which game?")?;
    let (mut path, mut epochs, mut threads, mut seed) = (data::file_of(&id), 20, 2, 1);
    while let Some(name) = words.next() {
        let word = words.next().ok_or(format!("{name}: expected something after it"))?;
        let number = || word.parse::<u64>().map_err(|_| format!("{name}: expected a number, not {word}"));
        match name.as_str() {
            "--data" => path = word,
            "--epochs" => epochs = number()?.max(1),
            "--threads" => threads = number()?.max(1),
            "--seed" => seed = number()?,
            _ => return Err(format!("{name}: expected --data, --epochs, --threads or --seed")),
        }
    }
    let game = Arc::new(Game::shipped(&id, &[]).map_err(|faults| faults[0].to_string())?);
    let shape = Shape::of(&game);
    let samples = read(&game, shape, &path)?;
    let numbers = train(&samples, &Common::of(&game), epochs, threads as usize, seed);
    let path = format!("{}/nets/{id}.net", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(&path, Network::write(shape, quantised(shape, &numbers)))
        .map_err(|error| format!("{path}: {error}"))?;
    println!("wrote {path}");
    Ok(())
}

fn read(game: &Arc<Game>, shape: Shape, path: &str) -> Result<Samples, String> {
    let mut samples = Samples::default();
    data::read(game, path, &mut |board, label| {
        let position = board.position();
        let us = board.turn();
        let start = samples.inputs.len();
        for side in [us, !us] {
            let mirrored = shape.is_mirrored(position.royals(side));
            samples.inputs.extend(
                position.occupied().into_iter().map(|square| {
                    shape.input(side, mirrored, square, position.piece(square).expect("occupied")) as u16
                }),
            );
        }
        let count = position.occupied().count() as u8;
        let label = if us == Color::White { label } else { 1.0 - label };
        samples.parts.push((start, count, shape.bucket(count.into()) as u8, label as f32));
    })?;
    Ok(samples)
}

/// Factorised inputs: all inputs of a kind share a row, as do those of a kind on a rank and those of a kind on a file.
/// The shared rows are added to the input's own, so that a piece's value is learnt from all squares.
struct Common {
    /// Rows of single inputs and the bias.
    rows: usize,
    /// By input, its shared rows.
    shared: Vec<[usize; 3]>,
    all: usize,
}

impl Common {
    fn of(game: &Game) -> Common {
        let (files, ranks) = (usize::from(game.rules.files), usize::from(game.rules.ranks));
        let (kinds, rows) = (2 * game.rules.kinds, Shape::of(game).inputs() + 1);
        let shared = |input: usize| {
            let (kind, rank, file) = (input / (files * ranks), input / files % ranks, input % files);
            [rows + kind, rows + kinds + kind * ranks + rank, rows + kinds * (1 + ranks) + kind * files + file]
        };
        let all = rows + kinds * (1 + ranks + files);
        Common { rows, shared: (0..rows - 1).map(shared).collect(), all }
    }

    /// The network's rows: own plus shared ones.
    fn join(&self, numbers: &[f32]) -> Vec<f32> {
        let (own, outputs) = (&numbers[..self.rows * WIDTH], &numbers[self.all * WIDTH..]);
        let mut joined = [own, outputs].concat();
        for (input, shared) in self.shared.iter().enumerate() {
            for shared in shared {
                let from = row(numbers, *shared);
                joined[input * WIDTH..].iter_mut().zip(from).for_each(|(sum, number)| *sum += number);
            }
        }
        joined
    }

    /// The gradients of own and shared rows, from those of the network's rows.
    fn part(&self, joined: &[f32]) -> Vec<f32> {
        let (own, outputs) = joined.split_at(self.rows * WIDTH);
        let mut slopes = own.to_vec();
        slopes.resize(self.all * WIDTH, 0.0);
        for (input, shared) in self.shared.iter().enumerate() {
            for shared in shared {
                let from = row(own, input);
                slopes[shared * WIDTH..].iter_mut().zip(from).for_each(|(sum, slope)| *sum += slope);
            }
        }
        slopes.extend_from_slice(outputs);
        slopes
    }
}

/// The parameters of a trained network: rows of inputs, their bias, then weights and bias of each bucket.
fn train(samples: &Samples, common: &Common, epochs: u64, threads: usize, seed: u64) -> Vec<f32> {
    let (rows, inner) = (common.rows * WIDTH, common.all * WIDTH);
    let random = |index: usize| (mix(seed << 40 ^ index as u64) >> 40) as f32 / (1 << 24) as f32 - 0.5;
    let start = |index| random(index) * if index < inner { 0.1 } else { 0.4 };
    let mut numbers: Vec<f32> = (0..inner + OUTPUTS).map(start).collect();
    // Positions of one game are alike, so whole games are held out: the last ones of the file.
    let mut learnt: Vec<usize> = (0..samples.parts.len()).collect();
    let held_out = learnt.split_off(learnt.len() - learnt.len() / HELD_OUT);
    let steps = epochs * learnt.len().div_ceil(BATCH) as u64;
    let (mut first, mut second) = (vec![0.0f32; numbers.len()], vec![0.0f32; numbers.len()]);
    let (mut step, begun) = (0, Instant::now());
    println!("{} positions", samples.parts.len());
    for epoch in 1..=epochs {
        shuffle(&mut learnt, seed ^ epoch << 32);
        for batch in learnt.chunks(BATCH) {
            step += 1;
            let done = step as f32 / steps as f32;
            let rate = RATES.1 + (RATES.0 - RATES.1) * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
            let (slopes, _) = slopes(samples, batch, &common.join(&numbers), rows, threads);
            let (unbias_first, unbias_second) = (1.0 - 0.9f32.powi(step), 1.0 - 0.999f32.powi(step));
            let moments = first.iter_mut().zip(&mut second);
            let slopes = common.part(&slopes);
            for (index, ((number, slope), (first, second))) in numbers.iter_mut().zip(slopes).zip(moments).enumerate() {
                let slope = slope / batch.len() as f32;
                *first = 0.9 * *first + 0.1 * slope;
                *second = 0.999 * *second + 0.001 * slope * slope;
                *number -= rate * (*first / unbias_first) / ((*second / unbias_second).sqrt() + 1e-8);
                if index < rows {
                    *number *= 1.0 - rate * DECAY;
                } else if index >= inner {
                    *number = number.clamp(-LARGEST, LARGEST);
                }
            }
        }
        let (_, loss) = slopes(samples, &held_out, &common.join(&numbers), rows, threads);
        println!("epoch {epoch}: loss {:.5} after {:.0?}", loss / held_out.len().max(1) as f64, begun.elapsed());
    }
    common.join(&numbers)
}

fn shuffle(order: &mut [usize], seed: u64) {
    let mut random = mix(seed);
    for last in (1..order.len()).rev() {
        random = mix(random);
        order.swap(last, (random % (last as u64 + 1)) as usize);
    }
}

/// The gradient of the loss over some samples, summed, and the loss.
fn slopes(samples: &Samples, batch: &[usize], numbers: &[f32], rows: usize, threads: usize) -> (Vec<f32>, f64) {
    let parts = batch.chunks(batch.len().div_ceil(threads).max(1));
    let found: Vec<(Vec<f32>, f64)> = std::thread::scope(|scope| {
        let workers: Vec<_> = parts.map(|part| scope.spawn(|| slopes_of(samples, part, numbers, rows))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker")).collect()
    });
    found.into_iter().fold((vec![0.0; numbers.len()], 0.0), |(mut sum, loss), (gradient, more)| {
        sum.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
        (sum, loss + more)
    })
}

fn row(numbers: &[f32], index: usize) -> &[f32; WIDTH] {
    numbers[index * WIDTH..].first_chunk().expect("a row")
}

fn slopes_of(samples: &Samples, part: &[usize], numbers: &[f32], rows: usize) -> (Vec<f32>, f64) {
    let mut gradient = vec![0.0f32; numbers.len()];
    let bias = row(numbers, rows / WIDTH - 1);
    let mut loss = 0.0;
    for &sample in part {
        let (sides, bucket, label) = samples.sides(sample);
        let output = rows + bucket * (2 * WIDTH + 1);
        let mut neurons = [*bias; 2];
        let mut sum = numbers[output + 2 * WIDTH];
        for (side, inputs) in sides.into_iter().enumerate() {
            for input in inputs {
                neurons[side]
                    .iter_mut()
                    .zip(row(numbers, usize::from(*input)))
                    .for_each(|(sum, weight)| *sum += weight);
            }
            let weights = row(&numbers[output + side * WIDTH..], 0);
            sum += neurons[side].iter().zip(weights).map(|(x, weight)| x.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        let chance = chance(sum.into(), 1.0) as f32;
        let error = chance - label;
        loss += f64::from(error * error);
        let slope = 2.0 * error * chance * (1.0 - chance);
        gradient[output + 2 * WIDTH] += slope;
        for (side, inputs) in sides.into_iter().enumerate() {
            let mut back = [0.0f32; WIDTH];
            for neuron in 0..WIDTH {
                let at = output + side * WIDTH + neuron;
                let clipped = neurons[side][neuron].clamp(0.0, 1.0);
                gradient[at] += slope * clipped * clipped;
                // A clipped neuron has no gradient.
                let slope = if clipped == neurons[side][neuron] { slope } else { 0.0 };
                back[neuron] = slope * 2.0 * clipped * numbers[at];
            }
            for index in inputs.iter().map(|input| usize::from(*input)).chain([rows / WIDTH - 1]) {
                let slopes: &mut [f32; WIDTH] = gradient[index * WIDTH..].first_chunk_mut().expect("a row");
                slopes.iter_mut().zip(&back).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
    (gradient, loss)
}

/// The parameters, quantised as the engine reads them.
fn quantised(shape: Shape, numbers: &[f32]) -> impl Iterator<Item = i16> + '_ {
    let (rows, outputs) = numbers.split_at((shape.inputs() + 1) * WIDTH);
    let units = |number: &f32, unit: f32| (number * unit).round() as i16;
    let full = f32::from(FULL);
    let output = |bucket: usize| &outputs[bucket * (2 * WIDTH + 1)..][..2 * WIDTH];
    let rows = rows.iter().map(move |number| units(number, full));
    let weights = (0..BUCKETS).flat_map(output).map(move |number| units(number, OUTPUT_UNIT as f32));
    let biases = (0..BUCKETS).map(move |bucket| units(&outputs[bucket * (2 * WIDTH + 1) + 2 * WIDTH], full));
    rows.chain(weights).chain(biases)
}
