//! What a solution says about a set: shares of won positions, the longest win, and dead positions.

use super::Study;
use super::steps::STRONG;
use rules::{PieceType, Position, Square};

/// What was found about a set.
pub struct Report {
    /// The positions that were compared with the core.
    pub checked: u64,
    /// One class, or two for pairs that are bound to squares of one colour: first both on the same colour.
    pub classes: Vec<Class>,
}

/// The positions of a class, on the whole board: symmetric positions are counted one by one.
#[derive(Default)]
pub struct Class {
    /// For pairs bound to squares of one colour, whether both stand on the same colour.
    pub same_color: Option<bool>,
    /// The positions with the side that has the pieces to move, and how many of them it wins.
    pub to_move: (u64, u64),
    /// The positions with the bare King to move, and how many of them it loses.
    pub bare_to_move: (u64, u64),
    /// The positions in which the bare King is mated, or has lost by a rule on stalemate.
    pub mates: u64,
    /// The positions, whoever is to move, that the core calls dead, and how many of these are won.
    pub dead: (u64, u64),
    /// By number of moves, from 0, the positions that the side to move wins in so many.
    pub by_moves: Vec<u64>,
    /// The FEN of a position with the longest win; empty if nothing is won.
    pub longest: String,
}

impl Study {
    pub(super) fn write_report(&self, piece_types: &[PieceType], checked: u64) -> Report {
        let rules = &self.game.rules;
        let bound = piece_types.len() == 2 && piece_types.iter().all(|kind| rules.color_bound[kind.index()]);
        let same: &[Option<bool>] = if bound { &[Some(true), Some(false)] } else { &[None] };
        let mut classes: Vec<Class> = same.iter().map(|same| Class { same_color: *same, ..Class::default() }).collect();
        let solution = &self.solved[piece_types];
        for number in (0..solution.len()).filter(|number| solution.exists(*number)) {
            let arrangement = solution.arrangement(&self.ground, number);
            let class = &mut classes[usize::from(bound && !same_color(arrangement.pieces))];
            let weight = solution.weights[solution.king_of(&self.ground, number)];
            let attacked = solution.attacked(number) | arrangement.occupied;
            let guarded = self.ground.guarded[arrangement.king.index()] | arrangement.occupied;
            let (mut positions, mut won) = (0, 0);
            for bare in rules.board.minus(guarded) {
                let lost = solution.lost(&self.ground, number, bare);
                class.bare_to_move.0 += weight;
                class.bare_to_move.1 += weight * u64::from(lost.is_some());
                class.mates += weight * u64::from(lost == Some(0));
                (positions, won) = (positions + 1, won + u64::from(lost.is_some()));
                if attacked.contains(bare) {
                    continue;
                }
                let moves = solution.won(&self.ground, number, bare);
                class.to_move.0 += weight;
                (positions, won) = (positions + 1, won + u64::from(moves.is_some()));
                if let Some(moves) = moves {
                    class.to_move.1 += weight;
                    class.by_moves.resize(class.by_moves.len().max(moves as usize + 1), 0);
                    class.by_moves[moves as usize] += weight;
                }
            }
            // Neither the bare King's square nor the turn matters to the core.
            let bare = rules.board.minus(guarded).first();
            let position = bare.and_then(|bare| self.position(piece_types, &arrangement, bare, STRONG));
            if position.is_some_and(|position| position.is_dead(rules)) {
                class.dead.0 += weight * positions;
                class.dead.1 += weight * won;
            }
        }
        for class in &mut classes {
            class.longest =
                self.longest(piece_types, class.same_color).map_or(String::new(), |(_, found)| self.fen(found));
        }
        Report { checked, classes }
    }

    /// The longest win of the side to move, in moves, with a position.
    pub(super) fn longest(&self, piece_types: &[PieceType], same: Option<bool>) -> Option<(u32, Position)> {
        let solution = &self.solved[piece_types];
        let mut best = None;
        for number in (0..solution.len()).filter(|number| solution.exists(*number)) {
            let arrangement = solution.arrangement(&self.ground, number);
            if same.is_some_and(|same| same_color(arrangement.pieces) != same) {
                continue;
            }
            for bare in self.game.rules.board.minus(solution.attacked(number) | arrangement.occupied) {
                let moves = solution.won(&self.ground, number, bare);
                if moves > best.map(|(moves, _, _)| moves) {
                    best = moves.map(|moves| (moves, arrangement, bare));
                }
            }
        }
        let (moves, arrangement, bare) = best?;
        Some((moves, self.position(piece_types, &arrangement, bare, STRONG)?))
    }
}

fn same_color(pieces: [Square; 2]) -> bool {
    let dark = |square: Square| (square.file() + square.rank()) % 2;
    dark(pieces[0]) == dark(pieces[1])
}
