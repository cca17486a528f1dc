//! `Move` and the lazy list of legal moves.

use crate::board::Board;
use crate::errors::InvalidMoveError;
use crate::game::short;
use crate::text::Text;
use crate::typed::{Each, Number};
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use rules::{Color, Game, MoveTag, Square, Symbol};

/// One move: a piece's move, one of the special moves ``end``, ``claim`` and ``playon``, or a null move.
///
/// Squares are numbers, ``rank * 16 + file`` from 0, the same on every board. A move knows no position: only a board
/// knows whether it is legal and what it captures.
///
/// :raises InvalidMoveError: if a square is not a number from 0 to 255, or the promotion is not the letter of a piece.
///
/// >>> from acedrex import Move
/// >>> Move.from_uci("e11e12q").promotion
/// 'Q'
#[pyclass(frozen, eq, hash, module = "acedrex")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// The code of the promotion's symbol, 0 for none.
    pub(crate) promotion: u16,
    /// 0 for a piece's move, otherwise the tag of the special move.
    pub(crate) special: u8,
}

impl Move {
    pub(crate) fn from_move(game: &Game, mv: rules::Move) -> Move {
        Move {
            from: mv.from().0,
            to: mv.to().0,
            promotion: mv.promotion().map_or(0, |kind| game.symbol(kind).code()),
            special: if mv.moves_piece() { 0 } else { mv.tag() as u8 },
        }
    }

    /// The move in coordinates.
    pub(crate) fn text(self) -> String {
        match self.special() {
            Some("null") => "0000".into(),
            Some(name) => name.into(),
            None => {
                let promotion = Symbol::from_code(self.promotion).map(|symbol| symbol.cased(Color::Black).to_string());
                format!("{}{}{}", Square(self.from), Square(self.to), promotion.unwrap_or_default())
            }
        }
    }

    /// The move in the rules' own type; `None` if its promotion is not a piece of the game.
    pub(crate) fn to_move(self, game: &Game) -> Option<rules::Move> {
        match self.special {
            0 => {}
            special if special == MoveTag::End as u8 => return Some(rules::Move::END),
            special if special == MoveTag::Claim as u8 => return Some(rules::Move::CLAIM),
            special if special == MoveTag::Null as u8 => return Some(rules::Move::NULL),
            _ => return Some(rules::Move::PLAY_ON),
        }
        let (from, to) = (Square(self.from), Square(self.to));
        if self.promotion == 0 {
            return Some(rules::Move::new(from, to, MoveTag::Normal));
        }
        let kind = game.piece_type_of(Symbol::from_code(self.promotion)?)?;
        Some(rules::Move::promoting(from, to, MoveTag::Normal, kind))
    }
}

/// Reads the number of a square, on any board.
fn square(name: &str, given: &Bound<'_, PyAny>) -> PyResult<u8> {
    given.extract::<u8>().map_err(|error| match error.is_instance_of::<PyOverflowError>(given.py()) {
        true => InvalidMoveError::new_err(format!("{name}: a square is a number from 0 to 255")),
        false => error,
    })
}

#[pymethods]
impl Move {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn new(from_square: Number<'_, '_>, to_square: Number<'_, '_>, promotion: Option<Text>) -> PyResult<Move> {
        let promotion = match promotion {
            None => 0,
            Some(text) => Symbol::parse(&text)
                .ok_or_else(|| {
                    InvalidMoveError::new_err(format!(
                        "promotion {:?}: expected a capital letter, alone or with ' or !",
                        short(&text)
                    ))
                })?
                .code(),
        };
        Ok(Move {
            from: square("from_square", &from_square)?,
            to: square("to_square", &to_square)?,
            promotion,
            special: 0,
        })
    }

    /// Reads a move in coordinates: ``f2h3``, ``e11e12q``, ``end``, ``claim``, ``playon``, and ``0000`` for a null
    /// move. A promotion may also be written ``e11e12=Q``.
    ///
    /// :raises InvalidMoveError: if the text is none of these.
    #[staticmethod]
    fn from_uci(uci: Text) -> PyResult<Move> {
        let special = |tag: MoveTag| Move { from: 0, to: 0, promotion: 0, special: tag as u8 };
        match &*uci {
            "end" => return Ok(special(MoveTag::End)),
            "claim" => return Ok(special(MoveTag::Claim)),
            "playon" => return Ok(special(MoveTag::PlayOn)),
            "0000" => return Ok(Move::null()),
            _ => {}
        }
        let read = || {
            let (from, length) = Square::read(&uci)?;
            let rest = &uci[length..];
            let (to, length) = Square::read(rest)?;
            let rest = &rest[length..];
            let promotion = match rest {
                "" => 0,
                _ => Symbol::read_promotion(rest)?.code(),
            };
            Some(Move { from: from.0, to: to.0, promotion, special: 0 })
        };
        read().ok_or_else(|| {
            InvalidMoveError::new_err(format!(
                "{:?} is not a move; expected two squares such as e2e4, with the letter of a promotion",
                short(&uci)
            ))
        })
    }

    /// Returns the null move, ``0000``, which passes the turn and changes nothing else. It is for analysis, is never
    /// legal, and is false in a boolean context.
    ///
    /// :meth:`Board.push` makes it at the start of a turn where the side to move is not in check.
    #[staticmethod]
    fn null() -> Move {
        Move { from: 0, to: 0, promotion: 0, special: MoveTag::Null as u8 }
    }

    fn __bool__(&self) -> bool {
        self.special != MoveTag::Null as u8
    }

    /// The number of the origin; 0 if no piece moves.
    #[getter(from_square)]
    fn origin(&self) -> u8 {
        self.from
    }

    /// The number of the destination; 0 if no piece moves.
    #[getter(to_square)]
    fn destination(&self) -> u8 {
        self.to
    }

    /// The letter of the piece type that the piece becomes, in capitals, or None.
    #[getter]
    fn promotion(&self) -> Option<String> {
        Symbol::from_code(self.promotion).map(|symbol| symbol.to_string())
    }

    /// ``"end"``, ``"claim"``, ``"playon"`` or ``"null"`` for a move without a piece, else None.
    #[getter]
    fn special(&self) -> Option<&'static str> {
        match self.special {
            0 => None,
            special if special == MoveTag::End as u8 => Some("end"),
            special if special == MoveTag::Claim as u8 => Some("claim"),
            special if special == MoveTag::Null as u8 => Some("null"),
            _ => Some("playon"),
        }
    }

    /// Returns the move in coordinates.
    fn uci(&self) -> String {
        self.text()
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.uci().replace('\'', "\\'"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_uci")?, (slf.get().uci(),)))
    }
}

/// The legal moves of a board, generated on first use: ``len``, ``in``, indexing, slicing, iteration.
///
/// The list always shows the board's current position; after a move it lists the moves of the new position.
#[pyclass(frozen, module = "acedrex")]
pub(crate) struct LegalMoves {
    pub(crate) board: Py<Board>,
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.board.try_borrow_mut(py)?.core_moves().len())
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let board = &self.board.try_borrow(py)?.inner;
        Ok(board.position().has_move(&board.game().rules))
    }

    /// Returns the number of moves without generating the list.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.board.try_borrow(py)?.count())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            let moves = self.board.try_borrow_mut(py)?.moves();
            return moves.into_pyobject(py)?.get_item(index);
        }
        let index = match index.extract::<isize>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                return Err(PyIndexError::new_err("move index out of range"));
            }
            other => other?,
        };
        let mut board = self.board.try_borrow_mut(py)?;
        let length = board.core_moves().len() as isize;
        let at = if index < 0 { index + length } else { index };
        if at < 0 || at >= length {
            return Err(PyIndexError::new_err(format!("move {index} of {length}")));
        }
        Ok(board.move_at(at as usize).into_pyobject(py)?.into_any())
    }

    fn __contains__(&self, py: Python<'_>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let board = self.board.try_borrow(py)?;
        Ok(item.cast::<Move>().is_ok_and(|item| board.find(*item.get()).is_some()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Each<'py, Move>> {
        Each::of(py, self.board.try_borrow_mut(py)?.moves())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let moves = self.board.try_borrow_mut(py)?.moves();
        let texts: Vec<String> = moves.iter().map(|item| item.text()).collect();
        Ok(format!("<LegalMoves {}: {}>", texts.len(), texts.join(" ")))
    }
}
