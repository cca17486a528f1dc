//! Colours, piece types and their symbols.

use std::fmt;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first, plays up the board.
    White = 0,
    /// Plays down the board.
    Black = 1,
}

impl Color {
    /// Both sides, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The side as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The name of the side: `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

impl std::ops::Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// A piece type: its index in the definition, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct PieceType(pub u8);

impl PieceType {
    /// The most piece types that a game may have.
    pub const MAX: usize = crate::limits::MAX_PIECE_TYPES;

    /// The piece type as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece type and its side in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece of this side and type.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece(kind.0 << 1 | color as u8)
    }

    /// Its side.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// Its type.
    #[inline]
    pub const fn piece_type(self) -> PieceType {
        PieceType(self.0 >> 1)
    }

    /// The piece as an index below 120.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The contents of a square, a piece or nothing, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u8);

impl Cell {
    /// An empty square.
    pub const EMPTY: Cell = Cell(0xFF);

    /// A square with this piece.
    #[inline]
    pub const fn full(piece: Piece) -> Cell {
        Cell(piece.0)
    }

    /// The piece, if there is one.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        if self.0 == 0xFF { None } else { Some(Piece(self.0)) }
    }

    /// Whether the square is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0xFF
    }

    /// Whether there is a piece of this side.
    #[inline]
    pub const fn is(self, color: Color) -> bool {
        self.0 != 0xFF && self.0 & 1 == color as u8
    }
}

/// The symbol of a piece type: a capital letter, alone or followed by `'` or `!`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    letter: u8,
    mark: u8,
}

impl Symbol {
    /// Reads the symbol at the start of a text, in either case. Returns the symbol, its side (capital: White) and its
    /// length.
    pub fn read(text: &str) -> Option<(Symbol, Color, usize)> {
        let bytes = text.as_bytes();
        let first = *bytes.first().filter(|c| c.is_ascii_alphabetic())?;
        let color = if first.is_ascii_uppercase() { Color::White } else { Color::Black };
        let mark = bytes.get(1).copied().filter(|c| matches!(c, b'\'' | b'!')).unwrap_or(0);
        let length = if mark == 0 { 1 } else { 2 };
        Some((Symbol { letter: first.to_ascii_uppercase(), mark }, color, length))
    }

    /// Reads a text that is exactly one symbol in capitals.
    pub fn parse(text: &str) -> Option<Symbol> {
        match Symbol::read(text) {
            Some((symbol, Color::White, length)) if length == text.len() => Some(symbol),
            _ => None,
        }
    }

    /// Reads what follows the squares of a move: the symbol of a promotion in either case, optionally with `=` before
    /// it.
    pub fn read_promotion(text: &str) -> Option<Symbol> {
        let text = text.strip_prefix('=').unwrap_or(text);
        Symbol::read(text).filter(|(_, _, length)| *length == text.len()).map(|(symbol, _, _)| symbol)
    }

    /// The symbol in a side's case.
    pub fn cased(self, color: Color) -> CasedSymbol {
        CasedSymbol(self, color)
    }

    /// The symbol as a number below 65,536, for tables and stored moves.
    pub fn code(self) -> u16 {
        u16::from(self.letter) << 8 | u16::from(self.mark)
    }

    /// The symbol with this code, if there is one.
    pub fn from_code(code: u16) -> Option<Symbol> {
        let (letter, mark) = ((code >> 8) as u8, code as u8);
        (letter.is_ascii_uppercase() && matches!(mark, 0 | b'\'' | b'!')).then_some(Symbol { letter, mark })
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(&self.cased(Color::White), f)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A symbol that prints in upper case for White and in lower case for Black.
pub struct CasedSymbol(Symbol, Color);

impl fmt::Display for CasedSymbol {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = match self.1 {
            Color::White => self.0.letter,
            Color::Black => self.0.letter.to_ascii_lowercase(),
        };
        write!(f, "{}", letter as char)?;
        if self.0.mark != 0 { write!(f, "{}", self.0.mark as char) } else { Ok(()) }
    }
}
