//! Pins by any piece, not only by sliders: a piece is pinned if removing it would expose the King to a new attack.

use crate::piece::Color;
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

impl Position {
    /// Where a piece of a side on a square may go without exposing the King to a new attack; `None` if it is not
    /// pinned: if no enemy would attack the King once it is gone.
    ///
    /// The square need not be occupied: it is treated as if a piece of the side stood there. Where a side may have several
    /// Kings, nothing is pinned.
    pub fn pin(&self, rules: &Rules, color: Color, square: Square) -> Option<Set> {
        let king = self.royals(color).first().filter(|king| rules.has_check() && *king != square)?;
        if rules.has_many_kings() {
            return None;
        }
        let occupied = self.occupied().without(square);
        let enemies = self.by_color(!color).without(square);
        let attackers = |occupied: Set, enemies: Set| -> Set {
            let attacks = |from: &Square| {
                self.piece(*from).is_some_and(|piece| self.piece_attacks(rules, piece, *from, king, &occupied))
            };
            enemies.into_iter().filter(attacks).collect()
        };
        let now = attackers(occupied.with(square), enemies);
        if attackers(occupied, enemies).minus(now).is_empty() {
            return None;
        }
        let safe = |to: &Square| attackers(occupied.with(*to), enemies.without(*to)).minus(now).is_empty();
        Some(rules.board.without(king).into_iter().filter(safe).collect())
    }
}
