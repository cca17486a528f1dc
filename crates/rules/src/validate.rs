//! Checks whether a position is playable.

use crate::definition::{Goal, Safety};
use crate::game::Game;
use crate::piece::{Color, Piece, PieceType};
use crate::position::Position;
use crate::square::Square;
use crate::tables::{RightKind, Rules};

/// Why a position is not playable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A side has no royal piece.
    NoRoyal(Color),
    /// A side has more royal pieces than the game begins with.
    TooManyRoyals(Color),
    /// A piece stands where it would have promoted.
    Unpromoted(Square),
    /// A right is held without the pieces that it needs. The number is the right's.
    RightWithoutPiece(usize),
    /// The side not to move is in check.
    OppositeCheck,
}

impl Problem {
    /// A stable name, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Problem::NoRoyal(_) => "no_royal",
            Problem::TooManyRoyals(_) => "too_many_royals",
            Problem::Unpromoted(_) => "unpromoted",
            Problem::RightWithoutPiece(_) => "right_without_piece",
            Problem::OppositeCheck => "opposite_check",
        }
    }

    /// A sentence for people.
    pub fn describe(&self, game: &Game) -> String {
        let royal = |rules: &Rules| game.definition.piece_types[rules.royals[0].index()].name.clone();
        match self {
            Problem::NoRoyal(color) => format!("{color:?} has no {}", royal(&game.rules)),
            Problem::TooManyRoyals(color) => format!("{color:?} has too many of the piece {}", royal(&game.rules)),
            Problem::Unpromoted(square) => format!("the piece on {square} should have promoted there"),
            Problem::RightWithoutPiece(number) => {
                let right = &game.rules.rights[*number];
                let color = right.color;
                let needs = match right.kind {
                    RightKind::Castling(index) => {
                        let castling = &game.rules.castlings[color.index()][index];
                        let partner = &game.definition.piece_types[castling.partner.piece_type().index()].name;
                        let (king, rook) = (castling.king.0, castling.rook.0);
                        let mover = &game.definition.piece_types[castling.mover.piece_type().index()].name;
                        format!("{color:?}'s {mover} on {king} and {partner} on {rook}")
                    }
                    RightKind::FirstMove(square) => {
                        format!("a piece of {color:?} on {square} with a first move from there")
                    }
                    RightKind::Jump | RightKind::PlayedOn | RightKind::Passed => "its pieces in their places".into(),
                };
                format!("the right {:?} needs {needs}", right.letter)
            }
            Problem::OppositeCheck => "the side not to move is in check".into(),
        }
    }
}

impl Position {
    /// Everything that makes the position unplayable; empty for a position of a game.
    pub fn problems(&self, rules: &Rules) -> Vec<Problem> {
        let mut problems = Vec::new();
        let royals = Color::BOTH.map(|color| self.royals(color).count());
        for color in Color::BOTH {
            let count = royals[color.index()];
            let may_lack = match rules.end.goal {
                Goal::Checkmate => rules.kingless[color.index()],
                Goal::CaptureRoyals => royals[(!color).index()] > 0,
                Goal::Conditions => true,
            };
            let most = match rules.end.royals {
                Safety::Only if rules.has_check() => 1,
                Safety::Only => rules.start_royals,
                Safety::Last | Safety::Every | Safety::One => u32::MAX,
            };
            if count == 0 && !may_lack {
                problems.push(Problem::NoRoyal(color));
            }
            if count > most {
                problems.push(Problem::TooManyRoyals(color));
            }
            // A piece may stand there if it is a result of promotion.
            for kind in (0..rules.piece_types as u8).map(PieceType).filter(|kind| rules.promotes[kind.index()]) {
                let spec = rules.piece(Piece::new(color, kind));
                if rules.promoted_from(color, kind).next().is_none() {
                    let stuck = self.pieces(color, kind).into_iter().filter(|square| spec.must_promote(*square));
                    problems.extend(stuck.map(Problem::Unpromoted));
                }
            }
        }
        for (bit, right) in rules.rights.iter().enumerate() {
            if self.state.rights >> bit & 1 == 0 {
                continue;
            }
            let own = |square: Square| self.piece(square).filter(|piece| piece.color() == right.color);
            let in_place = match right.kind {
                RightKind::Castling(index) => {
                    let castling = &rules.castlings[right.color.index()][index];
                    own(castling.king.0) == Some(castling.mover) && own(castling.rook.0) == Some(castling.partner)
                }
                RightKind::FirstMove(square) => own(square).is_some_and(|piece| {
                    let list = rules.piece(piece).conditionals.get(square.index());
                    list.is_some_and(|list| list.iter().any(|conditional| usize::from(conditional.right) == bit))
                        || rules.piece(piece).walks.iter().any(|free| usize::from(free.right) == bit)
                }),
                RightKind::Jump | RightKind::PlayedOn | RightKind::Passed => true,
            };
            if !in_place {
                problems.push(Problem::RightWithoutPiece(bit));
            }
        }
        if problems.is_empty() && self.is_attacked_royal(rules, !self.turn()) {
            problems.push(Problem::OppositeCheck);
        }
        problems
    }
}
