//! `Game`: a loaded definition.

use crate::values::{definition_error, faults_of, invalid, names, object, set, square, texts};
use js_sys::{Array, Object};
use rules::Reason;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A loaded definition.
#[wasm_bindgen]
pub struct Game {
    pub(crate) inner: Arc<rules::Game>,
}

/// The ids of the games that ship with Acedrex.
#[wasm_bindgen]
pub fn games() -> Array {
    texts(rules::shipped())
}

/// The languages in which shipped games have texts.
#[wasm_bindgen]
pub fn languages() -> Array {
    texts(rules::languages())
}

/// Every fault of a definition's text.
#[wasm_bindgen]
pub fn check(text: &str, file: &str) -> Array {
    faults_of(&rules::Game::check(text, file, None))
}

/// What a definition inherits from the game that it extends, as objects and lists; null if it extends none.
#[wasm_bindgen]
pub fn inherited(text: &str, file: &str) -> Result<JsValue, JsValue> {
    let found = rules::Game::inherited(text, file).map_err(|faults| definition_error(&faults))?;
    Ok(found.map_or(JsValue::NULL, |root| plain(&root)))
}

pub(crate) fn plain(node: &rules::Node) -> JsValue {
    match &node.value {
        rules::Value::Text(text) => text.into(),
        rules::Value::Integer(number) => (*number as f64).into(),
        rules::Value::Float(number) => (*number).into(),
        rules::Value::Flag(flag) => (*flag).into(),
        rules::Value::List(list) => list.iter().map(plain).collect::<Array>().into(),
        rules::Value::Table(entries) => {
            let table = Object::new();
            // Setting this key would change the object's prototype.
            let entries = entries.iter().filter(|(key, _)| key != "__proto__");
            entries.for_each(|(key, node)| set(&table, key, plain(node)));
            table.into()
        }
    }
}

/// Reads a piece that is written as in FEN.
pub(crate) fn piece(game: &rules::Game, symbol: &str) -> Result<rules::Piece, JsValue> {
    let read = rules::Symbol::read(symbol).filter(|(_, _, length)| *length == symbol.len());
    let piece = read.and_then(|(symbol, color, _)| Some(rules::Piece::new(color, game.piece_type_of(symbol)?)));
    piece.ok_or_else(|| invalid("no such piece; pieces are written as in FEN, such as N or n"))
}

/// The limit of each kind of draw that a game has, by its name.
fn draw_limits(rules: &rules::Rules) -> Object {
    let limits = Reason::COUNTED.into_iter().filter_map(|reason| Some((reason.name(), reason.limit(&rules.end)?)));
    let found = Object::new();
    limits.for_each(|(name, limit)| set(&found, name, limit.into()));
    found
}

#[wasm_bindgen]
impl Game {
    /// Loads a definition's text with its texts in a language; without a text, the shipped game with the id `file`.
    /// Options are names and values in turn. With `stored`, the text is what `full_source` was before.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: Option<String>,
        file: &str,
        options: Vec<String>,
        language: &str,
        translation: Option<String>,
        stored: bool,
    ) -> Result<Game, JsValue> {
        let options: Vec<_> = options.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let loaded = match text {
            Some(text) if stored => rules::Game::load_stored(&text, file, &options),
            Some(text) => rules::Game::load_in(language, translation.as_deref(), &text, file, &options),
            None => rules::Game::shipped_in(language, file, &options),
        };
        loaded.map(|game| Game { inner: Arc::new(game) }).map_err(|faults| definition_error(&faults))
    }

    /// The definition with what it extends laid under it.
    pub fn full_source(&self) -> String {
        self.inner.full_source()
    }

    /// The special rules in a language: their keys, titles and texts in turn.
    pub fn rules(&self, language: &str) -> Array {
        let rules = rules::rule_texts(&self.inner, language);
        texts(rules.into_iter().flat_map(|rule| [rule.key, rule.title, rule.text]))
    }

    /// The rights of both sides, with what each allows, in FEN order.
    pub fn rights(&self) -> Array {
        let rules = &self.inner.rules;
        let told = rules.rights.iter().map(|right| -> JsValue {
            let (what, at) = rules.named_right(right);
            object([
                ("letter", right.letter.to_string().into()),
                ("side", if right.color == rules::Color::White { "white" } else { "black" }.into()),
                ("what", what.into()),
                ("square", at.map_or(JsValue::NULL, |at| at.to_string().into())),
            ])
            .into()
        });
        told.collect()
    }

    /// Everything that a game says of itself, but for its piece types and options.
    pub fn facts(&self) -> Object {
        let (definition, rules) = (&self.inner.definition, &self.inner.rules);
        let told = &definition.texts;
        object([
            ("id", (&told.id).into()),
            ("name", (&told.name).into()),
            ("author", (&told.author).into()),
            ("year", told.year.map_or(JsValue::NULL, |year| (year as f64).into())),
            ("link", (&told.link).into()),
            ("summary", (&told.summary).into()),
            ("story", (&told.story).into()),
            ("files", rules.files.into()),
            ("ranks", rules.ranks.into()),
            ("startFen", (&definition.start).into()),
            ("source", (&self.inner.source).into()),
            ("file", (&self.inner.file).into()),
            ("isOutdated", self.inner.is_outdated().into()),
            ("rulesHash", format!("{:016x}", rules.hash).into()),
            ("scoring", if rules.end.four_points { "four_points" } else { "classic" }.into()),
            ("drawLimits", draw_limits(rules).into()),
            ("hasCheck", rules.has_check().into()),
            ("turnsOfSeveralMoves", rules.multi.into()),
        ])
    }

    /// The piece types, in the shape of `PieceType` of `web/board`, but for their pictures.
    pub fn piece_types(&self) -> Array {
        let kind = |(id, kind): (usize, &rules::definition::PieceTypeDefinition)| {
            let values = Object::new();
            kind.values.iter().for_each(|(source, value)| set(&values, source, (*value).into()));
            object([
                ("id", (id as u32).into()),
                ("letter", kind.symbol.to_string().into()),
                ("name", (&kind.name).into()),
                ("also", texts(&kind.also).into()),
                ("move", (&kind.notation).into()),
                ("help", (&kind.help).into()),
                ("art", (&kind.art).into()),
                ("royal", kind.royal.into()),
                ("soldier", self.inner.rules.soldier[id].into()),
                ("values", values.into()),
                ("promotes_to", texts(kind.promotes_to.iter().map(|to| self.inner.symbol(*to).to_string())).into()),
            ])
        };
        self.inner.definition.piece_types.iter().enumerate().map(kind).collect()
    }

    /// Where a piece, written as in FEN, could go alone on a board, in JSON.
    pub fn reach_alone(&self, symbol: &str, name: &str) -> Result<String, JsValue> {
        let (piece, at) = (piece(&self.inner, symbol)?, square(&self.inner.rules, name)?);
        Ok(rules::reaches_json(&rules::reach_alone(&self.inner, piece, at)))
    }

    /// The values of the piece types in centipawns, by which the engine plays without a network.
    pub fn piece_values(&self) -> Vec<i32> {
        let weights = engine::evaluation::Weights::of_game(&self.inner);
        (0..self.inner.rules.piece_types).map(|kind| weights.value(rules::PieceType(kind as u8))).collect()
    }

    /// The options.
    pub fn options(&self) -> Array {
        let option = |option: &rules::definition::OptionDefinition| {
            object([
                ("name", (&option.name).into()),
                ("help", (&option.help).into()),
                ("values", texts(&option.values).into()),
                ("default", (&option.default).into()),
                ("chosen", (&option.chosen).into()),
            ])
        };
        self.inner.definition.options.iter().map(option).collect()
    }

    /// The number of setups; 0 if the game has no setup phase.
    pub fn setup_count(&self) -> f64 {
        self.inner.setups().count() as f64
    }

    /// The name of the setup with a number, from 1.
    pub fn setup_name(&self, number: f64) -> Option<String> {
        self.inner.setups().name(number as u64)
    }

    /// The number of a setup, from 1.
    pub fn setup_number(&self, name: &str) -> Option<f64> {
        self.inner.setups().number(name).map(|number| number as f64)
    }

    /// The FEN of the start with a setup.
    pub fn setup_fen(&self, name: &str) -> Result<String, JsValue> {
        self.inner.setups().fen(&self.inner.definition, name).map_err(invalid)
    }

    /// White's squares of each group of a setup, in the order of the names.
    pub fn setup_squares(&self) -> Array {
        self.inner.setups().squares().map(names).collect()
    }
}
