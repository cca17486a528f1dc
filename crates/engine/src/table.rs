//! The transposition table, shared by threads without locks.
//!
//! An entry is two words: the key XOR the data, and the data (Hyatt's lockless hashing). If two threads write at once,
//! the key of the mixed entry matches no position.

use crate::memory::{Cluster, Memory, Slot};
use crate::prefetch::prefetch;
use crate::score::Score;
use rules::{Move, MoveTag, PieceType, Square};
use std::io;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What a stored score says about the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// No score is stored.
    None,
    /// Upper bound: the true score is at most this.
    Upper,
    /// Lower bound: the true score is at least this.
    Lower,
    /// Exact.
    Exact,
}

impl Bound {
    /// Whether a score with this bound causes a cut-off in a window.
    #[inline]
    pub fn causes_cutoff(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
            Bound::None => false,
        }
    }
}

/// The contents of an entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The best move, if there is one.
    pub mv: Option<Move>,
    /// The score.
    pub score: Score,
    /// The static evaluation, or [`crate::score::NONE`].
    pub eval: Score,
    /// The depth of the search.
    pub depth: i32,
    /// The bound.
    pub bound: Bound,
    /// Whether the position has been on a principal variation.
    pub pv: bool,
}

/// Bits of the key that an entry holds; the rest holds depth, age, bound and the principal-variation flag.
const KEY: u64 = !0xFFFF;
const AGES: u8 = 32;
const NO_PLY: u64 = 0x1FF_FFFF;

/// The transposition table.
pub struct Table {
    memory: Memory,
    age: AtomicU8,
}

impl Table {
    /// Creates a table of `megabytes` MB, at least one.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(megabytes: usize) -> io::Result<Table> {
        let count = (megabytes.max(1) << 20) / size_of::<Cluster>();
        Ok(Table { memory: Memory::zeroed(count)?, age: AtomicU8::new(0) })
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.memory.clusters().as_flattened().as_flattened().iter().for_each(|word| word.store(0, Relaxed));
        self.age = AtomicU8::new(0);
    }

    /// Starts a new search: existing entries grow older.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.memory.clusters();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        &clusters[index as usize]
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Looks a position up.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        // The index comes from the high bits of the key, so that the low bits distinguish entries.
        let wanted = key << 16;
        self.cluster(key).iter().find_map(|slot| {
            let (head, data) = load(slot);
            (head & KEY == wanted && head & 0x3 != 0).then(|| read(head, data))
        })
    }

    /// Stores an entry in place of the least valuable one of its cluster.
    pub fn store(&self, key: u64, entry: Entry) {
        let (wanted, age) = (key << 16, self.age.load(Relaxed));
        let mut worst = (i32::MAX, 0);
        let cluster = self.cluster(key);
        for (index, slot) in cluster.iter().enumerate() {
            let (head, data) = load(slot);
            let same = head & KEY == wanted;
            let years = i32::from((age + AGES - (head >> 3 & 0x1F) as u8) % AGES);
            if same {
                let depth = (head >> 8 & 0xFF) as i32;
                let keeps = years == 0 && entry.bound != Bound::Exact && entry.depth + 4 <= depth;
                if keeps {
                    return;
                }
                let mv = entry.mv.or(read_move(data & NO_PLY));
                return write(slot, wanted, age, Entry { mv, ..entry });
            }
            let worth = if head & 0x3 == 0 { i32::MIN } else { (head >> 8 & 0xFF) as i32 - 8 * years };
            if worth < worst.0 {
                worst = (worth, index);
            }
        }
        write(&cluster[worst.1], wanted, age, entry);
    }

    /// The share of entries written by this search, in thousandths (UCI's `hashfull`).
    pub fn per_mille(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.memory.clusters().as_flattened().iter().take(1000);
        let used = sample.filter(|slot| {
            let (head, _) = load(slot);
            head & 0x3 != 0 && (head >> 3 & 0x1F) as u8 == age
        });
        used.count() as u32
    }
}

/// Unpacks a slot.
#[inline]
fn load(slot: &Slot) -> (u64, u64) {
    let data = slot[1].load(Relaxed);
    (slot[0].load(Relaxed) ^ data, data)
}

fn write(slot: &Slot, wanted: u64, age: u8, entry: Entry) {
    let mv = entry.mv.map_or(NO_PLY, |mv| {
        let promotion = mv.promotion().map_or(0x3F, |kind| u64::from(kind.0));
        u64::from(mv.from().0) | u64::from(mv.to().0) << 8 | promotion << 16 | (mv.tag() as u64) << 22
    });
    let data = mv | (entry.score as u16 as u64) << 32 | (entry.eval as u16 as u64) << 48;
    let depth = entry.depth.clamp(0, 255) as u64;
    let head = wanted | depth << 8 | u64::from(age) << 3 | u64::from(entry.pv) << 2 | entry.bound as u64;
    slot[0].store(head ^ data, Relaxed);
    slot[1].store(data, Relaxed);
}

fn read(head: u64, data: u64) -> Entry {
    Entry {
        mv: read_move(data & NO_PLY),
        score: Score::from((data >> 32) as u16 as i16),
        eval: Score::from((data >> 48) as u16 as i16),
        depth: (head >> 8 & 0xFF) as i32,
        bound: match head & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        },
        pv: head & 4 != 0,
    }
}

fn read_move(bits: u64) -> Option<Move> {
    if bits == NO_PLY {
        return None;
    }
    let (from, to) = (Square(bits as u8), Square((bits >> 8) as u8));
    let tag = match bits >> 22 & 7 {
        1 => MoveTag::Passing,
        2 => MoveTag::EnPassant,
        3 => MoveTag::Castling,
        4 => MoveTag::Jump,
        5 => return Some(Move::END),
        6 => return Some(Move::CLAIM),
        7 => return Some(Move::PLAY_ON),
        _ => MoveTag::Normal,
    };
    Some(match (bits >> 16 & 0x3F) as u8 {
        0x3F => Move::new(from, to, tag),
        kind => Move::promoting(from, to, tag, PieceType(kind)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_back_as_stored() {
        let mut table = Table::new(1).expect("a megabyte");
        let moves = [
            None,
            Some(Move::END),
            Some(Move::CLAIM),
            Some(Move::PLAY_ON),
            Some(Move::new(Square(0), Square(255), MoveTag::Jump)),
            Some(Move::promoting(Square(17), Square(200), MoveTag::EnPassant, PieceType(59))),
        ];
        for (number, &mv) in moves.iter().enumerate() {
            let key = rules::mix(number as u64);
            let entry = Entry { mv, score: -31_000, eval: 32_001, depth: 7, bound: Bound::Lower, pv: true };
            table.store(key, entry);
            let read = table.probe(key).expect("stored");
            assert_eq!(format!("{read:?}"), format!("{entry:?}"));
        }
        assert!(table.probe(rules::mix(99)).is_none());
        table.clear();
        assert!((0..moves.len()).all(|number| table.probe(rules::mix(number as u64)).is_none()));
    }
}
