//! The search: alpha-beta, one move per node. Signs change when the turn passes, so turns of several moves need no
//! special case.
//!
//! Margins are in centipawns. Numbers in comments count the steps of a node.

use crate::exchange;
use crate::history;
use crate::picker::{Context, Picker};
use crate::score::{self, DECIDED, INFINITE, MATED, MAX_PLY, NONE, Score};
use crate::table::{Bound, Entry};
use crate::worker::{Shared, Worker};
use rules::definition::Verdict;
use rules::{Move, Piece, Set, earliest_draw};

/// Scores beyond this many centipawns: static evaluation prunes nothing.
const CLEAR: Score = 2_000;
/// Quiet moves remembered to be given a malus when another cuts off.
const TRIED: usize = 64;

// Depths up to which, or from which on, the steps below work, and their margins; `_PER_PLY` is multiplied by the depth.
const RAZORING_DEPTH: i32 = 4;
const RAZORING_MARGIN: Score = 220;
const RAZORING_PER_PLY: Score = 230;
const RFP_DEPTH: i32 = 9;
const RFP_PER_PLY: Score = 85;
const NMP_DEPTH: i32 = 3;
const NMP_MARGIN: Score = 130;
const NMP_PER_PLY: Score = 22;
const NMP_REDUCTION: i32 = 4;
/// Centipawns above beta for which a null move is reduced by another ply, up to three.
const NMP_PLY: Score = 180;
const IIR_DEPTH: i32 = 4;
const HISTORY_PRUNING_DEPTH: i32 = 4;
const HISTORY_PRUNING_PER_PLY: i32 = -2600;
const FUTILITY_DEPTH: i32 = 8;
const FUTILITY_MARGIN: Score = 110;
const FUTILITY_PER_PLY: Score = 95;
const SEE_DEPTH: i32 = 8;
/// For quiet moves, times the square of the depth.
const SEE_QUIET: Score = -28;
const SEE_CAPTURE_PER_PLY: Score = -90;
const SINGULAR_DEPTH: i32 = 6;
const SINGULAR_PER_PLY: Score = 2;
const DOUBLE_EXTENSION_MARGIN: Score = 24;

// What late moves are reduced by, more or less, in 1024ths of a ply.
const PLY: i32 = 1024;
const LMR_CUT: i32 = 1100;
const LMR_WAS_PV: i32 = -900;
const LMR_PV: i32 = -600;
const LMR_NOT_IMPROVING: i32 = 500;
const LMR_CHECK: i32 = -900;
const LMR_CUTOFFS: i32 = 700;
const LMR_BAD_CAPTURE: i32 = -300;
const LMR_CAPTURE: i32 = -1000;
const LMR_KILLER: i32 = -700;
const LMR_TABLE_CAPTURE: i32 = 300;
/// The history that is worth a ply.
const LMR_HISTORY: i32 = 11_000;

impl Worker {
    /// Searches the position to `depth`, for the side to move. Principal nodes (`PV`) have an open window.
    pub(crate) fn search<const PV: bool>(
        &mut self,
        shared: Shared,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // 1. Leaves.
        if depth <= 0 {
            return self.quiesce::<PV>(shared, alpha, beta, ply);
        }
        let rules = shared.rules;
        let root = ply == 0;
        self.lines[ply].clear();

        // 2. The end of the search's time.
        if self.enter(shared) {
            return 0;
        }
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        let (turns, in_check, key) = (self.frames[ply].turns, self.frames[ply].in_check, self.frames[ply].key);
        let excluded = self.frames[ply].excluded;
        let us = self.position.turn();

        // 3. Games that are over, and wins that come too late.
        if !root {
            if let Some(score) = self.adjudicate(rules, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return self.evaluate(ply);
            }
            alpha = alpha.max(score::lost_in(turns));
            beta = beta.min(-score::lost_in(turns + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. The transposition table (TT).
        let entry = if excluded.is_none() { shared.table.probe(key) } else { None };
        let tt_score = entry.map_or(NONE, |entry| score::from_table(entry.score, turns));
        if let Some(entry) = entry.filter(|entry| !PV && entry.depth >= depth) {
            let quiet = earliest_draw(rules.end.quiet);
            let near_draw = quiet > 0 && self.position.state().halfmove + 12 >= quiet;
            if entry.bound.causes_cutoff(tt_score, alpha, beta) && !near_draw && tt_score != NONE {
                return tt_score;
            }
        }
        let tt_pv = PV || entry.is_some_and(|entry| entry.pv);

        // 5. The static evaluation, corrected by what searches of similar positions found (correction history).
        let keys = self.frames[ply].sums.keys();
        let mut raw_eval = NONE;
        let mut static_eval = NONE;
        let mut eval = NONE;
        if !in_check {
            if excluded.is_some() {
                static_eval = self.frames[ply].static_eval;
            } else {
                raw_eval = entry.map_or(NONE, |entry| entry.eval);
                if raw_eval == NONE {
                    raw_eval = self.evaluate(ply);
                }
                static_eval = raw_eval + self.history.correction(us, keys);
            }
            eval = static_eval;
            if let Some(entry) = entry.filter(|_| tt_score != NONE) {
                let better = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => tt_score > static_eval,
                    Bound::Upper => tt_score < static_eval,
                    Bound::None => false,
                };
                eval = if better { tt_score } else { static_eval };
            }
        }
        self.frames[ply].static_eval = static_eval;
        // The side to move at its turn before, two nodes ago if every turn has one move.
        let turn_before = self.frames[ply].turns - 2;
        let frame_before = self.frames[..ply].iter().rfind(|frame| frame.turns == turn_before);
        let eval_before = frame_before.map_or(NONE, |frame| frame.static_eval);
        let improving = !in_check && (eval_before == NONE || static_eval > eval_before);

        // Far from equal a mate may be near, which no evaluation shows.
        let may_prune = !PV && !in_check && excluded.is_none() && eval != NONE && beta.abs() < CLEAR;
        if may_prune {
            // 6. Razoring: far below alpha only captures can help.
            if depth <= RAZORING_DEPTH && eval + RAZORING_MARGIN + RAZORING_PER_PLY * depth <= alpha {
                let score = self.quiesce::<false>(shared, alpha, alpha + 1, ply);
                if score <= alpha {
                    return score;
                }
            }
            // 7. Reverse futility pruning (RFP): so far above beta that nothing will be lost.
            if depth <= RFP_DEPTH && eval < DECIDED && eval - RFP_PER_PLY * (depth - i32::from(improving)) >= beta {
                return (eval + beta) / 2;
            }
            // 8. Null-move pruning (NMP): even a pass is good enough.
            if depth >= NMP_DEPTH
                && !self.frames[ply].null
                && !rules.multi
                && !rules.restricts_moves()
                && rules.end.stalemate != Verdict::Win
                && eval >= beta
                && static_eval + NMP_PER_PLY * depth >= beta + NMP_MARGIN
                && self.has_pieces(rules, us)
            {
                let reduction = NMP_REDUCTION + depth / 4 + ((eval - beta) / NMP_PLY).min(3);
                let (undo, passed) = self.make(shared, Move::END, ply);
                self.frames[ply + 1].null = true;
                let score = -self.search::<false>(shared, -beta, 1 - beta, depth - reduction, ply + 1, !cut_node);
                self.unmake(rules, undo, passed);
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    return if score >= DECIDED { beta } else { score };
                }
            }
        }

        // 9. The table's move, if it is legal here; without one the depth is reduced (internal iterative reduction).
        let tt_move = match root {
            true => Some(self.root[self.rank].mv),
            false => entry.and_then(|entry| entry.mv).filter(|mv| self.is_legal(rules, *mv)),
        };
        if depth >= IIR_DEPTH && tt_move.is_none() && (PV || cut_node) && excluded.is_none() {
            depth -= 1;
        }
        self.frames[ply + 2].killers = [None; 2];
        self.frames[ply + 1].cutoffs = 0;

        // 10. The moves, one by one.
        let before = self.before(ply);
        let killers = self.frames[ply].killers;
        let mut picker = self.pickers.pop().unwrap_or_else(Picker::new);
        picker.begin(tt_move, false, 0);
        let (mut best, mut best_move) = (-INFINITE, None);
        let (mut count, mut quiets): (i32, Vec<Move>) = (0, Vec::new());
        let mut captures: Vec<Move> = Vec::new();
        let old_alpha = alpha;
        let mut skips_quiet = false;
        // Asked before a move is made: after it, a piece may stand where the table's move leads.
        let tt_capture = tt_move.is_some_and(|mv| self.position.captured(mv).is_some());
        loop {
            let next = picker.next(&Context {
                rules,
                evaluator: &self.evaluator,
                history: &self.history,
                position: &self.position,
                before,
                killers,
            });
            let Some(mv) = next else { break };
            if Some(mv) == excluded || (root && !self.root[self.rank..].iter().any(|root| root.mv == mv)) {
                continue;
            }
            count += 1;
            let victim = self.position.captured(mv);
            let tactical = victim.is_some() || mv.promotion().is_some();
            let piece = self.position.piece(mv.from()).filter(|_| mv.moves_piece());
            let history_score = match (piece, tactical) {
                // The first move is neither pruned nor reduced.
                (Some(piece), false) if count > 1 => {
                    let threats = picker.threats(&self.evaluator, &self.position);
                    self.history.quiet(piece, mv, before, threats.danger(&self.evaluator, piece, mv))
                }
                _ => 0,
            };
            let base_reduction = self.reductions[depth.min(63) as usize][count.min(63) as usize];

            // 11. Moves not worth a search, once one is known that does not lose.
            if !root && best > -MATED && mv.moves_piece() {
                let lmr_depth = (depth - base_reduction / PLY).max(0);
                if !tactical {
                    // Late-move pruning (LMP).
                    if alpha < CLEAR && count >= (5 + 3 * depth * depth / 2) / (2 - i32::from(improving)) {
                        skips_quiet = true;
                    }
                    // Moves that have done badly (history pruning).
                    if lmr_depth <= HISTORY_PRUNING_DEPTH && history_score < HISTORY_PRUNING_PER_PLY * depth {
                        continue;
                    }
                    // Futility pruning: nothing they could gain would reach alpha.
                    if !in_check
                        && lmr_depth <= FUTILITY_DEPTH
                        && static_eval != NONE
                        && alpha < CLEAR
                        && static_eval + FUTILITY_MARGIN + FUTILITY_PER_PLY * lmr_depth <= alpha
                    {
                        skips_quiet = true;
                    }
                    if skips_quiet {
                        picker.skip_quiet();
                        if !self.position.gives_check(rules, mv) {
                            continue;
                        }
                    }
                    // Pieces put where they can be captured (SEE pruning).
                    let loss = SEE_QUIET * lmr_depth * lmr_depth;
                    if lmr_depth <= SEE_DEPTH
                        && !exchange::wins_at_least(rules, &self.evaluator, &self.position, mv, loss)
                    {
                        continue;
                    }
                } else if picker.is_bad() && depth <= SEE_DEPTH {
                    // Captures that lose too much (SEE pruning).
                    if !exchange::wins_at_least(rules, &self.evaluator, &self.position, mv, SEE_CAPTURE_PER_PLY * depth)
                    {
                        continue;
                    }
                }
            }

            // 12. Singular extension: of the table's move if all others are worse.
            let mut extension = 0;
            if !root
                && Some(mv) == tt_move
                && excluded.is_none()
                && depth >= SINGULAR_DEPTH
                && tt_score.abs() < DECIDED
                && ply < 2 * self.root_depth as usize
                && entry
                    .is_some_and(|entry| entry.depth >= depth - 3 && matches!(entry.bound, Bound::Lower | Bound::Exact))
            {
                let target = tt_score - SINGULAR_PER_PLY * depth;
                self.frames[ply].excluded = Some(mv);
                let score = self.search::<false>(shared, target - 1, target, (depth - 1) / 2, ply, cut_node);
                self.frames[ply].excluded = None;
                // The search above reused this node's children.
                self.frames[ply].killers = killers;
                if self.stopped {
                    break;
                }
                if score < target {
                    extension = if !PV && score < target - DOUBLE_EXTENSION_MARGIN { 2 } else { 1 };
                } else if target >= beta {
                    // Multi-cut: several moves reach beta, so the node does too.
                    self.pickers.push(picker);
                    return target;
                } else if tt_score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            let nodes_before = self.nodes;
            let (undo, passed) = self.make(shared, mv, ply);
            let gives_check = self.frames[ply + 1].in_check;
            // Checks that do not lose the piece may lead to mate.
            if gives_check && extension == 0 && !picker.is_bad() && ply < 2 * self.root_depth as usize {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;
            let mut score = -INFINITE;

            // 13. Late move reductions (LMR): late moves are searched to a lower depth first, and again if they turn
            // out well.
            if depth >= 2 && count > 1 + i32::from(root) {
                let mut reduction = base_reduction;
                reduction += if cut_node { LMR_CUT } else { 0 };
                reduction += if tt_pv { LMR_WAS_PV } else { 0 };
                reduction += if PV { LMR_PV } else { 0 };
                reduction += if improving { 0 } else { LMR_NOT_IMPROVING };
                reduction += if gives_check { LMR_CHECK } else { 0 };
                reduction += if self.frames[ply + 1].cutoffs > 3 { LMR_CUTOFFS } else { 0 };
                if tactical {
                    reduction += if picker.is_bad() { LMR_BAD_CAPTURE } else { LMR_CAPTURE };
                } else {
                    reduction -= history_score * PLY / LMR_HISTORY;
                    reduction += if killers.contains(&Some(mv)) { LMR_KILLER } else { 0 };
                    reduction += if tt_capture { LMR_TABLE_CAPTURE } else { 0 };
                }
                let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                score = self.descend::<false>(shared, passed, alpha, alpha + 1, reduced, ply + 1, true);
                if score > alpha && reduced < new_depth {
                    score = self.descend::<false>(shared, passed, alpha, alpha + 1, new_depth, ply + 1, !cut_node);
                }
            } else if !PV || count > 1 {
                score = self.descend::<false>(shared, passed, alpha, alpha + 1, new_depth, ply + 1, !cut_node);
            }
            // 14. The principal variation (PV) in full.
            if PV && (count == 1 || (score > alpha && (root || score < beta))) {
                score = self.descend::<true>(shared, passed, alpha, beta, new_depth, ply + 1, false);
            }
            self.unmake(rules, undo, passed);
            if self.stopped {
                break;
            }

            if root {
                let (nodes, seldepth) = (self.nodes - nodes_before, self.seldepth);
                let line = self.lines[1].clone();
                let entry = self.root.iter_mut().find(|root| root.mv == mv).expect("only these are tried");
                entry.nodes += nodes;
                if count == 1 || score > alpha {
                    entry.score = score;
                    entry.bound = if score >= beta {
                        Some(true)
                    } else if score <= alpha {
                        Some(false)
                    } else {
                        None
                    };
                    entry.seldepth = seldepth;
                    entry.line.truncate(1);
                    entry.line.extend(line);
                } else {
                    entry.score = -INFINITE;
                }
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV && !root {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.frames[ply].cutoffs += 1;
                        self.learn(ply, mv, &quiets, &captures, depth + i32::from(best > beta + 80), &mut picker);
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                let tried = if tactical { &mut captures } else { &mut quiets };
                if tried.len() < TRIED && mv.moves_piece() {
                    tried.push(mv);
                }
            }
        }
        self.pickers.push(picker);
        if self.stopped {
            return 0;
        }

        // 15. No legal move: mate, or what the game makes of stalemate.
        if count == 0 {
            return if excluded.is_some() { alpha } else { self.without_moves(rules, ply) };
        }

        // 16. What was found is stored.
        if excluded.is_none() && !(root && self.rank > 0) {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if PV && best_move.is_some() => Bound::Exact,
                _ => Bound::Upper,
            };
            let quiet = best_move.is_none_or(|mv| mv.promotion().is_none() && self.position.captured(mv).is_none());
            if !in_check
                && quiet
                && best.abs() < DECIDED
                && !(bound == Bound::Lower && best <= static_eval)
                && !(bound == Bound::Upper && best >= static_eval)
            {
                self.history.learn_correction(us, keys, (best - raw_eval).clamp(-300, 300), depth);
            }
            let score = score::to_table(best, turns);
            let entry = Entry { mv: best_move, score, eval: raw_eval, depth, bound, pv: tt_pv };
            shared.table.store(key, entry);
        }
        debug_assert!(best > -INFINITE && best < INFINITE && alpha >= old_alpha);
        best
    }

    /// Searches a child, whose score is the opponent's if the turn has passed.
    #[allow(clippy::too_many_arguments)]
    fn descend<const PV: bool>(
        &mut self,
        shared: Shared,
        passed: bool,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if passed {
            -self.search::<PV>(shared, -beta, -alpha, depth, ply, cut_node)
        } else {
            self.search::<PV>(shared, alpha, beta, depth, ply, cut_node)
        }
    }

    /// Whether a hash move is legal here: another position may have its key.
    pub(crate) fn is_legal(&mut self, rules: &rules::Rules, mv: Move) -> bool {
        let mut moves = std::mem::take(&mut self.scratch);
        let from = if mv.moves_piece() { Set::of(mv.from()) } else { Set::EMPTY };
        self.position.legal_moves_of(rules, from, &mut moves);
        let found = moves.contains(&mv);
        self.scratch = moves;
        found
    }

    /// Updates history and killers after a cut-off: a bonus for the move, a malus for those tried before it.
    fn learn(&mut self, ply: usize, mv: Move, quiets: &[Move], captures: &[Move], depth: i32, picker: &mut Picker) {
        let bonus = (14 * depth * depth + 120 * depth - 60).clamp(30, 1700);
        let before = self.before(ply);
        let value = |worker: &Worker, mv: Move| {
            history::class(
                worker.position.captured(mv).map_or(0, |(_, piece)| worker.evaluator.value(piece.piece_type())),
            )
        };
        let Some(piece) = self.position.piece(mv.from()).filter(|_| mv.moves_piece()) else { return };
        let tactical = mv.promotion().is_some() || self.position.captured(mv).is_some();
        if tactical {
            let class = value(self, mv);
            self.history.learn_capture(piece, mv.to(), class, bonus);
        } else {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            // An immediate cut-off at low depth says little.
            if depth > 2 || !quiets.is_empty() {
                let threats = picker.threats(&self.evaluator, &self.position);
                let mut learn = |piece: Piece, mv: Move, bonus: i32| {
                    let danger = threats.danger(&self.evaluator, piece, mv);
                    self.history.learn_quiet(piece, mv, before, danger, bonus);
                };
                learn(piece, mv, bonus);
                for other in quiets {
                    learn(self.position.piece(other.from()).expect("tried"), *other, -bonus);
                }
            }
        }
        for other in captures {
            let (piece, class) = (self.position.piece(other.from()).expect("tried"), value(self, *other));
            self.history.learn_capture(piece, other.to(), class, -bonus);
        }
    }
}
