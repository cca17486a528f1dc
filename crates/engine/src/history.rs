//! What plies have been worth so far in this game: the order in which others are tried.

use rules::{Color, Piece, Ply, Square};

/// Bounds of every entry.
const LIMIT: i32 = 16_384;
/// Kinds that continuation tables tell apart; beyond them kinds share.
const KINDS: usize = 24;
/// Squares that continuation tables tell apart: blocks of two by two.
const REGIONS: usize = 64;
/// Classes of captured pieces by value.
const CLASSES: usize = 8;
/// Entries of each correction table.
const CORRECTIONS: usize = 16_384;
/// Correction tables: soldiers, White's other pieces, Black's.
const CORRECTION_KEYS: usize = 3;
/// Corrections are kept in parts of a centipawn.
const CORRECTION_UNIT: i32 = 256;
const CORRECTION_LIMIT: i32 = 48 * CORRECTION_UNIT;

/// A move as continuations know it; `None` before the first.
pub type Step = Option<(Piece, Square)>;

/// The histories of one thread.
pub struct History {
    /// By piece and destination.
    quiet: Vec<i16>,
    /// By side, origin and destination.
    butterfly: Vec<i16>,
    /// By piece, destination and class of the captured.
    capture: Vec<i16>,
    /// By earlier step and step.
    continuation: Vec<i16>,
    correction: Vec<i16>,
}

fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() << 8 | to.index()
}

fn region(square: Square) -> usize {
    usize::from(square.rank() >> 1) << 3 | usize::from(square.file() >> 1)
}

fn row(before: (Piece, Square)) -> usize {
    let kind = before.0.kind().index() % KINDS * 2 + before.0.color().index();
    (kind * REGIONS + region(before.1)) * KINDS * REGIONS
}

fn column(piece: Piece, to: Square) -> usize {
    piece.kind().index() % KINDS * REGIONS + region(to)
}

impl History {
    /// Creates empty histories for a game with `kinds` kinds of pieces.
    pub fn new(kinds: usize) -> History {
        let known = kinds.min(KINDS);
        History {
            quiet: vec![0; 512 * kinds],
            butterfly: vec![0; 2 << 16],
            capture: vec![0; 512 * kinds * CLASSES],
            continuation: vec![0; 2 * known * REGIONS * KINDS * REGIONS],
            correction: vec![0; CORRECTION_KEYS * 2 * CORRECTIONS],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.correction.fill(0);
    }

    /// How well a ply that captures nothing has done, after these steps.
    pub fn quiet(&self, piece: Piece, ply: Ply, before: [Step; 2]) -> i32 {
        let mut sum = i32::from(self.quiet[piece_to(piece, ply.to())]);
        sum += i32::from(self.butterfly[butterfly(piece.color(), ply)]);
        for step in before.into_iter().flatten() {
            sum += i32::from(self.continuation[row(step) + column(piece, ply.to())]);
        }
        sum
    }

    /// How well a capture has done.
    pub fn capture(&self, piece: Piece, to: Square, class: usize) -> i32 {
        i32::from(self.capture[piece_to(piece, to) * CLASSES + class])
    }

    /// A ply that captures nothing did well or badly.
    pub fn learn_quiet(&mut self, piece: Piece, ply: Ply, before: [Step; 2], bonus: i32) {
        update(&mut self.quiet[piece_to(piece, ply.to())], bonus);
        update(&mut self.butterfly[butterfly(piece.color(), ply)], bonus);
        for step in before.into_iter().flatten() {
            update(&mut self.continuation[row(step) + column(piece, ply.to())], bonus);
        }
    }

    /// A capture did well or badly.
    pub fn learn_capture(&mut self, piece: Piece, to: Square, class: usize, bonus: i32) {
        update(&mut self.capture[piece_to(piece, to) * CLASSES + class], bonus);
    }

    /// Centipawns by which searches of like positions differed from their evaluation, the mean of what the tables say.
    pub fn correction(&self, turn: Color, keys: [u64; CORRECTION_KEYS]) -> i32 {
        let sum: i32 =
            (0..CORRECTION_KEYS).map(|table| i32::from(self.correction[correction(table, turn, keys)])).sum();
        sum / (CORRECTION_KEYS as i32 * CORRECTION_UNIT)
    }

    /// Learns that a search of some depth differed from the evaluation by `difference` centipawns.
    pub fn learn_correction(&mut self, turn: Color, keys: [u64; CORRECTION_KEYS], difference: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        for table in 0..CORRECTION_KEYS {
            let entry = &mut self.correction[correction(table, turn, keys)];
            let new = i32::from(*entry) * (256 - weight) + difference * CORRECTION_UNIT * weight;
            *entry = (new / 256).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
        }
    }
}

fn butterfly(color: Color, ply: Ply) -> usize {
    color.index() << 16 | ply.from().index() << 8 | ply.to().index()
}

fn correction(table: usize, turn: Color, keys: [u64; CORRECTION_KEYS]) -> usize {
    (table * 2 + turn.index()) * CORRECTIONS + (keys[table] as usize & (CORRECTIONS - 1))
}

/// The class of a captured kind: by value.
pub fn class(value: i32) -> usize {
    const BOUNDS: [i32; CLASSES - 1] = [120, 200, 300, 420, 560, 750, 1000];
    BOUNDS.iter().take_while(|bound| value > **bound).count()
}
