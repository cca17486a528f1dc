//! Dead positions: no sequence of legal moves leads to mate.

use crate::piece::{Color, Kind, Piece};
use crate::position::Position;
use crate::rules::Rules;
use crate::set::Set;
use crate::square::Square;

impl Position {
    /// Whether mate is impossible: King against King; King and one piece that can never mate against King; or every
    /// other piece bound to squares of the same colour, with nothing left that promotes. Only for games of one move per
    /// turn.
    pub fn is_dead(&self, rules: &Rules) -> bool {
        if !rules.end.dead_positions || rules.multi || !rules.has_check() {
            return false;
        }
        let others = self.occupied().minus(self.royals);
        let mut first = None;
        for kind in (0..rules.kinds).filter(|kind| !rules.royal[*kind]) {
            if !self.by_kind[kind].is_empty() {
                if rules.promotes[kind] {
                    return false;
                }
                first = first.or(Some(Kind(kind as u8)));
            }
        }
        match (others.count(), first) {
            (0, _) => true,
            (1, Some(kind)) if !rules.can_mate_alone(kind) => true,
            _ => self.is_bound_to_one_color(rules, others),
        }
    }

    fn is_bound_to_one_color(&self, rules: &Rules, others: Set) -> bool {
        let bound = (0..rules.kinds)
            .filter(|kind| !rules.royal[*kind] && !rules.color_bound[*kind])
            .all(|kind| self.by_kind[kind].is_empty());
        let dark = |square: Square| (square.file() + square.rank()) % 2;
        let mut colors = others.into_iter().map(dark);
        match colors.next() {
            Some(first) => bound && rules.king_changes_color() && colors.all(|color| color == first),
            None => true,
        }
    }
}

impl Rules {
    /// Whether the King can leave the colour of its square; if it cannot, colour-bound pieces can mate it.
    fn king_changes_color(&self) -> bool {
        self.royals.iter().all(|kind| !self.color_bound[kind.index()])
    }

    /// Whether some position with a King and one such piece against a King is mate, found by trying all of them.
    fn can_mate_alone(&self, kind: Kind) -> bool {
        *self.can_mate[kind.index()].get_or_init(|| self.search_mate(kind))
    }

    fn search_mate(&self, kind: Kind) -> bool {
        let royal = self.royals[0];
        let piece = Piece::new(Color::White, kind);
        let (near_piece, near_king) = (self.reaching(piece), self.reaching(Piece::new(Color::White, royal)));
        let mut position = Position::empty();
        position.state.turn = Color::Black;
        for lost in self.board {
            position.add(self, lost, Piece::new(Color::Black, royal));
            for king in self.board.without(lost) {
                position.add(self, king, Piece::new(Color::White, royal));
                if !position.is_check(self) {
                    // Only the piece can give check, unless the King could capture there, such as over the piece.
                    let from =
                        if near_king[lost.index()].contains(king) { self.board } else { near_piece[lost.index()] };
                    for square in from.without(lost).without(king) {
                        position.add(self, square, piece);
                        let mate = position.is_check(self) && !position.has_piece_move(self);
                        position.remove(self, square, piece);
                        if mate {
                            return true;
                        }
                    }
                }
                position.remove(self, king, Piece::new(Color::White, royal));
            }
            position.remove(self, lost, Piece::new(Color::Black, royal));
        }
        false
    }

    /// For each square, the squares from which a piece could go there in some position.
    fn reaching(&self, piece: Piece) -> Vec<Set> {
        let mut reaching = vec![Set::EMPTY; 256];
        for free in &self.walks[piece.index()] {
            for from in free.from {
                for to in free.walk.possible_targets(from, &free.board) {
                    reaching[to.index()].insert(from);
                }
            }
        }
        reaching
    }
}
