//! Insufficient material: whether a side can still win.

use crate::definition::Verdict;
use crate::piece::Color;
use crate::position::Position;
use crate::tables::Rules;

impl Position {
    /// Whether a side certainly cannot win any more, however both play: its King is bare, or the position is dead.
    /// Always false where there are other ways to win than mate, or where a King could check a King.
    pub fn cannot_win(&self, rules: &Rules, color: Color) -> bool {
        let end = &rules.end;
        let by_mate = end.stalemate == Verdict::Draw && rules.has_one_king_each() && !rules.can_win_by_condition();
        if !end.dead_positions || end.four_points || !by_mate || rules.multi {
            return false;
        }
        let bare = self.by_color(color).minus(self.royals).is_empty();
        (bare && !rules.king_may_check()) || self.is_dead(rules)
    }
}
