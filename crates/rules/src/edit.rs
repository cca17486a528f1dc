//! Editing positions: adding and removing pieces, swapping sides.

use crate::command;
use crate::piece::{Cell, Color, Piece};
use crate::position::{EnPassant, MAX_COUNT, Position};
use crate::square::{Square, mirror};
use crate::tables::{Right, RightKind, Rules};

impl Position {
    /// Replaces the contents of a square, for editing: nothing is checked, en passant is reset.
    pub fn set(&mut self, rules: &Rules, square: Square, cell: Cell) {
        if let Some(old) = self.piece(square) {
            self.remove(rules, square, old);
        }
        if let Some(new) = cell.piece() {
            self.add(rules, square, new);
        }
        self.restart_turn();
    }

    /// Sets the side to move, for editing.
    pub fn set_turn(&mut self, color: Color) {
        self.state.turn = color;
        self.restart_turn();
    }

    /// Sets the counter of quiet moves, for editing.
    pub fn set_halfmove(&mut self, moves: u32) {
        self.leave_turn();
        self.state.halfmove = moves.min(MAX_COUNT);
    }

    /// Sets the move number, for editing.
    pub fn set_fullmove(&mut self, number: u32) {
        self.leave_turn();
        self.state.fullmove = number.clamp(1, MAX_COUNT);
    }

    /// Resets the current turn, but keeps what may be captured en passant at its start.
    fn leave_turn(&mut self) {
        if self.state.moves > 0 {
            self.restart_turn();
        }
    }

    /// Resets the current turn and en passant.
    pub(crate) fn restart_turn(&mut self) {
        let state = &mut self.state;
        state.en_passant.clear();
        state.new_en_passant.clear();
        state.moves = 0;
        state.progress = false;
        state.moved.clear();
        state.spent_sets = command::NONE_SPENT;
        state.claimed = false;
    }

    /// Returns the position with the sides swapped and the board mirrored rank for rank.
    pub fn mirrored(&self, rules: &Rules) -> Position {
        let mut other = Position::empty();
        for square in self.occupied() {
            let piece = self.piece(square).expect("occupied");
            other.add(rules, mirror(square, rules.ranks), Piece::new(!piece.color(), piece.piece_type()));
        }
        let state = &self.state;
        other.state.turn = !state.turn;
        other.state.halfmove = state.halfmove;
        other.state.fullmove = state.fullmove;
        other.state.checks = [state.checks[1], state.checks[0]];
        for (bit, right) in rules.rights.iter().enumerate().filter(|(bit, _)| state.rights >> bit & 1 != 0) {
            let twin = |(_, other): &(usize, &Right)| match (right.kind, other.kind) {
                (RightKind::FirstMove(mine), RightKind::FirstMove(its)) => its == mirror(mine, rules.ranks),
                (RightKind::Passed, RightKind::Passed) => true,
                (mine, its) => mine == its && other.color != right.color,
            };
            let twin = rules.rights.iter().enumerate().find(twin).map_or(bit, |(bit, _)| bit);
            other.state.rights |= 1 << twin;
        }
        for track in state.en_passant.iter() {
            let ranks = track.landings().fold(0u16, |ranks, square| ranks | 1 << mirror(square, rules.ranks).rank());
            other.state.en_passant.push(EnPassant { victim: mirror(track.victim, rules.ranks), ranks });
        }
        other
    }
}
