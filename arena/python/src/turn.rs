//! A decision, as a Python callable is asked for it.

use leyden_env::{ActionTable, Encoding};
use leyden_protocol::Action;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::boundary::{IllegalActionError, LeydenError, rejected};

/// What a seat is asked: all that it may know, and what it can do.
///
/// A callable that plays gets one and returns a number of the action table or a text of the protocol.
#[pyclass(frozen, module = "leyden")]
pub(crate) struct Turn {
    line: leyden_protocol::Turn<'static>,
    encoding: Encoding,
    actions: ActionTable,
}

impl Turn {
    pub(crate) fn new(line: leyden_protocol::Turn<'static>, encoding: &Encoding) -> Self {
        Self { line, encoding: encoding.clone(), actions: ActionTable::new(encoding.rules().set) }
    }
}

#[pymethods]
impl Turn {
    /// The seat that is asked, from 0.
    #[getter]
    fn seat(&self) -> usize {
        self.line.seat.index()
    }

    /// Counts the decisions of this seat in this match, from 1.
    #[getter]
    fn id(&self) -> u64 {
        self.line.id
    }

    /// The observation: `uint8`, as `leyden.encoding` describes it.
    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mut bytes = vec![0; self.encoding.len()];
        self.encoding.write(&self.line.view(), &mut bytes);
        PyArray1::from_vec(py, bytes)
    }

    /// `int8`: 1 for each legal action, by number.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        mask(py, self.actions, &self.line.legal)
    }

    /// The legal actions as the protocol writes them, in its order.
    #[getter]
    fn legal(&self) -> Vec<String> {
        self.line.legal.iter().map(Action::to_string).collect()
    }

    /// The numbers of the legal actions, in the same order.
    #[getter]
    fn legal_numbers(&self) -> Vec<usize> {
        self.line.legal.iter().filter_map(|&action| self.actions.number(action)).collect()
    }

    /// The `turn` line of the protocol.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&leyden_protocol::ToBot::Turn(self.line.clone())).map_err(rejected)
    }

    fn __repr__(&self) -> String {
        format!("<leyden.Turn {} of seat {}: {}>", self.line.id, self.line.seat, self.legal().join(" "))
    }
}

/// Returns a mask as an array.
pub(crate) fn mask<'py>(py: Python<'py>, table: ActionTable, legal: &[Action]) -> Bound<'py, PyArray1<i8>> {
    let mut mask = vec![0; table.len()];
    for number in legal.iter().filter_map(|&action| table.number(action)) {
        mask[number] = 1;
    }
    PyArray1::from_vec(py, mask)
}

/// Reads an action that Python gives: a number of the table, or a text of the protocol.
pub(crate) fn action(given: &Bound<'_, PyAny>, table: ActionTable) -> PyResult<Action> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str()?.parse().map_err(rejected);
    }
    let number: i64 = given.extract().map_err(|_| {
        LeydenError::new_err(format!(
            "expected an action as a number or as the protocol writes it, such as \"N:4-1\", got {given}"
        ))
    })?;
    let action = usize::try_from(number).ok().and_then(|number| table.action(number));
    action.ok_or_else(|| {
        LeydenError::new_err(format!("expected an action from 0 to {}, got {number}", table.len() - 1))
    })
}

/// Returns the exception for an action that is not among the legal ones.
pub(crate) fn illegal(action: Action, legal: &[Action]) -> PyErr {
    let legal: Vec<String> = legal.iter().map(Action::to_string).collect();
    IllegalActionError::new_err(format!("{action} is not legal here; legal are {}", legal.join(" ")))
}
