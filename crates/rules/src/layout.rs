//! Where everything stands in a definition's text, for editors that change one value and keep the rest as it was written.

use crate::limits::MAX_DEFINITION;
use crate::source::{self, Fault, Node};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key, or the place of a table in a list of tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A key.
    Key(String),
    /// A place, from 0.
    Place(usize),
}

/// A line `key = value`.
#[derive(Debug)]
pub struct Entry {
    /// The keys of the table and of the line.
    pub path: Vec<Step>,
    /// The byte at which the value begins.
    pub from: usize,
    /// The byte after the value.
    pub to: usize,
}

/// A table with its header; the first one is the top, which has none.
#[derive(Debug)]
pub struct Section {
    /// The keys.
    pub path: Vec<Step>,
    /// The byte at which the header begins.
    pub from: usize,
    /// The byte after the header.
    pub to: usize,
    /// The byte after the last entry.
    pub end: usize,
}

/// A definition's tree, and its text in order.
#[derive(Debug)]
pub struct Layout {
    /// What the text says by itself, without what it extends.
    pub tree: Node,
    /// The tables.
    pub sections: Vec<Section>,
    /// The lines.
    pub entries: Vec<Entry>,
}

/// Reads where everything stands in a text.
///
/// # Errors
/// Faults for every place that is not TOML; what the text means is not judged.
pub fn layout(text: &str, file: &str) -> Result<Layout, Vec<Fault>> {
    let (tree, table) = source::parse(MAX_DEFINITION, text, file, 0)?;
    let top = Section { path: Vec::new(), from: 0, to: 0, end: 0 };
    let mut layout = Layout { tree, sections: vec![top], entries: Vec::new() };
    layout.add_table(text, &table, &mut Vec::new());
    layout.sections.sort_by_key(|section| section.from);
    layout.entries.sort_by_key(|entry| entry.from);
    let mut entries = layout.entries.iter().peekable();
    let mut sections = layout.sections.iter_mut().peekable();
    while let Some(section) = sections.next() {
        let next = sections.peek().map_or(text.len(), |next| next.from);
        while let Some(entry) = entries.next_if(|entry| entry.from < next) {
            section.end = entry.to;
        }
    }
    Ok(layout)
}

/// Whether a table has a header of its own: to the reader it stands where its header or its brace does, and otherwise,
/// as one that only other keys name, where they do.
fn has_header(text: &str, value: &Spanned<DeValue>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_)) && text.as_bytes().get(value.span().start) == Some(&b'[')
}

impl Layout {
    fn add_table(&mut self, text: &str, table: &DeTable, path: &mut Vec<Step>) {
        for (key, value) in table {
            path.push(Step::Key(key.get_ref().to_string()));
            self.add(text, value, path);
            path.pop();
        }
    }

    fn add(&mut self, text: &str, value: &Spanned<DeValue>, path: &mut Vec<Step>) {
        let (from, to) = (value.span().start, value.span().end);
        match value.get_ref() {
            DeValue::Table(table) if has_header(text, value) => {
                self.sections.push(Section { path: path.clone(), from, to, end: to });
                self.add_table(text, table, path);
            }
            DeValue::Table(table) if text.as_bytes().get(from) != Some(&b'{') => self.add_table(text, table, path),
            DeValue::Array(tables) if tables.first().is_some_and(|first| has_header(text, first)) => {
                for (place, table) in tables.iter().enumerate() {
                    path.push(Step::Place(place));
                    self.add(text, table, path);
                    path.pop();
                }
            }
            _ => self.entries.push(Entry { path: path.clone(), from, to }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A game.
top = 1
[game] # é
id = 'x'
place = { F = \"b2\" }
on.end.quiet = [
  100, # first
  [2],
]
[[castling]]
right = \"K\"
[castling.path]
[[castling]]
right = '''Q'''
[a.b]
x = 1
[a]
list = [{ x = 1 }, { y = 2 }]
";

    #[test]
    fn every_table_and_value_is_found_where_it_is_written() {
        let layout = layout(TEXT, "x.toml").unwrap();
        let written = |path: &[Step]| {
            path.iter()
                .map(|step| match step {
                    Step::Key(key) => key.clone(),
                    Step::Place(place) => place.to_string(),
                })
                .collect::<Vec<_>>()
                .join(".")
        };
        let values: Vec<_> =
            layout.entries.iter().map(|entry| (written(&entry.path), &TEXT[entry.from..entry.to])).collect();
        let values: Vec<_> = values.iter().map(|(path, value)| (path.as_str(), *value)).collect();
        assert_eq!(
            values,
            [
                ("top", "1"),
                ("game.id", "'x'"),
                ("game.place", "{ F = \"b2\" }"),
                ("game.on.end.quiet", "[\n  100, # first\n  [2],\n]"),
                ("castling.0.right", "\"K\""),
                ("castling.1.right", "'''Q'''"),
                ("a.b.x", "1"),
                ("a.list", "[{ x = 1 }, { y = 2 }]"),
            ]
        );
        let sections: Vec<_> = layout
            .sections
            .iter()
            .map(|section| {
                (written(&section.path), &TEXT[section.from..section.to], TEXT[..section.end].lines().count())
            })
            .collect();
        let sections: Vec<_> = sections.iter().map(|(path, header, lines)| (path.as_str(), *header, *lines)).collect();
        assert_eq!(
            sections,
            [
                ("", "", 2),
                ("game", "[game]", 9),
                ("castling.0", "[[castling]]", 11),
                ("castling.0.path", "[castling.path]", 12),
                ("castling.1", "[[castling]]", 14),
                ("a.b", "[a.b]", 16),
                ("a", "[a]", 18),
            ]
        );
    }

    #[test]
    fn no_text_is_too_much_for_it() {
        for text in ["", "\u{feff}x = 1", "x", "x = 1\nx = 2", "[a]\n[a]"] {
            let _ = layout(text, "x.toml");
        }
        let deep = format!("[{0}a]\n{0}a = {1}1{2}", "a.".repeat(70), "[".repeat(70), "]".repeat(70));
        assert_eq!(layout(&deep, "x.toml").unwrap().entries[0].path.len(), 142);
        assert!(layout(&format!("{}a = 1", "a.".repeat(30_000)), "x.toml").is_err());
        assert!(layout(&"#".repeat(MAX_DEFINITION + 1), "x.toml").is_err());
    }
}
