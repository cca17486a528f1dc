//! Texts from outside, and how messages show them.

/// A text as error messages show it: not too long, nothing unprintable.
pub(crate) fn shorten(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if clean.len() < text.len() { format!("{clean}...") } else { clean }
}

/// Control characters but line ends and tabs, and those that turn the direction of writing.
pub(crate) fn is_unprintable(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A text that fits a message: no control characters, not endless.
pub(crate) fn printable(text: &str) -> String {
    text.chars().filter(|c| !is_unprintable(*c) && *c != '\n' && *c != '\t').take(300).collect()
}

/// A dotted path with a key more.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}
