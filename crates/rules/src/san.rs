//! SAN: written in one form, read in the forms that people type.

use crate::board::{Board, MoveError};
use crate::moves::{Move, MoveTag};
use crate::piece::{Color, PieceType, Symbol};
use crate::set::Set;
use crate::square::Square;
use crate::text::shorten;

/// The longest text that is read as one move, in bytes, and the most moves of a written turn.
const MAX_SAN: usize = 32;
const MAX_PARTS: usize = 16;

/// Whether a text means a null move, as programs write it in PGN.
pub fn is_null_text(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "@@@@")
}

/// What a SAN text specifies.
struct Wanted {
    kind: Option<PieceType>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotion: Option<PieceType>,
}

impl Board {
    /// Writes a legal move in SAN, with `+` and `#`.
    pub fn san(&self, mv: Move) -> String {
        self.write_san(mv, false)
    }

    /// Writes a legal move in long algebraic notation, with its whole origin and `-` where it does not capture:
    /// `Nc2-d4`.
    pub fn lan(&self, mv: Move) -> String {
        self.write_san(mv, true)
    }

    fn write_san(&self, mv: Move, long: bool) -> String {
        let rules = &self.game().rules;
        match mv.tag() {
            MoveTag::End if self.position().state().moves == 0 => return "pass".into(),
            MoveTag::End => return "end".into(),
            MoveTag::Claim => return "claim".into(),
            MoveTag::PlayOn => return "playon".into(),
            MoveTag::Null => return "--".into(),
            _ => {}
        }
        let mut text = match mv.tag() {
            MoveTag::Castling => self.castling_text(mv).to_string(),
            _ => self.plain_move(mv, long),
        };
        let mut after = self.position().clone();
        let us = after.turn();
        after.make(rules, mv);
        let won = !rules.has_check() && after.royals(!us).is_empty();
        if won {
            text.push('#');
        } else if self.position().gives_check(rules, mv) {
            let mate = after.turn() != us && !after.has_move(rules);
            text.push(if mate { '#' } else { '+' });
        }
        text
    }

    fn castling_text(&self, mv: Move) -> &'static str {
        let castlings = &self.game().rules.castlings[self.turn().index()];
        let short = castlings.iter().any(|c| c.king == (mv.from(), mv.to()) && c.short);
        if short { "O-O" } else { "O-O-O" }
    }

    fn plain_move(&self, mv: Move, long: bool) -> String {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.position().piece(from).expect("a legal move has a piece on its origin");
        let kind = piece.piece_type();
        let captures = self.position().captured(mv).is_some();
        let pawn = self.is_pawn(kind);
        let mut text = if pawn { String::new() } else { self.game().symbol(kind).to_string() };
        if long {
            text += &format!("{from}{}", if captures { 'x' } else { '-' });
        } else {
            text += &self.short_origin(from, to, kind, pawn && captures);
            if captures {
                text.push('x');
            }
        }
        text += &to.to_string();
        if let Some(kind) = mv.promotion() {
            text += &format!("={}", self.game().symbol(kind));
        }
        text
    }

    /// The part of the origin that distinguishes a move from those of other pieces of its type.
    fn short_origin(&self, from: Square, to: Square, kind: PieceType, needs_file: bool) -> String {
        let mut moves = Vec::new();
        let same = self.position().pieces(self.turn(), kind).without(from);
        self.position().legal_moves_of(&self.game().rules, same, &mut moves);
        let rivals: Vec<Square> = moves
            .iter()
            .filter(|other| other.to() == to && other.moves_piece() && other.tag() != MoveTag::Castling)
            .map(|other| other.from())
            .collect();
        let file = rivals.iter().any(|square| square.file() == from.file());
        let rank = rivals.iter().any(|square| square.rank() == from.rank());
        let mut text = String::new();
        if needs_file || (!rivals.is_empty() && (!file || rank)) {
            text.push((b'a' + from.file()) as char);
        }
        if file {
            text += &(from.rank() + 1).to_string();
        }
        text
    }

    /// Whether a piece type is written without its letter.
    fn is_pawn(&self, kind: PieceType) -> bool {
        self.game().symbol(kind).code() == u16::from(b'P') << 8
    }

    /// Reads one move in SAN or coordinates, also without the `x`, the `=` or the `+`, with zeros for castling, with
    /// more of the origin than needed, with `-` between the squares, or followed by `e.p.`.
    ///
    /// # Errors
    /// A [`MoveError`] says whether it is not a move, not legal, or ambiguous.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        if text.len() > MAX_SAN {
            return Err(MoveError::Unreadable(format!("{:?} is too long for a move", shorten(text))));
        }
        let mut result = self.parse_bare(text, text);
        let mut bare = text;
        // A mark such as `!` may also be part of a symbol such as `W!`: remove marks one at a time.
        while let (Err(_), Some(shorter)) = (&result, bare.strip_suffix(['+', '#', '!', '?'])) {
            bare = shorter;
            match self.parse_bare(bare, text) {
                Err(MoveError::Unreadable(_)) if !matches!(result, Err(MoveError::Unreadable(_))) => {}
                other => result = other,
            }
        }
        result
    }

    /// Reads a text without trailing marks; `text` is the original.
    fn parse_bare(&self, bare: &str, text: &str) -> Result<Move, MoveError> {
        match bare.to_ascii_lowercase().as_str() {
            "pass" | "end" => return self.parse_special(Move::END, text),
            _ if is_null_text(bare) => return self.parse_special(Move::NULL, text),
            "claim" => return self.parse_special(Move::CLAIM, text),
            "playon" | "play on" => return self.parse_special(Move::PLAY_ON, text),
            "o-o" | "0-0" | "oo" | "00" => return self.parse_castling(true, text),
            "o-o-o" | "0-0-0" | "ooo" | "000" => return self.parse_castling(false, text),
            _ => {}
        }
        let bare = bare.trim_end_matches("e.p.").trim_end_matches("ep").trim_end();
        // A text that begins with a lower-case letter is in coordinates or a Pawn's move; only the former can be two
        // squares.
        if let Some(wanted) = self.read_move(bare) {
            return self.legal_as(wanted, bare);
        }
        if let Some(found) = self.capture_in_two_legs(bare) {
            return Ok(found);
        }
        let Some(wanted) = self.read_san(bare) else {
            return Err(MoveError::Unreadable(format!("{:?} is not a move in SAN or coordinates", shorten(text))));
        };
        let mut found = self.matching_moves(&wanted);
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => Err(MoveError::Illegal(format!("{} is not legal here: {}", shorten(text), self.why(&wanted)))),
            _ => {
                let list: Vec<String> = found.iter().map(|mv| self.san(*mv)).collect();
                Err(MoveError::Ambiguous(format!("{} could be {}", shorten(text), list.join(" or "))))
            }
        }
    }

    fn parse_special(&self, mv: Move, text: &str) -> Result<Move, MoveError> {
        self.legal_as(mv, text)
    }

    fn parse_castling(&self, short: bool, text: &str) -> Result<Move, MoveError> {
        let wanted = if short { "O-O" } else { "O-O-O" };
        let moves = self.legal_moves();
        let found = moves.into_iter().find(|mv| mv.tag() == MoveTag::Castling && self.castling_text(*mv) == wanted);
        found.ok_or_else(|| MoveError::Illegal(format!("{text} is not legal here: {}", self.why_no_castling(short))))
    }

    /// The move of a text that names the origin, the captured piece and the destination, as XBoard writes *en passant*:
    /// `e6xd6-d5`.
    fn capture_in_two_legs(&self, text: &str) -> Option<Move> {
        let (origin, rest) = text.trim_start_matches(|c: char| c.is_ascii_uppercase()).split_once('x')?;
        let (victim, to) = rest.split_once('-')?;
        let [from, victim, to] = [origin, victim, to].map(Square::parse);
        let mv = self.find(Move::new(from?, to?, MoveTag::Normal))?;
        let (captured, _) = self.position().captured(mv)?;
        (Some(captured) == victim).then_some(mv)
    }

    fn matching_moves(&self, wanted: &Wanted) -> Vec<Move> {
        let mut moves = Vec::new();
        self.position().legal_moves_of(&self.game().rules, self.candidate_pieces(wanted), &mut moves);
        moves.retain(|mv| mv.moves_piece() && mv.to() == wanted.to && mv.promotion() == wanted.promotion);
        // Castling has a text of its own: it may be named by its squares only where nothing else can be meant.
        if moves.iter().any(|mv| mv.tag() != MoveTag::Castling) {
            moves.retain(|mv| mv.tag() != MoveTag::Castling);
        }
        moves
    }

    /// The pieces that a text may mean, wherever they can go.
    fn candidate_pieces(&self, wanted: &Wanted) -> Set {
        let own = self.position().by_color(self.turn());
        let from = |square: &Square| {
            wanted.file.is_none_or(|file| file == square.file())
                && wanted.rank.is_none_or(|rank| rank == square.rank())
                && self.position().piece(*square).is_some_and(|piece| match wanted.kind {
                    Some(kind) => piece.piece_type() == kind,
                    None => self.is_pawn(piece.piece_type()),
                })
        };
        own.into_iter().filter(from).collect()
    }

    /// Why a text fits no legal move.
    fn why(&self, wanted: &Wanted) -> String {
        let with_promotion = |promotion| Wanted { promotion, ..*wanted };
        let promotes = self
            .game()
            .definition
            .piece_types
            .iter()
            .flat_map(|kind| &kind.promotes_to)
            .any(|kind| !self.matching_moves(&with_promotion(Some(*kind))).is_empty());
        match (promotes, wanted.promotion) {
            (true, None) => return "it promotes; add = and a letter".into(),
            (true, Some(_)) => return "it cannot promote like this".into(),
            (false, Some(_)) if !self.matching_moves(&with_promotion(None)).is_empty() => {
                return "it does not promote".into();
            }
            _ => {}
        }
        let meant = self.candidate_pieces(wanted);
        if !meant.is_empty() {
            // A Pawn's move without a file means straight ahead, if some Pawn can do so.
            let ahead = self.candidate_pieces(&Wanted { file: Some(wanted.to.file()), promotion: None, ..*wanted });
            let pawn = wanted.kind.is_none() && wanted.file.is_none() && !ahead.is_empty();
            return self.why_none(if pawn { ahead } else { meant }, wanted.to);
        }
        let kind = wanted.kind.map(|kind| shorten(&self.game().definition.piece_types[kind.index()].name));
        let there = match (wanted.file.map(|file| (b'a' + file) as char), wanted.rank.map(|rank| rank + 1)) {
            (Some(file), Some(rank)) => format!(" on {file}{rank}"),
            (Some(file), None) => format!(" on file {file}"),
            (None, Some(rank)) => format!(" on rank {rank}"),
            (None, None) => String::new(),
        };
        format!("{:?} has no {}{there}", self.turn(), kind.as_deref().unwrap_or("Pawn"))
    }

    fn read_san(&self, text: &str) -> Option<Wanted> {
        if !text.is_ascii() || text.len() > 20 {
            return None;
        }
        let symbol = |text: &str| -> Option<(PieceType, usize)> {
            let (symbol, color, length) = Symbol::read(text)?;
            let named =
                || text.chars().next().filter(|_| length == 1).and_then(|c| self.game().piece_type_by_initial(c));
            (color == Color::White).then_some((self.game().piece_type_of(symbol).or_else(named)?, length))
        };
        let (kind, mut rest) = match symbol(text) {
            Some((kind, length)) => (Some(kind), &text[length..]),
            None => (None, text),
        };
        // The promotion: =Q, (Q), /Q or just Q after the square.
        let mut promotion = None;
        if let Some(index) = rest.rfind(|c: char| c.is_ascii_digit()) {
            let behind = rest[index + 1..].trim_start_matches(['=', '(', '/']).trim_end_matches(')');
            if !behind.is_empty() {
                let (kind, length) = symbol(&behind.to_ascii_uppercase())?;
                if length != behind.len() {
                    return None;
                }
                promotion = Some(kind);
            }
            rest = &rest[..=index];
        }
        // The rest: origin file, rank or both, then x or -, then the square.
        let (origin, to) = (1..=3).filter(|length| *length < 4 && rest.len() >= *length).rev().find_map(|length| {
            let (origin, square) = rest.split_at_checked(rest.len() - length)?;
            Some((origin, Square::parse(square)?))
        })?;
        let origin = origin.trim_end_matches(['x', ':', '-', '*']);
        let (file, rank) = match origin.as_bytes() {
            [] => (None, None),
            [letter @ b'a'..=b'p'] => (Some(letter - b'a'), None),
            [b'0'..=b'9', ..] => (None, Some(origin.parse::<u8>().ok()?.checked_sub(1)?)),
            _ => {
                let square = Square::parse(origin)?;
                (Some(square.file()), Some(square.rank()))
            }
        };
        self.game().rules.board.contains(to).then_some(Wanted { kind, file, rank, to, promotion })
    }

    /// Reads a whole turn, moves in SAN or coordinates joined by commas, and makes it. Ends a turn that could go on.
    ///
    /// # Errors
    /// Says which move is wrong; the board is unchanged.
    pub fn push_turn(&mut self, text: &str) -> Result<Vec<Move>, MoveError> {
        let before = self.stack_len();
        let color = self.turn();
        let mut moves = Vec::new();
        let mut parts: Vec<&str> = text.split(',').map(str::trim).take(MAX_PARTS + 1).collect();
        if parts.len() > MAX_PARTS {
            return Err(MoveError::Unreadable(format!("a turn of more than {MAX_PARTS} moves: {:?}", shorten(text))));
        }
        if parts.len() > 1 && parts.last().is_some_and(|last| last.eq_ignore_ascii_case("end")) {
            parts.pop();
        }
        let mut result = self.push_parts(&parts, color, &mut moves);
        if result.is_ok() && !self.is_turn_over(color) && self.position().may_end(&self.game().rules) {
            self.push(Move::END);
            moves.push(Move::END);
        }
        if result.is_ok() && !self.is_turn_over(color) {
            result = Err(MoveError::Illegal(format!("{:?} is not a whole turn", shorten(text))));
        }
        self.undo_if_wrong(before, result)?;
        Ok(moves)
    }

    /// Reads a turn as records have it and makes it: a whole turn, a null move, or the first moves of a turn with a
    /// comma after the last. Returns the moves and whether more must follow before the turn is over.
    ///
    /// # Errors
    /// Says which move is wrong; the board is unchanged.
    pub fn push_written(&mut self, text: &str) -> Result<(Vec<Move>, bool), MoveError> {
        if is_null_text(text) {
            let null = self.null_move()?;
            self.push(null);
            return Ok((vec![null], false));
        }
        let Some(text) = text.trim_end().strip_suffix(',') else {
            return Ok((self.push_turn(text)?, false));
        };
        let (before, color) = (self.stack_len(), self.turn());
        let mut moves = Vec::new();
        let parts: Vec<&str> = text.split(',').take(MAX_PARTS + 1).collect();
        let result = self.push_parts(&parts, color, &mut moves);
        self.undo_if_wrong(before, result)?;
        Ok((moves, !self.is_turn_over(color)))
    }

    /// Whether a side's turn is over: the other side is to move, or the game has ended.
    pub fn is_turn_over(&self, color: Color) -> bool {
        self.turn() != color || !self.position().has_move(&self.game().rules)
    }

    fn push_parts(&mut self, parts: &[&str], color: Color, moves: &mut Vec<Move>) -> Result<(), MoveError> {
        for part in parts {
            if !moves.is_empty() && self.is_turn_over(color) {
                return Err(MoveError::Illegal(format!("{:?}: the turn is over before this move", shorten(part))));
            }
            let mv = self.parse_san(part)?;
            self.push(mv);
            moves.push(mv);
        }
        Ok(())
    }

    fn undo_if_wrong(&mut self, before: usize, result: Result<(), MoveError>) -> Result<(), MoveError> {
        while result.is_err() && self.stack_len() > before {
            self.pop();
        }
        result
    }

    /// Writes a whole turn in SAN: its moves joined by commas, without an early `end`; a pass is `pass`.
    pub fn turn_san(&self, moves: &[Move]) -> String {
        let mut board = self.without_past();
        let mut texts = Vec::new();
        for (index, mv) in moves.iter().enumerate() {
            if index == 0 || *mv != Move::END {
                texts.push(board.san(*mv));
            }
            board.push(*mv);
        }
        texts.join(",")
    }

    /// Writes a line of legal moves in SAN, with the numbers of its turns.
    pub fn variation_san(&self, moves: &[Move]) -> String {
        let mut board = self.without_past();
        let mut start = board.clone();
        let (mut turn, mut words) = (Vec::new(), Vec::new());
        for (index, mv) in moves.iter().enumerate() {
            board.push(*mv);
            turn.push(*mv);
            if board.turn() != start.turn() || index + 1 == moves.len() {
                let number = start.position().state().fullmove;
                let number = match (start.turn(), words.is_empty()) {
                    (Color::White, _) => format!("{number}."),
                    (Color::Black, true) => format!("{number}..."),
                    (Color::Black, false) => String::new(),
                };
                words.push(number + &start.turn_san(&turn));
                turn.clear();
                start = board.without_past();
            }
        }
        words.join(" ")
    }
}
