//! Squares: one byte, `rank * 16 + file`, the same number on every board.

use std::fmt;

/// A square. The number is `rank * 16 + file`, both counted from 0 at `a1`, whatever the board's size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// The square at these coordinates, both from 0.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square(rank << 4 | (file & 15))
    }

    /// The file, 0 for `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// The rank, 0 for the first.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The square as an index into a table of 256.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square this many files and ranks away, if it is on the 16x16 grid.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file >= 0 && file < 16 && rank >= 0 && rank < 16 { Some(Square::new(file as u8, rank as u8)) } else { None }
    }

    /// The distance to another square in King's moves.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// Reads the longest square at the start of `text`: a letter a to p and a number 1 to 16.
    /// Returns it with the number of bytes read.
    ///
    /// ```
    /// use rules::Square;
    /// assert_eq!(Square::read("l12x"), Some((Square::new(11, 11), 3)));
    /// assert_eq!(Square::read("a0"), None);
    /// ```
    pub fn read(text: &str) -> Option<(Square, usize)> {
        let bytes = text.as_bytes();
        let file = bytes.first()?.checked_sub(b'a').filter(|file| *file < 16)?;
        let digit = |i: usize| bytes.get(i).filter(|c| c.is_ascii_digit()).map(|c| c - b'0');
        let first = digit(1).filter(|d| *d > 0)?;
        match digit(2) {
            Some(second) if first == 1 && second <= 6 => Some((Square::new(file, first * 10 + second - 1), 3)),
            _ => Some((Square::new(file, first - 1), 2)),
        }
    }

    /// Reads a text that is exactly one square.
    pub fn parse(text: &str) -> Option<Square> {
        Square::read(text).filter(|(_, length)| *length == text.len()).map(|(square, _)| square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The eight directions of a Queen, clockwise from straight up the board.
pub const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The index in [`DIRECTIONS`] of this unit step.
pub fn direction_of(step: (i8, i8)) -> Option<usize> {
    DIRECTIONS.iter().position(|d| *d == step)
}

/// The square opposite this one, as the other side sees it.
pub(crate) fn mirror(square: Square, ranks: u8) -> Square {
    Square::new(square.file(), ranks - 1 - square.rank())
}
