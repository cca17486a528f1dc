//! Records from PGN text and as PGN text, and trees of moves.

use crate::board::Board;
use crate::errors::{Error as AcedrexError, fen_error, move_error};
use crate::game::Game;
use crate::moves::Move;
use crate::text::Text;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use record::{Fault, Step, TreeError};

/// The line, the column and the sentence of an error.
type Error = (usize, usize, String);
/// The index of the turn before it, -1 at the start; its moves; whether it is unfinished; the comments before and after
/// it; its glyphs.
type Turn = (isize, Vec<Move>, bool, String, String, Vec<u8>);

/// The tags, the result by the moves, the FEN of the start, the comment before the first turn, the turns, the errors.
type Record = (Vec<(String, String)>, Option<&'static str>, Option<String>, String, Vec<Turn>, Vec<Error>);

/// Every limit: its name, its value and what it limits.
#[pyfunction]
pub(crate) fn limits() -> Vec<(&'static str, usize, &'static str)> {
    rules::limits::ALL.to_vec()
}

/// Reads a turn as records have it, makes it, and returns its moves and whether more must follow.
#[pyfunction]
pub(crate) fn push_written(board: &Bound<'_, Board>, turn: Text) -> PyResult<(Vec<Move>, bool)> {
    let mut board = board.try_borrow_mut()?;
    let (moves, unfinished) = board.inner.push_written(&turn).map_err(move_error)?;
    board.legal = None;
    Ok((moves.into_iter().map(|mv| board.to_move(mv)).collect(), unfinished))
}

/// The tags of a game and its start.
#[pyfunction]
pub(crate) fn start_tags(board: PyRef<'_, Board>) -> Vec<(&'static str, String)> {
    record::start_tags(&board.inner)
}

/// A move of a tree, as requests have it: the index of its parent, the move, the comment after it, its glyphs.
type Given = (i64, Text, Text, Vec<u8>);

fn given(nodes: Vec<Given>) -> Vec<record::Given> {
    let one =
        |(parent, text, comment, glyphs): Given| record::Given { parent, text: text.0, comment: comment.0, glyphs };
    nodes.into_iter().map(one).collect()
}

fn tags_of(tags: Vec<(Text, Text)>) -> Vec<(String, String)> {
    tags.into_iter().map(|(name, value)| (name.0, value.0)).collect()
}

/// An IndexError has the index of the move that is out of order.
fn tree_error(error: TreeError) -> PyErr {
    match error {
        TreeError::Order(index) => PyIndexError::new_err((index, error.to_string())),
        TreeError::Move(error) => move_error(error),
        TreeError::Depth(message) => AcedrexError::new_err(message),
    }
}

/// Makes moves from a position, and returns them and the position after them in the shape of ``wire.MovesMade``.
#[pyfunction]
pub(crate) fn moves_made(board: PyRef<'_, Board>, moves: Vec<Text>) -> PyResult<String> {
    record::moves_json(&board.inner, moves.iter().map(|text| &**text)).map_err(move_error)
}

/// Reads a tree of moves from a start, and returns it in the shape of ``wire.Tree``.
#[pyfunction]
pub(crate) fn tree(
    start: PyRef<'_, Board>,
    nodes: Vec<Given>,
    comment: Text,
    tags: Vec<(Text, Text)>,
) -> PyResult<String> {
    record::tree_json(&start.inner, &given(nodes), &comment, &tags_of(tags)).map_err(tree_error)
}

/// Writes a tree of moves as PGN.
#[pyfunction]
pub(crate) fn tree_pgn(
    start: PyRef<'_, Board>,
    nodes: Vec<Given>,
    comment: Text,
    tags: Vec<(Text, Text)>,
) -> PyResult<String> {
    record::tree_pgn(&start.inner, &given(nodes), &comment, &tags_of(tags)).map_err(tree_error)
}

/// Writes a record, part by part.
#[pyclass(module = "acedrex._native")]
pub(crate) struct RecordWriter {
    inner: record::Writer,
}

#[pymethods]
impl RecordWriter {
    #[new]
    fn new(columns: Option<usize>) -> RecordWriter {
        RecordWriter { inner: record::Writer::new(columns) }
    }

    fn tag(&mut self, name: Text, value: Text) {
        self.inner.tag(&name, &value);
    }

    /// Writes a turn that is about to be made on the board.
    fn turn(&mut self, number: u32, white: bool, san: Text, unfinished: bool) {
        self.inner.turn(number, white, &san, unfinished);
    }

    fn glyph(&mut self, glyph: u8) {
        self.inner.glyph(glyph);
    }

    fn comment(&mut self, text: Text) {
        self.inner.comment(&text);
    }

    fn open(&mut self) {
        self.inner.open();
    }

    fn close(&mut self) {
        self.inner.close();
    }

    fn result(&mut self, result: Text) {
        self.inner.result(&result);
    }

    fn text(&self) -> String {
        self.inner.text()
    }
}

/// The value of the tag ``Termination`` for a reason why a game ended, in the words of the PGN standard.
#[pyfunction]
pub(crate) fn pgn_termination(reason: &str) -> &'static str {
    record::termination(reason)
}

/// The FEN of a position that XBoard wrote.
#[pyfunction]
pub(crate) fn xboard_fen(game: &Bound<'_, Game>, fen: Text) -> PyResult<String> {
    Ok(rules::read_xboard_board(&game.get().inner, &fen).map_err(fen_error)?.fen())
}

/// The options that a text names and that are not as usual, and what is wrong with others.
#[pyfunction]
pub(crate) fn read_options(game: &Bound<'_, Game>, text: Text) -> (Vec<(String, String)>, Vec<String>) {
    record::read_options(&game.get().inner, &text)
}

/// The id of the shipped game with this id or name.
#[pyfunction]
pub(crate) fn shipped_named(name: Text) -> Option<&'static str> {
    record::shipped_named(&name)
}

/// What to say of a name that no game has; `others` are the ids of games that do not ship.
#[pyfunction]
pub(crate) fn unknown_game(name: Text, others: Vec<String>) -> String {
    record::unknown_game(&name, &others)
}

/// Reads records from text that comes in pieces.
#[pyclass(module = "acedrex._native")]
pub(crate) struct RecordReader {
    inner: record::Reader,
    /// The record that is a tree once it is known what follows it.
    first: Option<record::Record>,
}

#[pymethods]
impl RecordReader {
    #[new]
    fn new() -> RecordReader {
        RecordReader { inner: record::Reader::new(), first: None }
    }

    /// Appends text; nothing means that no more follows.
    fn feed(&mut self, text: &[u8]) {
        match text {
            [] => self.inner.end(),
            text => self.inner.feed(text),
        }
    }

    /// Reads on, and returns what is needed next: ``"more"`` text, the ``"start"`` of the record, or nothing, when it is
    /// complete or none is left.
    fn step(&mut self, tags_only: bool) -> Option<&'static str> {
        match self.inner.step(tags_only) {
            Step::More => Some("more"),
            Step::Start => Some("start"),
            Step::Done => None,
        }
    }

    /// The tags that say where the record starts.
    fn start_tags(&self) -> Vec<(String, String)> {
        self.inner.start_tags().to_vec()
    }

    /// Gives the game of the record, and what is wrong with the tags that name it.
    fn begin(&mut self, game: Option<&Bound<'_, Game>>, faults: Vec<(String, String)>) {
        let mut start =
            game.map(|game| record::start_of(&game.get().inner, self.inner.start_tags())).unwrap_or_default();
        let named: Vec<(&str, String)> =
            faults.iter().map(|(name, message)| (name.as_str(), message.clone())).collect();
        let faults: Vec<(&str, String)> = named.into_iter().chain(start.faults.drain(..)).collect();
        self.inner.begin(start.board, &faults);
    }

    /// The record that is complete, None if none is left: its tags, the result by the moves, the FEN of the start, the
    /// comment before the first turn, the turns and the errors.
    fn take(&mut self) -> Option<Record> {
        let record = self.inner.take()?;
        let game = record.start.as_ref().map(|board| board.game().clone());
        let turns = record.turns.into_iter().map(|turn| {
            let parent = turn.parent.map_or(-1, |parent| parent as isize);
            let game = game.as_ref().expect("turns have a start");
            let moves = turn.moves.iter().map(|mv| Move::from_move(game, *mv)).collect();
            (parent, moves, turn.unfinished, turn.starting_comment, turn.comment, turn.glyphs)
        });
        let turns = turns.collect();
        let fen = record.start.map(|board| board.fen());
        Some((record.tags, record.result, fen, record.comment, turns, told(record.errors)))
    }

    /// Keeps the record that is complete, and returns whether there is one.
    fn hold(&mut self) -> bool {
        self.first = self.inner.take();
        self.first.is_some()
    }

    /// The record that was kept as a tree of at most `most` moves, in the shape of ``wire.Tree``; None if its start is not
    /// known. The record after it has been read. Also returns the errors.
    fn tree(&mut self, most: usize) -> Option<(Option<String>, Vec<Error>)> {
        let (first, more) = self.inner.followed(self.first.take()?);
        Some((first.tree_json(most, more), told(first.errors)))
    }

    /// Takes the errors that belong to the record before the last one that was taken.
    fn late_errors(&mut self) -> Vec<Error> {
        told(self.inner.late_errors())
    }
}

fn told(faults: Vec<Fault>) -> Vec<Error> {
    faults.into_iter().map(|fault| (fault.line, fault.column, fault.message)).collect()
}
