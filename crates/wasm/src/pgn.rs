//! `RecordReader`: records from PGN text.

use crate::game::Game;
use crate::values::{object, texts};
use js_sys::{Array, Object};
use record::{Fault, Step};
use wasm_bindgen::prelude::*;

/// The id of the shipped game with this id or name.
#[wasm_bindgen]
pub fn shipped_named(name: &str) -> Option<String> {
    record::shipped_named(name).map(str::to_string)
}

/// What to say of a name that no game has; `others` are the ids of games that do not ship.
#[wasm_bindgen]
pub fn unknown_game(name: &str, others: Vec<String>) -> String {
    record::unknown_game(name, &others)
}

/// The value of the tag `Termination` for a reason why a game ended, in the words of the PGN standard.
#[wasm_bindgen]
pub fn pgn_termination(reason: &str) -> String {
    record::termination(reason).into()
}

/// The options that a text names and that are not as usual, names and values in turn; and what is wrong with others.
#[wasm_bindgen]
pub fn read_options(game: &Game, text: &str) -> Array {
    let (chosen, faults) = record::read_options(&game.inner, text);
    Array::of2(&texts(chosen.into_iter().flat_map(|(name, value)| [name, value])), &texts(faults))
}

/// Reads the records of a text.
#[wasm_bindgen]
pub struct RecordReader {
    inner: record::Reader,
}

#[wasm_bindgen]
impl RecordReader {
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> RecordReader {
        let mut inner = record::Reader::new();
        inner.feed(text.as_bytes());
        inner.end();
        RecordReader { inner }
    }

    /// Reads on; whether the start of the record is needed next. Otherwise it is complete, or none is left.
    pub fn step(&mut self) -> bool {
        self.inner.step(false) == Step::Start
    }

    /// The tags that say where the record starts, names and values in turn.
    pub fn start_tags(&self) -> Array {
        texts(self.inner.start_tags().iter().flat_map(|(name, value)| [name, value]))
    }

    /// Gives the game of the record, and what is wrong with the tag of its options.
    pub fn begin(&mut self, game: &Game, faults: Vec<String>) {
        let start = record::start_of(&game.inner, self.inner.start_tags());
        let options = faults.into_iter().map(|fault| ("Options", fault));
        let faults: Vec<(&str, String)> = options.chain(start.faults).collect();
        self.inner.begin(start.board, &faults);
    }

    /// Says why the game of the record is not known.
    pub fn begin_without_game(&mut self, fault: String) {
        self.inner.begin(None, &[("Variant", fault)]);
    }

    /// The record that is complete; null if none is left.
    pub fn take(&mut self) -> Option<Object> {
        let record = self.inner.take()?;
        let sans = record.sans();
        let turns = record.turns.iter().zip(sans).map(|(turn, san)| {
            let board = record.start.as_ref().expect("turns have a start");
            object([
                ("parent", turn.parent.map_or(-1.0, |parent| parent as f64).into()),
                ("moves", texts(turn.moves.iter().map(|mv| board.move_text(*mv))).into()),
                ("san", san.into()),
                ("unfinished", turn.unfinished.into()),
                ("startingComment", (&turn.starting_comment).into()),
                ("comment", (&turn.comment).into()),
                ("nags", turn.glyphs.iter().map(|glyph| JsValue::from(*glyph)).collect::<Array>().into()),
            ])
        });
        Some(object([
            ("turns", turns.collect::<Array>().into()),
            ("tags", texts(record.tags.iter().flat_map(|(name, value)| [name, value])).into()),
            ("result", record.result.map_or(JsValue::NULL, JsValue::from)),
            ("fen", record.start.as_ref().map_or(JsValue::NULL, |board| board.fen().into())),
            ("comment", (&record.comment).into()),
            ("errors", told(&record.errors).into()),
        ]))
    }

    /// Takes the errors that belong to the record before the last one that was taken.
    pub fn late_errors(&mut self) -> Array {
        told(&self.inner.late_errors())
    }
}

fn told(faults: &[Fault]) -> Array {
    let fault = |Fault { line, column, message }: &Fault| {
        object([("message", message.into()), ("line", (*line as f64).into()), ("column", (*column as f64).into())])
    };
    faults.iter().map(fault).collect()
}
