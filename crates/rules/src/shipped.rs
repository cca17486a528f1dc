//! The definitions that ship with Acedrex and their translations, all compiled in.

use crate::source::{self, Value};
use std::sync::LazyLock;

/// Files by the id of their game.
type Texts = &'static [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// The language of the definitions that ship with Acedrex.
pub const OWN_LANGUAGE: &str = "en";

/// The ids of the games that ship with Acedrex, in the order of their names.
pub fn shipped() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(id, _)| *id)
}

/// The definition of a shipped game.
pub fn shipped_source(id: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(other, _)| *other == id).map(|(_, text)| *text)
}

/// The languages in which shipped games have texts, the definitions' own first.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let others = LOCALES.iter().map(|(language, _, _)| *language).filter(|language| *language != OWN_LANGUAGE);
    std::iter::once(OWN_LANGUAGE).chain(others)
}

/// The translation of a shipped game, if it has one.
pub(crate) fn shipped_translation(language: &str, id: &str) -> Option<&'static str> {
    let (_, _, texts) = LOCALES.iter().find(|(other, _, _)| *other == language)?;
    texts.iter().find(|(other, _)| *other == id).map(|(_, text)| *text)
}

/// What programs say in a language, by tables and keys.
struct Said {
    language: &'static str,
    tables: Vec<(String, Vec<(String, String)>)>,
    /// Small numbers in words, from 0.
    numbers: Vec<String>,
}

static SAID: LazyLock<Vec<Said>> =
    LazyLock::new(|| LOCALES.iter().map(|(language, text, _)| said(language, text)).collect());

fn said(language: &'static str, text: &str) -> Said {
    let tree = source::read(text, language, 0).expect("a test reads it");
    let text = |value: &Value| if let Value::Text(text) = value { text.clone() } else { String::new() };
    let Value::Table(entries) = &tree.value else { unreachable!("a file is a table") };
    let (mut tables, mut numbers) = (Vec::new(), Vec::new());
    for (name, node) in entries {
        match &node.value {
            Value::Table(entries) => {
                let entries = entries.iter().map(|(key, node)| (key.clone(), text(&node.value))).collect();
                tables.push((name.clone(), entries));
            }
            Value::List(items) => numbers = items.iter().map(|node| text(&node.value)).collect(),
            _ => {}
        }
    }
    Said { language, tables, numbers }
}

/// What is said in a language; in the definitions' own if there is nothing in it.
fn said_in(language: &str) -> &'static Said {
    let of = |language: &str| SAID.iter().find(|said| said.language == language);
    of(language).or_else(|| of(OWN_LANGUAGE)).expect("the language of the definitions has a file")
}

/// A sentence of a language by its table and key; in English if the language has none.
pub(crate) fn sentence(language: &str, table: &str, key: &str) -> Option<&'static str> {
    let found = |language: &str| sentences(language, table).iter().find(|(other, _)| other == key);
    found(language).or_else(|| found(OWN_LANGUAGE)).map(|(_, text)| text.as_str())
}

/// The sentences of a table of a language, by their keys.
pub(crate) fn sentences(language: &str, table: &str) -> &'static [(String, String)] {
    let tables = &said_in(language).tables;
    tables.iter().find(|(name, _)| name == table).map_or(&[], |(_, entries)| entries)
}

/// A number in words if it is small, otherwise in digits.
pub(crate) fn number_text(language: &str, number: u32) -> String {
    said_in(language).numbers.get(number as usize).cloned().unwrap_or_else(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The placeholders of a text.
    fn holes(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> = text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        // Only English has articles.
        found.iter_mut().for_each(|hole| *hole = hole.trim_start_matches("a_").trim_start_matches("A_"));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn languages_have_every_sentence_and_know_every_placeholder() {
        let own = said_in(OWN_LANGUAGE);
        for language in languages().skip(1) {
            let other = said_in(language);
            assert_eq!(other.numbers.len(), own.numbers.len(), "{language}");
            for (table, entries) in own.tables.iter().filter(|(table, _)| table != "titles") {
                assert_eq!(sentences(language, table).len(), entries.len(), "{language}: {table}");
                for (key, english) in entries {
                    let found = sentences(language, table).iter().find(|(other, _)| other == key);
                    let (_, text) = found.unwrap_or_else(|| panic!("{language} has no {table}.{key}"));
                    if table == "rules" {
                        let known = |hole: &&str| holes(english).iter().any(|other| other.eq_ignore_ascii_case(hole));
                        let unknown: Vec<&str> =
                            holes(text).into_iter().filter(|hole| *hole != "royal" && !known(hole)).collect();
                        assert!(unknown.is_empty(), "{language}: {table}.{key}: {unknown:?}");
                    } else {
                        assert_eq!(holes(text), holes(english), "{language}: {table}.{key}");
                    }
                }
            }
        }
    }
}
