//! Quiescence search by turns: each side in turn captures what it can, or stands pat.

use super::{Part, Turn};
use crate::recall::Moves;
use crate::score::{INFINITE, Score};
use crate::turns::royals;
use crate::worker::{Shared, Worker};
use arrayvec::ArrayVec;
use rules::{Move, Rules};

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
        let mut moves: Moves = ArrayVec::new();
        for mv in line {
            position.make(rules, mv);
            moves.push(mv);
        }
        // The rest of the turn makes whatever captures remain.
        let mut more = Vec::new();
        while position.turn() == us {
            position.tactical_moves(rules, &mut more);
            let worth =
                |mv: &Move| position.captured(*mv).map_or(0, |(_, piece)| self.evaluator.value(piece.piece_type()));
            let mv = match more.iter().copied().max_by_key(|mv| (worth(mv), mv.from(), mv.to())) {
                Some(mv) => mv,
                None if position.may_end(rules) => Move::END,
                None => {
                    position.legal_moves(rules, &mut more);
                    more[0]
                }
            };
            position.make(rules, mv);
            moves.push(mv);
        }
        Some(Turn { moves, score: -INFINITE })
    }

    /// The quiescence score at the start of a turn, `turns` turns deep.
    pub(super) fn quiesce_turns(
        &mut self,
        shared: Shared,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        turns: u32,
    ) -> Score {
        let rules = shared.rules;
        self.lines[ply].clear();
        let mut best = self.evaluate(ply);
        if turns == 0 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = self.capturing_turns(shared, ply);
        if let Some(turn) = self.royal_turn(rules) {
            list.insert(0, turn);
        }
        for turn in list.into_iter().take(SEARCHED) {
            if self.stopped {
                return 0;
            }
            let undo = self.make_turn(shared, &turn.moves, ply);
            let below = ply + turn.moves.len();
            let score = match self.adjudicate(rules, below) {
                Some(score) => -score,
                None => -self.quiesce_turns(shared, -beta, -alpha, below, turns - 1),
            };
            self.unmake_turn(rules, undo);
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines[ply].clear();
                    self.lines[ply].extend(turn.moves.iter().copied());
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Turns of captures only, best first.
    fn capturing_turns(&mut self, shared: Shared, ply: usize) -> Vec<Turn> {
        let rules = shared.rules;
        let us = self.position.turn();
        let tempo = self.evaluator.tempo();
        let sums = self.frames[ply].sums;
        let mut parts = vec![Part { position: self.position.clone(), sums, moves: ArrayVec::new(), score: 0 }];
        let mut found: Vec<Turn> = Vec::new();
        let mut seen: Vec<u64> = Vec::new();
        let mut captures = Vec::new();
        while !parts.is_empty() {
            let mut next: Vec<(Score, usize, Move)> = Vec::new();
            for (number, part) in parts.iter_mut().enumerate() {
                part.position.tactical_moves(rules, &mut captures);
                let worth = |mv: &Move| {
                    let taken =
                        part.position.captured(*mv).map_or(0, |(_, piece)| self.evaluator.value(piece.piece_type()));
                    let own =
                        part.position.piece(mv.from()).map_or(0, |piece| self.evaluator.value(piece.piece_type()));
                    std::cmp::Reverse((8 * taken - own, mv.from(), mv.to()))
                };
                captures.sort_by_key(worth);
                for mv in captures.iter().take(TRIED).copied() {
                    let undo = part.position.make(rules, mv);
                    let key = part.position.key(rules);
                    if seen.contains(&key) {
                        part.position.unmake(rules, undo);
                        continue;
                    }
                    seen.push(key);
                    if self.enter(shared) {
                        return found;
                    }
                    let sums = self.evaluator.sums_after(&part.sums, &part.position, undo.effect());
                    let score = self.evaluator.evaluate(&part.position, &sums);
                    if part.position.turn() == us {
                        let score = score - 2 * tempo;
                        if part.position.may_end(rules) {
                            let mut ended = part.moves_with(mv);
                            ended.push(Move::END);
                            found.push(Turn { moves: ended, score });
                        }
                        next.push((score, number, mv));
                    } else {
                        found.push(Turn { moves: part.moves_with(mv), score: -score });
                    }
                    part.position.unmake(rules, undo);
                }
            }
            next.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
            next.truncate(BEAM);
            let extended = next.into_iter().map(|(score, number, mv)| self.extended(rules, &parts[number], mv, score));
            parts = extended.collect();
        }
        found.sort_by_key(|turn| std::cmp::Reverse(turn.score));
        found
    }
}
