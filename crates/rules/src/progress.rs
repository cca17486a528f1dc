//! Whether a move makes progress, and whether it is irreversible.

use crate::moves::Move;
use crate::position::Position;
use crate::tables::Rules;

impl Position {
    /// Whether a legal move makes progress by itself, which resets the counter of quiet moves.
    pub fn makes_progress(&self, rules: &Rules, mv: Move) -> bool {
        let mut after = self.clone();
        after.state.progress = false;
        after.make(rules, mv);
        if after.turn() == self.turn() { after.state.progress } else { after.state.halfmove == 0 }
    }

    /// Whether no earlier position can occur again after a legal move: it makes progress, gives up a right or a capture
    /// en passant, or decides about a bare King.
    pub fn is_irreversible(&self, rules: &Rules, mv: Move) -> bool {
        let mut after = self.clone();
        after.make(rules, mv);
        let lasting = |rights: u64| rights & !rules.passed;
        self.makes_progress(rules, mv)
            || lasting(self.state.rights) != lasting(after.state.rights)
            || !self.state.en_passant.is_empty()
            || after.state.claimed
            || after.state.checks != self.state.checks
    }
}
