//! Annotations in the comments of records.

use crate::errors::Error;
use crate::squares::At;
use crate::text::Text;
use crate::typed::Number;
use pyo3::exceptions::PyOverflowError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use record::{Evaluation, Score};
use rules::Square;

/// Two squares and a colour.
type Arrow = (u8, u8, &'static str);

/// A time, infinite if it is too large for a float.
pub(crate) struct Seconds(f64);

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = f64::INPUT_TYPE;

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<Seconds> {
        match number.extract::<f64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => Ok(Seconds(f64::INFINITY)),
            found => found.map(Seconds),
        }
    }
}

/// A number; one that does not fit its type becomes one that no annotation can have.
fn whole<'py, T: FromPyObjectOwned<'py, Error = PyErr>>(number: &Bound<'py, PyAny>, too_large: T) -> PyResult<T> {
    match number.extract::<T>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => Ok(too_large),
        found => found,
    }
}

/// The seconds of the first time of this name in a comment.
#[pyfunction]
pub(crate) fn annotated_time(comment: Text, name: Text) -> Option<f64> {
    record::time(&comment, &name)
}

/// The comment with a time of this name instead of the first one; None removes that.
#[pyfunction]
pub(crate) fn with_time(comment: Text, name: Text, seconds: Option<Seconds>) -> PyResult<String> {
    record::with_time(&comment, &name, seconds.map(|seconds| seconds.0)).map_err(Error::new_err)
}

/// The first evaluation in a comment: centipawns or turns to mate for White, and the depth.
#[pyfunction]
pub(crate) fn annotated_evaluation(comment: Text) -> Option<(Option<i64>, Option<i64>, Option<u32>)> {
    record::evaluation(&comment).map(|Evaluation { score, depth }| match score {
        Score::Centipawns(number) => (Some(number), None, depth),
        Score::Mate(turns) => (None, Some(turns), depth),
    })
}

/// The comment with an evaluation instead of the first one; one without a score removes that.
#[pyfunction]
pub(crate) fn with_evaluation(
    comment: Text,
    cp: Option<Number<'_, '_>>,
    mate: Option<Number<'_, '_>>,
    depth: Option<Number<'_, '_>>,
) -> PyResult<String> {
    let score = match (cp, mate) {
        (_, Some(turns)) => Some(Score::Mate(whole(&turns, i64::MAX)?)),
        (Some(number), None) => Some(Score::Centipawns(whole(&number, i64::MAX)?)),
        (None, None) => None,
    };
    let depth = depth.map(|depth| whole(&depth, u32::MAX)).transpose()?;
    let evaluation = score.map(|score| Evaluation { score, depth });
    record::with_evaluation(&comment, evaluation).map_err(Error::new_err)
}

/// The arrows and marked squares of a comment.
#[pyfunction]
pub(crate) fn annotated_arrows(comment: Text) -> Vec<Arrow> {
    record::arrows(&comment).into_iter().map(|(from, to, colour)| (from.0, to.0, colour)).collect()
}

/// The comment with these arrows and marked squares instead of all others.
#[pyfunction]
pub(crate) fn with_arrows(comment: Text, arrows: Vec<(At, At, Text)>) -> PyResult<String> {
    let arrows: Vec<(Square, Square, &str)> =
        arrows.iter().map(|(from, to, colour)| (from.0, to.0, &**colour)).collect();
    record::with_arrows(&comment, &arrows).map_err(Error::new_err)
}
