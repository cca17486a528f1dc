//! Sets of squares: 256 bits.

use crate::square::Square;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares, one bit each.
#[derive(Clone, Copy, Eq, Default)]
pub struct Set(pub [u64; 4]);

/// The set of each square. A table, since a set written word by word stalls the next read of the whole.
static SINGLES: [Set; 256] = {
    let mut singles = [Set::EMPTY; 256];
    let mut square = 0;
    while square < 256 {
        singles[square].0[square >> 6] = 1 << (square & 63);
        square += 1;
    }
    singles
};

impl Set {
    /// No square.
    pub const EMPTY: Set = Set([0; 4]);

    /// The set of one square.
    #[inline]
    pub fn of(square: Square) -> Set {
        SINGLES[square.0 as usize]
    }

    /// Every square of a board.
    pub fn board(files: u8, ranks: u8) -> Set {
        let mut set = Set::EMPTY;
        for rank in 0..ranks {
            for file in 0..files {
                set.insert(Square::new(file, rank));
            }
        }
        set
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(&self, square: Square) -> bool {
        self.0[(square.0 >> 6) as usize] >> (square.0 & 63) & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] |= 1 << (square.0 & 63);
    }

    /// Removes a square.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] &= !(1 << (square.0 & 63));
    }

    /// Adds or removes a square, whichever changes the set.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] ^= 1 << (square.0 & 63);
    }

    /// The set with a square added.
    #[inline]
    pub fn with(self, square: Square) -> Set {
        self | Set::of(square)
    }

    /// The set without a square.
    #[inline]
    pub fn without(self, square: Square) -> Set {
        self.minus(Set::of(square))
    }

    /// The squares of this set that are not in the other.
    #[inline]
    pub fn minus(self, other: Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub fn meets(&self, other: &Set) -> bool {
        !(*self & *other).is_empty()
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// The square with the lowest number.
    #[inline]
    pub fn first(&self) -> Option<Square> {
        self.into_iter().next()
    }

    /// Moves every square by `by` numbers (16 is one rank up); what leaves the 256 squares is dropped. Files wrap
    /// around: mask the set first.
    #[inline]
    pub fn shift(self, by: i32) -> Set {
        let s = self.0;
        if by >= 0 {
            let (words, bits) = ((by >> 6) as usize, (by & 63) as u32);
            Set(std::array::from_fn(|i| {
                let low = if i >= words { s[(i - words) & 3] << bits } else { 0 };
                let carried = if bits > 0 && i > words { s[(i - words - 1) & 3] >> (64 - bits) } else { 0 };
                low | carried
            }))
        } else {
            let (words, bits) = (((-by) >> 6) as usize, ((-by) & 63) as u32);
            Set(std::array::from_fn(|i| {
                let high = if i + words < 4 { s[(i + words) & 3] >> bits } else { 0 };
                let carried = if bits > 0 && i + words + 1 < 4 { s[(i + words + 1) & 3] << (64 - bits) } else { 0 };
                high | carried
            }))
        }
    }
}

// Written out, since the derived comparison calls memcmp for 32 bytes.
impl PartialEq for Set {
    #[inline]
    fn eq(&self, other: &Set) -> bool {
        (*self ^ *other).is_empty()
    }
}

impl BitAnd for Set {
    type Output = Set;
    #[inline]
    fn bitand(self, other: Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Set {
    type Output = Set;
    #[inline]
    fn bitor(self, other: Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for Set {
    type Output = Set;
    #[inline]
    fn bitxor(self, other: Set) -> Set {
        Set(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for Set {
    type Output = Set;
    #[inline]
    fn not(self) -> Set {
        Set(std::array::from_fn(|i| !self.0[i]))
    }
}

impl BitAndAssign for Set {
    #[inline]
    fn bitand_assign(&mut self, other: Set) {
        *self = *self & other;
    }
}

impl BitOrAssign for Set {
    #[inline]
    fn bitor_assign(&mut self, other: Set) {
        *self = *self | other;
    }
}

impl BitXorAssign for Set {
    #[inline]
    fn bitxor_assign(&mut self, other: Set) {
        *self = *self ^ other;
    }
}

/// The squares of a set in ascending order.
#[derive(Clone)]
pub struct Squares {
    words: [u64; 4],
    word: u8,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while self.word < 4 {
            let bits = &mut self.words[self.word as usize];
            if *bits != 0 {
                let bit = bits.trailing_zeros() as u8;
                *bits &= *bits - 1;
                return Some(Square(self.word << 6 | bit));
            }
            self.word += 1;
        }
        None
    }
}

impl IntoIterator for Set {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares { words: self.0, word: 0 }
    }
}

impl FromIterator<Square> for Set {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Set {
        let mut set = Set::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

impl std::fmt::Debug for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_moves_each_square() {
        let set: Set = [0u8, 1, 63, 64, 130, 200, 255].map(Square).into_iter().collect();
        for by in -256..256 {
            let moved = |square: Square| u8::try_from(i32::from(square.0) + by).ok().map(Square);
            assert_eq!(set.shift(by), set.into_iter().filter_map(moved).collect(), "by {by}");
        }
    }
}
