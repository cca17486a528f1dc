//! Lays a translation over a definition's tree: it may change texts and nothing else.

use crate::reader::Reader;
use crate::source::{self, Fault, Node, Value};
use crate::text::join;

/// Lays a translation over the tree of its game. The texts themselves are checked later, when the tree is read.
///
/// # Errors
/// Returns faults if it is not TOML, or has a key that is not a text of the game.
pub(crate) fn translate(tree: &mut Node, text: &str, file: String, names: &mut Vec<String>) -> Result<(), Vec<Fault>> {
    let translation = source::read(text, &file, names.len() as u8)?;
    names.push(file);
    let mut reader = Reader::new(names);
    overlay(&mut reader, tree, &translation, &[]);
    if reader.faults.is_empty() { Ok(()) } else { Err(reader.faults) }
}

fn overlay(reader: &mut Reader, table: &mut Node, translation: &Node, path: &[&str]) {
    let full = path.iter().fold(String::new(), |path, key| join(&path, key));
    let (Value::Table(entries), Value::Table(translated)) = (&mut table.value, &translation.value) else {
        return reader.expected(translation, &full, "a table");
    };
    // Pieces, options and rules can be translated if the definition has them.
    let known: Option<&[&str]> = match path {
        [] => Some(&["game", "pieces", "options"]),
        ["game"] => Some(&["name", "author", "summary", "story", "rules"]),
        ["pieces", _] => Some(&["name", "also", "help"]),
        ["options", _] => Some(&["help"]),
        _ => None,
    };
    if let Some(known) = known {
        reader.only_known_keys(translation, &full, known);
    }
    for (key, node) in translated.iter().filter(|(key, _)| known.is_none_or(|known| known.contains(&key.as_str()))) {
        let path = [path, &[key.as_str()]].concat();
        match entries.iter_mut().find(|(name, _)| name == key) {
            None => {
                let there: Vec<_> = entries.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("the definition has no text with this key; it has {}", there.join(", "));
                reader.fail(node.place, &join(&full, key), message);
            }
            Some((_, text)) if path.len() == 3 || path[0] == "game" && path.len() == 2 && key != "rules" => {
                *text = node.clone();
            }
            Some((_, table)) => overlay(reader, table, node, &path),
        }
    }
}
