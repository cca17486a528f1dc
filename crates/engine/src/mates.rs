//! A mate in two, looked for at the root without any pruning: quiet keys to it are what a pruned search sees last.

use crate::score;
use crate::worker::{Shared, Worker};
use rules::{Ply, Rules};

/// Positions after which a search can spare some for this: mostly a few hundred, since nearly every first ply has an answer at once.
pub(crate) const WORTH_WHILE: u64 = 4_000;
/// Positions that this may visit.
const MOST: u64 = 20_000;

impl Worker {
    /// Puts a first ply that mates in two turns, whatever the answer, in front; tells whether there is one.
    pub(crate) fn find_mate_in_two(&mut self, shared: Shared, rules: &Rules) -> bool {
        let end = self.nodes + MOST;
        let mut firsts: Vec<(bool, Ply)> = self.root.iter().map(|root| (false, root.ply)).collect();
        for (quiet, ply) in &mut firsts {
            *quiet = !self.position.gives_check(rules, *ply);
        }
        firsts.sort_by_key(|(quiet, _)| *quiet);
        for (_, first) in firsts {
            let (undo, passed) = self.make(shared, rules, first, 0);
            let line = if passed { self.answers_all_mated(shared, rules, end) } else { None };
            self.unmake(rules, first, undo, passed);
            if self.stopped || self.nodes >= end {
                return false;
            }
            if let Some(line) = line {
                let at = self.root.iter().position(|root| root.ply == first).expect("a first ply");
                let mut root = self.root.remove(at);
                root.score = score::MATE - 3;
                root.bound = None;
                root.line.truncate(1);
                root.line.extend(line);
                self.root.insert(0, root);
                return true;
            }
        }
        false
    }

    /// The last answer and the mate to it, if every answer is mated; nothing if there is none.
    fn answers_all_mated(&mut self, shared: Shared, rules: &Rules, end: u64) -> Option<[Ply; 2]> {
        let mut answers = Vec::new();
        self.position.legal_plies(rules, &mut answers);
        let mut line = None;
        for answer in answers {
            let (undo, passed) = self.make(shared, rules, answer, 1);
            let mate = if passed && self.nodes < end { self.mate_in_one(shared, rules) } else { None };
            self.unmake(rules, answer, undo, passed);
            line = Some([answer, mate?]);
        }
        line
    }

    fn mate_in_one(&mut self, shared: Shared, rules: &Rules) -> Option<Ply> {
        let mut plies = Vec::new();
        self.position.legal_plies(rules, &mut plies);
        plies.into_iter().find(|ply| {
            if !self.position.gives_check(rules, *ply) || self.enter(shared) {
                return false;
            }
            let (undo, passed) = self.make(shared, rules, *ply, 2);
            let mate = passed && !self.position.has_ply(rules);
            self.unmake(rules, *ply, undo, passed);
            mate
        })
    }
}
