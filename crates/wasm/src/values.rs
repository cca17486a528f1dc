//! Values for JavaScript.

use js_sys::{Array, Error, JsString, Object, Reflect};
use rules::{FenError, MoveError, Square};
use wasm_bindgen::JsValue;

/// An error with a name, by which `web/core` tells the kinds of errors apart.
pub(crate) fn error(name: &str, message: &str) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    error.into()
}

pub(crate) fn invalid(message: impl AsRef<str>) -> JsValue {
    error("AcedrexError", message.as_ref())
}

pub(crate) fn fen_error(found: FenError) -> JsValue {
    error("InvalidFenError", &found.to_string())
}

pub(crate) fn move_error(found: MoveError) -> JsValue {
    let name = match found {
        MoveError::Unreadable(_) => "InvalidMoveError",
        MoveError::Illegal(_) => "IllegalMoveError",
        MoveError::Ambiguous(_) => "AmbiguousMoveError",
    };
    error(name, &found.to_string())
}

/// An error with all faults of a definition.
pub(crate) fn definition_error(faults: &[rules::Fault]) -> JsValue {
    let lines: Vec<String> = faults.iter().map(rules::Fault::to_string).collect();
    let error = error("DefinitionError", &lines.join("\n"));
    set(&error, "faults", faults_of(faults).into());
    error
}

/// Faults as objects.
pub(crate) fn faults_of(faults: &[rules::Fault]) -> Array {
    let fault = |rules::Fault { file, line, column, key, message }: &rules::Fault| {
        object([
            ("file", file.into()),
            ("line", (*line).into()),
            ("column", (*column).into()),
            ("key", key.into()),
            ("message", message.into()),
        ])
    };
    faults.iter().map(fault).collect()
}

pub(crate) fn object<const N: usize>(entries: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    entries.into_iter().for_each(|(key, value)| set(&object, key, value));
    object
}

/// Sets a property of an object that was made here, which cannot fail.
pub(crate) fn set(object: &JsValue, key: &str, value: JsValue) {
    let _ = Reflect::set(object, &key.into(), &value);
}

/// A list of texts.
pub(crate) fn texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Array {
    texts.into_iter().map(|text| JsString::from(text.as_ref())).collect()
}

/// The names of squares.
pub(crate) fn names<'a>(squares: impl IntoIterator<Item = &'a Square>) -> Array {
    texts(squares.into_iter().map(Square::to_string))
}

/// Reads the name of a square of a board.
pub(crate) fn square(rules: &rules::Rules, name: &str) -> Result<Square, JsValue> {
    let read = Square::read(name).filter(|(square, length)| *length == name.len() && rules.board.contains(*square));
    let (files, ranks) = (rules.files, rules.ranks);
    read.map(|(square, _)| square)
        .ok_or_else(|| invalid(format!("no such square on the {files}x{ranks} board; squares are named a1, b1, ...")))
}
