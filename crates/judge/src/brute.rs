//! Legal moves by brute force: follows every walk, makes every move on a plain board, and checks whether the King is
//! attacked.

use rules::definition::{Safety, Test, TurnLength, Verdict};
use rules::tables::{FreeWalk, NONE, RightKind};
use rules::{Board, Color, Game, Move, MoveTag, Piece, PieceType, Set, Square};

/// A plain board.
#[derive(Clone)]
pub struct Brute<'a> {
    game: &'a Game,
    cells: Vec<Option<Piece>>,
    rights: u64,
    turn: Color,
}

impl<'a> Brute<'a> {
    /// The pieces and rights of a board.
    pub fn new(board: &Board, game: &'a Game) -> Brute<'a> {
        let cells = (0..=255).map(|square| board.position().piece(Square(square))).collect();
        Brute { game, cells, rights: board.position().state().rights, turn: board.turn() }
    }

    /// Treats the board as if it were this side's turn.
    pub fn set_turn(&mut self, color: Color) {
        self.turn = color;
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()]
    }

    fn occupied(&self) -> Set {
        (0..=255).map(Square).filter(|square| self.at(*square).is_some()).collect()
    }

    fn holds(&self, right: u8) -> bool {
        right == NONE || self.rights >> right & 1 != 0
    }

    fn royals(&self, color: Color) -> Vec<Square> {
        let royal = |square: &Square| {
            self.at(*square)
                .is_some_and(|piece| piece.color() == color && self.game.rules.royal[piece.piece_type().index()])
        };
        (0..=255).map(Square).filter(royal).collect()
    }

    fn walks(&self, piece: Piece, from: Square) -> impl Iterator<Item = &FreeWalk> {
        let walks = &self.game.rules.walks[piece.index()];
        walks.iter().filter(move |free| free.from.contains(from) && self.holds(free.right))
    }

    /// Whether a side's pieces would capture on a square.
    fn attacked(&self, square: Square, by: Color) -> bool {
        let occupied = self.occupied();
        (0..=255).map(Square).any(|from| match self.at(from) {
            Some(piece) if piece.color() == by => self.attacks(piece, from, square, &occupied),
            _ => false,
        })
    }

    fn attacks(&self, piece: Piece, from: Square, square: Square, occupied: &Set) -> bool {
        let mut hit = false;
        for free in self.walks(piece, from).filter(|free| free.walk.capture) {
            free.walk.paths(from, &free.board, occupied, &mut |path| hit |= path.to() == square);
        }
        for walk in &self.game.definition.piece_types[piece.piece_type().index()].sees {
            let walk = self.game.definition.piece_types[piece.piece_type().index()].walk_of(walk, piece.color());
            walk.paths(from, &self.game.rules.board, occupied, &mut |path| hit |= path.to() == square);
        }
        hit
    }

    /// Whether a side is in check. Which of several Kings must be attacked for that depends on the game.
    pub fn in_check(&self, color: Color) -> bool {
        let royals = self.royals(color);
        let attacked = royals.iter().filter(|king| self.attacked(**king, !color)).count();
        self.game.rules.has_check()
            && match self.game.definition.end.royals {
                Safety::Only | Safety::Every => attacked > 0,
                Safety::Last => attacked > 0 && royals.len() == 1,
                Safety::One => attacked > 0 && attacked == royals.len(),
            }
    }

    /// Returns the board after a move, pieces only.
    pub fn after(&self, mv: Move, victim: Option<Square>) -> Brute<'a> {
        let mut next = self.clone();
        if !mv.moves_piece() {
            return next;
        }
        if let Some(victim) = victim {
            next.cells[victim.index()] = None;
        }
        let piece = next.cells[mv.from().index()].take().expect("a piece on the origin");
        if mv.tag() == MoveTag::Castling {
            let castlings = &self.game.rules.castlings[self.turn.index()];
            let castling = castlings.iter().find(|c| c.king == (mv.from(), mv.to())).expect("a castling");
            next.cells[castling.rook.1.index()] = next.cells[castling.rook.0.index()].take();
        }
        let becomes = mv.promotion().map_or(piece, |kind| Piece::new(piece.color(), kind));
        next.cells[mv.to().index()] = Some(becomes);
        next
    }

    /// All piece moves that do not leave the mover's King attacked, with their victims, for pieces that may move in
    /// this turn.
    pub fn moves(
        &self,
        en_passant: &[(Square, Vec<Square>)],
        may_move: &dyn Fn(Square) -> bool,
    ) -> Vec<(Move, Option<Square>)> {
        let (us, rules) = (self.turn, &self.game.rules);
        let occupied = self.occupied();
        let mut found: Vec<(Move, Option<Square>)> = Vec::new();
        for from in (0..=255).map(Square).filter(|from| may_move(*from)) {
            let Some(piece) = self.at(from).filter(|piece| piece.color() == us) else { continue };
            for free in self.walks(piece, from) {
                free.walk.paths(from, &free.board, &occupied, &mut |path| {
                    let to = path.to();
                    let target = self.at(to);
                    if (free.walk.quiet && target.is_none())
                        || (free.walk.capture && target.is_some_and(|p| p.color() != us))
                    {
                        let tag =
                            if free.walk.track && path.squares.len() > 1 { MoveTag::Passing } else { MoveTag::Normal };
                        self.arrive(piece.piece_type(), from, to, tag, target.map(|_| to), &mut found);
                    }
                    if free.walk.en_passant && target.is_none() {
                        for (victim, landings) in en_passant {
                            if landings.contains(&to) {
                                self.arrive(
                                    piece.piece_type(),
                                    from,
                                    to,
                                    MoveTag::EnPassant,
                                    Some(*victim),
                                    &mut found,
                                );
                            }
                        }
                    }
                });
            }
            if rules.royal[piece.piece_type().index()] || !rules.has_check() {
                self.castlings(from, &mut found);
            }
            if rules.royal[piece.piece_type().index()] && rules.has_check() {
                self.jumps(from, &mut found);
            }
        }
        if rules.has_check() {
            found.retain(|(mv, victim)| !self.after(*mv, *victim).in_check(us));
        }
        // If the same step can leave a track and can also leave none, it leaves one.
        found.sort_by_key(|(mv, _)| mv.tag() != MoveTag::Passing);
        let mut unique: Vec<(Move, Option<Square>)> = Vec::new();
        for (mv, victim) in found {
            if !unique.iter().any(|(other, _)| other.same_text(mv)) {
                unique.push((mv, victim));
            }
        }
        unique
    }

    fn arrive(
        &self,
        kind: PieceType,
        from: Square,
        to: Square,
        tag: MoveTag,
        victim: Option<Square>,
        found: &mut Vec<(Move, Option<Square>)>,
    ) {
        let definition = &self.game.definition;
        let ranks = definition.ranks;
        let seen = if self.turn == Color::White { to } else { Square::new(to.file(), ranks - 1 - to.rank()) };
        let seen_from =
            if self.turn == Color::White { from } else { Square::new(from.file(), ranks - 1 - from.rank()) };
        let step = (to.file() as i8 - from.file() as i8, seen.rank() as i8 - seen_from.rank() as i8);
        let piece_type = &definition.piece_types[kind.index()];
        let (mut must, mut offered) = (false, Vec::new());
        if piece_type.promotions.is_empty() {
            let by = piece_type.promotes_by.as_ref();
            let step = if piece_type.turned && self.turn == Color::Black { (-step.0, step.1) } else { step };
            let by = by.is_none_or(|walks| walks.iter().any(|walk| walk.legs[0].step == step));
            let (at, optional) = (definition.promotion.at.contains(seen), definition.promotion.optional.contains(seen));
            if by && !piece_type.promotes_to.is_empty() && (at || optional) {
                must = at;
                offered = piece_type.promotes_to.clone();
            }
        }
        for way in &piece_type.promotions {
            let fits = way.from.is_none_or(|squares| squares.contains(seen_from))
                && way.captures.is_none_or(|captures| captures == victim.is_some())
                && way.side.is_none_or(|side| side == self.turn);
            if fits && (way.at.contains(seen) || way.optional.contains(seen)) {
                must |= way.at.contains(seen);
                offered.extend(&way.to);
            }
        }
        if !must {
            found.push((Move::new(from, to, tag), victim));
        }
        for to_type in offered {
            let count = |cells: &mut dyn Iterator<Item = Option<Piece>>| {
                cells.filter(|piece| *piece == Some(Piece::new(self.turn, to_type))).count()
            };
            let standing = count(&mut self.cells.iter().copied());
            let started = definition.placement.iter().map(|(_, color, kind)| Some(Piece::new(*color, *kind)));
            let limits = &definition.promotion.limits;
            let limit = limits.iter().find(|(kind, _)| *kind == to_type).map(|(_, most)| usize::from(*most));
            let at_start = || count(&mut started.into_iter());
            let limit = limit.or_else(|| definition.promotion.limited.then(at_start));
            if limit.is_none_or(|most| standing < most) {
                let tag = if tag == MoveTag::Passing { MoveTag::Normal } else { tag };
                found.push((Move::promoting(from, to, tag, to_type), victim));
            }
        }
    }

    fn castlings(&self, king: Square, found: &mut Vec<(Move, Option<Square>)>) {
        let us = self.turn;
        for (index, right) in self.game.rules.rights.iter().enumerate() {
            let RightKind::Castling(number) = right.kind else { continue };
            if right.color != us || !self.holds(index as u8) || self.in_check(us) {
                continue;
            }
            let castling = &self.game.rules.castlings[us.index()][number];
            let row = |a: Square, b: Square| {
                let (low, high) = (a.file().min(b.file()), a.file().max(b.file()));
                (low..=high).map(move |file| Square::new(file, a.rank()))
            };
            let between = row(castling.king.0, castling.rook.0)
                .chain(row(castling.king.0, castling.king.1))
                .chain(row(castling.rook.0, castling.rook.1));
            let free = between
                .filter(|square| *square != castling.king.0 && *square != castling.rook.0)
                .all(|square| self.at(square).is_none());
            let has_check = self.game.rules.has_check();
            let safe = !has_check || row(castling.king.0, castling.king.1).all(|square| self.is_safe(king, square));
            let at_home = king == castling.king.0 && self.at(king) == Some(castling.mover);
            if at_home && self.at(castling.rook.0) == Some(castling.partner) && free && safe {
                found.push((Move::new(king, castling.king.1, MoveTag::Castling), None));
            }
        }
    }

    fn jumps(&self, king: Square, found: &mut Vec<(Move, Option<Square>)>) {
        let us = self.turn;
        let Some(jump) = &self.game.definition.jump else { return };
        if !self.holds(self.game.rules.jump_right[us.index()]) || self.in_check(us) {
            return;
        }
        for &(x, y) in &jump.steps {
            let y = if us == Color::White { y } else { -y };
            let Some(to) = king.offset(x, y).filter(|to| self.game.rules.board.contains(*to)) else { continue };
            let zone = self.at(king).and_then(|piece| self.game.rules.walks[piece.index()].first());
            if self.at(to).is_some() || zone.is_some_and(|free| !free.board.contains(to)) {
                continue;
            }
            let toward = |a: i8, b: i8| king.offset(a, b).expect("between two squares of the board");
            let safe = if x.abs() + y.abs() == 3 {
                let straight = if x.abs() == 2 { toward(x / 2, 0) } else { toward(0, y / 2) };
                let diagonal = toward(x.signum(), y.signum());
                self.is_safe(king, straight) || self.is_safe(king, diagonal)
            } else {
                self.is_safe(king, toward(x / 2, y / 2))
            };
            if safe {
                found.push((Move::new(king, to, MoveTag::Jump), None));
            }
        }
    }

    /// Those of the moves that a game allows which makes captures compulsory, or forbids check.
    pub fn allowed(&self, mut moves: Vec<(Move, Option<Square>)>) -> Vec<(Move, Option<Square>)> {
        let turn = &self.game.definition.turn;
        if !turn.may_check {
            moves.retain(|(mv, victim)| !self.after(*mv, *victim).in_check(!self.turn));
        }
        let captures = moves.iter().filter(|(_, victim)| victim.is_some()).count();
        if turn.must_capture && captures > 0 {
            moves.retain(|(_, victim)| victim.is_some());
        }
        moves
    }

    /// The winner, `None` for a draw, by the conditions that hold if the sides have given so many checks, and whether
    /// one of them cannot be answered.
    pub fn condition(&self, checks: [u8; 2]) -> Option<(Option<Color>, bool)> {
        let mut winners: Vec<Option<Color>> = Vec::new();
        let mut is_final = false;
        let count = |color: Color, kind: Option<PieceType>, on: &dyn Fn(Square) -> bool| {
            let of = |square: &Square| {
                let is = |piece: Piece| piece.color() == color && kind.is_none_or(|kind| piece.piece_type() == kind);
                self.at(*square).is_some_and(is) && on(*square)
            };
            (0..=255).map(Square).filter(of).count() as u32
        };
        for condition in &self.game.definition.end.conditions {
            for color in Color::BOTH {
                if condition.side.is_some_and(|side| side != color) {
                    continue;
                }
                let seen = |square: Square| match color {
                    Color::White => square,
                    Color::Black => Square::new(square.file(), self.game.definition.ranks - 1 - square.rank()),
                };
                let holds = match &condition.test {
                    Test::Extinct { kinds, at_most, against } => {
                        let each: Vec<_> =
                            if kinds.is_empty() { vec![None] } else { kinds.iter().copied().map(Some).collect() };
                        let few = |kind: &Option<PieceType>| count(color, *kind, &|_| true) <= *at_most;
                        each.iter().any(|kind| few(kind) && count(!color, *kind, &|_| true) >= *against)
                    }
                    Test::Reach { squares, kinds, count: wanted } => {
                        let each: Vec<_> =
                            if kinds.is_empty() { vec![None] } else { kinds.iter().copied().map(Some).collect() };
                        let there = |square: Square| squares.contains(seen(square));
                        each.iter().map(|kind| count(color, *kind, &there)).sum::<u32>() >= *wanted
                    }
                    Test::Checks(wanted) => checks[color.index()] >= *wanted,
                };
                if holds {
                    winners.push(match condition.verdict {
                        Verdict::Win => Some(color),
                        Verdict::Draw => None,
                        Verdict::Loss => Some(!color),
                    });
                    is_final |= !condition.answer;
                }
            }
        }
        let first = *winners.first()?;
        Some((first.filter(|_| winners.iter().all(|winner| *winner == first)), is_final))
    }

    /// Whether the King, lifted from its square and set on another in place of what stands there, would be attacked.
    fn is_safe(&self, king: Square, square: Square) -> bool {
        let mut next = self.clone();
        let piece = next.cells[king.index()].take();
        next.cells[square.index()] = piece;
        !next.attacked(square, !self.turn)
    }
}

/// Whether the moves of a turn can be given distinct commanders: each entry lists those that could command the move.
pub(crate) fn assignable(moves: &[Vec<usize>]) -> bool {
    fn assign(moves: &[Vec<usize>], used: &mut Vec<usize>) -> bool {
        let Some((first, rest)) = moves.split_first() else { return true };
        first.iter().any(|commander| {
            if used.contains(commander) {
                return false;
            }
            used.push(*commander);
            let fits = assign(rest, used);
            used.pop();
            fits
        })
    }
    assign(moves, &mut Vec::new())
}

/// The number of moves that the turn may have.
pub(crate) fn turn_length(board: &Board, royals: usize) -> usize {
    let turn = &board.game().rules.turn;
    match (turn.length, turn.first) {
        (_, Some(first)) if board.turn() == Color::White && board.position().state().fullmove == 1 => first as usize,
        (TurnLength::Moves(moves), _) => moves as usize,
        (TurnLength::Royals, _) => royals,
    }
}
