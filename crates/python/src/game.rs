//! `Game`: a loaded definition.

use crate::errors::{Error, FaultTuple, definition_error, fault_tuples};
use crate::facts::Facts;
use crate::squares::SquareSet;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use rules::rules::RightKind;
use rules::{Color, Kind, MAX_COUNT, Piece, Reach, ReachKind, Square, Token};
use std::sync::Arc;

/// A square reached: square, kind, mount, path, legs.
pub(crate) type ReachTuple = (u8, &'static str, Option<u16>, Vec<u16>, Vec<u16>);
/// A diagram: files, ranks, origin, mounts, squares reached.
type DiagramTuple = (u8, u8, u8, Vec<u16>, Vec<ReachTuple>);
/// A piece type: letter, name, other names, move, royal, values, help, art, promotes to, soldier, colour-bound, moves that depend on the square.
type PieceTuple = (
    String,
    String,
    Vec<String>,
    String,
    bool,
    Vec<(String, f64)>,
    String,
    Option<String>,
    Vec<String>,
    bool,
    bool,
    Vec<(Vec<u16>, String)>,
);
/// An option: name, help, values, default, chosen.
type OptionTuple = (String, String, Vec<String>, String, String);

/// The ids of the games that ship with Acedrex.
#[pyfunction]
pub(crate) fn shipped() -> Vec<&'static str> {
    rules::shipped().collect()
}

/// The languages that shipped games are told in, the definitions' own first.
#[pyfunction]
pub(crate) fn languages() -> Vec<&'static str> {
    rules::languages().collect()
}

/// What special rules are called in a language, by their keys.
#[pyfunction]
pub(crate) fn rule_titles(language: &str) -> Vec<(String, String)> {
    rules::rule_titles(language)
}

/// Every fault of a definition's text: file, line, column, key, message; if all drawings are given, also those that are none.
#[pyfunction]
#[pyo3(signature = (text, file, drawings = None))]
pub(crate) fn check(py: Python<'_>, text: &str, file: &str, drawings: Option<Vec<String>>) -> Vec<FaultTuple> {
    fault_tuples(py.detach(|| rules::Game::check(text, file, drawings.as_deref())))
}

/// A loaded definition.
#[pyclass(frozen, subclass, module = "acedrex._native")]
pub(crate) struct Game {
    pub(crate) inner: Arc<rules::Game>,
}

#[pymethods]
impl Game {
    /// Loads a definition's text with its texts in a language; `text=None` takes the shipped game with the id `file`.
    #[new]
    #[pyo3(signature = (text, file, options, language = "en", translation = None))]
    fn new(
        py: Python<'_>,
        text: Option<&str>,
        file: &str,
        options: Vec<(String, String)>,
        language: &str,
        translation: Option<&str>,
    ) -> PyResult<Game> {
        let loaded = py.detach(|| match text {
            Some(text) => rules::Game::load_in(language, translation, text, file, &options),
            None => rules::Game::shipped_in(language, file, &options),
        });
        match loaded {
            Ok(game) => Ok(Game { inner: Arc::new(game) }),
            Err(faults) => Err(definition_error(py, faults)),
        }
    }

    #[getter]
    fn id(&self) -> &str {
        &self.inner.definition.texts.id
    }
    #[getter]
    fn name(&self) -> &str {
        &self.inner.definition.texts.name
    }
    #[getter]
    fn author(&self) -> &str {
        &self.inner.definition.texts.author
    }
    #[getter]
    fn year(&self) -> Option<i64> {
        self.inner.definition.texts.year
    }
    #[getter]
    fn link(&self) -> &str {
        &self.inner.definition.texts.link
    }
    #[getter]
    fn summary(&self) -> &str {
        &self.inner.definition.texts.summary
    }
    #[getter]
    fn story(&self) -> &str {
        &self.inner.definition.texts.story
    }
    #[getter]
    fn _rules_texts(&self) -> Vec<(String, String)> {
        self.inner.definition.texts.rules.clone()
    }
    #[getter]
    fn _facts(&self) -> Facts {
        Facts::of(&self.inner)
    }
    #[getter]
    fn files(&self) -> u8 {
        self.inner.rules.files
    }
    #[getter]
    fn ranks(&self) -> u8 {
        self.inner.rules.ranks
    }
    /// The squares of the board.
    #[getter]
    fn squares(&self) -> SquareSet {
        SquareSet::of(&self.inner.rules, self.inner.rules.board)
    }
    #[getter]
    fn start_fen(&self) -> &str {
        &self.inner.definition.start
    }
    #[getter]
    fn source(&self) -> &str {
        &self.inner.source
    }
    #[getter]
    fn file(&self) -> &str {
        &self.inner.file
    }
    #[getter]
    fn rules_hash(&self) -> String {
        format!("{:016x}", self.inner.rules.hash)
    }
    #[getter]
    fn scoring(&self) -> &'static str {
        if self.inner.rules.end.four_points { "four_points" } else { "classic" }
    }
    /// How often a position must occur for a claim, and to end the game; 0 never.
    #[getter]
    fn repetition_limits(&self) -> (u32, u32) {
        self.inner.rules.end.repetition
    }
    /// The plies without progress for a claim, and to end the game; turns, where a turn has several plies; 0 never.
    #[getter]
    fn quiet_limits(&self) -> (u32, u32) {
        self.inner.rules.end.quiet
    }
    #[getter]
    fn has_check(&self) -> bool {
        self.inner.rules.has_check()
    }
    #[getter]
    fn turns_of_several_plies(&self) -> bool {
        self.inner.rules.multi
    }

    /// Whether a turn may be passed.
    #[getter]
    fn _may_pass(&self) -> bool {
        self.inner.rules.turn.may_pass
    }
    /// White's castlings: where the King and its partner come from and go to.
    #[getter]
    fn _castlings(&self) -> Vec<((u16, u16), (u16, u16))> {
        let way = |(from, to): (Square, Square)| (u16::from(from.0), u16::from(to.0));
        self.inner.definition.castlings.iter().map(|castling| (way(castling.king), way(castling.rook))).collect()
    }
    /// The leaps of White's King's jump, as files and ranks; none where there is no jump.
    #[getter]
    fn _royal_jump(&self) -> Vec<(i8, i8)> {
        self.inner.definition.jump.as_ref().map_or_else(Vec::new, |jump| jump.steps.clone())
    }

    /// The rights of both sides: the letter in FEN, and what it allows.
    #[getter]
    fn _rights(&self) -> Vec<(char, &'static str)> {
        let name = |kind: RightKind| match kind {
            RightKind::Castling(_) => "castling",
            RightKind::FirstMove(_) => "first_move",
            RightKind::Jump => "jump",
            RightKind::PlayedOn => "played_on",
            RightKind::Passed => "passed",
        };
        self.inner.rules.rights.iter().map(|right| (right.letter, name(right.kind))).collect()
    }

    #[getter]
    fn _option_tuples(&self) -> Vec<OptionTuple> {
        let options = self.inner.definition.options.iter().cloned();
        options.map(|o| (o.name, o.help, o.values, o.default, o.chosen)).collect()
    }

    #[getter]
    fn _piece_tuples(&self) -> Vec<PieceTuple> {
        let rules = &self.inner.rules;
        let kinds = self.inner.definition.kinds.iter().enumerate();
        kinds
            .map(|(index, kind)| {
                (
                    kind.token.to_string(),
                    kind.name.clone(),
                    kind.also.clone(),
                    kind.notation.clone(),
                    kind.royal,
                    kind.values.clone(),
                    kind.help.clone(),
                    (!kind.art.is_empty()).then(|| kind.art.clone()),
                    kind.promotes_to.iter().map(|to| self.inner.token(*to).to_string()).collect(),
                    rules.soldier[index],
                    rules.color_bound[index],
                    kind.from
                        .iter()
                        .map(|extra| {
                            (
                                extra.squares.into_iter().map(|square| u16::from(square.0)).collect(),
                                extra.notation.clone(),
                            )
                        })
                        .collect(),
                )
            })
            .collect()
    }

    fn setup_count(&self) -> u64 {
        self.inner.setups().count()
    }
    fn setup_name(&self, number: u64) -> Option<String> {
        self.inner.setups().name(number)
    }
    fn setup_number(&self, name: &str) -> Option<u64> {
        self.inner.setups().number(name)
    }
    fn setup_fen(&self, name: &str) -> PyResult<String> {
        self.inner.setups().fen(&self.inner.definition, name).map_err(Error::new_err)
    }
    fn setup_squares(&self) -> Vec<Vec<u16>> {
        self.inner
            .setups()
            .squares()
            .map(|squares| squares.iter().map(|square| u16::from(square.0)).collect())
            .collect()
    }

    /// What a piece does on an otherwise empty board: files, ranks, origin, mounts, squares reached.
    fn _diagram_tuple(&self, letter: &str) -> PyResult<DiagramTuple> {
        let kind = kind_of(&self.inner, letter)?;
        let diagram = rules::diagram(&self.inner.rules, Piece::new(Color::White, kind));
        Ok((
            diagram.files,
            diagram.ranks,
            diagram.origin.0,
            diagram.mounts.iter().map(|square| u16::from(square.0)).collect(),
            diagram.reach.iter().map(reach_tuple).collect(),
        ))
    }
}

/// The kind that a letter names, in capitals.
pub(crate) fn kind_of(game: &rules::Game, letter: &str) -> PyResult<Kind> {
    Token::parse(letter).and_then(|token| game.kind_of(token)).ok_or_else(|| {
        let known: Vec<String> = game.definition.kinds.iter().map(|kind| kind.token.to_string()).collect();
        Error::new_err(format!(
            "no piece {:?} in {}; there are {}",
            short(letter),
            game.definition.texts.name,
            known.join(" ")
        ))
    })
}

/// A counter of plies or moves that Python sets.
pub(crate) fn counter(value: &Bound<'_, PyAny>, name: &str, least: u32) -> PyResult<u32> {
    match value.extract::<u32>() {
        Ok(value) if (least..=MAX_COUNT).contains(&value) => Ok(value),
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => Err(error),
        _ => Err(Error::new_err(format!("{name} is a number from {least} to {MAX_COUNT}, not {value}"))),
    }
}

/// A text as messages show it.
pub(crate) fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// How a square is reached, in a word.
pub(crate) fn reach_kind(reach: &Reach) -> &'static str {
    match (reach.mount, reach.kind) {
        (Some(_), _) => "hop",
        (None, ReachKind::Move) => "move",
        (None, ReachKind::Capture) => "capture",
        (None, ReachKind::Both) => "both",
    }
}

pub(crate) fn reach_tuple(reach: &Reach) -> ReachTuple {
    (
        reach.to.0,
        reach_kind(reach),
        reach.mount.map(|square| u16::from(square.0)),
        numbers(reach.path.iter().copied()),
        numbers(reach.legs.iter().copied()),
    )
}

/// Squares as Python tells them.
pub(crate) fn numbers(squares: impl IntoIterator<Item = Square>) -> Vec<u16> {
    squares.into_iter().map(|square| u16::from(square.0)).collect()
}

/// The side that Python calls True or False.
pub(crate) fn color_of(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}
