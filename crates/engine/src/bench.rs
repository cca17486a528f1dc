//! The bench: counts the positions visited, a number that changes when, and only when, play changes.

use crate::engine::Engine;
use crate::evaluation::Evaluator;
use crate::limits::{Limits, Watch};
use crate::turns::searches_turns;
use rules::{Board, Game, shipped};
use std::sync::Arc;

/// Searches in each game, from its start on.
const SEARCHES: usize = 5;
/// The search depth, in half-moves or, in games with turns of several moves, in turns.
const DEPTH: i32 = 7;
const TURN_DEPTH: i32 = 2;

/// Searches the start of every shipped game and some positions that follow, and returns the number of positions
/// visited: the same on every machine and in every build. `evaluator` makes the evaluator of a game, which ships as
/// [`Evaluator::new`]. `report` is called after each game with its id and the count so far.
pub fn bench(evaluator: &dyn Fn(Arc<Game>) -> Evaluator, report: &mut dyn FnMut(&str, u64)) -> u64 {
    let mut nodes = 0;
    for id in shipped() {
        let game = Arc::new(Game::shipped(id, &[]).expect("a shipped game"));
        let depth = if searches_turns(&game.rules) { TURN_DEPTH } else { DEPTH };
        let mut engine =
            Engine::with_evaluator(Arc::new(evaluator(Arc::clone(&game))), 1, 16).expect("a few megabytes");
        let mut board = Board::new(game);
        let mut search = |board: &mut Board, depth: i32| {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let decision = engine.search(board, &limits, &Watch::without_clock(), &mut |_| {});
            decision.turn.iter().for_each(|mv| board.push(*mv));
            decision.report.map_or(0, |report| report.nodes)
        };
        for _ in 0..SEARCHES {
            nodes += search(&mut board, depth);
            for _ in 0..4 {
                search(&mut board, 1);
            }
        }
        report(id, nodes);
    }
    nodes
}
