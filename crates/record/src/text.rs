//! How messages show texts.

/// A text in quotes, cut to forty characters.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = match text.chars().count() {
        0..=40 => text.into(),
        _ => text.chars().take(37).chain("...".chars()).collect(),
    };
    let quote = if short.contains('\'') && !short.contains('"') { '"' } else { '\'' };
    let mut found = String::from(quote);
    for c in short.chars() {
        match c {
            '\\' => found.push_str("\\\\"),
            _ if c == quote => found.extend(['\\', c]),
            '\t' => found.push_str("\\t"),
            _ if c.is_control() => found.extend(c.escape_unicode()),
            _ => found.push(c),
        }
    }
    found.push(quote);
    found
}
