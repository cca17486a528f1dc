//! `Engine`: the search, on the thread that calls it.

use crate::board::Board;
use crate::game::Game;
use crate::values::{invalid, object, texts};
use engine::evaluation::Evaluator;
use engine::score::{chances, turns_to_mate};
use engine::{Decision, Limits, Report, TimeLimit, Watch};
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// When a search ends: numbers that `web/core` has checked; times are in seconds.
    pub type Limit;
    #[wasm_bindgen(method, getter)]
    fn time(this: &Limit) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn depth(this: &Limit) -> Option<i32>;
    #[wasm_bindgen(method, getter)]
    fn nodes(this: &Limit) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn mate(this: &Limit) -> Option<i32>;
    /// The clock of the side to move.
    #[wasm_bindgen(method, getter)]
    fn clock(this: &Limit) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn increment(this: &Limit) -> Option<f64>;
    #[wasm_bindgen(method, getter, js_name = remainingMoves)]
    fn remaining_moves(this: &Limit) -> Option<u32>;
    #[wasm_bindgen(method, getter)]
    fn overhead(this: &Limit) -> Option<f64>;

    /// The clock, in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn clock_now() -> f64;
}

/// Times longer than this count as unlimited, in seconds.
const LONGEST: f64 = 1e9;

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST))
}

fn watch(limit: &Limit) -> Watch {
    let mut time = limit.clock().map_or_else(TimeLimit::default, |left| {
        let (increment, overhead) = (limit.increment().unwrap_or(0.0), limit.overhead().unwrap_or(0.0));
        TimeLimit::of_clock(duration(left), duration(increment), limit.remaining_moves(), duration(overhead))
    });
    if let Some(seconds) = limit.time() {
        let exactly = duration(seconds);
        time.hard = Some(time.hard.map_or(exactly, |hard| hard.min(exactly)));
    }
    let start = clock_now();
    Watch::new(Box::new(move || duration((clock_now() - start) / 1000.0)), time, false)
}

/// Plays and analyses one game.
#[wasm_bindgen]
pub struct Engine {
    inner: engine::Engine,
}

/// Creates an evaluator with the bytes of a network's file, or without one.
fn evaluator(game: &Arc<rules::Game>, network: Option<&[u8]>) -> Result<Evaluator, JsValue> {
    Evaluator::with_network_file(Arc::clone(game), network.unwrap_or_default()).map_err(invalid)
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine with a table of `megabytes` MB and, if there are bytes, with the network of a file.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &Game, megabytes: usize, network: Option<Vec<u8>>) -> Result<Engine, JsValue> {
        let evaluator = Arc::new(evaluator(&game.inner, network.as_deref())?);
        match engine::Engine::with_evaluator(evaluator, 1, megabytes) {
            Ok(inner) => Ok(Engine { inner }),
            Err(_) => Err(invalid(format!("hashMb={megabytes}: there is not enough memory; choose a smaller table"))),
        }
    }

    /// Clears everything that earlier searches found.
    pub fn clear(&mut self) {
        self.inner.clear();
    }

    /// Searches the position of a board of this engine's game. Calls `on_report` with the lines of every iteration.
    pub fn search(
        &mut self,
        board: &Board,
        limit: &Limit,
        lines: usize,
        root_moves: Vec<String>,
        on_report: &Function,
    ) -> Result<Object, JsValue> {
        let root_moves = legal(board, &root_moves)?;
        let nodes = limit.nodes().map(|nodes| nodes as u64);
        let limits = Limits { depth: limit.depth(), nodes, mate: limit.mate(), root_moves, lines, alone: true };
        let mut failed = None;
        let watch = watch(limit);
        let decision = self.inner.search(&board.inner, &limits, &watch, &mut |report| {
            if let Err(error) = on_report.call1(&JsValue::UNDEFINED, &lines_of(&board.inner, report)) {
                failed.get_or_insert(error);
                watch.stop();
            }
        });
        failed.map_or_else(|| Ok(decision_of(&board.inner, &decision)), Err)
    }

    /// Returns a turn as a level from 1 to 9 would play it.
    pub fn play_at_level(
        &mut self,
        board: &Board,
        level: u8,
        seed: u64,
        root_moves: Vec<String>,
    ) -> Result<Object, JsValue> {
        let root_moves = legal(board, &root_moves)?;
        let decision = self.inner.play_at_level(&board.inner, level, seed, &root_moves, &Watch::without_clock());
        Ok(decision_of(&board.inner, &decision))
    }
}

/// Searches a fixed set of positions of every game, with the networks of an object by the id of their game. Returns the
/// number of nodes, which changes when play does. Calls `on_report` with each game's id and the count so far.
#[wasm_bindgen]
pub fn bench(networks: &Object, on_report: &Function) -> Result<f64, JsValue> {
    let network = |id: &str| -> Option<Vec<u8>> {
        Reflect::get(networks, &id.into()).ok()?.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
    };
    for id in rules::shipped() {
        let game = rules::Game::shipped(id, &[]).map_err(|faults| crate::values::definition_error(&faults))?;
        evaluator(&Arc::new(game), network(id).as_deref())?;
    }
    let with_network = |game: Arc<rules::Game>| {
        let bytes = network(&game.definition.texts.id);
        evaluator(&game, bytes.as_deref()).expect("just read")
    };
    let mut failed = None;
    let nodes = engine::bench(&with_network, &mut |id, nodes| {
        if let Err(error) = on_report.call2(&JsValue::UNDEFINED, &id.into(), &(nodes as f64).into()) {
            failed.get_or_insert(error);
        }
    });
    failed.map_or(Ok(nodes as f64), Err)
}

/// Reads moves that must be legal.
fn legal(board: &Board, moves: &[String]) -> Result<Vec<rules::Move>, JsValue> {
    moves.iter().map(|text| board.inner.parse_move(text).map_err(crate::values::move_error)).collect()
}

fn moves_of(board: &rules::Board, moves: &[rules::Move]) -> Array {
    texts(moves.iter().map(|mv| board.move_text(*mv)))
}

fn decision_of(board: &rules::Board, decision: &Decision) -> Object {
    let lines = decision.report.as_ref().map_or_else(Array::new, |report| lines_of(board, report));
    object([
        ("moves", moves_of(board, &decision.turn).into()),
        ("ponder", moves_of(board, &decision.ponder).into()),
        ("lines", lines.into()),
    ])
}

fn lines_of(board: &rules::Board, report: &Report) -> Array {
    let seconds = report.time.as_secs_f64();
    let line = |line: &engine::Line| {
        let mate = turns_to_mate(line.score).map(|turns| turns.signum() * ((turns.abs() + 1) / 2));
        let bound = line.bound.map_or(JsValue::NULL, |lower| if lower { "lower" } else { "upper" }.into());
        object([
            ("depth", line.depth.into()),
            ("seldepth", (line.seldepth as u32).into()),
            ("multipv", (line.rank as u32).into()),
            ("cp", mate.map_or_else(|| line.score.into(), |_| JsValue::NULL)),
            ("mate", mate.map_or(JsValue::NULL, JsValue::from)),
            ("wdl", chances(line.score).into_iter().map(JsValue::from).collect::<Array>().into()),
            ("turn", board.turn().name().into()),
            ("bound", bound),
            ("nodes", (report.nodes as f64).into()),
            ("nps", (report.nodes as f64 / seconds.max(1e-6)).round().into()),
            ("time", seconds.into()),
            ("hashfull", report.table_per_mille.into()),
            ("pv", moves_of(board, &line.moves).into()),
            ("pvSan", board.variation_san(&line.moves).into()),
        ])
    };
    report.lines.iter().map(line).collect()
}
