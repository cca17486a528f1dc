//! The placement field of FEN: the contents of each square, from the last rank to the first.

use crate::set::Set;
use crate::square::Square;

/// Writes the field from the contents of the squares; holes are written as `*`.
pub(crate) fn write_placement((files, ranks): (u8, u8), holes: Set, cell: &dyn Fn(Square) -> Option<String>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut run = 0;
        for file in 0..files {
            let square = Square::new(file, rank);
            match if holes.contains(square) { Some("*".into()) } else { cell(square) } {
                None => run += 1,
                Some(symbol) => {
                    if run > 0 {
                        text += &run.to_string();
                        run = 0;
                    }
                    text += &symbol;
                }
            }
        }
        if run > 0 {
            text += &run.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}
