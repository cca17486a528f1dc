//! Positions of games as a network learns from them: inputs, and the result to expect.

use crate::games::Played;
use crate::quiet::Quiet;
use engine::evaluation::Evaluator;
use engine::network::{SCALE, Shape};
use rules::{Board, Color, Game};
use std::sync::Arc;

/// Positions to learn from.
pub struct Samples {
    evaluator: Arc<Evaluator>,
    pub(crate) shape: Shape,
    lambda: f64,
    added: bool,
    /// The inputs of all samples, one after another: those of the side to move, then the other side's.
    inputs: Vec<u16>,
    parts: Vec<Part>,
    quiet: Quiet,
    pub(crate) learnt: Vec<u32>,
    pub(crate) held_out: Vec<u32>,
}

struct Part {
    start: usize,
    /// The inputs of a side.
    count: u16,
    bucket: u8,
    /// The result to expect for the side to move, from 0 to 1.
    label: f32,
    /// What the network adds to, on the logistic scale.
    base: f32,
}

/// A sample as the trainer sees it.
pub(crate) struct Sample<'a> {
    pub sides: [&'a [u16]; 2],
    pub bucket: usize,
    pub label: f32,
    pub base: f32,
}

impl Samples {
    /// No samples yet, for a network with a number of neurons a side. If it is to be added to the features, it is added
    /// to those of the evaluator; `lambda` is the share of later scores and of the result in a label, as against the
    /// position's own score.
    ///
    /// # Errors
    /// If a network of this game would have more inputs than can be numbered.
    pub fn new(evaluator: Arc<Evaluator>, neurons: usize, added: bool, lambda: f64) -> Result<Samples, String> {
        let shape = Shape::of(evaluator.game(), neurons);
        if shape.inputs() > usize::from(u16::MAX) {
            return Err(format!("{} inputs: networks have at most {}", shape.inputs(), u16::MAX));
        }
        Ok(Samples {
            shape,
            evaluator,
            lambda,
            added,
            inputs: Vec::new(),
            parts: Vec::new(),
            quiet: Quiet::default(),
            learnt: Vec::new(),
            held_out: Vec::new(),
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.evaluator.game()
    }

    /// Whether the network is added to the features.
    pub fn is_added(&self) -> bool {
        self.added
    }

    /// The weights of the features to which the network is added, as text.
    pub fn weights(&self) -> Option<String> {
        self.added.then(|| self.evaluator.weights().write(&self.game().definition))
    }

    /// The positions to learn from, and those held out.
    pub fn counts(&self) -> (usize, usize) {
        (self.learnt.len(), self.held_out.len())
    }

    /// Adds the quiet positions of games, each position once.
    ///
    /// # Errors
    /// Names the game that is not one of this evaluator's game.
    pub fn add(&mut self, games: &[Played]) -> Result<(), String> {
        let game = Arc::clone(self.evaluator.game());
        let mut quiet = std::mem::take(&mut self.quiet);
        let added = quiet.each(&game, games, self.lambda, |board, label, held_out| {
            self.take(board, label, held_out);
        });
        self.quiet = quiet;
        added
    }

    fn take(&mut self, board: &Board, label: f64, held_out: bool) {
        let position = board.position();
        let us = board.turn();
        let start = self.inputs.len();
        for side in [us, !us] {
            let mirrored = self.shape.is_mirrored(position.royals(side));
            self.inputs.extend(position.occupied().into_iter().map(|square| {
                self.shape.input(side, mirrored, square, position.piece(square).expect("occupied")) as u16
            }));
        }
        let count = position.occupied().count() as u16;
        let base = match self.added {
            true => self.evaluator.evaluate(position, &self.evaluator.sums(position)) as f32 / SCALE as f32,
            false => 0.0,
        };
        let label = if us == Color::White { label } else { 1.0 - label };
        let number = self.parts.len() as u32;
        if held_out { &mut self.held_out } else { &mut self.learnt }.push(number);
        let bucket = self.shape.bucket(count.into()) as u8;
        self.parts.push(Part { start, count, bucket, label: label as f32, base });
    }

    pub(crate) fn get(&self, number: u32) -> Sample<'_> {
        let Part { start, count, bucket, label, base } = self.parts[number as usize];
        let count = usize::from(count);
        let (us, them) = self.inputs[start..start + 2 * count].split_at(count);
        Sample { sides: [us, them], bucket: bucket.into(), label, base }
    }
}
