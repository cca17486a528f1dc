//! A search thread: its position, its history, its counters and its root moves. The searches are built on it.

use crate::evaluation::{Evaluator, Sums};
use crate::formations;
use crate::history::{History, Step};
use crate::limits::Watch;
use crate::picker::Picker;
use crate::recall::Recall;
use crate::score::{INFINITE, MAX_PLY, NONE, Score};
use crate::table::Table;
use rules::{Board, Color, Move, Piece, Position, Rules, Undo};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A margin in centipawns that the expensive part of the evaluation rarely exceeds.
const LAZY_MARGIN: Score = 450;
/// Nodes between two checks of the clock.
const CLOCK_INTERVAL: u64 = 512;

/// The search stack's entry for one node.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub sums: Sums,
    pub key: u64,
    pub in_check: bool,
    /// Turns passed since the root.
    pub turns: i32,
    /// The move that led here.
    pub step: Step,
    /// Whether it was the search's null move.
    pub null: bool,
    /// Whether it was a second pass in a row, which the rules allow.
    pub double_pass: bool,
    pub static_eval: Score,
    pub excluded: Option<Move>,
    pub killers: [Option<Move>; 2],
    /// Cut-offs among its children so far.
    pub cutoffs: i32,
}

const FIRST_FRAME: Frame = Frame {
    sums: Sums::NONE,
    key: 0,
    in_check: false,
    turns: 0,
    step: None,
    null: false,
    double_pass: false,
    static_eval: NONE,
    excluded: None,
    killers: [None; 2],
    cutoffs: 0,
};

/// A root move and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    pub score: Score,
    pub previous: Score,
    /// The risk margin: how much its scores are below its apparent worth.
    pub risk: Score,
    pub bound: Option<bool>,
    pub seldepth: usize,
    pub nodes: u64,
    pub line: Vec<Move>,
}

/// A line of a report.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its rank, from 1.
    pub rank: usize,
    /// The nominal depth.
    pub depth: i32,
    /// The selective depth.
    pub seldepth: usize,
    /// The score for the side to move.
    pub score: Score,
    /// `Some(true)`: lower bound; `Some(false)`: upper bound.
    pub bound: Option<bool>,
    /// The principal variation.
    pub moves: Vec<Move>,
}

/// The progress of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The lines, best first.
    pub lines: Vec<Line>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The share of the table in use, in thousandths.
    pub table_per_mille: u32,
}

/// One thread's search of a game.
pub(crate) struct Worker {
    pub evaluator: Arc<Evaluator>,
    pub position: Position,
    pub history: History,
    pub recall: Recall,
    pub frames: Vec<Frame>,
    /// Keys at the starts of turns: the game's, then the search's.
    pub keys: Vec<u64>,
    /// Where a turn has as many moves as one likes: the formations to which the side to move should not return.
    pub formations: HashSet<u64>,
    /// The number of keys that belong to the game.
    pub game_keys: usize,
    pub pickers: Vec<Picker>,
    pub lines: Vec<Vec<Move>>,
    pub reductions: Box<[[i32; 64]; 64]>,
    pub nodes: u64,
    pub node_limit: u64,
    pub seldepth: usize,
    pub root: Vec<RootMove>,
    pub root_depth: i32,
    /// The rank of the line being searched.
    pub rank: usize,
    pub stopped: bool,
    pub scratch: Vec<Move>,
    /// The lines of the last finished iteration.
    pub complete: Vec<Line>,
}

/// What the threads of a search share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub rules: &'a Rules,
    pub table: &'a Table,
    pub watch: &'a Watch,
    pub nodes: &'a AtomicU64,
}

impl Worker {
    pub fn new(evaluator: Arc<Evaluator>) -> Worker {
        let piece_types = evaluator.game().rules.piece_types;
        let reduction = |depth: usize, number: usize| {
            if depth == 0 || number == 0 {
                0
            } else {
                (512.0 + 1024.0 * (depth as f64).ln() * (number as f64).ln() / 2.0) as i32
            }
        };
        Worker {
            evaluator,
            position: Position::empty(),
            history: History::new(piece_types),
            recall: Recall::new(),
            frames: vec![FIRST_FRAME; MAX_PLY + 4],
            keys: Vec::new(),
            formations: HashSet::new(),
            game_keys: 0,
            pickers: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY + 4],
            reductions: Box::new(std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number)))),
            nodes: 0,
            node_limit: u64::MAX,
            seldepth: 0,
            root: Vec::new(),
            root_depth: 0,
            rank: 0,
            stopped: false,
            scratch: Vec::new(),
            complete: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.history.clear();
        self.recall.clear();
    }

    /// Sets up a position for a search.
    pub fn set_up(&mut self, board: &Board, moves: &[Move]) {
        let rules = &board.game().rules;
        self.position = board.position().clone();
        self.keys.clear();
        self.keys.extend_from_slice(board.keys());
        self.game_keys = self.keys.len();
        self.formations = if rules.turn.may_end { formations::since_progress(board) } else { HashSet::new() };
        self.frames.fill(FIRST_FRAME);
        self.frames[0].sums = self.evaluator.sums(&self.position);
        self.frames[0].key = self.position.key(rules);
        self.frames[0].in_check = self.position.is_check(rules);
        self.nodes = 0;
        self.stopped = false;
        self.complete.clear();
        let first = |mv: &Move| RootMove {
            mv: *mv,
            score: -INFINITE,
            previous: -INFINITE,
            risk: 0,
            bound: None,
            seldepth: 0,
            nodes: 0,
            line: vec![*mv],
        };
        self.root = moves.iter().map(first).collect();
    }

    /// Returns the progress of the search. If an iteration over several lines was interrupted, its lines are not
    /// comparable, and those of the iteration before are returned.
    pub fn report(&mut self, shared: Shared, depth: i32, wanted: usize) -> Report {
        let halfway = self.stopped && wanted > 1 && !self.complete.is_empty();
        let lines = if halfway { self.complete.clone() } else { self.root_lines(depth, wanted) };
        if !self.stopped {
            self.complete.clone_from(&lines);
        }
        Report {
            lines,
            nodes: self.nodes.max(shared.nodes.load(Relaxed)),
            time: shared.watch.elapsed(),
            table_per_mille: shared.table.per_mille(),
        }
    }

    fn root_lines(&self, depth: i32, wanted: usize) -> Vec<Line> {
        let known = |root: &&RootMove| root.score != -INFINITE || root.previous != -INFINITE;
        let count = self.root.iter().take(wanted).filter(known).count().max(1);
        let line = |(number, root): (usize, &RootMove)| {
            let done = root.score != -INFINITE;
            // A search that was stopped at once only has static evaluations.
            let (depth, score) = match root.previous {
                _ if done => (depth, root.score + root.risk),
                score if score == -INFINITE => (0, self.evaluate(0)),
                previous => (depth - 1, previous + root.risk),
            };
            let bound = root.bound.filter(|_| done);
            Line { rank: number + 1, depth, seldepth: root.seldepth, score, bound, moves: root.line.clone() }
        };
        self.root.iter().take(count).enumerate().map(line).collect()
    }

    /// Counts a node; returns whether the search should end.
    pub fn enter(&mut self, shared: Shared) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            let all = shared.nodes.fetch_add(CLOCK_INTERVAL, Relaxed) + CLOCK_INTERVAL;
            shared.watch.check_time();
            if all >= self.node_limit {
                shared.watch.stop();
            }
        }
        self.stopped |=
            self.nodes >= self.node_limit || (self.nodes.is_multiple_of(CLOCK_INTERVAL) && shared.watch.is_stopped());
        self.stopped
    }

    /// Makes a move; returns whether the turn has passed.
    pub fn make(&mut self, shared: Shared, mv: Move, ply: usize) -> (Undo, bool) {
        let rules = shared.rules;
        let (turn, turns) = (self.position.turn(), self.frames[ply].turns);
        let undo = self.position.make(rules, mv);
        let sums = self.evaluator.sums_after(&self.frames[ply].sums, &self.position, undo.effect());
        let step = undo.effect().map(|effect| (effect.piece, effect.to));
        let passed = self.position.turn() != turn;
        let key = self.position.key(rules);
        shared.table.prefetch(key);
        if passed {
            self.keys.push(key);
        }
        let in_check = self.position.is_check(rules);
        let after = &mut self.frames[ply + 1];
        after.sums = sums;
        after.key = key;
        after.in_check = in_check;
        after.turns = turns + i32::from(passed);
        after.step = step;
        after.null = false;
        after.double_pass = mv == Move::END && undo.rights() & self.position.state().rights & rules.passed != 0;
        after.excluded = None;
        (undo, passed)
    }

    pub fn unmake(&mut self, rules: &Rules, undo: Undo, passed: bool) {
        if passed {
            self.keys.pop();
        }
        self.position.unmake(rules, undo);
    }

    /// The static evaluation.
    pub fn evaluate(&self, ply: usize) -> Score {
        self.evaluator.evaluate(&self.position, &self.frames[ply].sums)
    }

    /// Returns the static evaluation, or a rough one if that is far outside the window, and whether it is exact.
    pub fn evaluate_within(&self, ply: usize, alpha: Score, beta: Score) -> (Score, bool) {
        let sums = &self.frames[ply].sums;
        let rough = self.evaluator.rough(&self.position, sums);
        if !self.evaluator.is_quick() && (rough >= beta + LAZY_MARGIN || rough <= alpha - LAZY_MARGIN) {
            return (rough, false);
        }
        (self.evaluator.evaluate(&self.position, sums), true)
    }

    /// The two moves before, for continuation history.
    pub fn before(&self, ply: usize) -> [Step; 2] {
        [self.frames[ply].step, if ply > 0 { self.frames[ply - 1].step } else { None }]
    }

    /// Whether a side has pieces other than royals and soldiers.
    pub fn has_pieces(&self, rules: &Rules, color: Color) -> bool {
        (self.position.by_color(color).into_iter()).any(|square| {
            self.position.piece(square).is_some_and(|piece: Piece| {
                !rules.soldier[piece.piece_type().index()] && !rules.royal[piece.piece_type().index()]
            })
        })
    }

    /// Sets the principal variation: this move, then the line of the search below.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }
}
