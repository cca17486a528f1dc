//! Environments for Python: numbers of moves, planes and batches, on NumPy arrays.

use crate::board::Board;
use crate::errors::Error;
use crate::game::{Game, color_of, short};
use crate::moves::Move;
use crate::text::Text;
use ::env::{Autoreset, Outputs, Saved, Style};
use numpy::{
    BorrowError, Element, IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_identifier;
use std::sync::{Arc, Mutex, MutexGuard};

/// The most games of a batch, the most threads and the most moves of a game.
const MAX_GAMES: usize = 1 << 20;
const MAX_THREADS: usize = 1024;

/// The arrays of `acedrex.env.Arrays`.
struct Arrays<'py> {
    observations: Option<PyReadwriteArrayDyn<'py, u8>>,
    final_observations: Option<PyReadwriteArrayDyn<'py, u8>>,
    legal_actions_mask: Option<PyReadwriteArrayDyn<'py, i8>>,
    legal_actions: Option<PyReadwriteArrayDyn<'py, i64>>,
    legal_offsets: Option<PyReadwriteArrayDyn<'py, i64>>,
    current_player: Option<PyReadwriteArrayDyn<'py, i8>>,
    rewards: Option<PyReadwriteArrayDyn<'py, f32>>,
    terminated: Option<PyReadwriteArrayDyn<'py, bool>>,
    truncated: Option<PyReadwriteArrayDyn<'py, bool>>,
    endings: Option<PyReadwriteArrayDyn<'py, u8>>,
}

impl<'py> FromPyObject<'_, 'py> for Arrays<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("acedrex.env.arrays", "Arrays");

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Arrays<'py>> {
        Ok(Arrays {
            observations: field(&object, "observations")?,
            final_observations: field(&object, "final_observations")?,
            legal_actions_mask: field(&object, "legal_actions_mask")?,
            legal_actions: field(&object, "legal_actions")?,
            legal_offsets: field(&object, "legal_offsets")?,
            current_player: field(&object, "current_player")?,
            rewards: field(&object, "rewards")?,
            terminated: field(&object, "terminated")?,
            truncated: field(&object, "truncated")?,
            endings: field(&object, "endings")?,
        })
    }
}

fn field<'py, T: Element>(arrays: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<PyReadwriteArrayDyn<'py, T>>> {
    let value = arrays.getattr(name)?;
    if value.is_none() { Ok(None) } else { writable(name, &value).map(Some) }
}

/// An array to write into.
fn writable<'py, T: Element>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let array = value.cast::<PyArrayDyn<T>>().map_err(|_| {
        let found = match value.getattr("dtype") {
            Ok(dtype) => format!("has the type {dtype}"),
            Err(_) => format!("is a {}", value.get_type()),
        };
        PyTypeError::new_err(format!(
            "{name} {found}; it must be a NumPy array of the type {}",
            T::get_dtype(value.py())
        ))
    })?;
    array.try_readwrite().map_err(|error| match error {
        BorrowError::NotWriteable => {
            Error::new_err(format!("{name} is read-only; it must be an array that can be written"))
        }
        _ => Error::new_err(format!("{name} shares memory with another array that is written; it must have its own")),
    })
}

/// A row with an entry for each game, to read from.
fn row<'py, T: Element>(name: &str, value: &Bound<'py, PyAny>, games: usize) -> PyResult<PyReadonlyArray1<'py, T>> {
    let Some(row) = value.cast::<PyArray1<T>>().ok().filter(|row| row.is_c_contiguous()) else {
        let kind = T::get_dtype(value.py());
        return Err(PyTypeError::new_err(format!(
            "{name} must be a contiguous array of one dimension, of the type {kind}"
        )));
    };
    if row.len() != games {
        return Err(Error::new_err(format!("{name} has {} entries for {games} games", row.len())));
    }
    row.try_readonly()
        .map_err(|_| Error::new_err(format!("{name} shares memory with an array that is written; pass a copy")))
}

/// The entries of an array, of which there must be `length`, or any number if that is `None`.
fn entries<'a, T: Element>(
    name: &str,
    array: &'a mut Option<PyReadwriteArrayDyn<'_, T>>,
    length: Option<usize>,
) -> PyResult<&'a mut [T]> {
    let Some(array) = array else { return Ok(&mut []) };
    let shape = array.shape().to_vec();
    let refused = || Error::new_err(format!("{name} must be a contiguous array in C order, not a part of another"));
    if !array.is_c_contiguous() {
        return Err(refused());
    }
    let entries = array.as_slice_mut().map_err(|_| refused())?;
    match length {
        Some(length) if length != entries.len() => {
            Err(Error::new_err(format!("{name} has the shape {shape:?}; it must have {length} entries in all")))
        }
        _ => Ok(entries),
    }
}

impl Arrays<'_> {
    fn outputs(&mut self, batch: &Batch) -> PyResult<Outputs<'_>> {
        let games = batch.games;
        Ok(Outputs {
            observations: entries("observations", &mut self.observations, Some(games * batch.planes))?,
            final_observations: entries(
                "final_observations",
                &mut self.final_observations,
                Some(games * batch.planes),
            )?,
            legal_actions_mask: entries(
                "legal_actions_mask",
                &mut self.legal_actions_mask,
                Some(games * batch.actions),
            )?,
            legal_actions: entries("legal_actions", &mut self.legal_actions, None)?,
            legal_offsets: entries("legal_offsets", &mut self.legal_offsets, Some(games + 1))?,
            current_player: entries("current_player", &mut self.current_player, Some(games))?,
            rewards: entries("rewards", &mut self.rewards, Some(2 * games))?,
            terminated: entries("terminated", &mut self.terminated, Some(games))?,
            truncated: entries("truncated", &mut self.truncated, Some(games))?,
            endings: entries("endings", &mut self.endings, Some(games))?,
        })
    }
}

/// The names of the endings of games in batches, by their numbers.
#[pyfunction]
pub(crate) fn episode_endings() -> Vec<&'static str> {
    ::env::endings().collect()
}

/// Moves as numbers.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Actions {
    inner: ::env::Actions,
    game: Arc<rules::Game>,
}

#[pymethods]
impl Actions {
    #[new]
    fn new(py: Python<'_>, game: &Game) -> Actions {
        let game = Arc::clone(&game.inner);
        Actions { inner: py.detach(|| ::env::Actions::new(&game)), game }
    }

    /// The number of actions.
    fn __len__(&self) -> usize {
        self.inner.moves().len()
    }

    /// Origins, destinations and promotions, in order.
    #[pyo3(signature = () -> "list[numpy.typing.NDArray[numpy.int16]]")]
    fn columns<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<i16>>; 3] {
        self.inner.columns().map(|column| column.into_pyarray(py))
    }

    /// The numbers of the legal moves, in the order of the board's legal moves.
    #[pyo3(signature = (board) -> "numpy.typing.NDArray[numpy.int64]")]
    fn legal<'py>(&self, py: Python<'py>, board: &Bound<'_, Board>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut board = board.try_borrow_mut()?;
        self.of_same_game(&board)?;
        let turn = board.inner.turn();
        let number = |mv: &rules::Move| self.inner.number(*mv, turn).map_or(-1, i64::from);
        Ok(board.core_moves().iter().map(number).collect::<Vec<i64>>().into_pyarray(py))
    }

    /// The number of a move of a side; None if it is not possible on the board.
    fn number(&self, r#move: &Bound<'_, Move>, white: bool) -> Option<u32> {
        self.inner.number(r#move.get().to_move(&self.game)?, color_of(white))
    }

    /// The move of a side; None if there is no such action.
    fn to_move(&self, action: i64, white: bool) -> Option<Move> {
        Some(Move::from_move(&self.game, self.inner.of(action, color_of(white))?))
    }
}

impl Actions {
    fn of_same_game(&self, board: &Board) -> PyResult<()> {
        same_game(&self.game, board)
    }
}

fn same_game(game: &rules::Game, board: &Board) -> PyResult<()> {
    let other = board.inner.game();
    if other.rules.hash == game.rules.hash {
        return Ok(());
    }
    let (name, other) = (&game.definition.texts.name, &other.definition.texts.name);
    Err(Error::new_err(format!("this is for {name}, but the board is of {other} or has other options")))
}

/// Positions as planes.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Planes {
    inner: ::env::Planes,
    game: Arc<rules::Game>,
}

#[pymethods]
impl Planes {
    #[new]
    fn new(game: &Game) -> Planes {
        Planes { inner: ::env::Planes::new(&game.inner), game: Arc::clone(&game.inner) }
    }

    /// Planes, ranks and files.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        self.inner.shape()
    }

    /// The name of each plane.
    fn names(&self) -> Vec<String> {
        self.inner.planes().iter().map(|plane| self.inner.name(&self.game, *plane)).collect()
    }

    /// The highest value of each plane.
    #[pyo3(signature = () -> "numpy.typing.NDArray[numpy.uint8]")]
    fn highest<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.inner.highest())
    }

    /// Writes the planes of a board as a side sees it.
    #[pyo3(signature = (board, white, out: "numpy.typing.NDArray[numpy.uint8]"))]
    fn write(&self, board: &Bound<'_, Board>, white: bool, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let board = board.try_borrow()?;
        same_game(&self.game, &board)?;
        let mut out = Some(writable("out", out)?);
        let out = entries("out", &mut out, Some(self.inner.size()))?;
        self.inner.write(&board.inner, color_of(white), out);
        Ok(())
    }
}

/// The position of a game, its keys, random numbers and number of moves, whether it is over, its ending and rewards.
type SavedGame = (String, Vec<u64>, u64, u32, bool, u8, [f32; 2]);

/// Many games at once.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Batch {
    inner: Mutex<::env::Batch>,
    games: usize,
    actions: usize,
    planes: usize,
}

#[pymethods]
impl Batch {
    /// Begins games from a FEN, or else from random setups.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &Game,
        games: usize,
        autoreset: Text,
        max_moves: Option<u32>,
        claim_draws: bool,
        threads: usize,
        fen: Option<Text>,
        seed: u64,
    ) -> PyResult<Batch> {
        let autoreset = match &*autoreset {
            "Disabled" => Autoreset::Disabled,
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            other => {
                let message = format!("autoreset is Disabled, NextStep or SameStep, not {:?}", short(other));
                return Err(Error::new_err(message));
            }
        };
        if !(1..=MAX_GAMES).contains(&games) || !(1..=MAX_THREADS).contains(&threads) || max_moves == Some(0) {
            return Err(Error::new_err(format!(
                "a batch has 1 to {MAX_GAMES} games and 1 to {MAX_THREADS} threads, and games have at least one move"
            )));
        }
        let style = Style { autoreset, max_moves, claim_draws, threads };
        let begun = py.detach(|| ::env::Batch::new(Arc::clone(&game.inner), games, style, fen.as_deref(), seed));
        let batch = begun.map_err(Error::new_err)?;
        let (actions, planes) = (batch.actions().moves().len(), batch.planes().size());
        Ok(Batch { inner: Mutex::new(batch), games, actions, planes })
    }

    /// Makes a move in each game and writes the arrays; returns the number of legal actions.
    #[pyo3(signature = (actions: "numpy.typing.NDArray[numpy.int64]", out))]
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, out: Arrays<'_>) -> PyResult<usize> {
        let mut out = out;
        let out = out.outputs(self)?;
        let actions = row("actions", actions, self.games)?;
        let actions = actions.as_slice()?;
        Ok(py.detach(|| self.batch().step(actions, out)))
    }

    /// Writes the arrays; returns the number of legal actions.
    fn write(&self, py: Python<'_>, out: Arrays<'_>) -> PyResult<usize> {
        let mut out = out;
        let out = out.outputs(self)?;
        Ok(py.detach(|| self.batch().write(out)))
    }

    /// Makes random moves in each game and writes the arrays; returns the number of legal actions.
    fn play_random(&self, py: Python<'_>, moves: u32, out: Arrays<'_>) -> PyResult<usize> {
        let mut out = out;
        let out = out.outputs(self)?;
        Ok(py.detach(|| self.batch().play_random(moves, out)))
    }

    /// Writes a random legal action for each game.
    #[pyo3(signature = (out: "numpy.typing.NDArray[numpy.int64]"))]
    fn sample(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut out = Some(writable("out", out)?);
        let actions = entries("out", &mut out, Some(self.games))?;
        py.detach(|| self.batch().sample(actions));
        Ok(())
    }

    /// Begins the chosen games anew.
    #[pyo3(signature = (chosen: "numpy.typing.NDArray[numpy.bool]", fen, seed))]
    fn reset(&self, py: Python<'_>, chosen: &Bound<'_, PyAny>, fen: Option<Text>, seed: Option<u64>) -> PyResult<()> {
        let chosen = row("mask", chosen, self.games)?;
        let chosen = chosen.as_slice()?;
        py.detach(|| self.batch().reset(chosen, fen.as_deref(), seed)).map_err(Error::new_err)
    }

    /// A batch of copies of the games with these numbers.
    fn pick(&self, py: Python<'_>, games: Vec<usize>) -> PyResult<Batch> {
        if !(1..=MAX_GAMES).contains(&games.len()) {
            return Err(Error::new_err(format!("a batch has 1 to {MAX_GAMES} games, not {}", games.len())));
        }
        let (actions, planes) = (self.actions, self.planes);
        match py.detach(|| self.batch().pick(&games)) {
            Some(batch) => Ok(Batch { inner: Mutex::new(batch), games: games.len(), actions, planes }),
            None => Err(Error::new_err(format!("no such game; the batch has {}, from 0", self.games))),
        }
    }

    /// The state of every game.
    fn save(&self, py: Python<'_>) -> Vec<SavedGame> {
        let told = |saved: Saved| {
            let Saved { fen, keys, random, moves, over, ending, rewards } = saved;
            (fen, keys, random, moves, over, ending, rewards)
        };
        py.detach(|| self.batch().save()).into_iter().map(told).collect()
    }

    /// Continues the games of another batch.
    fn restore(&self, py: Python<'_>, games: Vec<SavedGame>) -> PyResult<()> {
        let read = |(fen, keys, random, moves, over, ending, rewards): SavedGame| Saved {
            fen,
            keys,
            random,
            moves,
            over,
            ending,
            rewards,
        };
        let saved = games.into_iter().map(read).collect();
        py.detach(|| self.batch().restore(saved)).map_err(Error::new_err)
    }

    /// The FEN of a game.
    fn fen(&self, py: Python<'_>, game: usize) -> PyResult<String> {
        let fen = py.detach(|| self.batch().board(game).map(rules::Board::fen));
        fen.ok_or_else(|| Error::new_err(format!("no game {game}; the batch has {}, from 0", self.games)))
    }
}

impl Batch {
    fn batch(&self) -> MutexGuard<'_, ::env::Batch> {
        self.inner.lock().expect("no panic holds it")
    }
}
