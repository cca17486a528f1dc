//! A position: the pieces, the side to move and the state that the board does not show. Moves are made and unmade in
//! place.

use crate::command;
use crate::effect::{Effect, Partner};
use crate::few::Few;
use crate::hash::mix;
use crate::moves::{Move, MoveTag};
use crate::piece::{Cell, Color, Piece, PieceType};
use crate::set::Set;
use crate::square::Square;
use crate::tables::{NONE, RightKind, Rules};

/// The limit of the counters of quiet moves and of full moves.
pub const MAX_COUNT: u32 = 999_999;

/// The bit of a key that says whether the side to move is in check, in games that ask for it when positions repeat.
pub(crate) const CHECK: u64 = 1;

/// A piece that may be captured en passant, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant {
    /// The piece that may be captured.
    pub victim: Square,
    /// Bit mask of the ranks on its file where the capturing piece may land.
    pub ranks: u16,
}

impl EnPassant {
    /// The squares where the capturing piece may land, lowest rank first.
    pub fn landings(self) -> impl Iterator<Item = Square> {
        (0..16).filter(move |rank| self.ranks >> rank & 1 != 0).map(move |rank| Square::new(self.victim.file(), rank))
    }

    fn has(self, square: Square) -> bool {
        square.file() == self.victim.file() && self.ranks >> square.rank() & 1 != 0
    }
}

/// What may be captured en passant: at most one piece for each move of a turn.
pub type EnPassants = Few<EnPassant, 6>;

const NO_EN_PASSANT: EnPassants = Few::new(EnPassant { victim: Square(0), ranks: 0 });

/// The state of a position besides its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Key of the pieces alone.
    pub(crate) pieces_key: u64,
    /// The rights still held, a bit mask in the order of [`Rules::rights`].
    pub rights: u64,
    /// Pieces that the side to move may legally capture en passant.
    pub en_passant: EnPassants,
    /// EnPassants left in the current turn, which the other side may capture en passant if such a capture is legal then.
    pub new_en_passant: EnPassants,
    /// Moves without progress (turns, in games with turns of several moves).
    pub halfmove: u32,
    /// The move number, from 1.
    pub fullmove: u32,
    /// The side to move.
    pub turn: Color,
    /// Moves made in the current turn that count towards its length.
    pub moves: u8,
    /// Whether the current turn has made progress.
    pub(crate) progress: bool,
    /// The squares of the pieces that have moved in the current turn.
    pub moved: Few<Square, 6>,
    /// The sets of royal pieces that may have been used up in the current turn, a bit for each subset.
    pub spent_sets: u64,
    /// Whether the bare King's points have been claimed.
    pub claimed: bool,
    /// How often White and Black have given check, where the game counts it.
    pub checks: [u8; 2],
}

/// What is needed to unmake a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    state: State,
    effect: Option<Effect>,
}

impl Undo {
    /// The side that made the move.
    pub(crate) fn turn(&self) -> Color {
        self.state.turn
    }

    /// The effect on the pieces; `None` if no piece moved.
    #[inline]
    pub fn effect(&self) -> Option<&Effect> {
        self.effect.as_ref()
    }

    /// The rights before the move.
    pub fn rights(&self) -> u64 {
        self.state.rights
    }
}

/// A position of some game; every method that needs the rules takes them as an argument.
#[derive(Clone, PartialEq)]
pub struct Position {
    pub(crate) cells: [Cell; 256],
    pub(crate) by_color: [Set; 2],
    pub(crate) by_type: [Set; PieceType::MAX],
    /// Pieces of both sides that slide or hop along the eight directions.
    pub(crate) sliders_and_hoppers: Set,
    /// Pieces of both sides with attacks that are neither plain leaps nor lines.
    pub(crate) path_attackers: Set,
    pub(crate) royals: Set,
    pub(crate) state: State,
}

impl Position {
    /// An empty board, White to move.
    pub fn empty() -> Position {
        Position {
            cells: [Cell::EMPTY; 256],
            by_color: [Set::EMPTY; 2],
            by_type: [Set::EMPTY; PieceType::MAX],
            sliders_and_hoppers: Set::EMPTY,
            path_attackers: Set::EMPTY,
            royals: Set::EMPTY,
            state: State {
                pieces_key: 0,
                rights: 0,
                en_passant: NO_EN_PASSANT,
                new_en_passant: NO_EN_PASSANT,
                halfmove: 0,
                fullmove: 1,
                turn: Color::White,
                moves: 0,
                progress: false,
                moved: Few::new(Square(0)),
                spent_sets: command::NONE_SPENT,
                claimed: false,
                checks: [0, 0],
            },
        }
    }

    /// The contents of a square.
    #[inline]
    pub fn cell(&self, square: Square) -> Cell {
        self.cells[square.index()]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()].piece()
    }

    /// The pieces of a side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Set {
        self.by_color[color.index()]
    }

    /// The pieces of a type, both sides'.
    #[inline]
    pub fn by_type(&self, kind: PieceType) -> Set {
        self.by_type[kind.index()]
    }

    /// The pieces of a type and side.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Set {
        self.by_type[kind.index()] & self.by_color[color.index()]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Set {
        self.by_color[0] | self.by_color[1]
    }

    /// The royal pieces of a side.
    #[inline]
    pub fn royals(&self, color: Color) -> Set {
        self.royals & self.by_color[color.index()]
    }

    /// The state besides the pieces.
    #[inline]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.state.turn
    }

    /// Adds a piece on an empty square.
    #[inline]
    pub(crate) fn add(&mut self, rules: &Rules, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::full(piece);
        self.flip(rules, square, piece);
    }

    /// Removes a piece from its square.
    #[inline]
    pub(crate) fn remove(&mut self, rules: &Rules, square: Square, piece: Piece) {
        self.cells[square.index()] = Cell::EMPTY;
        self.flip(rules, square, piece);
    }

    #[inline]
    fn flip(&mut self, rules: &Rules, square: Square, piece: Piece) {
        let kind = piece.piece_type().index();
        self.by_color[piece.color().index()].toggle(square);
        self.by_type[kind].toggle(square);
        if rules.is_slider_or_hopper[kind] {
            self.sliders_and_hoppers.toggle(square);
        }
        if rules.has_path_attacks[kind] {
            self.path_attackers.toggle(square);
        }
        if rules.royal[kind] {
            self.royals.toggle(square);
        }
        self.state.pieces_key ^= piece_key(rules, piece, square);
    }

    /// The 64-bit key: equal for positions that count as the same, and different for others except by chance.
    pub fn key(&self, rules: &Rules) -> u64 {
        let state = &self.state;
        let mut key = state.pieces_key ^ mix(rules.hash ^ (state.turn as u64) << 60 ^ state.rights << 1);
        for track in state.en_passant.iter() {
            key ^= mix(rules.hash ^ 0xE9 << 48 ^ u64::from(track.victim.0) << 16 ^ u64::from(track.ranks));
        }
        if state.checks != [0, 0] {
            key ^= mix(rules.hash ^ 0x3C << 48 ^ u64::from(state.checks[0]) << 8 ^ u64::from(state.checks[1]));
        }
        if state.moves > 0 || state.claimed {
            key ^= mix(rules.hash ^ 0x71 << 48 ^ u64::from(state.moves) ^ u64::from(state.claimed) << 8);
            key ^= mix(state.spent_sets ^ rules.hash);
            for square in state.moved.iter() {
                key ^= mix(rules.hash ^ 0x30 << 48 ^ u64::from(square.0));
            }
            for track in state.new_en_passant.iter() {
                key ^= mix(rules.hash ^ 0xF9 << 48 ^ u64::from(track.victim.0) << 16 ^ u64::from(track.ranks));
            }
        }
        if rules.end.perpetual_check_loses {
            key = key & !CHECK | u64::from(self.is_check(rules));
        }
        key
    }

    /// The key of the pieces computed from scratch, to compare with the one that is updated incrementally.
    pub fn pieces_key_from_scratch(&self, rules: &Rules) -> u64 {
        let pieces = self.occupied().into_iter().filter_map(|square| Some((square, self.piece(square)?)));
        pieces.fold(0, |key, (square, piece)| key ^ piece_key(rules, piece, square))
    }

    /// Whether every set agrees with the cells and the key with both.
    pub fn is_consistent(&self, rules: &Rules) -> bool {
        let mut other = Position::empty();
        for square in rules.board {
            if let Some(piece) = self.piece(square) {
                other.add(rules, square, piece);
            }
        }
        let key = other.state.pieces_key;
        other.state = self.state;
        other.state.pieces_key = key;
        *self == other && key == self.pieces_key_from_scratch(rules)
    }

    /// The effect of a legal move on the pieces; `None` if no piece moves.
    #[inline]
    pub fn effect(&self, rules: &Rules, mv: Move) -> Option<Effect> {
        if !mv.moves_piece() {
            return None;
        }
        let (from, to) = (mv.from(), mv.to());
        let piece = self.piece(from).expect("a legal move has a piece on its origin");
        let becomes = mv.promotion().map_or(piece, |kind| Piece::new(piece.color(), kind));
        let partner = (mv.tag() == MoveTag::Castling).then(|| {
            let mut castlings = rules.castlings[piece.color().index()].iter();
            let castling = castlings.find(|castling| castling.king == (from, to)).expect("a castling of this King");
            Partner { piece: castling.partner, from: castling.rook.0, to: castling.rook.1 }
        });
        Some(Effect { piece, from, to, becomes, captured: self.captured(mv), partner })
    }

    /// The piece that a legal move captures, and its square.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<(Square, Piece)> {
        let square = match mv.tag() {
            MoveTag::EnPassant => self.state.en_passant.iter().find(|track| track.has(mv.to()))?.victim,
            // The partner may stand on the King's destination.
            MoveTag::Castling | MoveTag::End | MoveTag::Claim | MoveTag::PlayOn | MoveTag::Null => return None,
            MoveTag::Normal | MoveTag::Passing | MoveTag::Jump => mv.to(),
        };
        Some((square, self.piece(square)?))
    }

    /// The most moves of the current turn.
    pub fn turn_length(&self, rules: &Rules) -> u8 {
        use crate::definition::TurnLength;
        match rules.turn.length {
            TurnLength::Moves(_)
                if self.state.turn == Color::White && self.state.fullmove == 1 && rules.turn.first.is_some() =>
            {
                rules.turn.first.expect("just seen")
            }
            TurnLength::Moves(moves) => moves,
            TurnLength::Royals => self.royals(self.state.turn).count() as u8,
        }
    }

    /// Makes a legal move, and passes the turn if it is over.
    pub fn make(&mut self, rules: &Rules, mv: Move) -> Undo {
        let undo = Undo { state: self.state, effect: self.effect(rules, mv) };
        match undo.effect() {
            Some(effect) => self.make_move(rules, mv, effect),
            None => self.make_special(rules, mv),
        }
        undo
    }

    /// Makes a move in which no piece moves.
    fn make_special(&mut self, rules: &Rules, mv: Move) {
        match mv.tag() {
            MoveTag::Claim => self.state.claimed = true,
            MoveTag::PlayOn => self.state.rights |= 1 << rules.played_on[self.state.turn.index()],
            MoveTag::Null => self.pass_turn(rules, false),
            _ => self.pass_turn(rules, self.state.moves == 0),
        }
    }

    /// The position with every square on which the moves of the turn before `last`, and `last` itself, could be captured
    /// en passant, also where that would leave the King in check.
    pub(crate) fn with_all_tracks(&self, rules: &Rules, last: Move, undo: Undo) -> Position {
        let mut before = self.clone();
        before.unmake(rules, undo);
        let mut found = self.clone();
        if let Some(effect) = before.effect(rules, last) {
            effect.each_leaving(|square, piece| before.remove(rules, square, piece));
            effect.each_arriving(|square, piece| before.add(rules, square, piece));
            before.state.new_en_passant.retain(|track| track.victim != effect.from);
            before.leave_track(rules, last, &effect);
            found.state.en_passant = before.state.new_en_passant;
        }
        found
    }

    fn make_move(&mut self, rules: &Rules, mv: Move, effect: &Effect) {
        effect.each_leaving(|square, piece| self.remove(rules, square, piece));
        effect.each_arriving(|square, piece| self.add(rules, square, piece));
        let (from, to) = (effect.from, effect.to);
        // A piece that moves again in the same turn cannot be captured where it was.
        self.state.new_en_passant.retain(|track| track.victim != from);
        self.leave_track(rules, mv, effect);
        self.state.rights &= !effect.rights_lost(rules);
        match effect.captured.filter(|_| mv.tag() == MoveTag::EnPassant) {
            Some((victim, _)) => self.state.en_passant.retain(|track| track.victim != victim),
            None => self.state.en_passant.clear(),
        }
        let progress = rules.progress[effect.piece.piece_type().index()];
        if progress || mv.promotion().is_some() || effect.captured.is_some() {
            self.state.progress = true;
            self.state.halfmove = 0;
        }
        self.state.moves += 1;
        if rules.multi && !self.turn_is_over(rules, from, to) {
            self.keep_tracks(rules);
        } else {
            self.pass_turn(rules, false);
        }
        let us = effect.piece.color();
        if let Some(wanted) = rules.checks.map(|checks| checks[us.index()])
            && self.state.checks[us.index()] < wanted
            && self.is_attacked_royal(rules, !us)
        {
            self.state.checks[us.index()] += 1;
        }
    }

    /// Updates what the turn has used up, and returns whether it is over.
    fn turn_is_over(&mut self, rules: &Rules, from: Square, to: Square) -> bool {
        if rules.command.is_some() {
            let royals = self.royals(self.state.turn);
            self.state.spent_sets = command::spend(self.state.spent_sets, royals, rules, from, to);
        }
        if rules.turn.once_each {
            // Sorted, so that the order of the moves makes no difference.
            self.state.moved.retain(|square| *square != from);
            self.state.moved.push(to);
            self.state.moved.sort_unstable();
        }
        let us = self.state.turn;
        if self.decided(rules).is_some() {
            return true;
        }
        if self.state.moves >= self.turn_length(rules) {
            return true;
        }
        if rules.turn.ends_on_check && self.is_attacked_royal(rules, !us) {
            return true;
        }
        !self.has_piece_move(rules)
    }

    fn leave_track(&mut self, rules: &Rules, mv: Move, effect: &Effect) {
        if mv.promotion().is_some() {
            return;
        }
        let us = self.state.turn;
        let (from, to) = (effect.from, effect.to);
        let mut ranks = 0u16;
        if mv.tag() == MoveTag::Passing {
            let (low, high) = (from.rank().min(to.rank()) + 1, from.rank().max(to.rank()));
            (low..high).for_each(|rank| ranks |= 1 << rank);
        }
        let right = rules.first_right[from.index()];
        let first_move = right != NONE && self.state.rights >> right & 1 != 0;
        if effect.captured.is_none()
            && first_move
            && from.file() == to.file()
            && rules.en_passant_left[us.index()].contains(from)
        {
            ranks |= 1 << from.rank();
        }
        if ranks != 0 {
            self.state.new_en_passant.push(EnPassant { victim: to, ranks });
        }
    }

    /// Passes the turn to the other side.
    fn pass_turn(&mut self, rules: &Rules, pass: bool) {
        let state = &mut self.state;
        state.halfmove = if state.progress { 0 } else { (state.halfmove + 1).min(MAX_COUNT) };
        state.progress = false;
        state.fullmove = (state.fullmove + u32::from(state.turn == Color::Black)).min(MAX_COUNT);
        state.turn = !state.turn;
        state.moves = 0;
        state.moved.clear();
        state.spent_sets = command::NONE_SPENT;
        state.rights &= !rules.passed;
        if pass {
            state.rights |= rules.passed;
        }
        // Sorted, as in a FEN.
        state.new_en_passant.sort_unstable_by_key(|track| track.victim);
        state.en_passant = state.new_en_passant;
        state.new_en_passant.clear();
        self.keep_tracks(rules);
    }

    /// Drops every landing square on which no capture en passant is legal.
    pub(crate) fn keep_tracks(&mut self, rules: &Rules) {
        if self.state.en_passant.is_empty() {
            return;
        }
        let en_passant = self.state.en_passant;
        self.state.en_passant.clear();
        for mut track in en_passant.iter().copied() {
            let landings: Vec<Square> = track.landings().collect();
            for landing in landings {
                if !self.can_capture_en_passant(rules, track.victim, landing) {
                    track.ranks &= !(1 << landing.rank());
                }
            }
            if track.ranks != 0 {
                self.state.en_passant.push(track);
            }
        }
    }

    /// Unmakes the last move made.
    pub fn unmake(&mut self, rules: &Rules, undo: Undo) {
        if let Some(effect) = undo.effect() {
            effect.each_arriving(|square, piece| self.remove(rules, square, piece));
            effect.each_leaving(|square, piece| self.add(rules, square, piece));
        }
        self.state = undo.state;
    }

    /// Whether this kind of right is held by a side.
    pub fn has_right(&self, rules: &Rules, color: Color, kind: RightKind) -> bool {
        rules
            .rights
            .iter()
            .enumerate()
            .any(|(bit, right)| right.color == color && right.kind == kind && self.state.rights >> bit & 1 != 0)
    }

    /// Whether the side to move must first claim the bare King's points or play on.
    pub fn must_decide(&self, rules: &Rules) -> bool {
        let (us, end) = (self.state.turn, &rules.end);
        if !end.four_points || end.bare_king.claim.is_empty() || self.by_color[(!us).index()].count() != 1 {
            return false;
        }
        let has = |piece_types: &[PieceType]| piece_types.iter().any(|kind| !self.pieces(us, *kind).is_empty());
        self.state.rights >> rules.played_on[us.index()] & 1 == 0
            && has(&end.bare_king.claim)
            && !has(&end.bare_king.never)
    }
}

#[inline]
fn piece_key(rules: &Rules, piece: Piece, square: Square) -> u64 {
    mix(rules.hash.wrapping_add((piece.index() as u64) << 8 | u64::from(square.0)))
}
