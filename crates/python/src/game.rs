//! `Game`: a loaded definition.

use crate::errors::{Error, definition_error};
use crate::records::{Fault, Reach, dictionary};
use crate::squares::SquareSet;
use crate::text::Text;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use rules::definition::CastlingDefinition;
use rules::tables::{FreeWalk, NONE, Right};
use rules::{Color, MAX_COUNT, Piece, Reason, RuleText, Square, Symbol};
use std::sync::Arc;

/// A piece type.
#[derive(IntoPyObject)]
struct PieceType {
    id: usize,
    letter: String,
    name: String,
    also: Vec<String>,
    #[pyo3(item("move"))]
    notation: String,
    royal: bool,
    #[pyo3(into_py_with = dictionary)]
    values: Vec<(String, f64)>,
    help: String,
    art: Option<String>,
    promotes_to: Vec<String>,
    is_soldier: bool,
    is_color_bound: bool,
    extra_moves: Vec<(Vec<u16>, String)>,
}

/// An option of the game.
#[derive(IntoPyObject)]
struct GameOption {
    name: String,
    help: String,
    values: Vec<String>,
    default: String,
    chosen: String,
}

/// The moves of a piece on an otherwise empty board: its files, its ranks, the origin, the pieces to hop over, the reach.
type Diagram = (u8, u8, u8, Vec<u16>, Vec<Reach>);

/// One straight part of a walk.
#[derive(IntoPyObject)]
struct Leg {
    step: (i8, i8),
    max: u8,
    mount: bool,
}

/// A walk that a piece can begin on every square where it may stand.
#[derive(IntoPyObject)]
struct Walk {
    legs: Vec<Leg>,
    quiet: bool,
    capture: bool,
}

/// The ids of the games that ship with Acedrex.
#[pyfunction]
pub(crate) fn shipped() -> Vec<&'static str> {
    rules::shipped().collect()
}

/// The languages in which shipped games have texts, the definitions' own first.
#[pyfunction]
pub(crate) fn languages() -> Vec<&'static str> {
    rules::languages().collect()
}

/// The keys of the special rules that a definition can state, in their order.
#[pyfunction]
pub(crate) fn rule_keys() -> Vec<&'static str> {
    rules::rule_keys().collect()
}

/// The numbers of the squares in a square list; what has no meaning on a board of this size is left out.
#[pyfunction]
pub(crate) fn known_squares(text: Text, files: u8, ranks: u8) -> Vec<u16> {
    rules::known_squares(&text.0, files, ranks).into_iter().map(|square| u16::from(square.0)).collect()
}

/// Every fault of a definition's text; if all drawings are given, also the names of drawings that do not exist.
#[pyfunction]
#[pyo3(signature = (text, file, drawings = None))]
pub(crate) fn check(py: Python<'_>, text: Text, file: Text, drawings: Option<Vec<String>>) -> Vec<Fault> {
    py.detach(|| rules::Game::check(&text, &file, drawings.as_deref())).into_iter().map(Fault::from).collect()
}

/// A loaded definition.
#[pyclass(frozen, subclass, module = "acedrex._native")]
pub(crate) struct Game {
    pub(crate) inner: Arc<rules::Game>,
}

/// Where the King and its partner go from and to, and the partner's letter.
type CastlingWay = ((u8, u8), (u8, u8), String);

#[pymethods]
impl Game {
    /// Loads a definition's text with its texts in a language; with `text=None`, the shipped game with the id `file`;
    /// with `stored`, what `full_source` was before.
    #[new]
    #[pyo3(signature = (text, file, options, language = "en", translation = None, stored = false))]
    fn new(
        py: Python<'_>,
        text: Option<Text>,
        file: Text,
        options: Vec<(Text, Text)>,
        language: &str,
        translation: Option<Text>,
        stored: bool,
    ) -> PyResult<Game> {
        let options: Vec<_> = options.into_iter().map(|(name, value)| (name.0, value.0)).collect();
        let loaded = py.detach(|| match text {
            Some(text) if stored => rules::Game::load_stored(&text, &file, &options),
            Some(text) => rules::Game::load_in(language, translation.as_deref(), &text, &file, &options),
            None => rules::Game::shipped_in(language, &file, &options),
        });
        match loaded {
            Ok(game) => Ok(Game { inner: Arc::new(game) }),
            Err(faults) => Err(definition_error(py, faults)),
        }
    }

    /// The id, such as ``metamachy``.
    #[getter]
    fn id(&self) -> &str {
        &self.inner.definition.texts.id
    }
    /// The name, in the language of the texts.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.definition.texts.name
    }
    /// The inventor; empty if unknown.
    #[getter]
    fn author(&self) -> &str {
        &self.inner.definition.texts.author
    }
    /// The year of the invention, or None.
    #[getter]
    fn year(&self) -> Option<i64> {
        self.inner.definition.texts.year
    }
    /// The address of a page about the game; may be empty.
    #[getter]
    fn link(&self) -> &str {
        &self.inner.definition.texts.link
    }
    /// The game in one sentence.
    #[getter]
    fn summary(&self) -> &str {
        &self.inner.definition.texts.summary
    }
    /// The history of the game in paragraphs; may be empty.
    #[getter]
    fn story(&self) -> &str {
        &self.inner.definition.texts.story
    }
    /// The special rules in a language: keys, titles and texts.
    fn _rules(&self, language: &str) -> Vec<(String, String, String)> {
        let told = |rule: RuleText| (rule.key, rule.title, rule.text);
        rules::rule_texts(&self.inner, language).into_iter().map(told).collect()
    }
    /// Squares in words.
    fn _area(&self, squares: Vec<u8>, language: &str) -> String {
        rules::area(squares.into_iter().map(Square).collect(), self.inner.rules.files, language)
    }
    /// Each castling of White: the King's origin and destination, those of its partner, and the partner's letter.
    #[getter]
    fn _castlings(&self) -> Vec<CastlingWay> {
        let definition = &self.inner.definition;
        let pair = |(from, to): (Square, Square)| (from.0, to.0);
        let told = |castling: &CastlingDefinition| {
            let partner = definition.castling_piece(castling, castling.rook.0);
            let partner = partner.map_or_else(String::new, |kind| self.inner.symbol(kind).to_string());
            (pair(castling.king), pair(castling.rook), partner)
        };
        definition.castlings.iter().filter(|castling| castling.is_of(Color::White)).map(told).collect()
    }
    /// The leaps of the King's jump.
    #[getter]
    fn _jump(&self) -> Vec<(i8, i8)> {
        self.inner.definition.jump.as_ref().map_or_else(Vec::new, |jump| jump.steps.clone())
    }
    /// Whether a turn may be passed.
    #[getter]
    fn _may_pass(&self) -> bool {
        self.inner.definition.turn.may_pass
    }
    /// The letters of the pieces that may be captured en passant on squares that they pass.
    #[getter]
    fn _passing(&self) -> Vec<String> {
        let piece_types = self.inner.definition.piece_types.iter();
        piece_types.filter(|kind| kind.all_walks().any(|walk| walk.track)).map(|kind| kind.symbol.to_string()).collect()
    }
    /// The number of files.
    #[getter]
    fn files(&self) -> u8 {
        self.inner.rules.files
    }
    /// The number of ranks.
    #[getter]
    fn ranks(&self) -> u8 {
        self.inner.rules.ranks
    }
    /// The squares of the board.
    #[getter]
    fn squares(&self) -> SquareSet {
        SquareSet::of(&self.inner.rules, self.inner.rules.board)
    }
    /// The FEN of the starting position.
    #[getter]
    fn start_fen(&self) -> &str {
        &self.inner.definition.start
    }
    /// The text of the definition.
    #[getter]
    fn source(&self) -> &str {
        &self.inner.source
    }
    /// The definition with what it extends laid under it: what to store with a game of it, so that
    /// :meth:`acedrex.Game.stored` still reads the same rules when a later version of Acedrex has changed a shipped game.
    #[getter]
    fn full_source(&self) -> String {
        self.inner.full_source()
    }
    /// Whether this is an earlier version of the shipped game with its id.
    #[getter]
    fn is_outdated(&self) -> bool {
        self.inner.is_outdated()
    }
    /// The name of the definition file, or the id of a shipped game.
    #[getter]
    fn file(&self) -> &str {
        &self.inner.file
    }
    /// A hash of the rules in 16 hexadecimal digits: equal as long as stored games mean the same.
    #[getter]
    fn rules_hash(&self) -> String {
        format!("{:016x}", self.inner.rules.hash)
    }
    /// How points are scored: ``classic`` or ``four_points``.
    #[getter]
    fn scoring(&self) -> &'static str {
        if self.inner.rules.end.four_points { "four_points" } else { "classic" }
    }
    /// How often a position must occur for a claim, and for the game to end; 0 for never.
    #[getter]
    fn repetition_limits(&self) -> (u32, u32) {
        self.inner.rules.end.repetition
    }
    /// The moves without progress for a claim, and for the game to end; turns, where a turn has several moves; 0 for
    /// never.
    #[getter]
    fn quiet_limits(&self) -> (u32, u32) {
        self.inner.rules.end.quiet
    }
    /// The limit of each kind of draw that the game has, by its name.
    #[getter]
    fn _draw_limits(&self) -> Vec<(&'static str, u32)> {
        let end = &self.inner.rules.end;
        Reason::COUNTED.into_iter().filter_map(|reason| Some((reason.name(), reason.limit(end)?))).collect()
    }
    /// Whether the game has check; without it, royal pieces are captured.
    #[getter]
    fn has_check(&self) -> bool {
        self.inner.rules.has_check()
    }
    /// Whether a turn may have several moves.
    #[getter]
    fn turns_of_several_moves(&self) -> bool {
        self.inner.rules.multi
    }

    /// The rights of both sides: the letter in FEN, whether it is White's, what it allows, and the square of that.
    #[getter]
    fn _rights(&self) -> Vec<(char, bool, &'static str, Option<u8>)> {
        let rules = &self.inner.rules;
        let told = |right: &Right| {
            let (name, square) = rules.named_right(right);
            (right.letter, right.color == Color::White, name, square.map(|square| square.0))
        };
        rules.rights.iter().map(told).collect()
    }

    #[pyo3(signature = () -> "list[dict[str, typing.Any]]")]
    fn _options(&self) -> Vec<GameOption> {
        let options = self.inner.definition.options.iter().cloned();
        options
            .map(|option| GameOption {
                name: option.name,
                help: option.help,
                values: option.values,
                default: option.default,
                chosen: option.chosen,
            })
            .collect()
    }

    #[pyo3(signature = () -> "list[dict[str, typing.Any]]")]
    fn _pieces(&self) -> Vec<PieceType> {
        let rules = &self.inner.rules;
        let piece_types = self.inner.definition.piece_types.iter().enumerate();
        piece_types
            .map(|(id, kind)| PieceType {
                id,
                letter: kind.symbol.to_string(),
                name: kind.name.clone(),
                also: kind.also.clone(),
                notation: kind.notation.clone(),
                royal: kind.royal,
                values: kind.values.clone(),
                help: kind.help.clone(),
                art: (!kind.art.is_empty()).then(|| kind.art.clone()),
                promotes_to: kind.promotes_to.iter().map(|to| self.inner.symbol(*to).to_string()).collect(),
                is_soldier: rules.soldier[id],
                is_color_bound: rules.color_bound[id],
                extra_moves: kind.from.iter().map(|extra| (numbers(extra.squares), extra.notation.clone())).collect(),
            })
            .collect()
    }

    /// Returns the number of setups.
    fn setup_count(&self) -> u64 {
        self.inner.setups().count()
    }
    /// Returns the name of the setup with a number, from 1, or None.
    fn setup_name(&self, number: u64) -> Option<String> {
        self.inner.setups().name(number)
    }
    /// Returns the number of a setup, from 1, or None.
    fn setup_number(&self, name: Text) -> Option<u64> {
        self.inner.setups().number(&name)
    }
    /// Returns the FEN of the starting position with a setup.
    ///
    /// :raises Error: if the game has no such setup.
    fn setup_fen(&self, name: Text) -> PyResult<String> {
        self.inner.setups().fen(&self.inner.definition, &name).map_err(Error::new_err)
    }
    /// Returns White's squares of each group of a setup, in the order of the names.
    fn setup_squares(&self) -> Vec<Vec<u16>> {
        self.inner
            .setups()
            .squares()
            .map(|squares| squares.iter().map(|square| u16::from(square.0)).collect())
            .collect()
    }

    /// The walks of White's piece that need neither a right nor a special square to begin on.
    #[pyo3(signature = (letter) -> "list[acedrex.art.emblem.Walk]")]
    fn _walks(&self, letter: Text) -> PyResult<Vec<Walk>> {
        let kind = piece_type_of(&self.inner, &letter)?;
        let walks = &self.inner.rules.walks[Piece::new(Color::White, kind).index()];
        let always = walks.iter().filter(|free| free.right == NONE && free.from == free.board);
        let leg = |leg: &rules::walk::Leg| Leg { step: leg.step, max: leg.max, mount: leg.mount };
        Ok(always
            .map(|FreeWalk { walk, .. }| Walk {
                legs: walk.legs.iter().map(leg).collect(),
                quiet: walk.quiet,
                capture: walk.capture,
            })
            .collect())
    }

    fn _diagram(&self, letter: Text) -> PyResult<Diagram> {
        let kind = piece_type_of(&self.inner, &letter)?;
        let diagram = rules::diagram(&self.inner.rules, Piece::new(Color::White, kind));
        let reach = diagram.reach.iter().map(Reach::from).collect();
        Ok((diagram.files, diagram.ranks, diagram.origin.0, numbers(diagram.mounts), reach))
    }
}

/// The piece type with this letter, in capitals.
pub(crate) fn piece_type_of(game: &rules::Game, letter: &str) -> PyResult<rules::PieceType> {
    Symbol::parse(letter).and_then(|symbol| game.piece_type_of(symbol)).ok_or_else(|| {
        let known: Vec<String> = game.definition.piece_types.iter().map(|kind| kind.symbol.to_string()).collect();
        Error::new_err(format!(
            "no piece {:?} in {}; there are {}",
            short(letter),
            game.definition.texts.name,
            known.join(" ")
        ))
    })
}

/// A counter of moves that Python sets.
pub(crate) fn counter(value: &Bound<'_, PyAny>, name: &str, least: u32) -> PyResult<u32> {
    match value.extract::<u32>() {
        Ok(value) if (least..=MAX_COUNT).contains(&value) => Ok(value),
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => Err(error),
        _ => Err(Error::new_err(format!("{name} is a number from {least} to {MAX_COUNT}, not {value}"))),
    }
}

/// A text shortened for messages.
pub(crate) fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Squares as Python represents them.
pub(crate) fn numbers(squares: impl IntoIterator<Item = Square>) -> Vec<u16> {
    squares.into_iter().map(|square| u16::from(square.0)).collect()
}

/// The side that True or False stands for in Python.
pub(crate) fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}
