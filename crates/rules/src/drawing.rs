//! Drawings of one's own: up to three SVG paths in a square from 0 to 100, and nothing else.
//!
//! Definitions come from strangers and their drawings go into pages, so a drawing is path data alone: its grammar has no
//! markup, no references and no styles.

use crate::text::shorten;

/// How many paths a drawing has at most: the shape, details, lines.
const MAX_PATHS: usize = 3;
/// How far from 0 a number may be.
const MAX_NUMBER: f64 = 1000.0;

/// Whether a text for `art` means path data; the ids of drawings are in lower case.
pub(crate) fn is_drawing(art: &str) -> bool {
    art.starts_with('M') && art[1..].starts_with(|sign: char| sign.is_ascii_digit() || " .-+\n\t".contains(sign))
}

/// Says what is wrong with a drawing.
pub(crate) fn check(art: &str) -> Result<(), String> {
    let paths: Vec<&str> = art.split('|').collect();
    if paths.len() > MAX_PATHS {
        return Err(format!("{} paths; a drawing has at most {MAX_PATHS}: shape | details | lines", paths.len()));
    }
    paths.iter().enumerate().try_for_each(|(index, path)| match path.trim_matches(BLANKS) {
        "" if index > 0 => Ok(()),
        path => check_path(path),
    })
}

fn check_path(path: &str) -> Result<(), String> {
    let mut rest = path;
    let mut first = true;
    while let Some(command) = rest.chars().next() {
        let Some(numbers) = numbers_of(command).filter(|_| !first || command == 'M') else {
            return Err(format!("{:?} in a path where a command of SVG path data was expected", shorten(rest)));
        };
        first = false;
        rest = rest[1..].trim_start_matches(BLANKS);
        let mut read = 0;
        while let Some(length) = argument_at(command, read, rest) {
            rest = rest[length..].trim_start_matches(BLANKS);
            rest = rest.strip_prefix(',').map_or(rest, |after| after.trim_start_matches(BLANKS));
            read += 1;
        }
        let whole = numbers == 0 || (read > 0 && read % numbers == 0);
        if !whole {
            return Err(format!(
                "{command} in a path has {read} numbers before {:?}; expected {numbers}, or several times {numbers}, \
                 each from -{MAX_NUMBER} to {MAX_NUMBER}",
                shorten(rest)
            ));
        }
    }
    Ok(())
}

const BLANKS: [char; 3] = [' ', '\n', '\t'];

/// How many numbers a command takes.
fn numbers_of(command: char) -> Option<usize> {
    Some(match command.to_ascii_uppercase() {
        'M' | 'L' | 'T' => 2,
        'H' | 'V' => 1,
        'C' => 6,
        'S' | 'Q' => 4,
        'A' => 7,
        'Z' => 0,
        _ => return None,
    })
}

/// The length of a command's next number, or of a flag of an arc, at the beginning of a text.
fn argument_at(command: char, read: usize, text: &str) -> Option<usize> {
    match (command, read % 7) {
        ('Z' | 'z', _) => None,
        ('A' | 'a', 3 | 4) => text.starts_with(['0', '1']).then_some(1),
        _ => number_at(text),
    }
}

/// The length of a number at the beginning of a text; an exponent is not read.
fn number_at(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|sign| sign.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let whole = digits(sign);
    let mut length = sign + whole;
    let mut fraction = 0;
    if bytes.get(length) == Some(&b'.') {
        fraction = digits(length + 1);
        length += 1 + fraction;
    }
    let number: f64 = if whole + fraction > 0 { text[..length].parse().ok()? } else { return None };
    (number.abs() <= MAX_NUMBER).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_path_data_is_accepted() {
        for good in [
            "M50 10L90 90H10z",
            "M.5.5-3-3 4,4",
            "M0 0a25 25 -30 1 1 50 -25",
            "M0 0a25,25,0,1150-25",
            "M1 1 | M2 2z | M3 3c1 1 2 2 3 3s1 1 2 2q1 1 2 2t3 3v4",
            "M1 1||M2 2",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
            assert!(is_drawing(good), "{good}");
        }
    }

    #[test]
    fn anything_but_path_data_is_refused() {
        for bad in [
            "M",
            "M1",
            "M1 2 3",
            "M1 1L",
            "M1 1z5",
            "M1 1e3",
            "M1e3 1",
            "M1 1001",
            "M1 NaN",
            "M1 1\"/><script>",
            "M1 1 url(#x)",
            "M1 1&lt;",
            "M1 1a1 1 0 2 0 1 1",
            "M1 1|M1 1|M1 1|M1 1",
            "M1 1|L1 1",
            "M1 1\u{a0}",
            "M1 1é",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        for id in ["lion", "Mouse", "", "M", "|M1 1", "É"] {
            assert!(!is_drawing(id), "{id}");
        }
    }
}
