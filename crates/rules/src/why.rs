//! Explains to people why a move is not legal.

use crate::board::Board;
use crate::moves::{Move, MoveTag};
use crate::set::Set;
use crate::square::Square;
use crate::text::shorten;

/// With more pieces than this, messages count them instead of naming their squares.
const MAX_NAMED: u32 = 4;

impl Board {
    /// Explains why a move in coordinates is not legal.
    pub(crate) fn why_not(&self, mv: Move) -> String {
        if mv == Move::NULL {
            return "a null move is only for analysis and never legal".into();
        }
        if !mv.moves_piece() {
            return self.why_nothing().unwrap_or_else(|| "this special move is not possible now".into());
        }
        let from = mv.from();
        let Some(piece) = self.position().piece(from) else { return format!("{from} is empty") };
        if piece.color() != self.turn() {
            return format!("the piece on {from} is not {:?}'s", self.turn());
        }
        let mut moves = Vec::new();
        self.position().legal_moves_of(&self.game().rules, Set::of(from), &mut moves);
        match (moves.iter().any(|other| other.to() == mv.to()), mv.promotion()) {
            (true, None) => "the piece must promote; add its letter".into(),
            (true, Some(_)) => "it cannot promote like this".into(),
            (false, _) => self.why_none(Set::of(from), mv.to()),
        }
    }

    /// Explains why none of some pieces of one type of the side to move can go to a square.
    pub(crate) fn why_none(&self, pieces: Set, to: Square) -> String {
        if let Some(reason) = self.why_nothing() {
            return reason;
        }
        if self.position().cell(to).is(self.turn()) {
            return format!("{:?} already has a piece on {to}", self.turn());
        }
        let far = format!("cannot go to {to}");
        let mut hindrances: Vec<(String, Set)> = Vec::new();
        for from in pieces {
            let hindrance = self.hindrance(from, to).unwrap_or_else(|| far.clone());
            match hindrances.iter_mut().find(|(other, _)| *other == hindrance) {
                Some((_, squares)) => squares.insert(from),
                None => hindrances.push((hindrance, Set::of(from))),
            }
        }
        // Pieces that could go there but for one obstacle are the ones that were meant.
        if hindrances.len() > 1 {
            hindrances.retain(|(hindrance, _)| *hindrance != far);
        }
        let sentences =
            hindrances.into_iter().map(|(hindrance, squares)| format!("{} {hindrance}", self.named(squares)));
        sentences.collect::<Vec<_>>().join(", and ")
    }

    /// Explains why castling is not legal.
    pub(crate) fn why_no_castling(&self, short: bool) -> String {
        if let Some(reason) = self.why_nothing() {
            return reason;
        }
        let position = self.position();
        let of_this_side = self.game().rules.castlings[self.turn().index()].iter().filter(|c| c.short == short);
        let held: Vec<_> = of_this_side.filter(|castling| position.holds(castling.right)).collect();
        if held.is_empty() {
            return format!("{:?} has no right to castle on this side", self.turn());
        }
        if held.iter().all(|castling| castling.empty.meets(&position.occupied())) {
            return "the squares between are not all empty".into();
        }
        format!("{:?}'s King is in check, passes an attacked square or lands on one", self.turn())
    }

    /// Explains what keeps all pieces from moving.
    pub(crate) fn why_nothing(&self) -> Option<String> {
        let rules = &self.game().rules;
        if !self.position().has_move(rules) {
            return Some("the game is over".into());
        }
        self.position().must_decide(rules).then(|| "play claim or playon first".into())
    }

    /// Explains what keeps a piece of the side to move from a square that it would reach, or from moving at all; `None`
    /// if it does not reach it.
    fn hindrance(&self, from: Square, to: Square) -> Option<String> {
        let (rules, position) = (&self.game().rules, self.position());
        let us = self.turn();
        if !position.reach(rules, from).iter().any(|reach| reach.to == to) {
            return None;
        }
        let royal = || shorten(&self.game().definition.piece_types[rules.royals[0].index()].name);
        let victim = position.cell(to).is(!us).then_some(to);
        if position.state().moved.contains(&from) {
            Some("cannot move a second time in this turn".into())
        } else if !position.movers(rules).contains(from) {
            Some(format!("cannot move without an unused {} in range", royal()))
        } else if rules.has_check() && position.exposes(rules, from, to, victim) {
            Some(format!("would leave {us:?}'s {} in check", royal()))
        } else if !rules.turn.may_check && position.gives_check(rules, Move::new(from, to, MoveTag::Normal)) {
            Some("would give check, which is not allowed".into())
        } else if victim.is_none() && self.must_capture() {
            Some("does not capture, and a capture is compulsory".into())
        } else {
            (!position.may_arrive(rules, from, to, victim.is_some()))
                .then(|| format!("would have nothing to promote to on {to}"))
        }
    }

    /// Names pieces of one type by their squares, unless they are too many.
    fn named(&self, squares: Set) -> String {
        let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
        match &names[..] {
            [only] => {
                let piece = self.position().piece(squares.first().expect("one")).expect("a piece to name");
                format!(
                    "the {} on {only}",
                    shorten(&self.game().definition.piece_types[piece.piece_type().index()].name)
                )
            }
            [first @ .., last] if squares.count() <= MAX_NAMED => {
                format!("the pieces on {} and {last}", first.join(", "))
            }
            _ => format!("the {} pieces of this type", squares.count()),
        }
    }
}
