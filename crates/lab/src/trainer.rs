//! Trains a network on samples: AdamW with a cosine schedule, the same numbers for any count of threads.

use crate::quiet::chance;
use crate::samples::Samples;
use engine::network::{BUCKETS, FULL, MAX_NEURONS, Network, OUTPUT_UNIT, Shape};
use rules::mix;

/// The batch size.
const BATCH: usize = 16_384;
/// The parts of a batch, each summed by itself: the order of the sums must not depend on the count of threads.
const PARTS: usize = 4;
/// Output weights stay below this, so that they fit in eight bits.
const LARGEST: f32 = 1.98;
const HEADER: &[u8] = b"acedrex checkpoint 1\n";

/// How a network learns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// How often each position is seen.
    pub epochs: u64,
    /// The learning rate at the start and at the end.
    pub rates: (f32, f32),
    /// The weight decay of the rows of single inputs, so that they keep only what the shared rows cannot express.
    pub decay: f32,
    /// The seed of the first numbers and of the order of positions.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe { epochs: 4, rates: (2e-3, 1e-5), decay: 40.0, seed: 1 }
    }
}

/// A network in training.
pub struct Trainer {
    samples: Samples,
    recipe: Recipe,
    threads: usize,
    shared: Shared,
    /// The rows of inputs and the bias of the network from which the training started; empty if it began with none.
    /// They stay as they are: the rows below are added to them.
    start: Vec<f32>,
    /// Rows of inputs, their bias, the rows that inputs share, then weights and bias of each bucket.
    numbers: Vec<f32>,
    /// Adam's two moments of each number.
    moments: [Vec<f32>; 2],
    step: u64,
    order: Vec<u32>,
}

impl Trainer {
    /// Begins to train on samples.
    pub fn new(samples: Samples, recipe: Recipe, threads: usize) -> Trainer {
        let shared = Shared::of(samples.shape);
        let (inner, outputs) = (shared.all * shared.width, BUCKETS * (2 * shared.width + 1));
        let random = |index: usize| (mix(recipe.seed << 40 ^ index as u64) >> 40) as f32 / (1 << 24) as f32 - 0.5;
        // A network that is added begins as nothing.
        let output = if samples.is_added() { 0.0 } else { 0.4 };
        let first = |index| random(index) * if index < inner { 0.1 } else { output };
        let numbers: Vec<f32> = (0..inner + outputs).map(first).collect();
        let moments = [vec![0.0; numbers.len()], vec![0.0; numbers.len()]];
        let (threads, start, order) = (threads.max(1), Vec::new(), Vec::new());
        Trainer { samples, recipe, threads, shared, start, numbers, moments, step: 0, order }
    }

    /// Starts from a network of the same kind instead, with as many neurons or fewer: the decay draws its rows towards
    /// what they were. Neurons that it lacks begin at random and count for nothing yet.
    pub fn start_from(&mut self, network: &Network) {
        assert_eq!(network.weights().is_some(), self.samples.is_added(), "a network of the same kind");
        let (width, had) = (self.shared.width, network.shape().neurons());
        let parameters: Vec<f32> = network.parameters().map(f32::from).collect();
        let (start, output) = parameters.split_at(self.shared.rows * had);
        let (weights, biases) = output.split_at(2 * BUCKETS * had);
        self.start = vec![0.0; self.shared.rows * width];
        for (row, before) in self.start.chunks_exact_mut(width).zip(start.chunks_exact(had)) {
            row.iter_mut().zip(before).for_each(|(number, before)| *number = before / f32::from(FULL));
        }
        let (inner, buckets) = self.numbers.split_at_mut(self.shared.all * width);
        inner.chunks_exact_mut(width).for_each(|row| row[..had].fill(0.0));
        buckets.fill(0.0);
        let buckets = buckets.chunks_exact_mut(2 * width + 1);
        for ((bucket, weights), bias) in buckets.zip(weights.chunks_exact(2 * had)).zip(biases) {
            for (side, before) in bucket.chunks_exact_mut(width).zip(weights.chunks_exact(had)) {
                side.iter_mut().zip(before).for_each(|(number, weight)| *number = weight / OUTPUT_UNIT as f32);
            }
            bucket[2 * width] = bias / f32::from(FULL);
        }
    }

    /// The positions to learn from, and those held out.
    pub fn positions(&self) -> (usize, usize) {
        self.samples.counts()
    }

    /// The steps of an epoch.
    pub fn epoch_steps(&self) -> u64 {
        self.samples.learnt.len().div_ceil(BATCH) as u64
    }

    /// The steps of the whole training.
    pub fn steps(&self) -> u64 {
        self.recipe.epochs * self.epoch_steps()
    }

    /// The steps made.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Makes the next step, with one batch of positions; returns their mean loss before it.
    pub fn advance(&mut self) -> f64 {
        let (epoch, at) = (self.step / self.epoch_steps(), self.step % self.epoch_steps());
        if at == 0 || self.order.is_empty() {
            self.order.clone_from(&self.samples.learnt);
            shuffle(&mut self.order, self.recipe.seed ^ (epoch + 1) << 32);
        }
        let start = at as usize * BATCH;
        let batch = &self.order[start..(start + BATCH).min(self.order.len())];
        let (slopes, loss) = self.slopes(batch);
        let (size, mean) = (batch.len() as f32, loss / batch.len() as f64);
        self.step += 1;
        self.learn(&slopes, size);
        mean
    }

    fn learn(&mut self, slopes: &[f32], size: f32) {
        let (fast, slow) = self.recipe.rates;
        let done = self.step as f32 / self.steps() as f32;
        let rate = slow + (fast - slow) * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
        let unbias = [1.0 - 0.9f32.powf(self.step as f32), 1.0 - 0.999f32.powf(self.step as f32)];
        let (rows, inner) = (self.shared.rows * self.shared.width, self.shared.all * self.shared.width);
        let [first, second] = &mut self.moments;
        let moments = first.iter_mut().zip(second);
        let slopes = self.shared.part(slopes);
        for (index, ((number, slope), (first, second))) in self.numbers.iter_mut().zip(slopes).zip(moments).enumerate()
        {
            let slope = slope / size;
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            *number -= rate * (*first / unbias[0]) / ((*second / unbias[1]).sqrt() + 1e-8);
            if index < rows {
                *number *= 1.0 - rate * self.recipe.decay;
            } else if index >= inner {
                *number = number.clamp(-LARGEST, LARGEST);
            }
        }
    }

    /// The mean loss on the positions held out: the mean square of what the evaluation differs from the label.
    pub fn loss(&self) -> f64 {
        self.slopes(&self.samples.held_out).1 / self.samples.held_out.len().max(1) as f64
    }

    /// The gradient of the loss over some samples, summed, and the loss.
    fn slopes(&self, batch: &[u32]) -> (Vec<f32>, f64) {
        let joined = self.joined();
        let (rows, width) = (self.shared.rows, self.shared.width);
        let parts: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(PARTS).max(1)).collect();
        let found: Vec<(Vec<f32>, f64)> = std::thread::scope(|scope| {
            let (samples, joined) = (&self.samples, &joined);
            let workers: Vec<_> = parts
                .chunks(parts.len().div_ceil(self.threads).max(1))
                .map(|parts| {
                    scope.spawn(move || {
                        parts.iter().map(|part| slopes_of(samples, part, joined, rows, width)).collect::<Vec<_>>()
                    })
                })
                .collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
        });
        found.into_iter().fold((vec![0.0; joined.len()], 0.0), |(mut sum, loss), (gradient, more)| {
            sum.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
            (sum, loss + more)
        })
    }

    /// The network's parameters: rows of inputs and bias, then weights and bias of each bucket.
    fn joined(&self) -> Vec<f32> {
        let mut joined = self.shared.join(&self.numbers);
        joined.iter_mut().zip(&self.start).for_each(|(sum, number)| *sum += number);
        joined
    }

    /// The network as the engine reads it, with a line that says how it was trained and one that says what it learnt.
    pub fn network(&self, recipe: String, log: String) -> Vec<u8> {
        let (shape, numbers) = (self.samples.shape, self.joined());
        let weights = self.samples.weights();
        Network::write(self.samples.game(), shape, weights.as_deref(), recipe, log, quantised(shape, &numbers))
    }

    /// Everything that is needed to go on training the same samples later.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        bytes.extend(self.step.to_le_bytes());
        let all = self.numbers.iter().chain(&self.moments[0]).chain(&self.moments[1]);
        all.for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// Goes back to a checkpoint.
    ///
    /// # Errors
    /// If it is not one of a training of this shape.
    pub fn restore(&mut self, checkpoint: &[u8]) -> Result<(), String> {
        let size = self.numbers.len();
        let wanted = HEADER.len() + 8 + 3 * 4 * size;
        if checkpoint.len() != wanted || !checkpoint.starts_with(HEADER) {
            return Err(format!(
                "not a checkpoint of this training: expected {wanted} bytes, not {}",
                checkpoint.len()
            ));
        }
        let (step, numbers) = checkpoint[HEADER.len()..].split_at(8);
        let step = u64::from_le_bytes(step.try_into().expect("eight bytes"));
        if step > self.steps() {
            return Err(format!("a checkpoint after {step} steps, but the training has {}", self.steps()));
        }
        let mut numbers = numbers.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")));
        let [first, second] = &mut self.moments;
        for part in [&mut self.numbers, first, second] {
            part.iter_mut().for_each(|number| *number = numbers.next().expect("counted"));
        }
        self.step = step;
        self.order.clear();
        Ok(())
    }
}

/// Factorised inputs: all inputs of a piece type share a row, as do those of one on a rank and those of one on a file.
/// The shared rows are added to the input's own, so that a piece's value is learnt from all squares.
struct Shared {
    /// The neurons of a side: the numbers of a row.
    width: usize,
    /// Rows of single inputs and the bias.
    rows: usize,
    /// By input, its shared rows.
    shared: Vec<[usize; 3]>,
    /// Rows in all.
    all: usize,
}

impl Shared {
    fn of(shape: Shape) -> Shared {
        let (piece_types, files, ranks) = shape.sizes();
        let rows = shape.inputs() + 1;
        let shared = |input: usize| {
            let (kind, rank, file) = (input / (files * ranks), input / files % ranks, input % files);
            [
                rows + kind,
                rows + piece_types + kind * ranks + rank,
                rows + piece_types * (1 + ranks) + kind * files + file,
            ]
        };
        Shared {
            width: shape.neurons(),
            rows,
            shared: (0..rows - 1).map(shared).collect(),
            all: rows + piece_types * (1 + ranks + files),
        }
    }

    /// The network's rows: own plus shared ones.
    fn join(&self, numbers: &[f32]) -> Vec<f32> {
        let (own, outputs) = (&numbers[..self.rows * self.width], &numbers[self.all * self.width..]);
        let mut joined = [own, outputs].concat();
        for (input, shared) in self.shared.iter().enumerate() {
            for shared in shared {
                let from = row(numbers, *shared, self.width);
                joined[input * self.width..].iter_mut().zip(from).for_each(|(sum, number)| *sum += number);
            }
        }
        joined
    }

    /// The gradients of own and shared rows, from those of the network's rows.
    fn part(&self, joined: &[f32]) -> Vec<f32> {
        let (own, outputs) = joined.split_at(self.rows * self.width);
        let mut slopes = own.to_vec();
        slopes.resize(self.all * self.width, 0.0);
        for (input, shared) in self.shared.iter().enumerate() {
            for shared in shared {
                let into = slopes[shared * self.width..].iter_mut();
                into.zip(row(own, input, self.width)).for_each(|(sum, slope)| *sum += slope);
            }
        }
        slopes.extend_from_slice(outputs);
        slopes
    }
}

fn shuffle(order: &mut [u32], seed: u64) {
    let mut random = mix(seed);
    for last in (1..order.len()).rev() {
        random = mix(random);
        order.swap(last, (random % (last as u64 + 1)) as usize);
    }
}

fn row(numbers: &[f32], index: usize, width: usize) -> &[f32] {
    &numbers[index * width..][..width]
}

fn slopes_of(samples: &Samples, part: &[u32], numbers: &[f32], rows: usize, width: usize) -> (Vec<f32>, f64) {
    let mut gradient = vec![0.0f32; numbers.len()];
    let bias = row(numbers, rows - 1, width);
    let (mut neurons, mut back) = ([[0.0f32; MAX_NEURONS]; 2], [0.0f32; MAX_NEURONS]);
    let mut loss = 0.0;
    for &number in part {
        let sample = samples.get(number);
        let output = rows * width + sample.bucket * (2 * width + 1);
        let mut sum = sample.base + numbers[output + 2 * width];
        for (neurons, (side, inputs)) in neurons.iter_mut().zip(sample.sides.into_iter().enumerate()) {
            let neurons = &mut neurons[..width];
            neurons.copy_from_slice(bias);
            for input in inputs {
                let weights = row(numbers, usize::from(*input), width);
                neurons.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
            let weights = row(&numbers[output..], side, width);
            sum += neurons.iter().zip(weights).map(|(x, weight)| x.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        let chance = chance(sum.into()) as f32;
        let error = chance - sample.label;
        loss += f64::from(error * error);
        let slope = 2.0 * error * chance * (1.0 - chance);
        gradient[output + 2 * width] += slope;
        for (side, (neurons, inputs)) in neurons.iter().zip(sample.sides).enumerate() {
            let weights = row(&numbers[output..], side, width);
            let outputs = &mut gradient[output + side * width..][..width];
            for (((neuron, weight), back), output) in neurons.iter().zip(weights).zip(&mut back).zip(outputs) {
                let clipped = neuron.clamp(0.0, 1.0);
                *output += slope * clipped * clipped;
                // A clipped neuron has no gradient.
                let slope = if clipped == *neuron { slope } else { 0.0 };
                *back = slope * 2.0 * clipped * weight;
            }
            for index in inputs.iter().map(|input| usize::from(*input)).chain([rows - 1]) {
                let slopes = &mut gradient[index * width..][..width];
                slopes.iter_mut().zip(&back).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
    (gradient, loss)
}

/// The parameters, quantised as the engine reads them.
fn quantised(shape: Shape, numbers: &[f32]) -> impl Iterator<Item = i16> + '_ {
    let width = shape.neurons();
    let (rows, outputs) = numbers.split_at((shape.inputs() + 1) * width);
    let units = |number: &f32, unit: f32| (number * unit).round() as i16;
    let full = f32::from(FULL);
    let output = move |bucket: usize| &outputs[bucket * (2 * width + 1)..][..2 * width];
    let rows = rows.iter().map(move |number| units(number, full));
    let weights = (0..BUCKETS).flat_map(output).map(move |number| units(number, OUTPUT_UNIT as f32));
    let biases = (0..BUCKETS).map(move |bucket| units(&outputs[bucket * (2 * width + 1) + 2 * width], full));
    rows.chain(weights).chain(biases)
}
