//! `Engine` and `Watch`: the search for Python, which runs without holding the interpreter.

use crate::board::Board;
use crate::errors::Error;
use crate::lab::evaluator;
use crate::moves::Move;
use engine::score::{self, Score, turns_to_mate};
use engine::{Limits, Report, TimeLimit};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// A line. `bound` is True for a lower bound; `hashfull` is in thousandths.
#[pyclass(frozen, get_all, module = "acedrex._native")]
#[derive(Clone)]
pub(crate) struct Line {
    rank: usize,
    depth: i32,
    seldepth: usize,
    score: Score,
    mate: Option<i32>,
    wdl: [u32; 3],
    bound: Option<bool>,
    nodes: u64,
    seconds: f64,
    hashfull: u32,
    moves: Vec<Move>,
}

/// The result of a search: the turn, and the expected reply.
#[pyclass(frozen, get_all, module = "acedrex._native")]
pub(crate) struct Decision {
    moves: Vec<Move>,
    ponder: Vec<Move>,
    lines: Vec<Line>,
}

/// A clock: seconds left and per turn, turns until the next time control, and the overhead of communication.
#[pyclass(frozen, from_py_object, new = "from_fields", module = "acedrex._native")]
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    left: f64,
    increment: f64,
    turns: Option<u32>,
    overhead: f64,
}

/// How often a search checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);
/// Times longer than this count as unlimited.
const LONGEST: f64 = 1e9;

fn duration(seconds: f64) -> PyResult<Duration> {
    match seconds >= 0.0 && seconds.is_finite() {
        true => Ok(Duration::from_secs_f64(seconds.min(LONGEST))),
        false => Err(Error::new_err(format!("{seconds} seconds: a time must be 0 or more"))),
    }
}

fn time_limit(seconds: Option<f64>, clock: Option<Clock>) -> PyResult<TimeLimit> {
    let mut limit = match clock {
        // On a clock that has run out, the search still gets a minimum of time.
        Some(Clock { left, increment, turns, overhead }) => {
            TimeLimit::of_clock(duration(left.max(0.0))?, duration(increment)?, turns, duration(overhead)?)
        }
        None => TimeLimit::default(),
    };
    if let Some(seconds) = seconds {
        let exactly = duration(seconds)?;
        limit.hard = Some(limit.hard.map_or(exactly, |hard| hard.min(exactly)));
    }
    Ok(limit)
}

/// The time of one search, and its stop flag. The time starts when the object is created.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Watch {
    inner: engine::Watch,
}

#[pymethods]
impl Watch {
    #[new]
    fn new(seconds: Option<f64>, clock: Option<Clock>, pondering: bool) -> PyResult<Watch> {
        Ok(Watch { inner: engine::Engine::watch(time_limit(seconds, clock)?, pondering) })
    }

    fn stop(&self) {
        self.inner.stop();
    }

    fn ponder_hit(&self, seconds: Option<f64>, clock: Option<Clock>) -> PyResult<()> {
        self.inner.ponder_hit(time_limit(seconds, clock)?);
        Ok(())
    }

    #[getter]
    fn is_stopped(&self) -> bool {
        self.inner.is_stopped()
    }
}

/// An engine for one game at a time: a board of another game replaces it.
#[pyclass(frozen, module = "acedrex._native")]
pub(crate) struct Engine {
    threads: usize,
    megabytes: usize,
    /// The bytes of a network's file; empty for none, `None` for the one that ships.
    network: Option<Vec<u8>>,
    inner: Mutex<Option<engine::Engine>>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(threads: usize, megabytes: usize, network: Option<Vec<u8>>) -> PyResult<Engine> {
        // The table is allocated with the first search; this reports early if there is no memory for it.
        match engine::Engine::has_memory(megabytes) {
            true => Ok(Engine { threads, megabytes, network, inner: Mutex::new(None) }),
            false => Err(too_little_memory(megabytes)),
        }
    }

    /// Clears everything that earlier searches found.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some(engine) = self.inner.lock().expect("no panic holds it").as_mut() {
                engine.clear();
            }
        });
    }

    /// Returns a turn as a level from 1 to 9 would play it: the turn, the expected reply, the lines.
    fn play_at_level(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        watch: &Bound<'_, Watch>,
        level: u8,
        seed: u64,
        root_moves: Vec<Bound<'_, Move>>,
    ) -> PyResult<Decision> {
        let board = board.try_borrow()?.inner.clone();
        let root_moves = legal(&board, &root_moves)?;
        let watch = &watch.get().inner;
        let decision =
            py.detach(|| self.with(&board, |engine| engine.play_at_level(&board, level, seed, &root_moves, watch)))?;
        Ok(decision_of(&board, &decision))
    }

    /// Searches a board's position. Calls `on_report` with the lines of every iteration; an exception that it raises
    /// ends the search.
    #[pyo3(signature = (
        board, watch, depth, nodes, mate, lines, root_moves,
        on_report: "collections.abc.Callable[[list[Line]], object] | None"
    ))]
    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        watch: &Bound<'_, Watch>,
        depth: Option<i32>,
        nodes: Option<u64>,
        mate: Option<i32>,
        lines: usize,
        root_moves: Vec<Bound<'_, Move>>,
        on_report: Option<Py<PyAny>>,
    ) -> PyResult<Decision> {
        let board = board.try_borrow()?.inner.clone();
        let game = Arc::clone(board.game());
        let root_moves = legal(&board, &root_moves)?;
        let limits = Limits { depth, nodes, mate, root_moves, lines, alone: false };
        let watch = &watch.get().inner;
        let raised = Mutex::new(None);
        let stop = |error| {
            watch.stop();
            raised.lock().expect("no panic holds it").get_or_insert(error);
        };
        let think = || {
            self.with(&board, |engine| {
                engine.search(&board, &limits, watch, &mut |report| {
                    if let Some(on_report) = &on_report {
                        let lines = lines_of(&game, report);
                        let _ = Python::attach(|py| on_report.call1(py, (lines,))).map_err(stop);
                    }
                })
            })
        };
        let decision = py.detach(|| {
            std::thread::scope(|scope| {
                let (thinking, ended) = mpsc::channel::<()>();
                let thinker = scope.spawn(move || {
                    let _thinking = thinking;
                    think()
                });
                // This thread checks for Python's signals, Ctrl-C among them.
                while ended.recv_timeout(SIGNAL_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                    let _ = Python::attach(|py| py.check_signals()).map_err(stop);
                }
                thinker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        if let Some(error) = raised.into_inner().expect("no panic holds it") {
            return Err(error);
        }
        Ok(decision_of(&board, &decision?))
    }
}

impl Engine {
    /// Calls `act` with the engine of a board's game, creating a new one if the last was for another game.
    fn with<T>(&self, board: &rules::Board, act: impl FnOnce(&mut engine::Engine) -> T) -> PyResult<T> {
        let mut inner = self.inner.lock().expect("no panic holds it");
        let game = board.game();
        let is_same = |engine: &engine::Engine| {
            engine.game().rules.hash == game.rules.hash && engine.game().source == game.source
        };
        if !inner.as_ref().is_some_and(is_same) {
            // Free the old table before the new one is allocated.
            *inner = None;
            let evaluator = Arc::new(evaluator(game, self.network.as_deref())?);
            let engine = engine::Engine::with_evaluator(evaluator, self.threads, self.megabytes);
            *inner = Some(engine.map_err(|_| too_little_memory(self.megabytes))?);
        }
        Ok(act(inner.as_mut().expect("just made")))
    }
}

fn too_little_memory(megabytes: usize) -> PyErr {
    Error::new_err(format!("hash_mb={megabytes}: there is not enough memory; choose a smaller table"))
}

/// Searches a fixed set of positions of every game and returns the number of nodes, which changes when play does.
#[pyfunction]
#[pyo3(signature = (on_report: "collections.abc.Callable[[str, int], object] | None"))]
pub(crate) fn bench(py: Python<'_>, on_report: Option<Py<PyAny>>) -> PyResult<u64> {
    let mut raised = None;
    let nodes = py.detach(|| {
        engine::bench(&engine::evaluation::Evaluator::new, &mut |id, nodes| {
            if let (Some(on_report), None) = (&on_report, &raised) {
                let answer = Python::attach(|py| {
                    py.check_signals()?;
                    on_report.call1(py, (id, nodes))
                });
                raised = answer.err();
            }
        })
    });
    raised.map_or(Ok(nodes), Err)
}

/// Converts moves that must be legal.
fn legal(board: &rules::Board, moves: &[Bound<'_, Move>]) -> PyResult<Vec<rules::Move>> {
    let find = |wanted: &Bound<'_, Move>| {
        let wanted = *wanted.get();
        let mv = wanted.to_move(board.game()).and_then(|mv| board.find(mv));
        mv.ok_or_else(|| Error::new_err(format!("{} is not legal here", wanted.text())))
    };
    moves.iter().map(find).collect()
}

fn decision_of(board: &rules::Board, decision: &engine::Decision) -> Decision {
    let game = board.game();
    let moves = |moves: &[rules::Move]| moves.iter().map(|mv| Move::from_move(game, *mv)).collect();
    let lines = decision.report.as_ref().map_or_else(Vec::new, |report| lines_of(game, report));
    Decision { moves: moves(&decision.turn), ponder: moves(&decision.ponder), lines }
}

fn lines_of(game: &rules::Game, report: &Report) -> Vec<Line> {
    let line = |line: &engine::Line| {
        let mate = turns_to_mate(line.score).map(|turns| turns.signum() * ((turns.abs() + 1) / 2));
        Line {
            rank: line.rank,
            depth: line.depth,
            seldepth: line.seldepth,
            score: line.score,
            mate,
            wdl: score::chances(line.score),
            bound: line.bound,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            hashfull: report.table_per_mille,
            moves: line.moves.iter().map(|mv| Move::from_move(game, *mv)).collect(),
        }
    };
    report.lines.iter().map(line).collect()
}

/// The chances of winning, drawing and losing for a score in centipawns, in thousandths.
#[pyfunction]
pub(crate) fn chances(centipawns: Score) -> [u32; 3] {
    score::chances(centipawns)
}
