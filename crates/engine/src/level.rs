//! Levels: opponents of any strength, the same on every machine.
//!
//! A level searches a fixed number of nodes and chooses at random among moves of nearly equal score. Some of its turns
//! are oversights, as people make them: it sees what a move gains but not the reply.

use crate::engine::{Decision, Engine};
use crate::limits::{Limits, Watch};
use crate::score::{DECIDED, Score};
use crate::turns::searches_turns;
use crate::worker::Line;
use rules::{Board, Move, mix};

/// The highest level, which plays at full strength.
pub const FULL: u8 = rules::limits::MAX_LEVEL as u8;

/// How a level is made weaker.
struct Weakness {
    /// Nodes to search.
    nodes: u64,
    /// Moves about this many centipawns worse than the best are still often chosen.
    blur: f64,
    /// In how many thousandths of its turns it ignores the replies.
    oversights: u64,
}

type Levels = [Weakness; FULL as usize - 1];

/// Levels 1 to 9. Measured in `docs/ladder.md`.
const LEVELS: Levels = [
    Weakness { nodes: 100, blur: 130.0, oversights: 780 },
    Weakness { nodes: 117, blur: 114.0, oversights: 696 },
    Weakness { nodes: 131, blur: 98.0, oversights: 602 },
    Weakness { nodes: 145, blur: 82.0, oversights: 500 },
    Weakness { nodes: 157, blur: 67.0, oversights: 412 },
    Weakness { nodes: 180, blur: 53.0, oversights: 296 },
    Weakness { nodes: 214, blur: 44.0, oversights: 214 },
    Weakness { nodes: 300, blur: 34.0, oversights: 134 },
    Weakness { nodes: 470, blur: 26.0, oversights: 76 },
];

/// The levels in games that are searched turn by turn.
const TURN_LEVELS: Levels = [
    Weakness { nodes: 450, blur: 335.0, oversights: 908 },
    Weakness { nodes: 450, blur: 215.0, oversights: 640 },
    Weakness { nodes: 450, blur: 95.0, oversights: 280 },
    Weakness { nodes: 450, blur: 47.0, oversights: 98 },
    Weakness { nodes: 500, blur: 35.0, oversights: 50 },
    Weakness { nodes: 570, blur: 29.0, oversights: 32 },
    Weakness { nodes: 700, blur: 25.0, oversights: 19 },
    Weakness { nodes: 1_000, blur: 22.0, oversights: 10 },
    Weakness { nodes: 1_700, blur: 20.0, oversights: 4 },
];

/// The number of lines among which a level chooses when it looks at replies. The risk margin of a line does not count
/// here.
const LINES: usize = 5;

impl Engine {
    /// Returns a turn as a level from 1 to 9 would play it. The same seed gives the same turn.
    pub fn play_at_level(
        &mut self,
        board: &Board,
        level: u8,
        seed: u64,
        root_moves: &[Move],
        watch: &Watch,
    ) -> Decision {
        let levels = if searches_turns(&board.game().rules) { &TURN_LEVELS } else { &LEVELS };
        let weakness = &levels[usize::from(level.clamp(1, FULL - 1)) - 1];
        let mut random = mix(seed ^ board.key());
        if random % 1000 < weakness.oversights {
            return self.turn_without_replies(board, weakness.blur, &mut random, root_moves);
        }
        let root_moves = root_moves.to_vec();
        let limits = Limits { nodes: Some(weakness.nodes), lines: LINES, root_moves, alone: true, ..Limits::default() };
        let mut decision = self.search(board, &limits, watch, &mut |_| {});
        let Some(report) = &mut decision.report else { return decision };
        let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
        let chosen = choose(&scores, weakness.blur, &mut random);
        // Only the chosen line is reported.
        let line = Line { rank: 1, ..report.lines.swap_remove(chosen) };
        let moves = line.moves.clone();
        report.lines = vec![line];
        if chosen > 0 {
            (decision.turn, decision.ponder) = self.whole_turn(board, moves);
        }
        decision
    }

    /// Returns a turn chosen by the evaluation after each move, without a look at replies.
    fn turn_without_replies(&mut self, board: &Board, blur: f64, random: &mut u64, root_moves: &[Move]) -> Decision {
        let us = board.turn();
        let mut board = board.clone();
        let mut turn = Vec::new();
        while board.turn() == us && board.outcome(false).is_none() {
            let mut moves = board.legal_moves();
            if turn.is_empty() && !root_moves.is_empty() {
                moves.retain(|mv| root_moves.contains(mv));
            }
            let scores: Vec<Score> = moves.iter().map(|mv| self.score_after(&board, *mv)).collect();
            let mv = moves[choose(&scores, blur, random)];
            board.push(mv);
            turn.push(mv);
        }
        Decision { turn, ponder: Vec::new(), report: None }
    }

    /// The evaluation after a move, for the side that makes it.
    fn score_after(&self, board: &Board, mv: Move) -> Score {
        let mut board = board.clone();
        let us = board.turn();
        board.push(mv);
        if let Some(outcome) = board.outcome(false) {
            return match outcome.winner {
                Some(winner) if winner == us => DECIDED,
                Some(_) => -DECIDED,
                None => 0,
            };
        }
        let position = board.position();
        let score = self.evaluator().rough(position, &self.evaluator().sums(position));
        if board.turn() == us { score } else { -score }
    }
}

/// Chooses an index at random: higher scores are likelier, and `blur` is the scale in centipawns.
fn choose(scores: &[Score], blur: f64, random: &mut u64) -> usize {
    let best = scores.iter().copied().max().unwrap_or(0);
    let weight = |score: Score| (f64::from(score - best) / blur).exp();
    let all: f64 = scores.iter().map(|score| weight(*score)).sum();
    *random = mix(*random);
    let mut left = (*random >> 11) as f64 / (1u64 << 53) as f64 * all;
    for (number, score) in scores.iter().enumerate() {
        left -= weight(*score);
        if left < 0.0 {
            return number;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_move_is_likeliest_and_a_far_worse_one_is_never_chosen() {
        let mut random = 7;
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[choose(&[100, 80, -5_000], 20.0, &mut random)] += 1;
        }
        assert!(counts[0] > 2 * counts[1] && counts[1] > 1_000 && counts[2] == 0, "{counts:?}");
    }
}
