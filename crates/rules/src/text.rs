//! Texts from outside, and how messages show them.

/// A text as error messages show it: shortened, and without control characters.
pub(crate) fn shorten(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if clean.len() < text.len() { format!("{clean}...") } else { clean }
}

/// Whether a character is a control character, line ends and tabs excepted, or changes the direction of writing.
pub(crate) fn is_unprintable(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text that fits into a message: without control characters, and shortened.
pub(crate) fn printable(text: &str) -> String {
    text.chars().filter(|c| !is_unprintable(*c) && *c != '\n' && *c != '\t').take(300).collect()
}

/// Appends a key to a dotted path.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// The candidate that a misspelt text most likely means, if one is near: at most two letters differ in long texts and
/// one in others; short texts match none.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = match text.chars().count() {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
    candidates
        .map(|candidate| (distance(text, candidate), candidate))
        .filter(|(off, _)| *off <= most)
        .min()
        .map(|near| near.1)
}

/// A question with the candidate that [`nearest`] found, to end a message with.
pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

/// The edit distance: how many letters must be added, removed or changed, or neighbours swapped, to turn one text into
/// the other, ignoring case (optimal string alignment).
fn distance(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|text| text.to_lowercase().chars().collect::<Vec<char>>());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate().take(64) {
        let mut row = vec![i + 1];
        for (j, candidate) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != candidate);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *candidate {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[rows.len() - 1][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_neighbouring_letters_count_as_one_mistake() {
        assert_eq!(nearest("pwan", ["king", "pawn"].into_iter()), Some("pawn"));
        assert_eq!(nearest("pnaw", ["king", "pawn"].into_iter()), None);
        let distances = [("", "ab", 2), ("ab", "", 2), ("knight", "kinght", 1), ("ca", "abc", 3), ("Rook", "rook", 0)];
        assert!(distances.iter().all(|(one, other, expected)| distance(one, other) == *expected));
    }
}
