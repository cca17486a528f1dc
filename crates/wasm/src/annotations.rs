//! Annotations in the comments of records.

use crate::values::{invalid, object};
use js_sys::Object;
use record::{Evaluation, Score};
use wasm_bindgen::prelude::*;

/// The seconds on the clock, from the first `[%clk]` of a comment.
#[wasm_bindgen]
pub fn annotated_clock(comment: &str) -> Option<f64> {
    record::time(comment, "clk")
}

/// The comment with these seconds on the clock; without a number none are left in it.
#[wasm_bindgen]
pub fn with_clock(comment: &str, seconds: Option<f64>) -> Result<String, JsValue> {
    record::with_time(comment, "clk", seconds).map_err(invalid)
}

/// The first evaluation of a comment, White's centipawns or turns to mate, and the depth.
#[wasm_bindgen]
pub fn annotated_evaluation(comment: &str) -> Option<Object> {
    record::evaluation(comment).map(|Evaluation { score, depth }| {
        let (cp, mate) = match score {
            Score::Centipawns(number) => (JsValue::from(number as f64), JsValue::NULL),
            Score::Mate(turns) => (JsValue::NULL, JsValue::from(turns as f64)),
        };
        object([("cp", cp), ("mate", mate), ("depth", depth.map_or(JsValue::NULL, JsValue::from))])
    })
}

/// The comment with this evaluation; without a score none is left in it.
#[wasm_bindgen]
pub fn with_evaluation(
    comment: &str,
    cp: Option<f64>,
    mate: Option<f64>,
    depth: Option<f64>,
) -> Result<String, JsValue> {
    let mate = mate.map(|turns| Score::Mate(turns as i64));
    let score = mate.or(cp.map(|number| Score::Centipawns(number as i64)));
    let depth = depth.map(|plies| plies as u32);
    record::with_evaluation(comment, score.map(|score| Evaluation { score, depth })).map_err(invalid)
}
