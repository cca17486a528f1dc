//! Whether a ply makes progress, and whether the position before it can ever come back.

use crate::ply::Ply;
use crate::position::Position;
use crate::rules::Rules;

impl Position {
    /// Whether a legal ply makes progress by itself, which sets the counter of quiet plies back.
    pub fn makes_progress(&self, rules: &Rules, ply: Ply) -> bool {
        let mut after = self.clone();
        after.state.progress = false;
        after.make(rules, ply);
        if after.turn() == self.turn() { after.state.progress } else { after.state.halfmove == 0 }
    }

    /// Whether no position of the past can come back after a legal ply: it makes progress, gives up a right or a capture
    /// en passant, or decides about a bare King.
    pub fn is_irreversible(&self, rules: &Rules, ply: Ply) -> bool {
        let mut after = self.clone();
        after.make(rules, ply);
        let lasting = |rights: u64| rights & !rules.passed;
        self.makes_progress(rules, ply)
            || lasting(self.state.rights) != lasting(after.state.rights)
            || !self.state.tracks.is_empty()
            || after.state.claimed
    }
}
