//! History heuristics: how well moves have done so far, which orders the moves of later nodes.

use rules::{Color, Move, Piece, Square};

/// The bound on the absolute value of every entry.
const LIMIT: i32 = 16_384;
/// The number of piece types in the continuation tables; those beyond share entries.
const PIECE_TYPES: usize = 24;
/// The number of squares in the continuation tables: blocks of two by two.
const REGIONS: usize = 64;
/// The number of classes of captured pieces, by value.
const CLASSES: usize = 8;
/// The number of entries of each correction table.
const CORRECTIONS: usize = 16_384;
/// The correction tables: soldiers, White's other pieces, Black's.
const CORRECTION_KEYS: usize = 3;
/// Units of a correction per centipawn.
const CORRECTION_UNIT: i32 = 256;
const CORRECTION_LIMIT: i32 = 48 * CORRECTION_UNIT;

/// A move as the continuation tables index it: piece and destination; `None` before the first move.
pub type Step = Option<(Piece, Square)>;

/// What a quiet move does about the enemy's threats.
#[derive(Clone, Copy, Default)]
pub struct Danger {
    /// Whether its origin is threatened.
    pub leaves: bool,
    /// Whether its destination is.
    pub enters: bool,
    /// The history that a move which only leaves has before anything is learnt; one that only enters has the opposite.
    pub worth: i32,
}

impl Danger {
    const COUNT: usize = 4;

    fn index(self) -> usize {
        2 * usize::from(self.leaves) + usize::from(self.enters)
    }

    fn prior(self) -> i32 {
        self.worth * (i32::from(self.leaves) - i32::from(self.enters))
    }
}

/// The history tables of one thread.
pub struct History {
    /// By piece and destination.
    quiet: Vec<i16>,
    /// By danger, side, origin and destination (butterfly history).
    butterfly: Vec<i16>,
    /// By piece, destination and class of the captured piece (capture history).
    capture: Vec<i16>,
    /// By an earlier move and the move (continuation history).
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
    let kind = before.0.piece_type().index() % PIECE_TYPES * 2 + before.0.color().index();
    (kind * REGIONS + region(before.1)) * PIECE_TYPES * REGIONS
}

fn column(piece: Piece, to: Square) -> usize {
    piece.piece_type().index() % PIECE_TYPES * REGIONS + region(to)
}

impl History {
    /// Creates empty histories for a game with `piece_types` piece types.
    pub fn new(piece_types: usize) -> History {
        let known = piece_types.min(PIECE_TYPES);
        History {
            quiet: vec![0; 512 * piece_types],
            butterfly: vec![0; Danger::COUNT << 17],
            capture: vec![0; 512 * piece_types * CLASSES],
            continuation: vec![0; 2 * known * REGIONS * PIECE_TYPES * REGIONS],
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

    /// The history of a quiet move, after these earlier moves.
    pub fn quiet(&self, piece: Piece, mv: Move, before: [Step; 2], danger: Danger) -> i32 {
        let mut sum = danger.prior() + i32::from(self.quiet[piece_to(piece, mv.to())]);
        sum += i32::from(self.butterfly[butterfly(piece.color(), mv, danger)]);
        for step in before.into_iter().flatten() {
            sum += i32::from(self.continuation[row(step) + column(piece, mv.to())]);
        }
        sum
    }

    /// The history of a capture.
    pub fn capture(&self, piece: Piece, to: Square, class: usize) -> i32 {
        i32::from(self.capture[piece_to(piece, to) * CLASSES + class])
    }

    /// Updates the history of a quiet move with a bonus or a malus.
    pub fn learn_quiet(&mut self, piece: Piece, mv: Move, before: [Step; 2], danger: Danger, bonus: i32) {
        update(&mut self.quiet[piece_to(piece, mv.to())], bonus);
        update(&mut self.butterfly[butterfly(piece.color(), mv, danger)], bonus);
        for step in before.into_iter().flatten() {
            update(&mut self.continuation[row(step) + column(piece, mv.to())], bonus);
        }
    }

    /// Updates the history of a capture with a bonus or a malus.
    pub fn learn_capture(&mut self, piece: Piece, to: Square, class: usize, bonus: i32) {
        update(&mut self.capture[piece_to(piece, to) * CLASSES + class], bonus);
    }

    /// The correction of the static evaluation in centipawns: how much searches of similar positions differed from it,
    /// the mean of the tables.
    pub fn correction(&self, turn: Color, keys: [u64; CORRECTION_KEYS]) -> i32 {
        let sum: i32 =
            (0..CORRECTION_KEYS).map(|table| i32::from(self.correction[correction(table, turn, keys)])).sum();
        sum / (CORRECTION_KEYS as i32 * CORRECTION_UNIT)
    }

    /// Updates the correction history: a search to this depth differed from the evaluation by `difference` centipawns.
    pub fn learn_correction(&mut self, turn: Color, keys: [u64; CORRECTION_KEYS], difference: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        for table in 0..CORRECTION_KEYS {
            let entry = &mut self.correction[correction(table, turn, keys)];
            let new = i32::from(*entry) * (256 - weight) + difference * CORRECTION_UNIT * weight;
            *entry = (new / 256).clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16;
        }
    }
}

fn butterfly(color: Color, mv: Move, danger: Danger) -> usize {
    danger.index() << 17 | color.index() << 16 | mv.from().index() << 8 | mv.to().index()
}

fn correction(table: usize, turn: Color, keys: [u64; CORRECTION_KEYS]) -> usize {
    (table * 2 + turn.index()) * CORRECTIONS + (keys[table] as usize & (CORRECTIONS - 1))
}

/// The class of a captured piece type, by value.
pub fn class(value: i32) -> usize {
    const BOUNDS: [i32; CLASSES - 1] = [120, 200, 300, 420, 560, 750, 1000];
    BOUNDS.iter().take_while(|bound| value > **bound).count()
}
