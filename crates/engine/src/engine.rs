//! The engine: a table, an evaluator and one worker for each thread, all of one game.

use crate::evaluation::Evaluator;
use crate::limits::{Limits, TimeLimit, Watch};
use crate::native;
use crate::table::Table;
use crate::worker::{Report, Shared, Worker};
use rules::{Board, Game, Move};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The most threads of an engine.
pub const MAX_THREADS: usize = 256;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The whole turn; empty if the game is over.
    pub turn: Vec<Move>,
    /// The expected reply: a whole turn, or nothing.
    pub ponder: Vec<Move>,
    /// The final report; `None` if there was nothing to search.
    pub report: Option<Report>,
}

/// Plays and analyses one game.
pub struct Engine {
    evaluator: Arc<Evaluator>,
    table: Table,
    workers: Vec<Worker>,
}

impl Engine {
    /// Creates an engine for a game, with `threads` threads and a transposition table of `megabytes` MB.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(game: Arc<Game>, threads: usize, megabytes: usize) -> io::Result<Engine> {
        Engine::with_evaluator(Arc::new(Evaluator::new(game)), threads, megabytes)
    }

    /// Creates an engine with a custom evaluator.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn with_evaluator(evaluator: Arc<Evaluator>, threads: usize, megabytes: usize) -> io::Result<Engine> {
        let table = Table::new(megabytes)?;
        let threads = threads.clamp(1, MAX_THREADS);
        let workers = (0..threads).map(|_| Worker::new(Arc::clone(&evaluator))).collect();
        Ok(Engine { evaluator, table, workers })
    }

    /// Whether a table of `megabytes` MB can be allocated.
    pub fn has_memory(megabytes: usize) -> bool {
        Table::new(megabytes).is_ok()
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        self.evaluator.game()
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &Arc<Evaluator> {
        &self.evaluator
    }

    /// Clears everything that earlier searches found.
    pub fn clear(&mut self) {
        self.table.clear();
        self.workers.iter_mut().for_each(Worker::clear);
    }

    /// Returns a watch that starts now, by the clock of the operating system.
    pub fn watch(time: TimeLimit, pondering: bool) -> Watch {
        Watch::new(native::clock(), time, pondering)
    }

    /// Searches until a limit is reached or the watch is stopped. Calls `on_report` after every iteration.
    ///
    /// The board must be of this engine's game.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        watch: &Watch,
        on_report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let mut moves = board.legal_moves();
        if !limits.root_moves.is_empty() {
            moves.retain(|mv| limits.root_moves.contains(mv));
        }
        if moves.is_empty() || board.outcome(false).is_some() {
            return Decision { turn: Vec::new(), ponder: Vec::new(), report: None };
        }
        self.table.grow_older();
        let report = self.run(board, &moves, limits, watch, on_report);
        let line = report.lines.first().map_or_else(|| vec![moves[0]], |line| line.moves.clone());
        let (turn, ponder) = self.whole_turn(board, line);
        Decision { turn, ponder, report: Some(report) }
    }

    fn run(
        &mut self,
        board: &Board,
        moves: &[Move],
        limits: &Limits,
        watch: &Watch,
        on_report: &mut dyn FnMut(&Report),
    ) -> Report {
        let nodes = AtomicU64::new(0);
        let rules = &self.evaluator.game().rules;
        let shared = Shared { rules, table: &self.table, watch, nodes: &nodes };
        let (first, helpers) = self.workers.split_first_mut().expect("one thread at least");
        let helpers = if limits.alone { &mut [] } else { helpers };
        let mut last = None;
        let lead = || {
            first.set_up(board, moves);
            first.deepen(shared, limits, 0, &mut |report| {
                on_report(&report);
                last = Some(report);
            });
            watch.stop();
        };
        let help = |number: usize, worker: &mut Worker| {
            worker.set_up(board, moves);
            worker.deepen(shared, limits, number + 1, &mut |_| {});
        };
        native::together(lead, helpers, help);
        last.expect("one iteration at least")
    }

    /// The first turn of a line and the turn after it. Short searches complete the first turn if the line is too short.
    pub(crate) fn whole_turn(&mut self, board: &Board, line: Vec<Move>) -> (Vec<Move>, Vec<Move>) {
        let us = board.turn();
        let mut board = board.clone();
        let mut line = line.into_iter();
        let mut turn = Vec::new();
        while board.turn() == us && board.outcome(false).is_none() {
            let mv = line.next().unwrap_or_else(|| {
                let moves = board.legal_moves();
                let limits = Limits { depth: Some(2), alone: true, ..Limits::default() };
                let report = self.run(&board, &moves, &limits, &Watch::without_clock(), &mut |_| {});
                report.lines.first().map_or(moves[0], |line| line.moves[0])
            });
            board.push(mv);
            turn.push(mv);
        }
        let mut ponder = Vec::new();
        for mv in line {
            if board.turn() == us {
                break;
            }
            board.push(mv);
            ponder.push(mv);
        }
        // An incomplete turn is no reply.
        if board.turn() != us {
            ponder.clear();
        }
        (turn, ponder)
    }
}
