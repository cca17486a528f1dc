//! Critical lines: computed once per node, they decide which moves would leave the mover's King attacked.
//!
//! A line is the set of squares between an enemy piece and the King. The piece attacks the King if exactly `attack_at`
//! of them are occupied: none for a slider, one for a hopper. A move of any piece but the King is legal if afterwards
//! every line's count differs from `attack_at`, or the line's source has been captured. A leap is a line without
//! squares.

use crate::effect::Effect;
use crate::moves::Move;
use crate::piece::{Color, Piece};
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;
use arrayvec::ArrayVec;

/// A line on which an enemy piece attacks, or might attack, the King.
#[derive(Clone, Copy, Debug)]
pub struct CriticalLine {
    mask: Set,
    source: Square,
    count: u8,
    attack_at: u8,
}

/// The critical lines of a node, with sets derived from them.
pub struct Legality {
    lines: ArrayVec<CriticalLine, 64>,
    /// Squares whose piece may be bound to a line.
    pub pinned: Set,
    /// Empty squares that only the King may move to.
    pub danger: Set,
    /// Whether the King is attacked.
    pub check: bool,
    /// Set if there are more lines than there is room for: then every move is tried.
    pub overflow: bool,
}

impl Legality {
    /// Returns an empty list.
    #[inline]
    pub fn new() -> Legality {
        Legality { lines: ArrayVec::new(), pinned: Set::EMPTY, danger: Set::EMPTY, check: false, overflow: false }
    }

    /// Adds the lines onto a King, in place: the list is too large to be copied at every node.
    pub fn add_lines(&mut self, position: &Position, rules: &Rules, king: Square, us: Color) {
        let (enemy, occupied) = (position.by_color(!us), position.occupied());
        for source in rules.leap_zone[(!us).index()][king.index()] & enemy {
            let piece = position.piece(source).expect("an enemy");
            if rules.table(rules.piece(piece).capture)[source.index()].contains(king) {
                self.add(Set::EMPTY, source, 0, 0);
            }
        }
        for source in position.sliders_and_hoppers & enemy & *rules.geometry.lines(king) {
            let piece = position.piece(source).expect("an enemy");
            let direction = rules.geometry.direction(source, king).expect("on a line");
            let spec = rules.piece(piece);
            let slides = spec.slide_range[direction] >= source.distance(king);
            let hops = spec.hops[direction];
            if !slides && !hops {
                continue;
            }
            let mask = *rules.geometry.between(source, king);
            let count = (mask & occupied).count();
            if slides && count <= 1 {
                self.add(mask, source, count, 0);
            }
            if hops && count <= 2 {
                self.add(mask, source, count, 1);
            }
        }
        for source in position.path_attackers & enemy {
            let piece = position.piece(source).expect("an enemy");
            if rules.table(rules.piece(piece).path_attacks)[source.index()].contains(king) {
                self.trace(position, rules, piece, source, king, &occupied);
            }
        }
    }

    fn trace(
        &mut self,
        position: &Position,
        rules: &Rules,
        piece: Piece,
        source: Square,
        king: Square,
        occupied: &Set,
    ) {
        let spec = rules.piece(piece);
        for bent in spec.bents.iter().filter(|bent| bent.capture) {
            let Some(corner) = source.offset(bent.first.0, bent.first.1) else { continue };
            let arm = rules.geometry.direction(corner, king);
            if arm.is_some_and(|arm| bent.arms.contains(&(arm as u8))) && rules.board.contains(corner) {
                let mask = rules.geometry.between(corner, king).with(corner);
                self.add_slide(mask, source, occupied);
            }
        }
        if let Some(list) = spec.conditionals.get(source.index()) {
            for conditional in list.iter().filter(|c| c.to == king && c.capture && position.holds(c.right)) {
                conditional.paths().for_each(|path| self.add_slide(*path, source, occupied));
            }
        }
    }

    fn add_slide(&mut self, mask: Set, source: Square, occupied: &Set) {
        let count = (mask & *occupied).count();
        if count <= 1 {
            self.add(mask, source, count, 0);
        }
    }

    fn add(&mut self, mask: Set, source: Square, count: u32, attack_at: u8) {
        let count = count as u8;
        if count == attack_at {
            self.check = true;
        } else if count == attack_at + 1 {
            self.pinned |= mask;
        } else {
            self.danger |= mask;
        }
        self.overflow |= self.lines.try_push(CriticalLine { mask, source, count, attack_at }).is_err();
    }

    /// Whether a move of a piece that is not royal leaves the mover's King safe. Not for captures en passant.
    #[inline]
    pub fn allows(&self, from: Square, to: Square, capture: bool) -> bool {
        self.lines.iter().all(|line| {
            let count = line.count + u8::from(line.mask.contains(to) && !capture) - u8::from(line.mask.contains(from));
            count != line.attack_at || (capture && to == line.source)
        })
    }
}

impl Position {
    /// Whether the royal piece of the side to move would be attacked after a move with this origin, destination and
    /// victim, computed from the resulting occupancy. Slow, but works for every move.
    pub(crate) fn exposes(&self, rules: &Rules, from: Square, to: Square, victim: Option<Square>) -> bool {
        let us = self.state.turn;
        if rules.has_many_kings() {
            let piece = self.piece(from).expect("a piece on the origin");
            let captured = victim.and_then(|square| Some((square, self.piece(square)?)));
            let effect = Effect { piece, from, to, becomes: piece, captured, partner: None };
            return self.with_effect(rules, &effect).is_attacked_royal(rules, us);
        }
        let Some(king) = self.royals(us).first() else { return false };
        let king = if king == from { to } else { king };
        let mut occupied = self.occupied().without(from);
        let mut enemy = self.by_color(!us);
        if let Some(victim) = victim {
            occupied.remove(victim);
            enemy.remove(victim);
        }
        self.attacked(rules, king, !us, enemy, &occupied.with(to))
    }

    /// Whether some piece of the side to move may legally capture the piece on `victim` by landing on `landing`.
    pub(crate) fn can_capture_en_passant(&self, rules: &Rules, victim: Square, landing: Square) -> bool {
        // In a turn of several moves another piece may have moved in between: a FEN could not express such a victim.
        if !self.cell(landing).is_empty()
            || !self.cell(victim).is(!self.state.turn)
            || rules.geometry.between(landing, victim).meets(&self.occupied())
        {
            return false;
        }
        self.en_passant_capturers(rules, landing).into_iter().any(|from| {
            self.may_arrive(rules, from, landing, true)
                && (!rules.has_check() || !self.exposes(rules, from, landing, Some(victim)))
        })
    }

    /// The pieces of the side to move that capture en passant onto a square.
    pub(crate) fn en_passant_capturers(&self, rules: &Rules, landing: Square) -> Set {
        let us = self.state.turn;
        let movers = self.movers(rules);
        let mut takers = Set::EMPTY;
        for kind in (0..rules.piece_types as u8).map(crate::piece::PieceType) {
            let number = rules.piece(Piece::new(us, kind)).en_passant;
            if number != 0 {
                let table = rules.table(number);
                for from in self.pieces(us, kind) & movers {
                    if table[from.index()].contains(landing) && self.steps_en_passant(rules, from, landing) {
                        takers.insert(from);
                    }
                }
            }
        }
        takers
    }

    /// Whether a walk that captures en passant leads from one square to another as the pieces stand.
    fn steps_en_passant(&self, rules: &Rules, from: Square, landing: Square) -> bool {
        let walks = &rules.walks[self.piece(from).expect("a taker").index()];
        let occupied = self.occupied();
        let mut found = false;
        for free in walks.iter().filter(|free| free.walk.en_passant && free.from.contains(from)) {
            if self.holds(free.right) {
                free.walk.paths(from, &free.board, &occupied, &mut |path| found |= path.to() == landing);
            }
        }
        found
    }

    /// The position with what a move does to the pieces, and nothing else changed.
    pub(crate) fn with_effect(&self, rules: &Rules, effect: &Effect) -> Position {
        let mut after = self.clone();
        effect.each_leaving(|square, piece| after.remove(rules, square, piece));
        effect.each_arriving(|square, piece| after.add(rules, square, piece));
        after
    }

    /// Whether a legal move attacks the enemy's royal piece.
    pub fn gives_check(&self, rules: &Rules, mv: Move) -> bool {
        if !rules.has_check() {
            return false;
        }
        let us = self.state.turn;
        let (Some(king), Some(effect)) = (self.royals(!us).first(), self.effect(rules, mv)) else { return false };
        if rules.has_many_kings() {
            return self.with_effect(rules, &effect).is_attacked_royal(rules, !us);
        }
        let occupied = effect.occupied(self.occupied());
        let (mut others, mut check) = (self.by_color(us), false);
        effect.each_leaving(|square, _| others.remove(square));
        effect.each_arriving(|square, piece| check |= self.piece_attacks(rules, piece, square, king, &occupied));
        check || self.attacked(rules, king, us, others, &occupied)
    }
}
