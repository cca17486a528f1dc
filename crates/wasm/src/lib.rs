//! The core for JavaScript: thin wrappers around the rules and the engine, which `web/core` makes an API of.
//!
//! Squares are names, sides `"white"` and `"black"`, moves texts in coordinates. Larger results are objects, or JSON
//! where the rules write it. Nothing here checks that an argument has its type: `web/core` does.

mod annotations;
mod board;
mod editing;
mod engine;
mod game;
mod matches;
mod pgn;
mod values;

use wasm_bindgen::prelude::*;

/// Makes a panic an exception of JavaScript with its message, where it would only be a trap. Memory may be in any state
/// after it: `web/core` then refuses all further calls.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_val(values::error("Panic", &panic.to_string()))));
}
