//! What editors of definitions ask while a definition is being written.

use crate::game::plain;
use crate::values::{definition_error, names, object};
use js_sys::{Array, JsString, Object};
use rules::limits::{MAX_SIDE, MIN_SIDE};
use wasm_bindgen::prelude::*;

/// A definition's own tree, and where its tables and values stand in its text.
#[wasm_bindgen]
pub fn layout(text: &str, file: &str) -> Result<Object, JsValue> {
    let found = rules::layout(text, file).map_err(|faults| definition_error(&faults))?;
    // JavaScript counts in units of UTF-16.
    let mut units = vec![0; text.len() + 1];
    let mut count = 0;
    for (at, sign) in text.char_indices() {
        units[at] = count;
        count += sign.len_utf16() as u32;
    }
    units[text.len()] = count;
    let at = |byte: usize| JsValue::from(units[byte]);
    let section = |section: &rules::Section| -> JsValue {
        let (from, to, end) = (at(section.from), at(section.to), at(section.end));
        object([("path", path(&section.path)), ("from", from), ("to", to), ("end", end)]).into()
    };
    let entry = |entry: &rules::Entry| -> JsValue {
        object([("path", path(&entry.path)), ("from", at(entry.from)), ("to", at(entry.to))]).into()
    };
    Ok(object([
        ("tree", plain(&found.tree)),
        ("sections", found.sections.iter().map(section).collect::<Array>().into()),
        ("entries", found.entries.iter().map(entry).collect::<Array>().into()),
    ]))
}

fn path(path: &[rules::Step]) -> JsValue {
    let step = |step: &rules::Step| -> JsValue {
        match step {
            rules::Step::Key(key) => JsString::from(key.as_str()).into(),
            rules::Step::Place(place) => (*place as u32).into(),
        }
    };
    path.iter().map(step).collect::<Array>().into()
}

/// The first steps of a move in Betza notation, files and ranks in turn, clockwise from straight ahead; none if it cannot
/// be read.
#[wasm_bindgen]
pub fn first_steps(notation: &str) -> Vec<i8> {
    let walks = rules::betza::parse(notation).unwrap_or_default();
    walks.iter().filter_map(|walk| walk.legs.first()).flat_map(|leg| [leg.step.0, leg.step.1]).collect()
}

/// The squares of a list on a board; what has no meaning on it is left out, as is everything if no board has this size.
#[wasm_bindgen]
pub fn known_squares(text: &str, files: u8, ranks: u8) -> Array {
    let is_side = |side: u8| (MIN_SIDE..=MAX_SIDE).contains(&usize::from(side));
    let found = (is_side(files) && is_side(ranks)).then(|| rules::known_squares(text, files, ranks));
    names(found.iter().flatten())
}
