//! Positions of games as a network learns from them: inputs, and the result to expect.

use crate::games::{Ending, Played, Score};
use crate::trainer::Recipe;
use engine::evaluation::Evaluator;
use engine::network::{SCALE, Shape};
use rules::{Board, Color, Game, Move};
use std::collections::HashSet;
use std::sync::Arc;

/// Positions with scores beyond this are left out: they are decided, and would only teach exaggeration.
const DECIDED: Score = 3_000;
/// One game in this many is held out, to measure what has been learnt. Positions of one game are alike, so whole games
/// are held out.
const HELD_OUT: usize = 50;

/// Positions to learn from.
pub struct Samples {
    evaluator: Arc<Evaluator>,
    pub(crate) shape: Shape,
    recipe: Recipe,
    /// The inputs of all samples, one after another: those of the side to move, then the other side's.
    inputs: Vec<u16>,
    parts: Vec<Part>,
    seen: HashSet<u64>,
    games: usize,
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
    /// No samples yet. The evaluator is the one to which the network is added.
    ///
    /// # Errors
    /// If a network of this game would have more inputs than can be numbered.
    pub fn new(evaluator: Arc<Evaluator>, recipe: Recipe) -> Result<Samples, String> {
        let shape = Shape::of(evaluator.game());
        if shape.inputs() > usize::from(u16::MAX) {
            return Err(format!("{} inputs: networks have at most {}", shape.inputs(), u16::MAX));
        }
        Ok(Samples {
            shape,
            evaluator,
            recipe,
            inputs: Vec::new(),
            parts: Vec::new(),
            seen: HashSet::new(),
            games: 0,
            learnt: Vec::new(),
            held_out: Vec::new(),
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.evaluator.game()
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
        for played in games {
            self.games += 1;
            let held_out = self.games.is_multiple_of(HELD_OUT);
            let mut labels = labels(played, self.recipe.lambda).into_iter();
            played
                .replay(&game, |board, mv, score| {
                    let label = labels.next().expect("one for each move");
                    if score.is_some_and(|score| score.abs() < DECIDED) && is_quiet(board, mv) {
                        self.take(board, label, held_out);
                    }
                })
                .map_err(|fault| format!("game {}: {fault}", self.games))?;
        }
        Ok(())
    }

    fn take(&mut self, board: &Board, label: f64, held_out: bool) {
        let position = board.position();
        if !self.seen.insert(position.key(&board.game().rules)) {
            return;
        }
        let us = board.turn();
        let start = self.inputs.len();
        for side in [us, !us] {
            let mirrored = self.shape.is_mirrored(position.royals(side));
            self.inputs.extend(position.occupied().into_iter().map(|square| {
                self.shape.input(side, mirrored, square, position.piece(square).expect("occupied")) as u16
            }));
        }
        let count = position.occupied().count() as u16;
        let base = match self.recipe.added {
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

/// Whether a position is quiet enough for a static evaluation: at the start of a turn, without check, and its best move
/// takes nothing and does not promote.
fn is_quiet(board: &Board, mv: Move) -> bool {
    let position = board.position();
    let takes = mv.moves_piece() && position.piece(mv.to()).is_some();
    !takes && mv.promotion().is_none() && position.state().moves == 0 && !position.is_check(&board.game().rules)
}

/// By move, the result to expect for White: the score of the position, blended with the scores of later positions, with
/// decreasing weight, and finally with the result (temporal differences, Sutton 1988). A single search misses what lies
/// just beyond its horizon, and a result alone is noisy.
fn labels(played: &Played, lambda: f64) -> Vec<f64> {
    let mut later = (played.ending != Ending::Unfinished).then(|| played.share());
    let mut labels: Vec<f64> = (played.moves.iter().rev())
        .map(|(_, score)| {
            let Some(score) = score else { return later.unwrap_or(0.5) };
            let own = chance(f64::from(*score) / f64::from(SCALE));
            let label = later.map_or(own, |later| own + lambda * (later - own));
            later = Some(label);
            label
        })
        .collect();
    labels.reverse();
    labels
}

/// The logistic curve.
pub(crate) fn chance(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}
