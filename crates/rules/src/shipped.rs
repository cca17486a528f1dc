//! The definitions that ship with Acedrex and their translations, all compiled in.

use crate::source::{self, Value};

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
    std::iter::once(OWN_LANGUAGE).chain(LOCALES.iter().map(|(language, _, _)| *language))
}

/// The translation of a shipped game, if it has one.
pub(crate) fn shipped_translation(language: &str, id: &str) -> Option<&'static str> {
    let (_, _, texts) = LOCALES.iter().find(|(other, _, _)| *other == language)?;
    texts.iter().find(|(other, _)| *other == id).map(|(_, text)| *text)
}

/// The titles in a language of the special rules that games share, by their keys.
pub fn rule_titles(language: &str) -> Vec<(String, String)> {
    sentences(language, "titles")
}

/// A sentence of a translation that is not about one game, by its table and key.
pub(crate) fn sentence(language: &str, table: &str, key: &str) -> Option<String> {
    sentences(language, table).into_iter().find(|(other, _)| other == key).map(|(_, text)| text)
}

/// The sentences of a table of a translation, by their keys.
pub(crate) fn sentences(language: &str, table: &str) -> Vec<(String, String)> {
    let Some((_, text, _)) = LOCALES.iter().find(|(other, _, _)| *other == language) else { return Vec::new() };
    let tree = source::read(text, language, 0).expect("a test reads it");
    let Some(Value::Table(entries)) = tree.get(table).map(|node| &node.value) else { return Vec::new() };
    let text = |value: &Value| if let Value::Text(text) = value { Some(text.clone()) } else { None };
    entries.iter().filter_map(|(key, node)| Some((key.clone(), text(&node.value)?))).collect()
}
