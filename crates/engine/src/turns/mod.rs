//! The search for games in which a turn has several moves and no King is in check.
//!
//! A turn has millions of forms, so the search does not branch move by move: a beam search generates promising turns
//! ([`beam`]), alpha-beta searches the best of them, and a quiescence search looks three more turns deep at captures
//! alone ([`capture`]). At every node the search looks for captures of royal pieces that quiet moves of the same turn
//! prepare ([`royals`]), and at the root for turns that prevent them ([`rescue`]). There a turn by which all pieces of
//! a side ahead return to where they stood before counts as a draw ([`crate::formations`]).

mod beam;
mod capture;
mod rescue;
mod royals;

use self::capture::ROYAL_CAPTURE_NODES;
use crate::evaluation::Sums;
use crate::formations;
use crate::limits::Limits;
use crate::recall::{Moves, TURN};
use crate::score::{self, DECIDED, DRAW, INFINITE, MAX_PLY, NONE, Score};
use crate::table::{Bound, Entry};
use crate::worker::{Report, RootMove, Shared, Worker};
use rules::{Color, Move, Position, Rules, Undo};

/// The most turns that a node searches.
const MAX_TURNS: usize = 2_000;

/// Whether a game is searched turn by turn instead of move by move.
pub(crate) fn searches_turns(rules: &Rules) -> bool {
    rules.multi && !rules.has_check() && rules.turn.may_end
}

/// A whole turn.
#[derive(Clone)]
pub(crate) struct Turn {
    /// Its moves, `end` included.
    pub moves: Moves,
    /// The evaluation after it, for the side that makes it; `-INFINITE` if it was not evaluated.
    pub score: Score,
}

/// A turn that is not yet over.
#[derive(Clone)]
struct Part {
    position: Position,
    sums: Sums,
    moves: Moves,
    score: Score,
}

impl Part {
    /// Its moves and one more.
    fn moves_with(&self, mv: Move) -> Moves {
        let mut moves = self.moves.clone();
        moves.push(mv);
        moves
    }
}

/// The width of a search: candidate turns at the root and at each later turn, and the width of the beams that find
/// them.
struct Shape {
    turns: usize,
    root: usize,
    widths: [usize; 3],
    beams: [usize; 3],
}

/// Turns and width of the first iterations. Width comes before depth: replies that are not looked at flatter a turn, and
/// deeper searches find ever more turns that live on that. An even number of turns ends with the other side's.
const FIRST: [(usize, usize); 7] = [(1, 2), (2, 1), (2, 2), (2, 3), (2, 4), (2, 6), (2, 8)];

/// The shape of an iteration: later ones add two turns, or width, in alternation.
fn shape(iteration: i32) -> Shape {
    let number = iteration.max(1) as usize - 1;
    let (turns, wide) = FIRST.get(number).copied().unwrap_or_else(|| {
        let later = number - FIRST.len();
        let pair = later / 2;
        (4 + 2 * pair, (2 + pair) * (1 + later % 2))
    });
    Shape {
        turns,
        root: if turns == 1 { 400 } else { 40 * wide },
        widths: [16 * wide, 8 * wide, 5 * wide],
        beams: [12 * wide, 8 * wide, 5 * wide],
    }
}

/// The width of the root's beam, and the node budget per place in it that a search needs: the beam's turns have to be
/// searched as well.
const ROOT_BEAM: u64 = 64;
const NODES_PER_PLACE: u64 = 30;
/// A turn that captures no royal piece and leaves one to be captured must be better by this margin: the search sees too
/// little of the consequences.
const RISK_MARGIN: Score = 1_500;
/// Capturing turns searched after the last full turn.
const CAPTURE_TURNS: u32 = 3;
/// Node budget of the search for turns that save royal pieces at the root.
const RESCUE_NODES: u64 = 4_000;

impl Worker {
    /// Deepens iteratively until a limit is reached. Calls `report` after every finished iteration.
    pub(crate) fn deepen_turns(
        &mut self,
        shared: Shared,
        limits: &Limits,
        helper: usize,
        report: &mut dyn FnMut(Report),
    ) {
        let rules = shared.rules;
        self.node_limit = limits.nodes.unwrap_or(u64::MAX);
        let allowed: Vec<Move> = self.root.iter().map(|root| root.mv).collect();
        let first = |turn: Turn| RootMove {
            mv: turn.moves[0],
            score: -INFINITE,
            risk: 0,
            previous: turn.score,
            bound: None,
            seldepth: 0,
            nodes: 0,
            line: turn.moves.to_vec(),
        };
        let beam = (self.node_limit / NODES_PER_PLACE).clamp(4, ROOT_BEAM) as usize;
        let mut turns = self.turns(shared, 0, beam, MAX_TURNS, Some(&allowed));
        let rescues = self.rescues(shared, RESCUE_NODES.min(self.node_limit / 4)).into_iter();
        for turn in rescues.rev().chain(self.royal_turn(rules)).filter(|turn| allowed.contains(&turn.moves[0])) {
            turns.retain(|other| other.moves != turn.moves);
            turns.insert(0, turn);
        }
        if turns.is_empty() {
            turns.push(Turn { moves: [allowed[0]].into_iter().collect(), score: 0 });
        }
        self.root = turns.into_iter().map(first).collect();
        let wanted = limits.lines.clamp(1, self.root.len());
        let deepest = limits.depth.unwrap_or(MAX_PLY as i32 / TURN as i32).clamp(1, MAX_PLY as i32 / TURN as i32);
        for depth in 1..=deepest {
            self.root_depth = depth;
            let shape = shape(depth + (helper as i32 & 1));
            self.seldepth = 0;
            self.search_root(shared, &shape, wanted);
            report(self.report(shared, depth, wanted));
            if self.stopped || shared.watch.is_stopped() {
                break;
            }
            let top = score::turns_to_mate(self.root[0].score);
            if limits.mate.is_some_and(|mate| top.is_some_and(|turns| turns > 0 && turns < 2 * mate)) {
                break;
            }
            let forced = self.root.len() == 1 || top.is_some();
            if shared.watch.is_soft_over(if forced { 0.1 } else { 0.55 }) {
                break;
            }
        }
    }

    /// Searches the root's turns in the order of the iteration before, and sorts them.
    fn search_root(&mut self, shared: Shared, shape: &Shape, wanted: usize) {
        let rules = shared.rules;
        let count = shape.root.min(self.root.len());
        let us = self.position.turn();
        let royals = self.position.royals(!us).count();
        let mut best: Vec<Score> = Vec::new();
        for number in 0..count {
            let alpha = if best.len() < wanted { -INFINITE } else { best[wanted - 1] };
            let line = self.root[number].line.clone();
            let own: Vec<Move> = self.current_turn(rules, &line);
            let nodes = self.nodes;
            let undo = self.make_turn(shared, &own, 0);
            let below = own.len();
            let (mut score, mut risk) = (INFINITE, 0);
            if alpha > -INFINITE {
                score = -self.search_turns(shared, shape, 1, -alpha - 1, -alpha, below);
            }
            if score > alpha {
                let is_over = self.adjudicate(rules, below).is_some();
                risk = if !is_over && self.leaves_royal(rules, royals) { RISK_MARGIN } else { 0 };
                let least = if alpha.abs() < DECIDED - RISK_MARGIN { alpha + risk } else { alpha };
                score = -self.search_turns(shared, shape, 1, -INFINITE, -least, below);
                if score.abs() >= DECIDED {
                    risk = 0;
                }
                score -= risk;
                if self.returns(us) {
                    score = score.min(DRAW);
                }
            }
            self.unmake_turn(rules, undo);
            if self.stopped {
                break;
            }
            let (nodes, seldepth, rest) = (self.nodes - nodes, self.seldepth, self.lines[below].clone());
            let root = &mut self.root[number];
            root.nodes += nodes;
            root.seldepth = seldepth;
            root.previous = score;
            root.risk = risk;
            if score > alpha || number == 0 {
                root.score = score;
                root.line = own;
                root.line.extend(rest);
                best.push(score);
                best.sort_by_key(|score| std::cmp::Reverse(*score));
                // If time runs out, the best turn found so far is played.
                self.root[..=number].sort_by_key(|root| std::cmp::Reverse(root.score));
            } else {
                root.score = -INFINITE;
            }
        }
        if !self.stopped {
            self.root[..count].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
        }
    }

    /// A part with one more move, after which it has this score.
    fn extended(&self, rules: &Rules, part: &Part, mv: Move, score: Score) -> Part {
        let mut position = part.position.clone();
        let undo = position.make(rules, mv);
        let sums = self.evaluator.sums_after(&part.sums, &position, undo.effect());
        Part { position, sums, moves: part.moves_with(mv), score }
    }

    /// Whether the turn just made by a side took nothing and led back to a formation.
    fn returns(&self, side: Color) -> bool {
        self.position.state().halfmove > 0 && self.formations.contains(&formations::of(&self.position, side))
    }

    /// Whether the turn just made captured none of the enemy's `royals` royal pieces and left one of the mover's to be
    /// captured.
    fn leaves_royal(&self, rules: &Rules, royals: u32) -> bool {
        self.position.royals(self.position.turn()).count() == royals
            && royals::capture_of_royal(rules, &self.position, &mut ROYAL_CAPTURE_NODES.clone()).is_some()
    }

    /// The moves of a line that belong to the current turn.
    fn current_turn(&self, rules: &Rules, line: &[Move]) -> Vec<Move> {
        let mut position = self.position.clone();
        let us = position.turn();
        let mut own = Vec::new();
        for mv in line {
            if position.turn() != us {
                break;
            }
            position.make(rules, *mv);
            own.push(*mv);
        }
        own
    }

    fn make_turn(&mut self, shared: Shared, moves: &[Move], ply: usize) -> Vec<(Undo, bool)> {
        moves.iter().enumerate().map(|(number, mv)| self.make(shared, *mv, ply + number)).collect()
    }

    fn unmake_turn(&mut self, rules: &Rules, undo: Vec<(Undo, bool)>) {
        for (undo, passed) in undo.into_iter().rev() {
            self.unmake(rules, undo, passed);
        }
    }

    /// Searches a position at the start of a turn, `turn` turns from the root.
    fn search_turns(
        &mut self,
        shared: Shared,
        shape: &Shape,
        turn: usize,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let rules = shared.rules;
        self.lines[ply].clear();
        if self.enter(shared) {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(score) = self.adjudicate(rules, ply) {
            return score;
        }
        if turn >= shape.turns || ply + (CAPTURE_TURNS as usize + 1) * TURN >= MAX_PLY {
            return self.quiesce_turns(shared, alpha, beta, ply, CAPTURE_TURNS);
        }
        let turns = self.frames[ply].turns;
        let key = self.frames[ply].key;
        // The width of the stored search is ignored: searching a narrower one again did not pay.
        let depth = (shape.turns - turn) as i32;
        if let Some(entry) = shared.table.probe(key).filter(|entry| entry.depth == depth) {
            let known = score::from_table(entry.score, turns);
            if entry.bound.causes_cutoff(known, alpha, beta) {
                return known;
            }
        }
        let level = (turn - 1).min(2);
        let mut list: Vec<Turn> = self.royal_turn(rules).into_iter().collect();
        let recalled = self.recall.turns(rules, &self.position, key, turn);
        add(&mut list, recalled.map(|moves| Turn { moves, score: 0 }));
        let old_alpha = alpha;
        let (mut best, mut best_number) = (-INFINITE, 0);
        let mut is_whole = false;
        for number in 0.. {
            // If a remembered turn causes a cut-off, no new ones are generated.
            if number == list.len() && !is_whole {
                add(&mut list, self.turns(shared, ply, shape.beams[level], shape.widths[level], None));
                is_whole = true;
                if self.stopped {
                    return 0;
                }
            }
            let Some(candidate) = list.get(number) else { break };
            let undo = self.make_turn(shared, &candidate.moves, ply);
            let below = ply + candidate.moves.len();
            let mut score = -INFINITE;
            if number > 0 {
                score = -self.search_turns(shared, shape, turn + 1, -alpha - 1, -alpha, below);
            }
            if number == 0 || (score > alpha && score < beta) {
                score = -self.search_turns(shared, shape, turn + 1, -beta, -alpha, below);
            }
            self.unmake_turn(rules, undo);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                best_number = number;
                if score > alpha {
                    alpha = score;
                    let rest = self.lines[below].clone();
                    let line = &mut self.lines[ply];
                    line.clear();
                    line.extend(candidate.moves.iter().copied());
                    line.extend(rest);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if list.is_empty() {
            return self.without_moves(rules, ply);
        }
        if best > old_alpha {
            self.recall.store(key, turn, &list[best_number].moves, best >= beta);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let score = score::to_table(best, turns);
        shared.table.store(key, Entry { mv: None, score, eval: NONE, depth, bound, pv: false });
        debug_assert!(best.abs() <= INFINITE && (best.abs() < DECIDED || best != 0));
        best
    }
}

/// Appends the turns that are not yet in the list.
fn add(list: &mut Vec<Turn>, turns: impl IntoIterator<Item = Turn>) {
    for turn in turns {
        if list.iter().all(|other| other.moves != turn.moves) {
            list.push(turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_iteration_searches_more_than_the_one_before() {
        for iteration in 2..30 {
            let (before, now) = (shape(iteration - 1), shape(iteration));
            assert!(
                now.turns > before.turns || (now.turns == before.turns && now.widths > before.widths),
                "{iteration}"
            );
            assert!(now.turns % 2 == 0, "{iteration}");
        }
    }
}
