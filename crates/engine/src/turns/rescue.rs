//! Turns after which the enemy can capture no royal piece.
//!
//! The threat is what the capture search ([`royals`]) finds for the enemy. Only moves that parry the threat found can
//! help, alone or together, so turns are built from those, threat by threat.

use super::capture::ROYAL_CAPTURE_NODES;
use super::{Part, Turn, royals};
use crate::worker::{Shared, Worker};
use arrayvec::ArrayVec;
use rules::{Color, Move, Position, Rules, Set};
use std::cmp::Reverse;
use std::collections::HashSet;

/// The search stops after this many turns.
const MAX_RESCUES: usize = 24;
/// Continuations tried for the rest of a turn.
const TRIED: usize = 6;

/// The state of one search for saving turns.
struct Rescue {
    us: Color,
    /// Node budget left.
    budget: u64,
    met: HashSet<u64>,
    found: Vec<Part>,
}

impl Worker {
    /// Returns the root's turns that save all royal pieces if one is threatened, including turns that capture an enemy
    /// royal as well, best first. Visits at most `budget` positions.
    pub(super) fn rescues(&mut self, shared: Shared, budget: u64) -> Vec<Turn> {
        let rules = shared.rules;
        let us = self.position.turn();
        let sums = self.frames[0].sums;
        let start = Part { position: self.position.clone(), sums, moves: ArrayVec::new(), score: 0 };
        let mut rescue = Rescue { us, budget, met: HashSet::new(), found: Vec::new() };
        if let Some(line) = royals::capture_of_royal(rules, &start.position, &mut ROYAL_CAPTURE_NODES.clone()) {
            let part = line.into_iter().fold(start.clone(), |part, mv| self.with_move(rules, &part, us, mv));
            match threat(rules, &part.position, us) {
                Some(threat) => self.parry(shared, &part, &threat, &mut rescue),
                None => rescue.found.push(part),
            }
        }
        if let Some(threat) = threat(rules, &start.position, us) {
            self.parry(shared, &start, &threat, &mut rescue);
        }
        let mut turns: Vec<Turn> = Vec::new();
        for part in rescue.found {
            let part = self.go_on_safely(shared, part, us);
            let mut moves = part.moves;
            if part.position.turn() == us {
                moves.push(Move::END);
            }
            turns.push(Turn { moves, score: part.score });
        }
        turns.sort_by_key(|turn| Reverse(turn.score));
        turns
    }

    /// Extends a partial turn by a move; its score is the rough evaluation.
    fn with_move(&self, rules: &Rules, part: &Part, us: Color, mv: Move) -> Part {
        let mut position = part.position.clone();
        let undo = position.make(rules, mv);
        let sums = self.evaluator.sums_after(&part.sums, &position, undo.effect());
        let mut moves = part.moves.clone();
        moves.push(mv);
        let rough = self.evaluator.rough(&position, &sums);
        let score = if position.turn() == us { rough } else { -rough };
        Part { position, sums, moves, score }
    }

    /// Tries every move that parries a threat, and continues with the next threat.
    fn parry(&mut self, shared: Shared, part: &Part, old: &[Move], rescue: &mut Rescue) {
        let rules = shared.rules;
        let us = rescue.us;
        let mut moves = Vec::with_capacity(256);
        part.position.legal_moves(rules, &mut moves);
        let mut next: Vec<(Part, Option<Vec<Move>>)> = Vec::new();
        for mv in moves.into_iter().filter(|mv| mv.moves_piece()) {
            let part = self.with_move(rules, part, us, mv);
            if !rescue.met.insert(part.position.key(rules)) || is_possible(rules, &part.position, us, old) {
                continue;
            }
            if rescue.budget == 0 || self.enter(shared) {
                return;
            }
            rescue.budget -= 1;
            let threat = threat(rules, &part.position, us);
            next.push((part, threat));
        }
        next.sort_by_key(|(part, threat)| (threat.is_some(), Reverse(part.score)));
        for (part, threat) in next {
            match threat {
                _ if rescue.found.len() >= MAX_RESCUES => return,
                None => rescue.found.push(part),
                Some(threat) if part.position.turn() == us => self.parry(shared, &part, &threat, rescue),
                Some(_) => {}
            }
        }
    }

    /// Completes a turn with the best moves that keep the royal pieces safe.
    fn go_on_safely(&mut self, shared: Shared, mut part: Part, us: Color) -> Part {
        let rules = shared.rules;
        let mut moves = Vec::with_capacity(256);
        while part.position.turn() == us && !self.enter(shared) {
            part.position.legal_moves(rules, &mut moves);
            let moves = moves.iter().filter(|mv| mv.moves_piece());
            let mut steps: Vec<Part> = moves.map(|mv| self.with_move(rules, &part, us, *mv)).collect();
            steps.sort_by_key(|step| Reverse(step.score));
            let safe = steps.into_iter().take(TRIED).find(|step| threat(rules, &step.position, us).is_none());
            match safe {
                Some(step) => part = step,
                None => break,
            }
        }
        part
    }
}

/// The enemy's capture of a royal piece if the side's turn ended now.
fn threat(rules: &Rules, position: &Position, us: Color) -> Option<Vec<Move>> {
    royals::capture_of_royal(rules, &after_turn(rules, position, us), &mut ROYAL_CAPTURE_NODES.clone())
}

/// Whether the enemy could still execute a threat if the side's turn ended now.
fn is_possible(rules: &Rules, position: &Position, us: Color, threat: &[Move]) -> bool {
    let mut position = after_turn(rules, position, us);
    let royals = position.royals(us).count();
    let mut moves = Vec::with_capacity(32);
    for mv in threat {
        position.legal_moves_of(rules, Set::of(mv.from()), &mut moves);
        if position.turn() == us || !moves.contains(mv) {
            return false;
        }
        position.make(rules, *mv);
    }
    position.royals(us).count() < royals
}

fn after_turn(rules: &Rules, position: &Position, us: Color) -> Position {
    let mut position = position.clone();
    if position.turn() == us {
        position.make(rules, Move::END);
    }
    position
}
