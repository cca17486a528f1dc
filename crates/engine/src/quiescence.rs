//! Quiescence search at the leaves: captures and promotions until the position is quiet.

use crate::picker::{Context, Picker};
use crate::score::{self, DECIDED, INFINITE, MATED, MAX_PLY, NONE, Score};
use crate::table::{Bound, Entry};
use crate::worker::{Shared, Worker};
use rules::Rules;

impl Worker {
    /// Searches captures and promotions until the position is quiet; in check, all moves.
    pub(crate) fn quiesce<const PV: bool>(
        &mut self,
        shared: Shared,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let rules = shared.rules;
        self.lines[ply].clear();
        if self.enter(shared) {
            return 0;
        }
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        let (turns, in_check, key) = (self.frames[ply].turns, self.frames[ply].in_check, self.frames[ply].key);
        if let Some(score) = self.adjudicate(rules, ply) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluate(ply);
        }
        let entry = shared.table.probe(key);
        let tt_score = entry.map_or(NONE, |entry| score::from_table(entry.score, turns));
        if !PV && tt_score != NONE && entry.is_some_and(|entry| entry.bound.causes_cutoff(tt_score, alpha, beta)) {
            return tt_score;
        }
        let must_decide = self.position.must_decide(rules);
        let must_capture = rules.turn.must_capture && self.can_capture(rules);
        let (mut raw_eval, mut best) = (NONE, -INFINITE);
        let mut futile = -INFINITE;
        if !in_check && !must_decide && !must_capture {
            (raw_eval, best) = self.stand_pat(entry, tt_score, ply, alpha, beta);
            if best >= beta {
                if entry.is_none() {
                    let score = score::to_table(best, turns);
                    let entry = Entry { mv: None, score, eval: raw_eval, depth: 0, bound: Bound::Lower, pv: false };
                    shared.table.store(key, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futile = best + 130;
        }
        let tt_move = entry.and_then(|entry| entry.mv).filter(|mv| {
            let wanted = in_check || must_decide || mv.promotion().is_some() || self.position.captured(*mv).is_some();
            wanted && self.is_legal(rules, *mv)
        });
        let before = self.before(ply);
        let mut picker = self.pickers.pop().unwrap_or_else(Picker::new);
        picker.begin(tt_move, !in_check && !must_decide, 0);
        let (mut count, mut best_move) = (0, None);
        loop {
            let next = picker.next(&Context {
                rules,
                evaluator: &self.evaluator,
                history: &self.history,
                position: &self.position,
                before,
                killers: [None; 2],
            });
            let Some(mv) = next else { break };
            count += 1;
            if best > -MATED && mv.moves_piece() && !must_capture {
                if in_check {
                    // In check, quiet evasions are skipped once a move is known that does not lose.
                    if count > 2 && self.position.captured(mv).is_none() {
                        picker.skip_quiet();
                        continue;
                    }
                } else if mv.promotion().is_none() {
                    let gained =
                        self.position.captured(mv).map_or(0, |(_, piece)| self.evaluator.value(piece.piece_type()));
                    let royal =
                        self.position.captured(mv).is_some_and(|(_, piece)| rules.royal[piece.piece_type().index()]);
                    // Where two large armies face each other, captures answer captures for forty plies: after the
                    // first two, only those that recapture are searched.
                    let recaptures = before[0].is_some_and(|(_, to)| to == mv.to());
                    if !royal && count > 2 && !recaptures {
                        continue;
                    }
                    if !royal && futile + gained <= alpha {
                        best = best.max(futile + gained);
                        continue;
                    }
                }
            }
            let (undo, passed) = self.make(shared, mv, ply);
            let score = if passed {
                -self.quiesce::<PV>(shared, -beta, -alpha, ply + 1)
            } else {
                self.quiesce::<PV>(shared, alpha, beta, ply + 1)
            };
            self.unmake(rules, undo, passed);
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.pickers.push(picker);
        if self.stopped {
            return 0;
        }
        if best == -INFINITE {
            return self.without_moves(rules, ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let score = score::to_table(best, turns);
        shared.table.store(key, Entry { mv: best_move, score, eval: raw_eval, depth: 0, bound, pv: PV });
        best
    }

    /// Whether there is a legal capture.
    fn can_capture(&mut self, rules: &Rules) -> bool {
        let mut moves = std::mem::take(&mut self.scratch);
        self.position.tactical_moves(rules, &mut moves);
        let captures = moves.iter().any(|mv| self.position.captured(*mv).is_some());
        self.scratch = moves;
        captures
    }

    /// Returns the static evaluation as the table keeps it (`NONE` if it is only a bound), and the score of making no
    /// move: that evaluation corrected, or the table's score where that says more.
    #[inline]
    fn stand_pat(
        &mut self,
        entry: Option<Entry>,
        tt_score: Score,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> (Score, Score) {
        let mut raw_eval = entry.map_or(NONE, |entry| entry.eval);
        let mut now = raw_eval;
        if raw_eval == NONE {
            let (evaluation, exact) = self.evaluate_within(ply, alpha, beta);
            now = evaluation;
            raw_eval = if exact { evaluation } else { NONE };
        }
        let score = now + self.history.correction(self.position.turn(), self.frames[ply].sums.keys());
        let better =
            entry.filter(|_| tt_score != NONE && tt_score.abs() < DECIDED).is_some_and(|entry| match entry.bound {
                Bound::Lower => tt_score > score,
                Bound::Upper => tt_score < score,
                _ => false,
            });
        (raw_eval, if better { tt_score } else { score })
    }
}
