//! Dead positions: no sequence of legal moves leads to a win.

use crate::definition::Verdict;
use crate::piece::{Color, Piece, PieceType};
use crate::position::Position;
use crate::set::Set;
use crate::square::{DIRECTIONS, Square};
use crate::tables::{NONE, Rules};

impl Position {
    /// Whether winning is impossible: King against King; King and one piece that can never mate against King; or every
    /// other piece bound to squares of the same colour, with nothing left that promotes. Only for games of one move per
    /// turn.
    pub fn is_dead(&self, rules: &Rules) -> bool {
        if !rules.end.dead_positions || rules.multi || !rules.has_one_king_each() {
            return false;
        }
        let others = self.occupied().minus(self.royals);
        let mut first = None;
        for kind in (0..rules.piece_types).filter(|kind| !rules.royal[*kind]) {
            if !self.by_type[kind].is_empty() {
                if rules.promotes[kind] {
                    return false;
                }
                first = first.or(Some(PieceType(kind as u8)));
            }
        }
        let Some(kind) = first else { return !rules.can_win_bare() && !rules.can_win_by_walking() };
        // Then even a bare King might win, with the other side's pieces in their King's way.
        if rules.end.stalemate != Verdict::Draw || rules.king_may_check() || rules.can_win_by_condition() {
            return false;
        }
        (others.count() == 1 && !rules.can_mate_alone(kind))
            || (self.is_bound_to_one_color(rules, others) && !rules.can_mate_bound())
    }

    fn is_bound_to_one_color(&self, rules: &Rules, others: Set) -> bool {
        let mut colors = others.into_iter().map(square_color);
        let first = colors.next();
        (0..rules.piece_types)
            .all(|kind| rules.royal[kind] || rules.attacks_one_color(kind) || self.by_type[kind].is_empty())
            && colors.all(|other| Some(other) == first)
    }

    /// Whether Black, to move, cannot move and the game is decided, in a position that a game could have.
    fn is_decided_for_black(&self, rules: &Rules) -> bool {
        (rules.end.stalemate != Verdict::Draw || self.is_check(rules))
            && !self.has_piece_move(rules)
            && !self.is_attacked_royal(rules, Color::White)
    }
}

impl Rules {
    /// Whether a King might give check to a King: not if it is always attacked by the other then. Kings that hop, bend
    /// or take longer walks are not looked at closely.
    pub(crate) fn king_may_check(&self) -> bool {
        *self.wins.checks.get_or_init(|| Color::BOTH.iter().any(|color| self.king_of_may_check(*color)))
    }

    fn king_of_may_check(&self, color: Color) -> bool {
        let [own, other] = [color, !color].map(|color| Piece::new(color, self.royals[0]));
        let spec = self.piece(own);
        let empty = Position::empty();
        let is_answered = |from: Square, to: Square, path: &Set| {
            let occupied = self.board.minus(*path);
            to == from || empty.piece_attacks(self, other, to, from, &occupied)
        };
        let leaps = |from: Square| self.table(spec.capture)[from.index()].into_iter();
        let lame = |from: Square| spec.conditionals.get(from.index()).into_iter().flatten().filter(|c| c.capture);
        spec.hops.contains(&true)
            || spec.bents.iter().any(|bent| bent.capture)
            || spec.walks.iter().any(|free| free.walk.capture)
            || (0..8).any(|direction| spec.slide_range[direction] > self.piece(other).slide_range[(direction + 4) % 8])
            || self.board.into_iter().any(|from| {
                leaps(from).any(|to| !is_answered(from, to, &Set::EMPTY))
                    || lame(from).any(|c| c.paths().any(|path| !is_answered(from, c.to, path)))
            })
    }

    /// Whether a bare King can win against a bare King.
    fn can_win_bare(&self) -> bool {
        *self.wins.bare.get_or_init(|| self.any_kings(|position, _, _| position.is_decided_for_black(self)))
    }

    /// Whether some position with a King and one such piece against a King is mate.
    fn can_mate_alone(&self, kind: PieceType) -> bool {
        *self.wins.alone[kind.index()].get_or_init(|| {
            let piece = Piece::new(Color::White, kind);
            let attackers = self.possible_attackers(piece);
            // The search below gives no rights; with one a piece might attack more.
            self.walks[piece.index()].iter().any(|free| free.walk.capture && free.right != NONE)
                || self.any_kings(|position, lost, king| {
                    attackers[lost.index()].without(lost).without(king).into_iter().any(|square| {
                        position.add(self, square, piece);
                        let mate = position.is_decided_for_black(self);
                        position.remove(self, square, piece);
                        mate
                    })
                })
        })
    }

    /// Whether pieces that are all bound to one colour might mate. They cannot if a King that they attack can always
    /// step to the other colour, where they neither stand nor attack.
    fn can_mate_bound(&self) -> bool {
        let steps = self.table(self.piece(Piece::new(Color::Black, self.royals[0])).quiet);
        *self.wins.bound.get_or_init(|| {
            self.any_kings(|position, lost, king| {
                let occupied = position.occupied().without(lost);
                let attacker = position.by_color(Color::White);
                let is_attacked = |to| position.attacked(self, to, Color::White, attacker, &occupied);
                let is_escape = |to: Square| square_color(to) != square_color(lost) && to != king && !is_attacked(to);
                !is_attacked(lost) && !steps[lost.index()].into_iter().any(is_escape)
            })
        })
    }

    /// Whether this holds for some position of two bare Kings, with Black to move; it gets Black's King, then White's.
    fn any_kings(&self, holds: impl Fn(&mut Position, Square, Square) -> bool) -> bool {
        let [white, black] = Color::BOTH.map(|color| Piece::new(color, self.royals[0]));
        let mut position = Position::empty();
        position.state.turn = Color::Black;
        self.board.into_iter().any(|lost| {
            position.add(self, lost, black);
            let any = self.board.without(lost).into_iter().any(|king| {
                position.add(self, king, white);
                let any = holds(&mut position, lost, king);
                position.remove(self, king, white);
                any
            });
            position.remove(self, lost, black);
            any
        })
    }

    /// Whether a piece type never leaves squares of one colour, nor attacks others.
    fn attacks_one_color(&self, kind: usize) -> bool {
        let ranges = self.piece(Piece::new(Color::White, PieceType(kind as u8))).slide_range;
        let mut slides = DIRECTIONS.iter().zip(ranges);
        self.color_bound[kind] && slides.all(|((files, ranks), range)| range == 0 || (files + ranks) % 2 == 0)
    }

    /// For each square, the squares from which a piece could attack it in some position.
    fn possible_attackers(&self, piece: Piece) -> Vec<Set> {
        let mut attackers = vec![Set::EMPTY; 256];
        for free in self.walks[piece.index()].iter().filter(|free| free.walk.capture) {
            for from in free.from {
                for to in free.walk.possible_targets(from, &free.board) {
                    attackers[to.index()].insert(from);
                }
            }
        }
        // What a piece only sees is among its slides, and not among its walks.
        for from in self.board {
            for (step, range) in DIRECTIONS.iter().zip(self.piece(piece).slide_range) {
                let mut square = from;
                for _ in 0..range {
                    let Some(next) = square.offset(step.0, step.1).filter(|next| self.board.contains(*next)) else {
                        break;
                    };
                    attackers[next.index()].insert(from);
                    square = next;
                }
            }
        }
        attackers
    }
}

fn square_color(square: Square) -> u8 {
    (square.file() + square.rank()) % 2
}
