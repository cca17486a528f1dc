//! Square lists: `a1-c3 e4`, `rank 2`, `ranks 8-10`, `file d`, `last rank`, `all`.

use crate::set::Set;
use crate::square::Square;

/// Reads a square list on a board of this size.
///
/// # Errors
/// Says what was found and what was expected.
pub fn parse_squares(text: &str, files: u8, ranks: u8) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    let mut add = |square: Square| {
        if !squares.contains(&square) {
            squares.push(square);
        }
    };
    let words: Vec<&str> = text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    let mut index = 0;
    while index < words.len() {
        let word = words[index];
        let next = words.get(index + 1).copied().unwrap_or("");
        index += 1;
        match word {
            "all" => Set::board(files, ranks).into_iter().for_each(&mut add),
            "last" if next == "rank" => {
                index += 1;
                (0..files).for_each(|file| add(Square::new(file, ranks - 1)));
            }
            "rank" | "ranks" => {
                index += 1;
                let number = |text: &str| {
                    text.parse::<u8>()
                        .ok()
                        .filter(|rank| (1..=ranks).contains(rank))
                        .ok_or_else(|| format!("'{word} {next}' where a rank from 1 to {ranks} was expected"))
                };
                let (low, high) = next.split_once('-').unwrap_or((next, next));
                for rank in number(low)?..=number(high)? {
                    (0..files).for_each(|file| add(Square::new(file, rank - 1)));
                }
            }
            "file" | "files" => {
                index += 1;
                let last = (b'a' + files - 1) as char;
                let letter = |text: &str| match text.as_bytes() {
                    [letter] if (b'a'..b'a' + files).contains(letter) => Ok(letter - b'a'),
                    _ => Err(format!("'{word} {next}' where a file from a to {last} was expected")),
                };
                let (low, high) = next.split_once('-').unwrap_or((next, next));
                for file in letter(low)?..=letter(high)? {
                    (0..ranks).for_each(|rank| add(Square::new(file, rank)));
                }
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
                match word.split_once('-') {
                    Some((from, to)) => {
                        let (from, to) = (square(from)?, square(to)?);
                        if from.file() > to.file() || from.rank() > to.rank() {
                            return Err(format!("the block '{word}' must name its lower left corner first"));
                        }
                        for rank in from.rank()..=to.rank() {
                            (from.file()..=to.file()).for_each(|file| add(Square::new(file, rank)));
                        }
                    }
                    None => add(square(word)?),
                }
            }
        }
    }
    Ok(squares)
}
