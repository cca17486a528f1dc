//! Square lists: `a1-c3 e4`, `rank 2`, `ranks 8-10`, `file d`, `last rank`, `all`.

use crate::set::Set;
use crate::square::Square;
use std::iter;

/// Reads a square list on a board of this size; ranks, files and blocks are without its holes.
///
/// # Errors
/// Says what was found and what was expected.
pub(crate) fn parse_squares(text: &str, files: u8, ranks: u8, holes: Set) -> Result<Vec<Square>, String> {
    let parts: Vec<Vec<Square>> = parts(text, files, ranks).collect::<Result<_, _>>()?;
    if let Some(hole) = parts.iter().find(|part| part.len() == 1 && holes.contains(part[0])) {
        return Err(format!("'{}' is a hole in the board", hole[0]));
    }
    Ok(distinct(parts.into_iter().flatten()).into_iter().filter(|square| !holes.contains(*square)).collect())
}

/// The squares of a list that is being written: what has no meaning on a board of this size is left out.
pub fn known_squares(text: &str, files: u8, ranks: u8) -> Vec<Square> {
    distinct(parts(text, files, ranks).flatten().flatten())
}

/// Each square once, in the order of the list.
fn distinct(squares: impl Iterator<Item = Square>) -> Vec<Square> {
    let mut seen = Set::default();
    let mut is_new = |square: Square| {
        let known = seen.contains(square);
        seen.insert(square);
        !known
    };
    squares.filter(|square| is_new(*square)).collect()
}

/// The squares of each part of a list, or what is wrong with it.
fn parts(text: &str, files: u8, ranks: u8) -> impl Iterator<Item = Result<Vec<Square>, String>> {
    let mut words = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).peekable();
    iter::from_fn(move || {
        let word = words.next()?;
        let next = words.peek().copied().unwrap_or("");
        if matches!(word, "rank" | "ranks" | "file" | "files") || (word, next) == ("last", "rank") {
            words.next();
        }
        Some(part(word, next, files, ranks))
    })
}

fn part(word: &str, next: &str, files: u8, ranks: u8) -> Result<Vec<Square>, String> {
    let ((left, right), (low, high)) = match word {
        "all" => ((0, files - 1), (0, ranks - 1)),
        "last" if next == "rank" => ((0, files - 1), (ranks - 1, ranks - 1)),
        "rank" | "ranks" => {
            let number = |text: &str| {
                text.parse::<u8>()
                    .ok()
                    .filter(|rank| (1..=ranks).contains(rank))
                    .map(|rank| rank - 1)
                    .ok_or_else(|| format!("'{word} {next}' where a rank from 1 to {ranks} was expected"))
            };
            let (low, high) = next.split_once('-').unwrap_or((next, next));
            ((0, files - 1), (number(low)?, number(high)?))
        }
        "file" | "files" => {
            let last = (b'a' + files - 1) as char;
            let letter = |text: &str| match text.as_bytes() {
                [letter] if (b'a'..b'a' + files).contains(letter) => Ok(letter - b'a'),
                _ => Err(format!("'{word} {next}' where a file from a to {last} was expected")),
            };
            let (low, high) = next.split_once('-').unwrap_or((next, next));
            let lines = letter(low)?..=letter(high)?;
            return Ok(lines.flat_map(|file| (0..ranks).map(move |rank| Square::new(file, rank))).collect());
        }
        _ => {
            let square = |text: &str| {
                Square::parse(text).filter(|s| s.file() < files && s.rank() < ranks).ok_or_else(|| {
                    format!(
                        "'{text}' where a square of the {files}x{ranks} board, a block a1-c3, 'rank 2', 'file d', \
                         'last rank' or 'all' was expected"
                    )
                })
            };
            let (from, to) = word.split_once('-').unwrap_or((word, word));
            let (from, to) = (square(from)?, square(to)?);
            if from.file() > to.file() || from.rank() > to.rank() {
                return Err(format!("the block '{word}' must name its lower left corner first"));
            }
            ((from.file(), to.file()), (from.rank(), to.rank()))
        }
    };
    Ok((low..=high).flat_map(|rank| (left..=right).map(move |file| Square::new(file, rank))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(squares: &[Square]) -> String {
        squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_of_squares_are_read_in_their_order() {
        for (text, squares) in [
            ("a1 c3", "a1 c3"),
            ("a1,c3,\n a1", "a1 c3"),
            ("b2-c3", "b2 c2 b3 c3"),
            ("rank 2", "a2 b2 c2 d2 e2"),
            ("ranks 1-2", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
            ("file d", "d1 d2 d3 d4 d5 d6"),
            ("files d-e a1", "d1 d2 d3 d4 d5 d6 e1 e2 e3 e4 e5 e6 a1"),
            ("last rank b1", "a6 b6 c6 d6 e6 b1"),
            ("ranks 3-1 files e-a", ""),
            ("", ""),
        ] {
            assert_eq!(
                parse_squares(text, 5, 6, Set::EMPTY).map(|found| names(&found)).as_deref(),
                Ok(squares),
                "{text}"
            );
        }
        assert_eq!(parse_squares("all all", 5, 6, Set::EMPTY).unwrap().len(), 30);
    }

    #[test]
    fn whole_ranks_leave_holes_out_and_a_hole_alone_is_a_fault() {
        let holes: Set = [Square::new(0, 0), Square::new(4, 0)].into_iter().collect();
        assert_eq!(parse_squares("rank 1", 5, 6, holes).map(|found| names(&found)).as_deref(), Ok("b1 c1 d1"));
        assert_eq!(parse_squares("b2 a1", 5, 6, holes), Err("'a1' is a hole in the board".into()));
    }

    #[test]
    fn faults_are_found_and_an_unfinished_list_keeps_its_squares() {
        for bad in [
            "f1",
            "a7",
            "a0",
            "c3-a1",
            "rank",
            "rank 7",
            "file ff",
            "files e-",
            "last",
            "last file",
            "é",
            "a1-",
            "-",
            "a1-b2-c3x",
        ] {
            assert!(parse_squares(bad, 5, 6, Set::EMPTY).is_err(), "{bad}");
            assert_eq!(known_squares(bad, 5, 6), [], "{bad}");
        }
        assert_eq!(names(&known_squares("a1 f1 b2-c rank 7 e6 file", 5, 6)), "a1 e6");
    }
}
