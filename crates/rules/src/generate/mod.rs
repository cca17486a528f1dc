//! Legal move generation: listing, counting, and testing whether there is a move.

mod pieces;
mod sinks;
mod special;

use sinks::*;

use crate::command;
use crate::legality::Legality;
use crate::moves::{Move, MoveTag};
use crate::piece::Color;
use crate::position::Position;
use crate::set::Set;
use crate::square::Square;
use crate::tables::Rules;

/// What generation needs repeatedly.
struct Scene<'a> {
    rules: &'a Rules,
    us: Color,
    occupied: Set,
    empty: Set,
    enemy: Set,
}

impl Position {
    /// Lists all legal moves. Their order may change between versions.
    pub fn legal_moves(&self, rules: &Rules, moves: &mut Vec<Move>) {
        moves.clear();
        if self.must_decide(rules) && !self.state.claimed && self.has_piece_move(rules) {
            moves.extend([Move::CLAIM, Move::PLAY_ON]);
            return;
        }
        self.generate(rules, self.movers(rules), moves);
    }

    /// Lists the legal moves of the pieces on these squares, and no commands such as `end`.
    pub fn legal_moves_of(&self, rules: &Rules, from: Set, moves: &mut Vec<Move>) {
        moves.clear();
        if self.must_decide(rules) {
            return self.legal_moves(rules, moves);
        }
        self.generate(rules, self.movers(rules) & from, moves);
    }

    /// Lists the legal captures and promotions.
    pub fn tactical_moves(&self, rules: &Rules, moves: &mut Vec<Move>) {
        moves.clear();
        let enemy = self.by_color(!self.state.turn);
        self.generate_moves(rules, self.movers(rules), &mut Half::<true> { moves, enemy });
    }

    /// Lists the legal moves that neither capture nor promote, commands such as `end` included.
    pub fn quiet_moves(&self, rules: &Rules, moves: &mut Vec<Move>) {
        moves.clear();
        let enemy = self.by_color(!self.state.turn);
        self.generate(rules, self.movers(rules), &mut Half::<false> { moves, enemy });
    }

    /// Lists the pseudo-legal moves. Castling and the King's jump, which are defined by safety, are only listed if they
    /// are legal. For testing legality by making each move.
    pub fn pseudo_legal_moves(&self, rules: &Rules, moves: &mut Vec<Move>) {
        moves.clear();
        if self.decided(rules).is_some() {
            return;
        }
        self.generate_pieces(rules, self.movers(rules), &Free, moves);
        if !rules.has_check() {
            self.generate_free_castlings(rules, self.movers(rules), moves);
        } else if !self.is_check(rules) {
            for king in self.royals(self.state.turn) {
                self.generate_castling(rules, king, moves);
                self.generate_jumps(rules, king, moves);
            }
        }
        for track in self.state.en_passant.iter() {
            for to in track.landings() {
                for from in self.en_passant_capturers(rules, to) {
                    let spec = rules.piece(self.piece(from).expect("a taker"));
                    self.emit_arrival(&self.scene(rules, self.state.turn), spec, from, to, MoveTag::EnPassant, moves);
                }
            }
        }
        if self.may_end(rules) {
            moves.push(Move::END);
        }
    }

    /// The number of legal moves.
    pub fn count_moves(&self, rules: &Rules) -> u64 {
        if self.must_decide(rules) && !self.state.claimed && self.has_piece_move(rules) {
            return 2;
        }
        let mut count = Count(0);
        self.generate(rules, self.movers(rules), &mut count);
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_move(&self, rules: &Rules) -> bool {
        self.may_end(rules) || self.has_piece_move(rules)
    }

    /// Whether there is a legal move of a piece.
    pub fn has_piece_move(&self, rules: &Rules) -> bool {
        let mut any = Any(false);
        self.generate_moves(rules, self.movers(rules), &mut any);
        any.0
    }

    /// Whether `end` is legal.
    pub fn may_end(&self, rules: &Rules) -> bool {
        let allowed = if self.state.moves > 0 { rules.turn.may_end } else { rules.turn.may_pass };
        allowed && self.decided(rules).is_none() && !self.is_check(rules)
    }

    /// The pieces that may move as far as the rules of the turn allow.
    pub fn movers(&self, rules: &Rules) -> Set {
        let own = self.by_color(self.state.turn);
        if !rules.multi {
            return own;
        }
        own.minus(self.state.moved.iter().copied().collect())
            & command::commanded(self.state.spent_sets, self.royals(self.state.turn), rules)
    }

    /// The royal pieces that may still command a piece of the side to move; none in games without command.
    pub fn commanders(&self, rules: &Rules, from: Square) -> Set {
        if !self.movers(rules).contains(from) {
            return Set::EMPTY;
        }
        command::commanders(self.state.spent_sets, self.royals(self.state.turn), rules, from)
    }

    fn generate<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        self.generate_moves(rules, movers, sink);
        if self.may_end(rules) {
            sink.mv(Move::END);
        }
    }

    fn generate_moves<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        if self.decided(rules).is_some() {
        } else if rules.restricts_moves() {
            self.generate_restricted(rules, movers, sink);
        } else {
            self.generate_unrestricted(rules, movers, sink);
        }
    }

    /// Lists the moves that may answer a condition that would end the game.
    pub(crate) fn answers(&self, rules: &Rules, moves: &mut Vec<Move>) {
        if rules.restricts_moves() {
            self.generate_restricted(rules, self.movers(rules), moves);
        } else {
            self.generate_unrestricted(rules, self.movers(rules), moves);
        }
    }

    /// Generates moves where capturing is compulsory or giving check is forbidden, which all moves together decide.
    #[cold]
    fn generate_restricted<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        let mut moves = Vec::new();
        self.generate_unrestricted(rules, self.movers(rules), &mut moves);
        if !rules.turn.may_check {
            moves.retain(|mv| !self.gives_check(rules, *mv));
        }
        if rules.turn.must_capture && moves.iter().any(|mv| self.captured(*mv).is_some()) {
            moves.retain(|mv| self.captured(*mv).is_some());
        }
        for mv in moves.into_iter().filter(|mv| movers.contains(mv.from())) {
            sink.mv(mv);
        }
    }

    /// Generates moves where a side may have several Kings, and tries each for leaving them safe.
    #[cold]
    fn generate_tried<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        let us = self.state.turn;
        let mut moves = Vec::new();
        self.generate_pieces(rules, movers, &Free, &mut moves);
        if !self.is_check(rules) {
            for king in self.royals(us) & movers {
                self.generate_castling(rules, king, &mut moves);
            }
        }
        moves.retain(|mv| {
            let effect = self.effect(rules, *mv).expect("a piece moves");
            !self.with_effect(rules, &effect).is_attacked_royal(rules, us)
        });
        moves.into_iter().for_each(|mv| sink.mv(mv));
        self.generate_en_passant(rules, movers, sink);
    }

    fn generate_unrestricted<S: Sink>(&self, rules: &Rules, movers: Set, sink: &mut S) {
        if rules.has_many_kings() {
            return self.generate_tried(rules, movers, sink);
        }
        let us = self.state.turn;
        let king = if rules.has_check() { self.royals(us).first() } else { None };
        let Some(king) = king else {
            self.generate_pieces(rules, movers, &Free, sink);
            if !rules.has_check() {
                self.generate_free_castlings(rules, movers, sink);
            }
            self.generate_en_passant(rules, movers, sink);
            return;
        };
        let pieces = movers.without(king);
        let check;
        if rules.has_uncovered_attacks {
            check = self.is_check(rules);
            self.generate_pieces(rules, pieces, &Tried(self, rules), sink);
        } else {
            let mut legality = Legality::new();
            legality.add_lines(self, rules, king, us);
            check = legality.check;
            if legality.overflow {
                self.generate_pieces(rules, pieces, &Tried(self, rules), sink);
            } else if check {
                self.generate_pieces(rules, pieces, &legality, sink);
            } else {
                let held = pieces & legality.pinned;
                if legality.danger.is_empty() {
                    self.generate_pieces(rules, pieces.minus(held), &Free, sink);
                } else {
                    self.generate_pieces(rules, pieces.minus(held), &Avoid(legality.danger), sink);
                }
                if !held.is_empty() && !sink.is_done() {
                    self.generate_pieces(rules, held, &legality, sink);
                }
            }
        }
        if sink.is_done() {
            return;
        }
        if movers.contains(king) {
            self.generate_king(rules, king, sink);
            if !check {
                self.generate_castling(rules, king, sink);
                self.generate_jumps(rules, king, sink);
            }
        }
        self.generate_en_passant(rules, movers, sink);
    }

    fn scene<'a>(&self, rules: &'a Rules, us: Color) -> Scene<'a> {
        let occupied = self.occupied();
        Scene { rules, us, occupied, empty: rules.board.minus(occupied), enemy: self.by_color(!us) }
    }
}
