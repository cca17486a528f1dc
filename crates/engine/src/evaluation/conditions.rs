//! What counts where conditions can end a game: steps to squares that win, checks still to be given, and pieces of which
//! a side may not lose another.

use super::features::{PieceTypeFeature, SideFeature};
use super::weights::Weights;
use super::{Tally, sign};
use rules::definition::{Test, Verdict};
use rules::{Cell, Color, Game, Piece, PieceType, Position, Rules, Set, Square};

/// Steps that no piece takes.
const NEVER: u8 = 15;

/// The conditions of a game, as the evaluation needs them.
pub(super) struct Conditions {
    goals: [Vec<Goal>; 2],
    /// By side, the piece types of which it may not have fewer than this number.
    kept: [Vec<(PieceType, u32)>; 2],
}

/// Squares that win for a side.
struct Goal {
    /// How many pieces must be there.
    count: usize,
    /// The piece types, each with the number of its moves to the nearest of the squares, by square, on an empty board.
    steps: Vec<(PieceType, Vec<u8>)>,
}

impl Conditions {
    /// The conditions of a game; `None` if it has none.
    pub fn new(game: &Game) -> Option<Conditions> {
        let rules = &game.rules;
        if !rules.has_conditions() {
            return None;
        }
        let (mut goals, mut kept) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
        for color in Color::BOTH {
            for condition in &rules.conditions[color.index()] {
                match (&condition.test, condition.verdict) {
                    (Test::Reach { squares, kinds, count }, Verdict::Win) => {
                        let all = (0..rules.piece_types as u8).map(PieceType);
                        let those = all.filter(|kind| kinds.is_empty() || kinds.contains(kind));
                        let steps = |kind| (kind, steps(rules, Piece::new(color, kind), *squares));
                        goals[color.index()].push(Goal { count: *count as usize, steps: those.map(steps).collect() });
                    }
                    (Test::Extinct { kinds, at_most, .. }, Verdict::Loss) => {
                        kept[color.index()].extend(kinds.iter().map(|kind| (*kind, at_most + 1)));
                    }
                    _ => {}
                }
            }
        }
        Some(Conditions { goals, kept })
    }

    /// Counts the features of both sides.
    pub fn count(&self, rules: &Rules, weights: &Weights, position: &Position, tally: &mut impl Tally) {
        for color in Color::BOTH {
            let sign = sign(color);
            for goal in &self.goals[color.index()] {
                if let Some(steps) = goal.distance(position, color) {
                    tally.add(weights.of_side_place(SideFeature::Goal, steps), sign);
                }
            }
            for (kind, least) in &self.kept[color.index()] {
                if position.pieces(color, *kind).count() <= *least {
                    tally.add(Weights::of_type(*kind, PieceTypeFeature::Scarce), sign);
                }
            }
            let checks = |checks: [u8; 2]| checks[color.index()];
            if let Some(wanted) = rules.checks.map(checks).filter(|wanted| *wanted > 0) {
                let left = wanted - checks(position.state().checks);
                tally.add(weights.of_side_place(SideFeature::Checks, usize::from(left.saturating_sub(1))), sign);
            }
        }
    }
}

impl Goal {
    /// The mean number of moves that the nearest pieces need; `None` if there are not enough of them.
    fn distance(&self, position: &Position, color: Color) -> Option<usize> {
        let pieces = self.steps.iter().flat_map(|(kind, steps)| {
            position.pieces(color, *kind).into_iter().map(move |square| steps[square.index()])
        });
        if self.count == 1 {
            return pieces.min().map(usize::from);
        }
        let mut nearest: Vec<u8> = pieces.collect();
        nearest.sort_unstable();
        let nearest = nearest.get(..self.count)?;
        Some(nearest.iter().map(|steps| usize::from(*steps)).sum::<usize>().div_ceil(self.count))
    }
}

/// By square, the number of moves of a piece to the nearest of some squares, on a board that is empty otherwise.
fn steps(rules: &Rules, piece: Piece, goal: Set) -> Vec<u8> {
    let mut board = Position::empty();
    let mut moves = vec![Set::EMPTY; 256];
    for from in rules.board {
        board.set(rules, from, Cell::full(piece));
        moves[from.index()] = board.reach(rules, from).into_iter().map(|reach| reach.to).collect();
        board.set(rules, from, Cell::EMPTY);
    }
    let mut steps = vec![NEVER; 256];
    let mut reached = goal;
    goal.into_iter().for_each(|square: Square| steps[square.index()] = 0);
    for step in 1..NEVER {
        let next: Set = rules.board.minus(reached).into_iter().filter(|at| moves[at.index()].meets(&reached)).collect();
        next.into_iter().for_each(|square| steps[square.index()] = step);
        reached |= next;
    }
    steps
}
