//! Results with several parts: `Reach` and `Fault`, which are public classes, and what the package makes its own classes of.

use crate::errors::Error;
use crate::game::numbers;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_identifier;
use pyo3::types::{PyDict, PyString};
use rules::{Color, Game, Piece};
use std::borrow::Cow;
use std::convert::Infallible;

/// The kind of a reach.
#[derive(Clone, Copy, PartialEq)]
struct Kind(&'static str);

impl<'py> IntoPyObject<'py> for Kind {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_identifier!("acedrex.shapes", "ReachKind");

    fn into_pyobject(self, py: Python<'py>) -> Result<Bound<'py, PyString>, Infallible> {
        self.0.into_pyobject(py)
    }
}

impl FromPyObject<'_, '_> for Kind {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = Kind::OUTPUT_TYPE;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Kind> {
        let (name, kinds) = (object.extract::<&str>()?, ["move", "capture", "both", "hop"]);
        let known = kinds.into_iter().find(|known| *known == name);
        known.map(Kind).ok_or_else(|| Error::new_err(format!("the kind of a reach is one of {}", kinds.join(", "))))
    }
}

/// One square that a piece reaches, and how.
///
/// ``kind`` is ``"move"``, ``"capture"``, ``"both"`` or ``"hop"``; ``mount`` is the square hopped over; ``path`` is
/// every square stepped on, the destination last; ``legs`` are the squares where a leg ends, the destination last.
#[pyclass(frozen, eq, get_all, module = "acedrex")]
#[derive(Clone, PartialEq)]
pub(crate) struct Reach {
    to: u8,
    kind: Kind,
    mount: Option<u8>,
    path: Vec<u16>,
    legs: Vec<u16>,
}

impl From<&rules::Reach> for Reach {
    fn from(reach: &rules::Reach) -> Reach {
        Reach {
            to: reach.to.0,
            kind: Kind(reach.kind_name()),
            mount: reach.mount.map(|square| square.0),
            path: numbers(reach.path.iter().copied()),
            legs: numbers(reach.legs.iter().copied()),
        }
    }
}

/// The parts of a reach, as its constructor expects them.
type ReachParts = (u8, Kind, Option<u8>, Vec<u16>, Vec<u16>);

#[pymethods]
impl Reach {
    #[new]
    fn new(to: u8, kind: Kind, mount: Option<u8>, path: Vec<u16>, legs: Vec<u16>) -> Reach {
        Reach { to, kind, mount, path, legs }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("to", "kind", "mount", "path", "legs")
    }

    fn __repr__(&self) -> String {
        let mount = self.mount.map_or_else(|| "None".into(), |mount| mount.to_string());
        let (path, legs) = (&self.path, &self.legs);
        format!("Reach(to={}, kind='{}', mount={mount}, path={path:?}, legs={legs:?})", self.to, self.kind.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, ReachParts) {
        let reach = slf.get().clone();
        (slf.get_type().into_any(), (reach.to, reach.kind, reach.mount, reach.path, reach.legs))
    }
}

/// A fault of a definition file.
///
/// ``line`` and ``column`` count from 1; they are 0 if the fault is not in the file but in the request, such as an
/// option that the game does not have.
#[pyclass(frozen, eq, hash, get_all, new = "from_fields", module = "acedrex")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fault {
    file: String,
    line: u32,
    column: u32,
    key: String,
    message: String,
}

impl From<rules::Fault> for Fault {
    fn from(fault: rules::Fault) -> Fault {
        let rules::Fault { file, line, column, key, message } = fault;
        Fault { file, line, column, key, message }
    }
}

#[pymethods]
impl Fault {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        ("file", "line", "column", "key", "message")
    }

    fn __str__(&self) -> String {
        let Fault { file, line, column, key, message } = self.clone();
        rules::Fault { file, line, column, key, message }.to_string()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = |value: &str| Ok::<_, PyErr>(value.into_pyobject(slf.py())?.repr()?.to_string());
        let Fault { file, line, column, key, message } = slf.get();
        let (file, key, message) = (text(file)?, text(key)?, text(message)?);
        Ok(format!("Fault(file={file}, line={line}, column={column}, key={key}, message={message})"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, u32, u32, String, String)) {
        let Fault { file, line, column, key, message } = slf.get().clone();
        (slf.get_type().into_any(), (file, line, column, key, message))
    }
}

/// The effect of a move: the captured piece as its letter and side, its square, the reach, where the partner goes from and
/// to, whether it gives check, and whether it ends the turn.
pub(crate) type MoveInfo = (Option<(String, bool)>, Option<u8>, Option<Reach>, Option<(u8, u8)>, bool, bool);

pub(crate) fn move_info(game: &Game, info: &rules::MoveInfo) -> MoveInfo {
    let piece = |piece: Piece| (game.symbol(piece.piece_type()).to_string(), piece.color() == Color::White);
    (
        info.captured.map(|(_, captured)| piece(captured)),
        info.captured.map(|(square, _)| square.0),
        info.reach.as_ref().map(Reach::from),
        info.partner.map(|(from, to)| (from.0, to.0)),
        info.check,
        info.ends_turn,
    )
}

/// Pairs of a key and a value as a dictionary, in their order.
#[expect(clippy::owned_cow, reason = "PyO3 hands a field on like this")]
pub(crate) fn dictionary<'py>(pairs: Cow<'_, Vec<(String, f64)>>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let found = PyDict::new(py);
    for (key, value) in pairs.iter() {
        found.set_item(key, value)?;
    }
    Ok(found.into_any())
}
