//! Attacks, on the board as it stands or with another occupancy.

use crate::definition::Safety;
use crate::piece::{Color, Piece};
use crate::position::Position;
use crate::set::Set;
use crate::square::{DIRECTIONS, Square};
use crate::tables::{NONE, Rules};

impl Position {
    /// Whether a piece of `attackers`, all of side `by`, would capture on a square if these squares were occupied. Each
    /// piece is the one that stands there now.
    pub fn attacked(&self, rules: &Rules, square: Square, by: Color, attackers: Set, occupied: &Set) -> bool {
        for from in rules.leap_zone[by.index()][square.index()] & attackers {
            let piece = self.cells[from.index()].piece().expect("attackers stand on the board");
            if rules.table(rules.piece(piece).capture)[from.index()].contains(square) {
                return true;
            }
        }
        for from in self.sliders_and_hoppers & attackers & *rules.geometry.lines(square) {
            let piece = self.cells[from.index()].piece().expect("attackers stand on the board");
            if line_attacks(rules, piece, from, square, occupied) {
                return true;
            }
        }
        for from in self.path_attackers & attackers {
            let piece = self.cells[from.index()].piece().expect("attackers stand on the board");
            if self.attacks_by_path(rules, piece, from, square, occupied) {
                return true;
            }
        }
        false
    }

    /// The pieces of both sides that might attack a square along a line or on another path, whatever stands between.
    pub fn possible_distant_attackers(&self, rules: &Rules, square: Square) -> Set {
        let mut set = self.sliders_and_hoppers & *rules.geometry.lines(square);
        for from in self.path_attackers {
            let piece = self.cells[from.index()].piece().expect("attackers stand on the board");
            if rules.table(rules.piece(piece).path_attacks)[from.index()].contains(square) {
                set.insert(from);
            }
        }
        set
    }

    /// Whether one piece, standing on `from`, would capture on `square`.
    pub fn piece_attacks(&self, rules: &Rules, piece: Piece, from: Square, square: Square, occupied: &Set) -> bool {
        rules.table(rules.piece(piece).capture)[from.index()].contains(square)
            || (rules.is_slider_or_hopper[piece.piece_type().index()]
                && line_attacks(rules, piece, from, square, occupied))
            || self.attacks_by_path(rules, piece, from, square, occupied)
    }

    /// Whether a piece attacks by a bent slide, a conditional leap or a free walk.
    pub(crate) fn attacks_by_path(
        &self,
        rules: &Rules,
        piece: Piece,
        from: Square,
        square: Square,
        occupied: &Set,
    ) -> bool {
        let spec = rules.piece(piece);
        if !rules.table(spec.path_attacks)[from.index()].contains(square) {
            return false;
        }
        for bent in spec.bents.iter().filter(|bent| bent.capture) {
            let Some(corner) = from.offset(bent.first.0, bent.first.1) else { continue };
            let arm = rules.geometry.direction(corner, square);
            if arm.is_some_and(|arm| bent.arms.contains(&(arm as u8)))
                && rules.board.contains(corner)
                && !occupied.contains(corner)
                && !rules.geometry.between(corner, square).meets(occupied)
            {
                return true;
            }
        }
        if let Some(list) = spec.conditionals.get(from.index()) {
            for conditional in list.iter().filter(|c| c.to == square && c.capture) {
                if self.holds(conditional.right) && conditional.is_free(occupied) {
                    return true;
                }
            }
        }
        let mut found = false;
        for free in spec.walks.iter().filter(|free| free.walk.capture && free.from.contains(from)) {
            if self.holds(free.right) {
                free.walk.paths(from, &free.board, occupied, &mut |path| found |= path.to() == square);
            }
        }
        found
    }

    /// The squares on which a piece standing on `from` would capture if enemies stood there. A line ends with the first
    /// piece, or behind it for a hopper.
    pub fn attack_set(&self, rules: &Rules, piece: Piece, from: Square) -> Set {
        let spec = rules.piece(piece);
        let mut set = rules.table(spec.capture)[from.index()];
        // Adds whole stretches at once: a set built square by square would stall the next read.
        let geometry = &*rules.geometry;
        for line in &spec.lines {
            let edge = rules.steps[line.direction as usize & 7][from.index()];
            let slide = if line.is_slide || line.capture { edge.min(line.range) } else { 0 };
            let first = self.walk_to_piece(from, line.by, if line.hop_capture { edge } else { slide });
            let near = Square(from.0.wrapping_add(line.by.wrapping_mul(first.min(slide))));
            if near != from {
                set |= *geometry.between(from, near) | Set::of(near);
            }
            let mount = Square(from.0.wrapping_add(line.by.wrapping_mul(first)));
            if line.hop_capture && first < edge {
                let behind = self.walk_to_piece(mount, line.by, edge - first);
                let last = Square(mount.0.wrapping_add(line.by.wrapping_mul(behind)));
                set |= *geometry.between(mount, last) | Set::of(last);
            }
        }
        for bent in spec.bents.iter().filter(|bent| bent.capture) {
            let Some(corner) = from.offset(bent.first.0, bent.first.1).filter(|corner| rules.board.contains(*corner))
            else {
                continue;
            };
            if !self.cell(corner).is_empty() {
                continue;
            }
            for &arm in &bent.arms {
                let step = DIRECTIONS[arm as usize];
                let by = (step.0 + step.1 * 16) as u8;
                let steps = self.walk_to_piece(corner, by, rules.steps[arm as usize][corner.index()]);
                let last = Square(corner.0.wrapping_add(by.wrapping_mul(steps)));
                if last != corner {
                    set |= *geometry.between(corner, last) | Set::of(last);
                }
            }
        }
        if let Some(list) = spec.reaches.get(from.index()) {
            let occupied = self.occupied();
            for reach in list {
                if !reach.path.meets(&occupied) && self.holds(reach.right) {
                    set |= reach.to;
                }
            }
        }
        if !spec.walks.is_empty() {
            let occupied = self.occupied();
            for free in spec.walks.iter().filter(|free| free.walk.capture && free.from.contains(from)) {
                if self.holds(free.right) {
                    free.walk.paths(from, &free.board, &occupied, &mut |path| set.insert(path.to()));
                }
            }
        }
        // Only such paths can lead back. In other cases a set from which a square was taken would stall the next read.
        if spec.bents.is_empty() && spec.walks.is_empty() {
            debug_assert!(!set.contains(from));
            return set;
        }
        set.without(from)
    }

    /// The number of steps to the first piece, at most `most`.
    #[inline]
    fn walk_to_piece(&self, from: Square, by: u8, most: u8) -> u8 {
        let mut square = from.0;
        for step in 1..=most {
            square = square.wrapping_add(by);
            if !self.cells[square as usize].is_empty() {
                return step;
            }
        }
        most
    }

    /// Whether a right is held; true if none is needed.
    #[inline]
    pub(crate) fn holds(&self, right: u8) -> bool {
        right == NONE || self.state.rights >> right & 1 != 0
    }

    /// Whether a side's royal piece is attacked; if it has several, whether one that must be safe is. False in a game
    /// without check, and for a side without a King.
    pub fn is_attacked_royal(&self, rules: &Rules, color: Color) -> bool {
        if !rules.has_check() {
            return false;
        }
        if rules.has_many_kings() {
            return !self.attacked_kings(rules, color).is_empty();
        }
        let Some(king) = self.royals(color).first() else { return false };
        self.attacked(rules, king, !color, self.by_color(!color), &self.occupied())
    }

    /// The royal pieces of a side that are attacked and must not be; empty in a game without check.
    pub fn attacked_kings(&self, rules: &Rules, color: Color) -> Set {
        let royals = self.royals(color);
        let (enemy, occupied) = (self.by_color(!color), self.occupied());
        let is_attacked = |king: &Square| self.attacked(rules, *king, !color, enemy, &occupied);
        let attacked = || royals.into_iter().filter(is_attacked).collect::<Set>();
        match rules.end.royals {
            _ if !rules.has_check() => Set::EMPTY,
            Safety::Last if royals.count() > 1 => Set::EMPTY,
            Safety::One => Some(attacked()).filter(|attacked| *attacked == royals).unwrap_or_default(),
            _ => attacked(),
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self, rules: &Rules) -> bool {
        self.is_attacked_royal(rules, self.state.turn)
    }

    /// The pieces of a side that would capture on a square if an enemy stood there and these squares were occupied.
    pub fn attackers(&self, rules: &Rules, color: Color, square: Square, occupied: &Set) -> Set {
        self.by_color(color)
            .without(square)
            .into_iter()
            .filter(|from| self.piece_attacks(rules, self.piece(*from).expect("a piece"), *from, square, occupied))
            .collect()
    }
}

/// Whether a piece attacks along a rank, file or diagonal.
#[inline]
pub(crate) fn line_attacks(rules: &Rules, piece: Piece, from: Square, square: Square, occupied: &Set) -> bool {
    let Some(direction) = rules.geometry.direction(from, square) else { return false };
    let spec = rules.piece(piece);
    let slides = spec.slide_range[direction] >= from.distance(square);
    if !slides && !spec.hops[direction] {
        return false;
    }
    let between = (*rules.geometry.between(from, square) & *occupied).count();
    (slides && between == 0) || (spec.hops[direction] && between == 1)
}
