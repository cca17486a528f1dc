//! The mate probe: proves mates at the root without any pruning, since a pruned search finds quiet key moves last.

use crate::score::{self, Score};
use crate::worker::{Shared, Worker};
use rules::{Move, Rules, earliest_draw};
use std::collections::HashMap;

/// When to probe for a mate in `turns` turns, and for how many nodes.
pub(crate) struct MateProbe {
    turns: usize,
    /// Positions after which a search can spare some for this.
    after: u64,
    /// Positions that this may visit: mostly far fewer, since nearly every first move is refuted at once.
    most: u64,
    /// Pieces on the board, at most.
    pieces: u32,
}

/// Longer mates are only looked for with few pieces on the board: there a pruned search sees them least, and this proof
/// is fastest.
pub(crate) const MATE_PROBES: [MateProbe; 4] = [
    MateProbe { turns: 2, after: 4_000, most: 20_000, pieces: u32::MAX },
    MateProbe { turns: 3, after: 30_000, most: 100_000, pieces: 10 },
    MateProbe { turns: 4, after: 60_000, most: 600_000, pieces: 8 },
    // Some proofs need more, which only a long search can spare.
    MateProbe { turns: 4, after: 600_000, most: 2_000_000, pieces: 8 },
];

/// A running probe.
struct Proof<'a> {
    shared: Shared<'a>,
    rules: &'a Rules,
    /// Nodes of the worker at which it is given up.
    end: u64,
    /// By position, the number of turns within which the side to move is known not to mate.
    failed: HashMap<u64, usize>,
    /// By turns left, the answer that last averted a mate.
    averting: [Option<Move>; 5],
}

impl Worker {
    /// Whether it is time for a probe.
    pub(crate) fn is_due(&self, probe: &MateProbe) -> bool {
        self.nodes >= probe.after && self.position.occupied().count() <= probe.pieces
    }

    /// Whether a draw for want of captures might come before the mate.
    fn is_too_late(&self, rules: &Rules, probe: &MateProbe) -> bool {
        let quiet = earliest_draw(rules.end.quiet);
        quiet > 0 && self.position.state().halfmove + 2 * probe.turns as u32 > quiet + 1
    }

    /// Whether a search has not yet seen a mate at least as quick, of either side.
    fn is_useful(&self, probe: &MateProbe) -> bool {
        score::turns_to_mate(self.root[0].score).is_none_or(|turns| turns >= 2 * probe.turns as i32)
    }

    /// Moves a root move that forces mate to the front of the root list; returns whether there is one.
    pub(crate) fn find_mate(&mut self, shared: Shared, probe: &MateProbe) -> bool {
        let rules = shared.rules;
        if !self.is_useful(probe) || self.is_too_late(rules, probe) {
            return false;
        }
        let (end, failed) = (self.nodes + probe.most, HashMap::new());
        let mut proof = Proof { shared, rules, end, failed, averting: [None; 5] };
        let firsts = self.root.iter().map(|root| root.mv).collect();
        let Some(line) = self.mate_by(&mut proof, firsts, probe.turns) else { return false };
        let at = self.root.iter().position(|root| root.mv == line[0]).expect("a first move");
        let mut root = self.root.remove(at);
        root.score = score::MATE - line.len() as Score;
        root.bound = None;
        root.line = line;
        self.root.insert(0, root);
        true
    }

    /// The longest line after the first of these moves that mates within `turns` turns.
    fn mate_by(&mut self, proof: &mut Proof, mut moves: Vec<Move>, turns: usize) -> Option<Vec<Move>> {
        if turns > 1 {
            moves.sort_by_cached_key(|mv| !self.position.gives_check(proof.rules, *mv));
        }
        for mv in moves {
            if turns == 1 && !self.position.gives_check(proof.rules, mv) {
                continue;
            }
            if self.nodes >= proof.end || self.enter(proof.shared) {
                return None;
            }
            let us = self.position.turn();
            let undo = self.position.make(proof.rules, mv);
            let passed = self.position.turn() != us;
            let line = if passed { self.answers_all_mated(proof, turns) } else { None };
            self.position.unmake(proof.rules, undo);
            if let Some(mut line) = line {
                line.insert(0, mv);
                return Some(line);
            }
        }
        None
    }

    /// The longest line, if every reply is mated within the `turns` turns, of which the first has just been made.
    fn answers_all_mated(&mut self, proof: &mut Proof, turns: usize) -> Option<Vec<Move>> {
        if turns == 1 || !self.position.has_move(proof.rules) {
            return (self.position.is_check(proof.rules) && !self.position.has_move(proof.rules)).then(Vec::new);
        }
        let mut answers = Vec::new();
        self.position.legal_moves(proof.rules, &mut answers);
        // First what is known to avert it, then what did elsewhere, then captures.
        answers.sort_by_cached_key(|mv| {
            let undo = self.position.make(proof.rules, *mv);
            let known = proof.failed.get(&self.position.key(proof.rules)).is_some_and(|failed| *failed >= turns - 1);
            self.position.unmake(proof.rules, undo);
            let captures = self.position.captured(*mv).is_some();
            (!known, Some(*mv) != proof.averting[turns], !captures)
        });
        let mut longest = Vec::new();
        for answer in answers {
            let us = self.position.turn();
            let undo = self.position.make(proof.rules, answer);
            let passed = self.position.turn() != us;
            let line = if passed { self.mate_within(proof, turns - 1) } else { None };
            self.position.unmake(proof.rules, undo);
            let Some(mut line) = line else {
                proof.averting[turns] = Some(answer);
                return None;
            };
            if line.len() >= longest.len() {
                line.insert(0, answer);
                longest = line;
            }
        }
        Some(longest)
    }

    fn mate_within(&mut self, proof: &mut Proof, turns: usize) -> Option<Vec<Move>> {
        let key = self.position.key(proof.rules);
        if turns > 1 && proof.failed.get(&key).is_some_and(|failed| *failed >= turns) {
            return None;
        }
        let mut moves = Vec::new();
        self.position.legal_moves(proof.rules, &mut moves);
        let line = self.mate_by(proof, moves, turns);
        if line.is_none() && turns > 1 && self.nodes < proof.end && !self.stopped {
            proof.failed.insert(key, turns);
        }
        line
    }
}
