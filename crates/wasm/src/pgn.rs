//! Records from PGN text and as PGN text, and trees of moves.

use crate::board::Board;
use crate::game::Game;
use crate::values::{invalid, move_error, object, texts};
use js_sys::{Array, Object};
use record::{Fault, Step, TreeError};
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

/// The tags of a game and its start, names and values in turn.
#[wasm_bindgen]
pub fn start_tags(start: &Board) -> Array {
    texts(record::start_tags(&start.inner).into_iter().flat_map(|(name, value)| [name.to_string(), value]))
}

fn tree_error(error: TreeError) -> JsValue {
    match error {
        TreeError::Move(error) => move_error(error),
        TreeError::Order(_) | TreeError::Depth(_) => invalid(error.to_string()),
    }
}

/// Texts in turn as pairs.
fn pairs(flat: &[String]) -> Vec<(String, String)> {
    flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// A tree of moves that is being put together: moves or whole turns, in depth-first order.
#[wasm_bindgen]
#[derive(Default)]
pub struct Tree {
    moves: Vec<record::Given>,
    turns: Vec<record::GivenTurn>,
}

#[wasm_bindgen]
impl Tree {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Tree {
        Tree::default()
    }

    /// Adds a move, in coordinates or SAN, by the index of the one before it, -1 for none.
    pub fn add_move(&mut self, parent: i32, text: String, comment: String, nags: Vec<u8>) {
        self.moves.push(record::Given { parent: parent.into(), text, comment, glyphs: nags });
    }

    /// Adds a turn, its moves in coordinates and joined by commas, by the index of the one before it, -1 for none.
    pub fn add_turn(
        &mut self,
        parent: i32,
        moves: String,
        unfinished: bool,
        starting_comment: String,
        comment: String,
        nags: Vec<u8>,
    ) {
        let parent = parent.into();
        self.turns.push(record::GivenTurn { parent, moves, unfinished, starting_comment, comment, glyphs: nags });
    }

    /// The tree of the moves in full, in JSON.
    pub fn read(&self, start: &Board, comment: &str, tags: Vec<String>) -> Result<String, JsValue> {
        record::tree_json(&start.inner, &self.moves, comment, &pairs(&tags)).map_err(tree_error)
    }

    /// The moves as PGN.
    pub fn pgn(&self, start: &Board, comment: &str, tags: Vec<String>) -> Result<String, JsValue> {
        record::tree_pgn(&start.inner, &self.moves, comment, &pairs(&tags)).map_err(tree_error)
    }

    /// The turns as PGN, with exactly these tags.
    pub fn turns_pgn(
        &mut self,
        start: &Board,
        comment: &str,
        tags: Vec<String>,
        result: &str,
    ) -> Result<String, JsValue> {
        let turns = std::mem::take(&mut self.turns);
        let written = record::Record::of_turns(start.inner.clone(), comment, turns).map_err(tree_error)?;
        let tags = pairs(&tags);
        let tags: Vec<(&str, &str)> = tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        written.write(&tags, result).map_err(invalid)
    }
}

/// Reads the records of a text.
#[wasm_bindgen]
pub struct RecordReader {
    inner: record::Reader,
    /// The record that is a tree once it is known what follows it.
    first: Option<record::Record>,
}

#[wasm_bindgen]
impl RecordReader {
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> RecordReader {
        let mut inner = record::Reader::new();
        inner.feed(text.as_bytes());
        inner.end();
        RecordReader { inner, first: None }
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

    /// Keeps the record that is complete, and returns whether there is one.
    pub fn hold(&mut self) -> bool {
        self.first = self.inner.take();
        self.first.is_some()
    }

    /// The record that was kept, once the next one has been read: its tree of at most `most` moves in JSON, null if its
    /// start is not known; all tags, names and values in turn; and the errors.
    pub fn tree(&mut self, most: usize) -> Option<Array> {
        let (first, more) = self.inner.followed(self.first.take()?);
        let tree = first.tree_json(most, more).map_or(JsValue::NULL, JsValue::from);
        let tags = texts(first.tags.iter().flat_map(|(name, value)| [name, value]));
        Some(Array::of3(&tree, &tags, &told(&first.errors)))
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
