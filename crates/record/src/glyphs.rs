//! Annotation glyphs: the signs that books and programs write for numbers of the PGN standard and its extensions.

/// Signs and their numbers, longer ones before those that they end with.
const SIGNS: [(&str, u8); 36] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("=/∞", 44),
    ("=∞", 44),
    ("⯹", 44),
    ("+/-", 16),
    ("+/−", 16),
    ("-/+", 17),
    ("−/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("+=", 14),
    ("=+", 15),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("∞", 13),
    ("=", 10),
    ("□", 7),
    ("⨀", 22),
    ("○", 26),
    ("⟳", 32),
    ("→", 40),
    ("↑", 36),
    ("⇆", 132),
    ("⊕", 138),
    ("∆", 140),
];

/// The number of a glyph that stands alone: a sign, `N` for a novelty, or a run of more `!` and `?` than any sign has,
/// of which the first two count.
pub(crate) fn number(text: &str) -> Option<u8> {
    let sign = |text: &str| SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, number)| *number);
    match text {
        "N" => Some(146),
        _ if text.len() > 2 && text.bytes().all(|byte| matches!(byte, b'!' | b'?')) => sign(&text[..2]),
        _ => sign(text),
    }
}

/// Takes the signs from the end of a move, and returns the rest and their numbers from left to right. What `kept` says
/// belongs to the move stays: an exclamation mark may be part of a piece's symbol.
pub(crate) fn split(text: &str, kept: usize) -> (&str, Vec<u8>) {
    let (mut rest, mut found) = (text, Vec::new());
    loop {
        let marks = rest.len() - rest[kept.min(rest.len())..].trim_end_matches(['!', '?']).len() - kept.min(rest.len());
        let length = match marks {
            0 => {
                SIGNS.iter().find(|(sign, _)| rest.len() > sign.len() && rest.ends_with(sign)).map_or(0, |s| s.0.len())
            }
            _ => marks,
        };
        if length == 0 || rest.len() - length < kept.max(1) {
            found.reverse();
            return (rest, found);
        }
        let (before, sign) = rest.split_at(rest.len() - length);
        found.extend(number(sign));
        rest = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_taken_from_the_end_of_a_move() {
        assert_eq!(split("e4", 0), ("e4", vec![]));
        assert_eq!(split("Nf3+-", 0), ("Nf3", vec![18]));
        assert_eq!(split("Nf3++-", 0), ("Nf3+", vec![18]));
        assert_eq!(split("e4!?±", 0), ("e4", vec![5, 16]));
        assert_eq!(split("e4!!!=", 0), ("e4", vec![3, 10]));
        assert_eq!(split("d14=V!!?", 6), ("d14=V!", vec![5]));
        assert_eq!(split("!", 0), ("!", vec![]));
        assert_eq!(split("O-O-O", 0), ("O-O-O", vec![]));
    }

    #[test]
    fn a_glyph_alone_has_its_number() {
        for (text, expected) in [("±", 16), ("N", 146), ("!!!", 3), ("???", 4), ("?!?", 6), ("∞", 13), ("=", 10)] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
        assert_eq!(number("e4"), None);
        assert_eq!(number("+"), None);
    }
}
