//! `SquareSet`: a set of squares for Python.

use crate::errors::Error;
use crate::game::numbers;
use crate::typed::Each;
use pyo3::exceptions::{PyKeyError, PyOverflowError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use pyo3::{PyTypeInfo, type_hint_identifier, type_hint_subscript, type_hint_union};
use rules::{Geometry, Set, Square};
use std::fmt::Write;

/// The bytes of a mask.
const BYTES: usize = 32;
/// The size of a set that belongs to no board: the largest board.
const LARGEST: u8 = 16;

/// What a pickle stores: the class, and mask, files and ranks.
type Parts<'py> = (Bound<'py, PyAny>, (Bound<'py, PyInt>, u8, u8));

/// A mutable set of squares, of a board's shape or of the largest: 16x16.
///
/// It is made from squares, from a mask in which bit ``square`` stands for each square, or from another set. Sets
/// compare, combine and iterate like Python's own, from ``a1`` to the last square; wherever a set is accepted, squares
/// or a mask are too. ``~`` and ``mirror`` keep to the board's shape, and ``str`` draws it.
///
/// :param squares: squares, a mask or a set.
/// :param files: the board's files.
/// :param ranks: the board's ranks.
/// :raises Error: if an item is not a square, or no board has this shape.
#[pyclass(module = "acedrex")]
#[derive(Clone, Copy)]
pub(crate) struct SquareSet {
    set: Set,
    files: u8,
    ranks: u8,
}

impl SquareSet {
    /// The squares of a game's board.
    pub(crate) fn of(rules: &rules::Rules, set: Set) -> SquareSet {
        SquareSet { set, files: rules.files, ranks: rules.ranks }
    }

    fn with(&self, set: Set) -> SquareSet {
        SquareSet { set, ..*self }
    }
}

/// What stands for a set: a `SquareSet`, a mask, or an iterable of squares.
pub(crate) struct Squares(pub(crate) Set);

impl FromPyObject<'_, '_> for Squares {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        SquareSet::TYPE_HINT,
        PyInt::TYPE_HINT,
        type_hint_subscript!(type_hint_identifier!("collections.abc", "Iterable"), At::INPUT_TYPE)
    );

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Squares> {
        read(&object).map(Squares)
    }
}

fn read(other: &Bound<'_, PyAny>) -> PyResult<Set> {
    if let Ok(other) = other.cast::<SquareSet>() {
        return Ok(other.try_borrow()?.set);
    }
    if other.is_instance_of::<PyInt>() {
        let bytes = other.call_method1("to_bytes", (BYTES, "little"));
        let bytes = bytes.map_err(|_| Error::new_err("a mask has its bits from 0 to 255, one for each square"))?;
        let bytes = bytes.extract::<[u8; BYTES]>()?;
        let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[i * 8 + byte]));
        return Ok(Set(std::array::from_fn(word)));
    }
    other.try_iter()?.map(|item| Ok(item?.extract::<At>()?.0)).collect()
}

/// The number of a square.
pub(crate) struct At(pub(crate) Square);

impl FromPyObject<'_, '_> for At {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = u8::INPUT_TYPE;

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<At> {
        number.extract::<u8>().map(|number| At(Square(number))).map_err(|_| {
            let shown = number.repr().map_or_else(|_| "this".into(), |shown| shown.to_string());
            Error::new_err(format!(
                "{} is not a square; squares are numbers from 0 to 255, rank * 16 + file",
                crate::game::short(&shown)
            ))
        })
    }
}

fn checked_shape(files: u8, ranks: u8) -> PyResult<()> {
    let fits = |length: u8| (1..=LARGEST).contains(&length);
    if fits(files) && fits(ranks) {
        return Ok(());
    }
    Err(Error::new_err(format!("a board has 1 to 16 files and ranks, not {files}x{ranks}")))
}

/// Reads how far a set is shifted: 256 numbers already move every square off the board.
fn distance(by: &Bound<'_, PyAny>) -> PyResult<i32> {
    match by.extract::<u8>() {
        Ok(by) => Ok(i32::from(by)),
        Err(error) if !error.is_instance_of::<PyOverflowError>(by.py()) => Err(error),
        Err(_) if by.gt(0)? => Ok(256),
        Err(_) => Err(Error::new_err(format!("a set is shifted by 0 numbers or more, not by {by}"))),
    }
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(signature = (squares=None, files=16, ranks=16))]
    fn new(squares: Option<Squares>, files: u8, ranks: u8) -> PyResult<SquareSet> {
        checked_shape(files, ranks)?;
        let set = squares.map_or(Set::EMPTY, |Squares(set)| set);
        Ok(SquareSet { set, files, ranks })
    }

    /// Returns the set of one square.
    ///
    /// :raises Error: if the number is not a square.
    #[staticmethod]
    fn from_square(square: At) -> SquareSet {
        SquareSet { set: Set::of(square.0), files: LARGEST, ranks: LARGEST }
    }

    /// Returns the squares strictly between two squares of a rank, file or diagonal; empty if they share no such line.
    ///
    /// :raises Error: if a number is not a square.
    #[staticmethod]
    fn between(a: At, b: At) -> SquareSet {
        SquareSet { set: *Geometry::get().between(a.0, b.0), files: LARGEST, ranks: LARGEST }
    }

    /// Returns the whole rank, file or diagonal of two squares, both included, to the edges of the board; empty if they
    /// share none.
    ///
    /// :raises Error: if a number is not a square, or no board has this shape.
    #[staticmethod]
    #[pyo3(signature = (a, b, files=16, ranks=16))]
    fn ray(a: At, b: At, files: u8, ranks: u8) -> PyResult<SquareSet> {
        checked_shape(files, ranks)?;
        let geometry = Geometry::get();
        let Some(there) = geometry.direction(a.0, b.0) else {
            return Ok(SquareSet { set: Set::EMPTY, files, ranks });
        };
        let back = geometry.direction(b.0, a.0);
        let on_line = |other: &Square| [Some(there), back].contains(&geometry.direction(a.0, *other));
        let line: Set = Set::board(files, ranks).into_iter().filter(on_line).collect();
        Ok(SquareSet { set: line.with(a.0), files, ranks })
    }

    /// The files of the board that the set belongs to.
    #[getter]
    fn files(&self) -> u8 {
        self.files
    }

    /// The ranks of the board that the set belongs to.
    #[getter]
    fn ranks(&self) -> u8 {
        self.ranks
    }

    fn __len__(&self) -> usize {
        self.set.count() as usize
    }

    fn __bool__(&self) -> bool {
        !self.set.is_empty()
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        item.extract::<u8>().is_ok_and(|number| self.set.contains(Square(number)))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Each<'py, u16>> {
        Each::of(py, numbers(self.set))
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Each<'py, u16>> {
        let mut squares = numbers(self.set);
        squares.reverse();
        Each::of(py, squares)
    }

    /// The mask: bit ``square`` for each square.
    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        let bytes: Vec<u8> = self.set.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mask = py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))?;
        Ok(mask.cast_into()?)
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        self.__int__(py)
    }

    fn __eq__(&self, other: Squares) -> bool {
        self.set == other.0
    }

    fn __ne__(&self, other: Squares) -> bool {
        self.set != other.0
    }

    fn __le__(&self, other: Squares) -> bool {
        self.issubset(other)
    }

    fn __ge__(&self, other: Squares) -> bool {
        self.issuperset(other)
    }

    fn __lt__(&self, other: Squares) -> bool {
        self.set != other.0 && self.issubset(other)
    }

    fn __gt__(&self, other: Squares) -> bool {
        self.set != other.0 && self.issuperset(other)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.union(other.extract()?))
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        self.__or__(other)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.intersection(other.extract()?))
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        self.__and__(other)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.symmetric_difference(other.extract()?))
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        self.__xor__(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.difference(other.extract()?))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.with(read(other)?.minus(self.set)))
    }

    fn __ior__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        SquareSet::update(slf, vec![other.extract()?])
    }

    fn __iand__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        SquareSet::intersection_update(slf, vec![other.extract()?])
    }

    fn __ixor__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        SquareSet::symmetric_difference_update(slf, other.extract()?)
    }

    fn __isub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        SquareSet::difference_update(slf, other.extract()?)
    }

    /// The squares of the board that are not in the set.
    fn __invert__(&self) -> SquareSet {
        self.with(Set::board(self.files, self.ranks).minus(self.set))
    }

    /// The squares moved up by this many numbers: 16 is a rank, 1 a file; what leaves the 256 squares is dropped.
    fn __lshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.with(self.set.shift(distance(by)?)))
    }

    /// The squares moved down by this many numbers.
    fn __rshift__(&self, by: &Bound<'_, PyAny>) -> PyResult<SquareSet> {
        Ok(self.with(self.set.shift(-distance(by)?)))
    }

    /// Returns the squares that are in either set.
    fn union(&self, other: Squares) -> SquareSet {
        self.with(self.set | other.0)
    }

    /// Returns the squares that are in both sets.
    fn intersection(&self, other: Squares) -> SquareSet {
        self.with(self.set & other.0)
    }

    /// Returns the squares that are not in the other set.
    fn difference(&self, other: Squares) -> SquareSet {
        self.with(self.set.minus(other.0))
    }

    /// Returns the squares that are in exactly one of the sets.
    fn symmetric_difference(&self, other: Squares) -> SquareSet {
        self.with(self.set ^ other.0)
    }

    /// Returns whether the sets share no square.
    fn isdisjoint(&self, other: Squares) -> bool {
        !self.set.meets(&other.0)
    }

    /// Returns whether the other set has all squares of this one.
    fn issubset(&self, other: Squares) -> bool {
        self.set.minus(other.0).is_empty()
    }

    /// Returns whether this set has all squares of the other.
    fn issuperset(&self, other: Squares) -> bool {
        other.0.minus(self.set).is_empty()
    }

    /// Adds the squares of other sets.
    #[pyo3(signature = (*others))]
    fn update(slf: &Bound<'_, Self>, others: Vec<Squares>) -> PyResult<()> {
        let mut slf = slf.try_borrow_mut()?;
        others.iter().for_each(|other| slf.set |= other.0);
        Ok(())
    }

    /// Keeps the squares that all other sets have too.
    #[pyo3(signature = (*others))]
    fn intersection_update(slf: &Bound<'_, Self>, others: Vec<Squares>) -> PyResult<()> {
        let mut slf = slf.try_borrow_mut()?;
        others.iter().for_each(|other| slf.set &= other.0);
        Ok(())
    }

    /// Removes the squares of the other set.
    fn difference_update(slf: &Bound<'_, Self>, other: Squares) -> PyResult<()> {
        slf.try_borrow_mut()?.set &= !other.0;
        Ok(())
    }

    /// Keeps the squares that are in exactly one of the sets.
    fn symmetric_difference_update(slf: &Bound<'_, Self>, other: Squares) -> PyResult<()> {
        slf.try_borrow_mut()?.set ^= other.0;
        Ok(())
    }

    /// Adds a square.
    ///
    /// :raises Error: if the number is not a square.
    fn add(&mut self, square: At) {
        self.set.insert(square.0);
    }

    /// Removes a square, if it is in the set.
    ///
    /// :raises Error: if the number is not a square.
    fn discard(&mut self, square: At) {
        self.set.remove(square.0);
    }

    /// Removes a square.
    ///
    /// :raises KeyError: if it is not in the set.
    /// :raises Error: if the number is not a square.
    fn remove(&mut self, square: At) -> PyResult<()> {
        if !self.set.contains(square.0) {
            return Err(PyKeyError::new_err(square.0.0));
        }
        self.set.remove(square.0);
        Ok(())
    }

    /// Removes the first square and returns it.
    ///
    /// :raises KeyError: if the set is empty.
    fn pop(&mut self) -> PyResult<u8> {
        let first = self.set.first().ok_or_else(|| PyKeyError::new_err("the set is empty"))?;
        self.set.remove(first);
        Ok(first.0)
    }

    /// Removes all squares.
    fn clear(&mut self) {
        self.set = Set::EMPTY;
    }

    /// Returns a copy of the set.
    fn copy(&self) -> SquareSet {
        *self
    }

    fn __copy__(&self) -> SquareSet {
        *self
    }

    /// Returns the set from the other side's point of view: mirrored rank for rank.
    fn mirror(&self) -> SquareSet {
        let facing = |square: Square| {
            let rank = self.ranks.checked_sub(square.rank() + 1)?;
            Some(Square::new(square.file(), rank))
        };
        self.with(self.set.into_iter().filter_map(facing).collect())
    }

    /// Returns, for each of the 256 squares, whether it is in the set.
    fn tolist(&self) -> Vec<bool> {
        (0..=255).map(|number| self.set.contains(Square(number))).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mask = self.__int__(py)?.call_method1("__format__", ("#x",))?;
        Ok(match (self.files, self.ranks) {
            (LARGEST, LARGEST) => format!("SquareSet({mask})"),
            (files, ranks) => format!("SquareSet({mask}, files={files}, ranks={ranks})"),
        })
    }

    fn __str__(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.ranks).rev() {
            for file in 0..self.files {
                let there = self.set.contains(Square::new(file, rank));
                let end = if file + 1 < self.files { " " } else { "\n" };
                write!(text, "{}{end}", if there { '1' } else { '.' }).expect("writing to a String never fails");
            }
        }
        text.pop();
        text
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Parts<'py>> {
        let set = slf.try_borrow()?;
        Ok((slf.get_type().into_any(), (set.__int__(slf.py())?, set.files, set.ranks)))
    }
}
