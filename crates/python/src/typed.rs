//! What functions take and return, where the stub of the module would say too little about one of PyO3's types.

use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use pyo3::{type_hint_identifier, type_hint_subscript};
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Deref;

/// A number that is read where it is used, since only there is it known what to say of a wrong one.
pub(crate) struct Number<'a, 'py>(Borrowed<'a, 'py, PyAny>);

impl<'py> Deref for Number<'_, 'py> {
    type Target = Bound<'py, PyAny>;

    fn deref(&self) -> &Bound<'py, PyAny> {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Number<'a, 'py> {
    type Error = Infallible;
    const INPUT_TYPE: PyStaticExpr = u8::INPUT_TYPE;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Number<'a, 'py>, Infallible> {
        Ok(Number(object))
    }
}

/// An iterator over objects of one type.
pub(crate) struct Each<'py, T>(Bound<'py, PyIterator>, PhantomData<T>);

impl<'py, T: IntoPyObject<'py>> Each<'py, T> {
    pub(crate) fn of(py: Python<'py>, objects: Vec<T>) -> PyResult<Each<'py, T>> {
        Ok(Each(PyList::new(py, objects)?.try_iter()?, PhantomData))
    }
}

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for Each<'py, T> {
    type Target = PyIterator;
    type Output = Bound<'py, PyIterator>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr =
        type_hint_subscript!(type_hint_identifier!("collections.abc", "Iterator"), T::OUTPUT_TYPE);

    fn into_pyobject(self, _: Python<'py>) -> Result<Bound<'py, PyIterator>, Infallible> {
        Ok(self.0)
    }
}
