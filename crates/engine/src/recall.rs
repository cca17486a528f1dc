//! Remembers turns that were best in the same position or refuted a sibling. They are tried before new ones are
//! generated.

use arrayvec::ArrayVec;
use rules::{Move, Position, Rules, Set};

/// The number of slots for best turns by position; a power of two.
const PLACES: usize = 1 << 12;
/// The number of levels (turns from the root) with remembered refutations.
const LEVELS: usize = 8;

/// The most moves of a turn, `end` included.
pub(crate) const TURN: usize = 8;

/// The moves of a turn, or its first moves.
pub(crate) type Moves = ArrayVec<Move, TURN>;

/// The best turns by position, and the refutations by level.
pub(crate) struct Recall {
    by_position: Vec<(u64, Moves)>,
    /// By turns from the root: the last two turns that refuted the turn before (killers).
    refutations: [[Moves; 2]; LEVELS],
}

impl Recall {
    pub fn new() -> Recall {
        Recall { by_position: vec![(0, Moves::new()); PLACES], refutations: Default::default() }
    }

    pub fn clear(&mut self) {
        *self = Recall::new();
    }

    /// Remembers the best turn of a position, and whether it refuted the turn before.
    pub fn store(&mut self, key: u64, level: usize, moves: &Moves, refutes: bool) {
        self.by_position[key as usize % PLACES] = (key, moves.clone());
        let refutations = &mut self.refutations[level.min(LEVELS - 1)];
        if refutes && refutations[0] != *moves {
            refutations.swap(0, 1);
            refutations[0] = moves.clone();
        }
    }

    /// The remembered turns that are legal here.
    pub fn turns(&self, rules: &Rules, position: &Position, key: u64, level: usize) -> impl Iterator<Item = Moves> {
        let (known, best) = &self.by_position[key as usize % PLACES];
        let best = Some(best).filter(|_| *known == key);
        let remembered = best.into_iter().chain(&self.refutations[level.min(LEVELS - 1)]);
        remembered.filter_map(|moves| legal(rules, position, moves))
    }
}

/// The part of a remembered turn that is a legal whole turn here, if there is one.
fn legal(rules: &Rules, position: &Position, moves: &Moves) -> Option<Moves> {
    let us = position.turn();
    let mut position = position.clone();
    let mut made = Moves::new();
    let mut legal = Vec::with_capacity(32);
    for mv in moves {
        if *mv == Move::END {
            if !position.may_end(rules) {
                return None;
            }
        } else {
            position.legal_moves_of(rules, Set::of(mv.from()), &mut legal);
            if !legal.contains(mv) {
                return None;
            }
        }
        position.make(rules, *mv);
        made.push(*mv);
        if position.turn() != us {
            return Some(made);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Board, Game};
    use std::sync::Arc;

    /// The board after some moves, and the moves.
    fn after(text: &str) -> (Board, Moves) {
        let mut board = Board::new(Arc::new(Game::shipped("chieftain", &[]).expect("a game")));
        let moves = text.split_whitespace().map(|mv| board.push_text(mv).expect("legal")).collect();
        (board, moves)
    }

    fn board(text: &str) -> Board {
        after(text).0
    }

    fn turn(text: &str) -> Moves {
        after(text).1
    }

    fn recalled(recall: &Recall, board: &Board, level: usize) -> Vec<Moves> {
        let rules = &board.game().rules;
        let turns = recall.turns(rules, board.position(), board.position().key(rules), level);
        turns.collect()
    }

    #[test]
    fn the_best_turn_is_recalled_only_in_its_position() {
        let (start, mut recall) = (board(""), Recall::new());
        let best = turn("d4d5 end");
        let key = start.position().key(&start.game().rules);
        recall.store(key + PLACES as u64, 1, &best, false);
        assert!(recalled(&recall, &start, 1).is_empty());
        recall.store(key, 1, &best, false);
        assert_eq!(recalled(&recall, &start, 2), [best]);
        assert!(recalled(&recall, &board("d4d5 end"), 1).is_empty());
        recall.clear();
        assert!(recalled(&recall, &start, 1).is_empty());
    }

    #[test]
    fn refutations_are_recalled_where_they_are_legal() {
        let (start, mut recall) = (board(""), Recall::new());
        let [first, second, third] = ["d4d5 end", "d4d5 h4h5 end", "m4m5 end"].map(turn);
        for moves in [&first, &second, &third, &third] {
            recall.store(0, 1, moves, true);
        }
        assert_eq!(recalled(&recall, &start, 1), [third.clone(), second]);
        assert!(recalled(&recall, &start, 2).is_empty());
        // A Man stands on d5 already.
        assert_eq!(recalled(&recall, &board("e4d5 end d9d8 end"), 1), [third]);
    }
}
