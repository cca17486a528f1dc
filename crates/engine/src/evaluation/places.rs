//! Square features of soldiers and pieces: distance from the centre and from promotion.

use rules::{Color, Rules, Set, Square};

/// The square features of a square for a side.
#[derive(Clone, Copy, Default)]
pub struct Place {
    pub advance: i32,
    pub file: i32,
    pub rank: i32,
    /// Steps to promotion.
    pub steps: u8,
}

/// Returns the square features of a square for a side.
pub fn place(rules: &Rules, color: Color, square: Square) -> Place {
    let (files, ranks) = (i32::from(rules.files), i32::from(rules.ranks));
    let (file, rank) = (i32::from(square.file()).min(files - 1), i32::from(square.rank()).min(ranks - 1));
    let up = if color == Color::White { rank } else { ranks - 1 - rank };
    let near = |at: i32, size: i32| 16 * (size - 1 - (2 * at - (size - 1)).abs()) / (size - 1).max(1);
    let at = promotion(rules, color);
    let ahead = |other: Square| match color {
        Color::White => other.rank().checked_sub(square.rank()),
        Color::Black => square.rank().checked_sub(other.rank()),
    };
    let steps = at.into_iter().filter(|other| other.file() == square.file()).filter_map(ahead).min();
    Place {
        advance: 16 * up / (ranks - 1).max(1) - 8,
        file: near(file, files) - 8,
        rank: near(rank, ranks) - 8,
        steps: steps.unwrap_or(ranks as u8),
    }
}

/// Where a side's soldiers must promote, or may if they never must.
fn promotion(rules: &Rules, color: Color) -> Set {
    let pieces = rules.pieces.iter().skip(color.index()).step_by(2);
    let soldiers = pieces.enumerate().filter(|(kind, _)| rules.soldier[*kind]).map(|(_, piece)| piece);
    let (mut must, mut may) = (Set::EMPTY, Set::EMPTY);
    for way in soldiers.flat_map(|piece| &piece.promotions) {
        must |= way.at;
        may |= way.optional;
    }
    if must.is_empty() { may } else { must }
}

/// The squares ahead of a square on its own and the neighbouring files.
pub fn front(rules: &Rules, color: Color, square: Square) -> Set {
    let ahead = |other: &Square| match color {
        Color::White => other.rank() > square.rank(),
        Color::Black => other.rank() < square.rank(),
    };
    rules.board.into_iter().filter(ahead).filter(|other| other.file().abs_diff(square.file()) <= 1).collect()
}
