//! Insufficient material: whether a side can still win.

use crate::piece::{Color, Piece};
use crate::position::Position;
use crate::rules::Rules;

impl Position {
    /// Whether a side certainly cannot win any more, however both play: its King is bare, or the position is dead.
    /// Always false where there are other ways to win than mate, or where a King could check a King.
    pub fn cannot_win(&self, rules: &Rules, color: Color) -> bool {
        let end = &rules.end;
        if !end.dead_positions || end.four_points || end.stalemate_loses || rules.multi || !rules.has_check() {
            return false;
        }
        let bare = self.by_color(color).minus(self.royals).is_empty();
        (bare && rules.kings_attack_each_other()) || self.is_dead(rules)
    }
}

impl Rules {
    /// Whether a King that attacks the other is always attacked by it too, so that no King ever gives check.
    fn kings_attack_each_other(&self) -> bool {
        let empty = Position::empty();
        self.royals.iter().all(|kind| {
            let attacks = |color, from| empty.attack_set(self, Piece::new(color, *kind), from);
            self.board.into_iter().all(|from| {
                attacks(Color::White, from).into_iter().all(|to| attacks(Color::Black, to).contains(from))
                    && attacks(Color::Black, from).into_iter().all(|to| attacks(Color::White, to).contains(from))
            })
        })
    }
}
