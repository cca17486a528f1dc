//! Iterative deepening of one thread at the root, with aspiration windows.

use crate::exchange;
use crate::limits::Limits;
use crate::mates::MATE_PROBES;
use crate::score::{self, DECIDED, INFINITE, MAX_PLY, Score};
use crate::turns::searches_turns;
use crate::worker::{Report, Shared, Worker};
use rules::Move;
use std::cmp::Reverse;
use std::time::Duration;

impl Worker {
    /// Deepens until a limit is reached. Calls `report` after every finished iteration.
    pub fn deepen(&mut self, shared: Shared, limits: &Limits, helper: usize, report: &mut dyn FnMut(Report)) {
        let rules = shared.rules;
        if searches_turns(rules) {
            return self.deepen_turns(shared, limits, helper, report);
        }
        let deepest = limits.depth.unwrap_or(MAX_PLY as i32 - 8).clamp(1, MAX_PLY as i32 - 8);
        self.node_limit = limits.nodes.unwrap_or(u64::MAX);
        let wanted = limits.lines.clamp(1, self.root.len().max(1));
        // A search of a few nodes plays the first root move.
        let mut root = std::mem::take(&mut self.root);
        root.sort_by_cached_key(|root| Reverse(self.static_score(shared, root.mv)));
        self.root = root;
        let (mut best, mut steady, mut probes) = (None, 0, MATE_PROBES.iter().peekable());
        for depth in 1..=deepest {
            // Helper threads skip some depths, so that the threads search different ones.
            if helper > 0 && depth > 1 && (depth as usize + helper).is_multiple_of(3) && depth < deepest {
                continue;
            }
            self.root_depth = depth;
            for root in &mut self.root {
                root.previous = root.score;
                root.nodes = 0;
            }
            for rank in 0..wanted {
                self.rank = rank;
                self.seldepth = 0;
                self.aspire(shared, depth, &mut |worker| report(worker.report(shared, depth, wanted)));
                self.root[rank..].sort_by_key(|root| std::cmp::Reverse(root.score));
                self.root[..=rank].sort_by_key(|root| std::cmp::Reverse(root.score));
                if self.stopped {
                    break;
                }
            }
            report(self.report(shared, depth, wanted));
            if self.stopped || shared.watch.is_stopped() {
                break;
            }
            if rules.has_check() && wanted == 1 && !shared.watch.is_soft_over(1.0) {
                let mut due = std::iter::from_fn(|| {
                    probes.next_if(|probe| self.is_due(probe)).map(|probe| self.find_mate(shared, probe))
                });
                if due.any(|found| found) {
                    report(self.report(shared, depth, wanted));
                    if limits.mate.is_none_or(|mate| score::turns_to_mate(self.root[0].score) < Some(2 * mate)) {
                        break;
                    }
                }
            }
            let top = &self.root[0];
            steady = if best == Some(top.mv) { steady + 1 } else { 0 };
            best = Some(top.mv);
            if limits.mate.is_some_and(|mate| score::turns_to_mate(top.score).is_some_and(|t| t > 0 && t < 2 * mate)) {
                break;
            }
            // A forced move, or a proven result, needs no more time.
            let all: u64 = self.root.iter().map(|root| root.nodes).sum();
            let share = top.nodes as f64 / all.max(1) as f64;
            let falling = f64::from((top.previous - top.score).clamp(-20, 80)) / 100.0;
            let stretch = (1.6 - share * 1.1) * (1.25 - 0.07 * f64::from(steady.min(8))) * (1.0 + falling.max(-0.2));
            let forced = self.root.len() == 1 || (score::turns_to_mate(top.score).is_some() && depth > 12);
            if shared.watch.is_soft_over(if forced { stretch / 10.0 } else { stretch }) {
                break;
            }
        }
    }

    /// The static evaluation after a root move, for the side that makes it, less the moved piece if it hangs.
    fn static_score(&mut self, shared: Shared, mv: Move) -> Score {
        let rules = shared.rules;
        let hangs = mv.moves_piece() && !exchange::wins_at_least(rules, &self.evaluator, &self.position, mv, 0);
        let (undo, passed) = self.make(shared, mv, 0);
        let score = match self.adjudicate(rules, 1) {
            Some(score) => score,
            None if self.frames[1].in_check && !self.position.has_move(rules) => self.without_moves(rules, 1),
            None => self.evaluate(1),
        };
        let hanging =
            undo.effect().filter(|_| hangs).map_or(0, |effect| self.evaluator.value(effect.becomes.piece_type()));
        self.unmake(rules, undo, passed);
        if passed { -score - hanging } else { score - hanging }
    }

    /// Searches the root with an aspiration window, widened when the score falls outside it.
    fn aspire(&mut self, shared: Shared, depth: i32, failed: &mut dyn FnMut(&mut Worker)) {
        let previous = self.root[self.rank].previous;
        let mut delta = 16;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && previous.abs() < DECIDED {
            (alpha, beta) = (previous - delta, previous + delta);
        }
        let mut reduced = 0;
        loop {
            let score = self.search::<true>(shared, alpha, beta, (depth - reduced).max(1), 0, false);
            let rank = self.rank;
            self.root[rank..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduced = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                reduced = (reduced + 1).min(3);
            } else {
                return;
            }
            if shared.watch.elapsed() > Duration::from_secs(3) {
                failed(self);
            }
            delta += delta / 2;
            if delta > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}
