//! Quiescence search by turns: each side in turn captures what it can, or stands pat.

use super::{Part, Turn};
use crate::recall::Plies;
use crate::score::{INFINITE, Score};
use crate::turns::royals;
use crate::worker::{Shared, Worker};
use arrayvec::ArrayVec;
use rules::{Ply, Rules};

/// Partial turns extended to the next capture.
const BEAM: usize = 4;
/// Captures tried from each partial turn.
const TRIED: usize = 6;
/// Capturing turns whose replies are searched.
const SEARCHED: usize = 5;
/// Node budget of the search for a capture of a royal piece.
pub(super) const ROYAL_CAPTURE_NODES: u32 = 400;

impl Worker {
    /// Returns a turn that captures a royal piece, if there is one.
    pub(super) fn royal_turn(&self, rules: &Rules) -> Option<Turn> {
        let line = royals::capture_of_royal(rules, &self.position, &mut ROYAL_CAPTURE_NODES.clone())?;
        let us = self.position.turn();
        let mut position = self.position.clone();
        let mut plies: Plies = ArrayVec::new();
        for ply in line {
            position.make(rules, ply);
            plies.push(ply);
        }
        // The rest of the turn makes whatever captures remain.
        let mut more = Vec::new();
        while position.turn() == us {
            position.tactical_plies(rules, &mut more);
            let worth = |ply: &Ply| position.captured(*ply).map_or(0, |(_, piece)| self.evaluator.value(piece.kind()));
            let ply = match more.iter().copied().max_by_key(|ply| (worth(ply), ply.from(), ply.to())) {
                Some(ply) => ply,
                None if position.may_end(rules) => Ply::END,
                None => {
                    position.legal_plies(rules, &mut more);
                    more[0]
                }
            };
            position.make(rules, ply);
            plies.push(ply);
        }
        Some(Turn { plies, score: -INFINITE })
    }

    /// The quiescence score at the start of a turn, `turns` turns deep.
    pub(super) fn quiesce_turns(
        &mut self,
        shared: Shared,
        mut alpha: Score,
        beta: Score,
        height: usize,
        turns: u32,
    ) -> Score {
        let rules = shared.rules;
        self.lines[height].clear();
        let mut best = self.evaluate(height);
        if turns == 0 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = self.capturing_turns(shared, height);
        if let Some(turn) = self.royal_turn(rules) {
            list.insert(0, turn);
        }
        for turn in list.into_iter().take(SEARCHED) {
            if self.stopped {
                return 0;
            }
            let undo = self.make_turn(shared, &turn.plies, height);
            let below = height + turn.plies.len();
            let score = match self.adjudicate(rules, below) {
                Some(score) => -score,
                None => -self.quiesce_turns(shared, -beta, -alpha, below, turns - 1),
            };
            self.unmake_turn(rules, undo);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines[height].clear();
                    self.lines[height].extend(turn.plies.iter().copied());
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Turns of captures only, best first.
    fn capturing_turns(&mut self, shared: Shared, height: usize) -> Vec<Turn> {
        let rules = shared.rules;
        let us = self.position.turn();
        let tempo = self.evaluator.tempo();
        let sums = self.frames[height].sums;
        let mut parts = vec![Part { position: self.position.clone(), sums, plies: ArrayVec::new(), score: 0 }];
        let mut found: Vec<Turn> = Vec::new();
        let mut seen: Vec<u64> = Vec::new();
        let mut captures = Vec::new();
        while !parts.is_empty() {
            let mut next: Vec<Part> = Vec::new();
            for part in &parts {
                part.position.tactical_plies(rules, &mut captures);
                let worth = |ply: &Ply| {
                    let taken = part.position.captured(*ply).map_or(0, |(_, piece)| self.evaluator.value(piece.kind()));
                    let own = part.position.piece(ply.from()).map_or(0, |piece| self.evaluator.value(piece.kind()));
                    std::cmp::Reverse((8 * taken - own, ply.from(), ply.to()))
                };
                captures.sort_by_key(worth);
                for ply in captures.iter().take(TRIED) {
                    let mut position = part.position.clone();
                    let undo = position.make(rules, *ply);
                    let sums = self.evaluator.sums_after(&part.sums, &position, undo.effect());
                    let key = position.key(rules);
                    if seen.contains(&key) {
                        continue;
                    }
                    seen.push(key);
                    if self.enter(shared) {
                        return found;
                    }
                    let mut plies = part.plies.clone();
                    plies.push(*ply);
                    let score = self.evaluator.evaluate(&position, &sums);
                    if position.turn() != us {
                        found.push(Turn { plies, score: -score });
                        continue;
                    }
                    let score = score - 2 * tempo;
                    if position.may_end(rules) {
                        let mut ended = plies.clone();
                        ended.push(Ply::END);
                        found.push(Turn { plies: ended, score });
                    }
                    next.push(Part { position, sums, plies, score });
                }
            }
            next.sort_by_key(|part| std::cmp::Reverse(part.score));
            next.truncate(BEAM);
            parts = next;
        }
        found.sort_by_key(|turn| std::cmp::Reverse(turn.score));
        found
    }
}
