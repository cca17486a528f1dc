//! Mates looked for at the root without any pruning: quiet keys to them are what a pruned search sees last.

use crate::score::{self, Score};
use crate::worker::{Shared, Worker};
use rules::{Ply, Rules, earliest_draw};
use std::collections::HashMap;

/// When a mate in so many turns is looked for, and how hard.
pub(crate) struct Quest {
    turns: usize,
    /// Positions after which a search can spare some for this.
    after: u64,
    /// Positions that this may visit: mostly far fewer, since nearly every first ply has an answer at once.
    most: u64,
    /// Pieces on the board, at most.
    pieces: u32,
}

/// Longer mates are only looked for among few pieces: there a pruned search is least able to see them, and this one most.
pub(crate) const QUESTS: [Quest; 3] = [
    Quest { turns: 2, after: 4_000, most: 20_000, pieces: u32::MAX },
    Quest { turns: 3, after: 30_000, most: 100_000, pieces: 10 },
    Quest { turns: 4, after: 60_000, most: 600_000, pieces: 8 },
];

/// One quest under way.
struct Hunt<'a> {
    shared: Shared<'a>,
    rules: &'a Rules,
    /// Nodes of the worker at which it is given up.
    end: u64,
    /// Positions in which the side to move does not mate within so many turns.
    failed: HashMap<u64, usize>,
    /// By turns left, the answer that last averted a mate.
    averting: [Option<Ply>; 5],
}

impl Worker {
    /// Whether it is time for a quest.
    pub(crate) fn is_due(&self, quest: &Quest) -> bool {
        self.nodes >= quest.after && self.position.occupied().count() <= quest.pieces
    }

    /// Whether a draw for want of captures might come before the mate.
    fn is_too_late(&self, rules: &Rules, quest: &Quest) -> bool {
        let quiet = earliest_draw(rules.end.quiet);
        quiet > 0 && self.position.state().halfmove + 2 * quest.turns as u32 > quiet + 1
    }

    /// Whether a search has not yet seen a mate at least as quick, of either side.
    fn is_news(&self, quest: &Quest) -> bool {
        score::turns_to_mate(self.root[0].score).is_none_or(|turns| turns >= 2 * quest.turns as i32)
    }

    /// Puts a first ply that mates in so many turns, whatever the answers, in front; tells whether there is one.
    pub(crate) fn find_mate(&mut self, shared: Shared, quest: &Quest) -> bool {
        let rules = shared.rules;
        if !self.is_news(quest) || self.is_too_late(rules, quest) {
            return false;
        }
        let (end, failed) = (self.nodes + quest.most, HashMap::new());
        let mut hunt = Hunt { shared, rules, end, failed, averting: [None; 5] };
        let firsts = self.root.iter().map(|root| root.ply).collect();
        let Some(line) = self.mate_by(&mut hunt, firsts, quest.turns) else { return false };
        let at = self.root.iter().position(|root| root.ply == line[0]).expect("a first ply");
        let mut root = self.root.remove(at);
        root.score = score::MATE - line.len() as Score;
        root.bound = None;
        root.line = line;
        self.root.insert(0, root);
        true
    }

    /// The longest line after the first of these plies that mates within so many turns.
    fn mate_by(&mut self, hunt: &mut Hunt, mut plies: Vec<Ply>, turns: usize) -> Option<Vec<Ply>> {
        if turns > 1 {
            plies.sort_by_cached_key(|ply| !self.position.gives_check(hunt.rules, *ply));
        }
        for ply in plies {
            if turns == 1 && !self.position.gives_check(hunt.rules, ply) {
                continue;
            }
            if self.nodes >= hunt.end || self.enter(hunt.shared) {
                return None;
            }
            let us = self.position.turn();
            let undo = self.position.make(hunt.rules, ply);
            let passed = self.position.turn() != us;
            let line = if passed { self.answers_all_mated(hunt, turns) } else { None };
            self.position.unmake(hunt.rules, undo);
            if let Some(mut line) = line {
                line.insert(0, ply);
                return Some(line);
            }
        }
        None
    }

    /// The longest line, if whatever is answered is mated and the last of so many turns has been made.
    fn answers_all_mated(&mut self, hunt: &mut Hunt, turns: usize) -> Option<Vec<Ply>> {
        if turns == 1 || !self.position.has_ply(hunt.rules) {
            return (self.position.is_check(hunt.rules) && !self.position.has_ply(hunt.rules)).then(Vec::new);
        }
        let mut answers = Vec::new();
        self.position.legal_plies(hunt.rules, &mut answers);
        // First what is known to avert it, then what did elsewhere, then captures.
        answers.sort_by_cached_key(|ply| {
            let undo = self.position.make(hunt.rules, *ply);
            let known = hunt.failed.get(&self.position.key(hunt.rules)).is_some_and(|failed| *failed >= turns - 1);
            self.position.unmake(hunt.rules, undo);
            let captures = self.position.captured(*ply).is_some();
            (!known, Some(*ply) != hunt.averting[turns], !captures)
        });
        let mut longest = Vec::new();
        for answer in answers {
            let us = self.position.turn();
            let undo = self.position.make(hunt.rules, answer);
            let passed = self.position.turn() != us;
            let line = if passed { self.mate_within(hunt, turns - 1) } else { None };
            self.position.unmake(hunt.rules, undo);
            let Some(mut line) = line else {
                hunt.averting[turns] = Some(answer);
                return None;
            };
            if line.len() >= longest.len() {
                line.insert(0, answer);
                longest = line;
            }
        }
        Some(longest)
    }

    fn mate_within(&mut self, hunt: &mut Hunt, turns: usize) -> Option<Vec<Ply>> {
        let key = self.position.key(hunt.rules);
        if turns > 1 && hunt.failed.get(&key).is_some_and(|failed| *failed >= turns) {
            return None;
        }
        let mut plies = Vec::new();
        self.position.legal_plies(hunt.rules, &mut plies);
        let line = self.mate_by(hunt, plies, turns);
        if line.is_none() && turns > 1 && self.nodes < hunt.end && !self.stopped {
            hunt.failed.insert(key, turns);
        }
        line
    }
}
