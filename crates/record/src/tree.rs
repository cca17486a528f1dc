//! A record as it was read.

use rules::{Board, Move};

/// What is wrong in the text, and where; lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// A sentence for people.
    pub message: String,
}

/// A turn of a record.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The turn before it; `None` at the start.
    pub parent: Option<usize>,
    /// Its moves, one in most games.
    pub moves: Vec<Move>,
    /// Whether more moves must follow before it is over.
    pub unfinished: bool,
    /// The comment before it, where a variation begins, and the one after it; lines end with `\n`.
    pub starting_comment: String,
    /// See `starting_comment`.
    pub comment: String,
    /// Annotation glyphs, in their order in the text.
    pub glyphs: Vec<u8>,
}

/// A record: its tags and the tree of its turns.
#[derive(Clone, Default)]
pub struct Record {
    /// The tags that were in the text and can be stored, in their order.
    pub tags: Vec<(String, String)>,
    /// The result by the moves, where no tag tells it.
    pub result: Option<&'static str>,
    /// The position before the first turn; `None` if the tags do not give it.
    pub start: Option<Board>,
    /// The comment before the first turn.
    pub comment: String,
    /// The turns, each after the one before it. Of turns with one parent, the first is the main line.
    pub turns: Vec<Turn>,
    /// What was wrong in the text.
    pub errors: Vec<Fault>,
}

impl Record {
    /// Writes each turn in SAN.
    pub fn sans(&self) -> Vec<String> {
        let mut written = Vec::with_capacity(self.turns.len());
        self.walk(|turn, board| written.push(board.turn_san(&turn.moves)));
        written
    }

    /// Calls back for each turn with the position before it; for none, if the start is unknown.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&Turn, &Board)) {
        let Some(mut board) = self.start.clone() else { return };
        // The turns made on the board, and for each turn whether it is one of them.
        let (mut path, mut made) = (Vec::new(), vec![false; self.turns.len()]);
        let parent_of = |index: usize| self.turns[index].parent;
        for turn in &self.turns {
            let mut missing: Vec<usize> = std::iter::successors(turn.parent, |index| parent_of(*index))
                .take_while(|index| !made[*index])
                .collect();
            let base = missing.last().map_or(turn.parent, |index| parent_of(*index));
            while path.last().copied() != base {
                let last = path.pop().expect("the base is on the path");
                made[last] = false;
                for _ in &self.turns[last].moves {
                    board.pop();
                }
            }
            while let Some(index) = missing.pop() {
                self.turns[index].moves.iter().for_each(|mv| board.push(*mv));
                path.push(index);
                made[index] = true;
            }
            visit(turn, &board);
        }
    }

    /// The first turns, and for each turn those that follow it, main lines first.
    pub(crate) fn children(&self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let (mut first, mut after) = (Vec::new(), vec![Vec::new(); self.turns.len()]);
        for (index, turn) in self.turns.iter().enumerate() {
            turn.parent.map_or(&mut first, |parent| &mut after[parent]).push(index);
        }
        (first, after)
    }

    /// Makes the turn at an index the first of the record, with all that follows it: what precedes it in the list are
    /// variations.
    pub(crate) fn make_main(&mut self, index: usize) {
        self.turns.rotate_left(index);
        let total = self.turns.len();
        for turn in &mut self.turns {
            turn.parent = turn.parent.map(|parent| (parent + total - index) % total);
        }
    }
}
