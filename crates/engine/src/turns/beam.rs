//! Beam search for promising turns: after each move the best positions are kept and all their continuations generated.

use super::{Part, Turn};
use crate::score::Score;
use crate::worker::{Shared, Worker};
use arrayvec::ArrayVec;
use rules::{Color, Move, Position, Rules, Set, Square};
use std::collections::HashSet;

/// Continuations that are fully evaluated per place in the beam.
const TRIED: usize = 5;
/// Turns that are looked at for royals which they expose, per place among those returned.
const LOOKED_AT: usize = 3;
/// What each royal that the enemy could capture at once costs in the order of turns, in centipawns. The evaluation says
/// less, since it does not know that these captures are next.
const EXPOSED: Score = 1_200;

impl Worker {
    /// Returns the most promising turns of the position, best first.
    pub(super) fn turns(
        &mut self,
        shared: Shared,
        ply: usize,
        beam: usize,
        most: usize,
        allowed: Option<&[Move]>,
    ) -> Vec<Turn> {
        let rules = shared.rules;
        let us = self.position.turn();
        let tempo = self.evaluator.tempo();
        let mut parts = vec![Part {
            position: self.position.clone(),
            sums: self.frames[ply].sums,
            moves: ArrayVec::new(),
            score: self.evaluate(ply) - 2 * tempo,
        }];
        let mut found: Vec<Turn> = Vec::new();
        let mut seen: HashSet<u64> = HashSet::new();
        let mut moves = Vec::new();
        'turn: while !parts.is_empty() {
            // The estimated gain of each continuation, from piece-square values alone.
            let mut steps: Vec<(Score, usize, Move)> = Vec::new();
            for (number, part) in parts.iter().enumerate() {
                part.position.legal_moves(rules, &mut moves);
                if let Some(allowed) = allowed.filter(|_| part.moves.is_empty()) {
                    moves.retain(|mv| allowed.contains(mv));
                }
                let danger = Danger::of(rules, &part.position);
                for mv in &moves {
                    if *mv == Move::END {
                        let mut moves = part.moves.clone();
                        moves.push(Move::END);
                        found.push(Turn { moves, score: part.score });
                    } else {
                        steps.push((part.score + danger.gain(self, rules, &part.position, *mv), number, *mv));
                    }
                }
            }
            let width = (beam * TRIED).min(steps.len());
            if width > 0 && width < steps.len() {
                steps.select_nth_unstable_by_key(width - 1, |(gain, _, _)| std::cmp::Reverse(*gain));
                steps.truncate(width);
            }
            steps.sort_by_key(|(gain, number, mv)| (std::cmp::Reverse(*gain), *number, mv.from(), mv.to()));
            let mut next: Vec<(Score, usize, Move)> = Vec::new();
            for (_, number, mv) in steps {
                let part = &mut parts[number];
                let undo = part.position.make(rules, mv);
                let is_new = seen.insert(part.position.key(rules));
                if is_new && self.enter(shared) {
                    break 'turn;
                }
                if is_new {
                    let sums = self.evaluator.sums_after(&part.sums, &part.position, undo.effect());
                    let score = self.evaluator.evaluate(&part.position, &sums);
                    if part.position.turn() == us {
                        next.push((score - 2 * tempo, number, mv));
                    } else {
                        found.push(Turn { moves: part.moves_with(mv), score: -score });
                    }
                }
                part.position.unmake(rules, undo);
            }
            next.sort_by_key(|(score, ..)| std::cmp::Reverse(*score));
            next.truncate(beam);
            let extended = next.into_iter().map(|(score, number, mv)| self.extended(rules, &parts[number], mv, score));
            parts = extended.collect();
        }
        found.sort_by_key(|turn| std::cmp::Reverse(turn.score));
        found.truncate(most.saturating_mul(LOOKED_AT));
        found.sort_by_cached_key(|turn| std::cmp::Reverse(turn.score - EXPOSED * self.exposed(rules, turn)));
        found.truncate(most);
        found
    }

    /// The number of own royals that the enemy could capture at once after a turn.
    fn exposed(&self, rules: &Rules, turn: &Turn) -> Score {
        let us = self.position.turn();
        let mut position = self.position.clone();
        for mv in &turn.moves {
            position.make(rules, *mv);
        }
        let (enemies, occupied) = (position.movers(rules), position.occupied());
        let is_exposed = |square: &Square| position.attacked(rules, *square, !us, enemies, &occupied);
        position.royals(us).into_iter().filter(is_exposed).count() as Score
    }
}

/// The squares that the enemy attacks: enough to estimate the gain of a move.
struct Danger {
    attacked: Set,
}

impl Danger {
    fn of(rules: &Rules, position: &Position) -> Danger {
        let them = !position.turn();
        let mut attacked = Set::EMPTY;
        for from in position.by_color(them) {
            attacked |= position.attack_set(rules, position.piece(from).expect("occupied"), from);
        }
        Danger { attacked }
    }

    fn gain(&self, worker: &Worker, rules: &Rules, position: &Position, mv: Move) -> Score {
        let effect = position.effect(rules, mv).expect("a move that moves a piece");
        let piece = effect.piece;
        let value = worker.evaluator.value(piece.piece_type());
        let mut gain = worker.evaluator.rough_gain(&effect);
        if position.turn() == Color::Black {
            gain = -gain;
        }
        let weight = if rules.royal[piece.piece_type().index()] { value } else { value / 2 };
        if self.attacked.contains(mv.from()) {
            gain += weight;
        }
        if self.attacked.contains(mv.to()) {
            gain -= weight;
        }
        gain
    }
}
