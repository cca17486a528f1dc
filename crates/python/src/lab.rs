//! The lab for Python: self-play, packed games and the trainer. All of it runs without holding the interpreter.

use crate::errors::Error;
use crate::game::Game;
use crate::moves::Move;
use ::lab::games::{self, Ending, Played};
use ::lab::samples::Samples;
use ::lab::selfplay::{Player, Style};
use ::lab::trainer::Recipe;
use engine::evaluation::{Evaluator, Weights};
use engine::network::{BLOCK, Network, Shape};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// A game of the data.
#[derive(IntoPyObject)]
pub(crate) struct Record {
    start: String,
    moves: Vec<Move>,
    scores: Vec<Option<i32>>,
    half_points: (u8, u8),
    ending: &'static str,
}

/// The columns of a block's positions, as the bytes of arrays.
#[derive(IntoPyObject)]
pub(crate) struct Columns<'py> {
    boards: Bound<'py, PyBytes>,
    black_to_move: Bound<'py, PyBytes>,
    scores: Bound<'py, PyBytes>,
    results: Bound<'py, PyBytes>,
    games: Bound<'py, PyBytes>,
}

/// Stands for "no score" in the column of scores.
const NO_SCORE: i16 = i16::MIN;

fn fault(message: String) -> PyErr {
    Error::new_err(message)
}

/// Creates an evaluator: with a network's file, without one if it is empty, or else as the game ships.
pub(crate) fn evaluator(game: &Arc<rules::Game>, network: Option<&[u8]>) -> PyResult<Evaluator> {
    match network {
        Some(bytes) => Evaluator::with_network_file(Arc::clone(game), bytes).map_err(fault),
        None => Ok(Evaluator::new(Arc::clone(game))),
    }
}

/// The names of the ways in which a game of the data ends, by their number in packed games.
#[pyfunction]
pub(crate) fn endings() -> Vec<&'static str> {
    Ending::all().map(Ending::name).collect()
}

/// Plays games against itself and returns them packed.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn self_play(
    py: Python<'_>,
    game: &Game,
    network: Option<&[u8]>,
    nodes: u64,
    opening: usize,
    seed: u64,
    first: u64,
    count: u64,
) -> PyResult<Py<PyBytes>> {
    let evaluator = Arc::new(evaluator(&game.inner, network)?);
    let packed = py.detach(|| {
        let style = Style { nodes, opening, seed };
        let mut player = Player::new(evaluator, style).map_err(|error| error.to_string())?;
        let games = (first..first.saturating_add(count)).map(|number| player.play(number));
        Ok(games::pack(&game.inner, &games.collect::<Result<Vec<Played>, String>>()?))
    });
    packed.map(|bytes: Vec<u8>| PyBytes::new(py, &bytes).unbind()).map_err(fault)
}

/// Unpacks games and replays them, so that every move is known to be legal.
#[pyfunction]
#[pyo3(signature = (game, payload) -> "list[acedrex.lab.records.Record]")]
pub(crate) fn games_of(py: Python<'_>, game: &Game, payload: &[u8]) -> PyResult<Vec<Record>> {
    let game = &game.inner;
    let record = |played: Played| -> Result<Record, String> {
        played.replay(game, |_, _, _| ())?;
        Ok(Record {
            moves: played.moves.iter().map(|(mv, _)| Move::from_move(game, *mv)).collect(),
            scores: played.moves.iter().map(|(_, score)| *score).collect(),
            half_points: played.half_points,
            ending: played.ending.name(),
            start: played.start,
        })
    };
    let games = py.detach(|| games::unpack(game, payload)?.into_iter().map(record).collect::<Result<_, String>>());
    games.map_err(fault)
}

/// Counts the games and the positions before a move.
#[pyfunction]
pub(crate) fn count_games(py: Python<'_>, game: &Game, payload: &[u8]) -> PyResult<(usize, usize)> {
    let games = py.detach(|| games::unpack(&game.inner, payload)).map_err(fault)?;
    Ok((games.len(), games.iter().map(|played| played.moves.len()).sum()))
}

/// The positions that were read, to read each only once.
#[pyclass(frozen, module = "acedrex._native")]
#[derive(Default)]
pub(crate) struct Seen {
    keys: Mutex<HashSet<u64>>,
}

#[pymethods]
impl Seen {
    #[new]
    fn new() -> Seen {
        Seen::default()
    }
}

/// Unpacks the positions before every move that were not seen before.
#[pyfunction]
#[pyo3(signature = (game, payload, seen) -> "acedrex.lab.records.Columns")]
pub(crate) fn positions_of<'py>(
    py: Python<'py>,
    game: &Game,
    payload: &[u8],
    seen: &Bound<'py, Seen>,
) -> PyResult<Columns<'py>> {
    let (mut boards, mut black, mut scores) = (Vec::<u8>::new(), Vec::<u8>::new(), Vec::<u8>::new());
    let (mut results, mut numbers) = (Vec::<u8>::new(), Vec::<u8>::new());
    let seen = seen.get();
    let unpacked = py.detach(|| {
        let rules = &game.inner.rules;
        let mut keys = seen.keys.lock().expect("no panic holds it");
        for (number, played) in games::unpack(&game.inner, payload)?.into_iter().enumerate() {
            played.replay(&game.inner, |board, _, score| {
                let position = board.position();
                if !keys.insert(position.key(rules)) {
                    return;
                }
                boards.extend((0..rules.ranks).flat_map(|rank| {
                    (0..rules.files).map(move |file| {
                        position.piece(rules::Square::new(file, rank)).map_or(0, |piece| {
                            let black = usize::from(piece.color() == rules::Color::Black);
                            (1 + piece.piece_type().index() + black * rules.piece_types) as u8
                        })
                    })
                }));
                black.push(u8::from(board.turn() == rules::Color::Black));
                scores.extend(score.map_or(NO_SCORE, |score| score as i16).to_le_bytes());
                results.extend((played.share() as f32).to_le_bytes());
                numbers.extend((number as u32).to_le_bytes());
            })?;
        }
        Ok(())
    });
    unpacked.map_err(fault)?;
    let [boards, black_to_move, scores, results, games] =
        [boards, black, scores, results, numbers].map(|bytes| PyBytes::new(py, &bytes));
    Ok(Columns { boards, black_to_move, scores, results, games })
}

enum Stage {
    Reading(Box<Samples>),
    Training(Box<::lab::trainer::Trainer>),
}

/// Trains a network: first it takes packed games, then it makes steps.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Trainer {
    game: Arc<rules::Game>,
    recipe: Recipe,
    threads: usize,
    start: Option<Network>,
    stage: Mutex<Option<Stage>>,
}

#[pymethods]
impl Trainer {
    /// With the weights of features as text, the network is added to them. It may start from another network's file,
    /// which has its own weights if it is added to features, and as many neurons or fewer.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        game: &Game,
        weights: Option<&str>,
        start: Option<&[u8]>,
        neurons: Option<usize>,
        epochs: u64,
        blend: f64,
        rate: f32,
        decay: f32,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let game = Arc::clone(&game.inner);
        let rates = (rate, rate / 200.0);
        let start = start.map(|bytes| Network::read(bytes, &game)).transpose().map_err(fault)?;
        let had = start.as_ref().map_or(BLOCK, |network| network.shape().neurons());
        let neurons = neurons.unwrap_or(had);
        if !Shape::NEURONS.contains(&neurons) || neurons < had {
            let all = Shape::NEURONS.into_iter().filter(|neurons| *neurons >= had).collect::<Vec<_>>();
            return Err(fault(format!("a network of {neurons} neurons: expected one of {all:?}")));
        }
        let weights = start.as_ref().map_or(weights, Network::weights);
        let (recipe, added) = (Recipe { epochs, rates, decay, seed }, weights.is_some());
        let weights = match weights {
            Some(text) => Weights::read(text, &game).map_err(fault)?,
            None => Weights::of_game(&game),
        };
        let features = Arc::new(Evaluator::with_weights(Arc::clone(&game), weights));
        let samples = Box::new(Samples::new(features, neurons, added, blend).map_err(fault)?);
        Ok(Trainer { game, recipe, threads, start, stage: Mutex::new(Some(Stage::Reading(samples))) })
    }

    /// Takes packed games.
    fn add(&self, py: Python<'_>, payload: &[u8]) -> PyResult<()> {
        py.detach(|| match self.stage.lock().expect("no panic holds it").as_mut() {
            Some(Stage::Reading(samples)) => samples.add(&games::unpack(&self.game, payload)?),
            _ => Err("the training has begun: it takes no more games".into()),
        })
        .map_err(fault)
    }

    /// Makes steps; returns the mean loss of their positions before each. The first step ends the reading.
    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<f64> {
        self.trained(py, |trainer| (0..steps).map(|_| trainer.advance()).sum::<f64>() / steps.max(1) as f64)
    }

    /// The mean loss on the positions held out.
    fn loss(&self, py: Python<'_>) -> PyResult<f64> {
        self.trained(py, |trainer| trainer.loss())
    }

    /// The positions to learn from, those held out, the steps made, all steps, and the steps of an epoch.
    fn progress(&self, py: Python<'_>) -> PyResult<(usize, usize, u64, u64, u64)> {
        self.trained(py, |trainer| {
            let (positions, held_out) = trainer.positions();
            (positions, held_out, trainer.step(), trainer.steps(), trainer.epoch_steps())
        })
    }

    fn checkpoint(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        let bytes = self.trained(py, |trainer| trainer.checkpoint())?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }

    fn restore(&self, py: Python<'_>, checkpoint: &[u8]) -> PyResult<()> {
        self.trained(py, |trainer| trainer.restore(checkpoint))?.map_err(fault)
    }

    /// The network as the engine reads it.
    fn network(&self, py: Python<'_>, recipe: String, log: String) -> PyResult<Py<PyBytes>> {
        let bytes = self.trained(py, |trainer| trainer.network(recipe, log))?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }
}

impl Trainer {
    fn trained<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut ::lab::trainer::Trainer) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut stage = self.stage.lock().expect("no panic holds it");
            let mut trainer = match stage.take() {
                Some(Stage::Training(trainer)) => trainer,
                Some(Stage::Reading(samples)) => {
                    let (learnt, held_out) = samples.counts();
                    if learnt == 0 || held_out == 0 {
                        *stage = Some(Stage::Reading(samples));
                        return Err(format!(
                            "{learnt} positions to learn from and {held_out} to test on: more games are needed"
                        ));
                    }
                    let mut trainer = ::lab::trainer::Trainer::new(*samples, self.recipe, self.threads);
                    self.start.iter().for_each(|network| trainer.start_from(network));
                    Box::new(trainer)
                }
                None => return Err("an earlier step failed".into()),
            };
            let result = act(&mut trainer);
            *stage = Some(Stage::Training(trainer));
            Ok(result)
        })
        .map_err(fault)
    }
}

/// Tunes the weights of features.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Tuner {
    game: Arc<rules::Game>,
    inner: Mutex<::lab::tuner::Tuner>,
}

#[pymethods]
impl Tuner {
    #[new]
    fn new(game: &Game, blend: f64, threads: usize) -> PyResult<Tuner> {
        let features = Arc::new(evaluator(&game.inner, Some(b""))?);
        let inner = Mutex::new(::lab::tuner::Tuner::new(features, blend, threads));
        Ok(Tuner { game: Arc::clone(&game.inner), inner })
    }

    /// Takes packed games.
    fn add(&self, py: Python<'_>, payload: &[u8]) -> PyResult<()> {
        py.detach(|| self.inner.lock().expect("no panic holds it").add(&games::unpack(&self.game, payload)?))
            .map_err(fault)
    }

    /// Makes steps; returns the loss on the positions held out.
    fn advance(&self, py: Python<'_>, steps: u32) -> f64 {
        py.detach(|| {
            let mut tuner = self.inner.lock().expect("no panic holds it");
            (0..steps).for_each(|_| tuner.advance());
            tuner.loss()
        })
    }

    /// The positions to learn from, and those held out.
    fn counts(&self) -> (usize, usize) {
        self.inner.lock().expect("no panic holds it").counts()
    }

    /// The best weights so far as text, and their loss.
    fn weights(&self) -> (String, f64) {
        self.inner.lock().expect("no panic holds it").weights()
    }
}
