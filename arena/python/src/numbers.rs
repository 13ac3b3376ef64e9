//! Encodings and actions by number, as functions.

use leyden_env::{ActionTable, ENCODING_VERSION, Encoding, EnvError};
use leyden_model::words::counted;
use leyden_protocol::{Action, Set, Turn};
use leyden_rules::Rules;
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::boundary::{LeydenError, guarded, rejected};

/// Returns the rules of these names and numbers.
pub(crate) fn rules(name: &str, seats: usize, set: u8, target: Option<u32>) -> PyResult<Rules> {
    EnvError::rules(name, seats, set, target).map_err(rejected)
}

pub(crate) fn table(set: u8) -> PyResult<ActionTable> {
    Set::from_top(set).map(ActionTable::new).ok_or_else(|| rejected(EnvError::Set(set)))
}

/// Describes the observations and actions of a game: version, size, number of actions, and the fields in order.
#[pyfunction]
#[pyo3(signature = (rules, seats, set))]
pub(crate) fn encoding<'py>(
    py: Python<'py>,
    rules: &str,
    seats: usize,
    set: u8,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = self::rules(rules, seats, set, None)?;
    let encoding = Encoding::new(&rules);
    let described = PyDict::new(py);
    described.set_item("version", ENCODING_VERSION)?;
    described.set_item("size", encoding.len())?;
    described.set_item("actions", ActionTable::new(rules.set).len())?;
    let fields = encoding.fields().iter().map(|field| {
        let shape = PyTuple::new(py, &field.shape)?;
        Ok((field.name, field.offset, shape, field.meaning))
    });
    described.set_item("fields", fields.collect::<PyResult<Vec<_>>>()?)?;
    Ok(described)
}

/// Returns the action with a number as the protocol writes it.
#[pyfunction]
#[pyo3(signature = (number, set = 6))]
pub(crate) fn action(number: i64, set: u8) -> PyResult<String> {
    let table = table(set)?;
    let action = usize::try_from(number).ok().and_then(|number| table.action(number));
    action.map(|action| action.to_string()).ok_or_else(|| {
        PyIndexError::new_err(format!("expected an action from 0 to {}, got {number}", table.len() - 1))
    })
}

/// Returns all actions in the order of their numbers.
#[pyfunction]
#[pyo3(signature = (set = 6))]
pub(crate) fn actions(set: u8) -> PyResult<Vec<String>> {
    let table = table(set)?;
    Ok((0..table.len()).filter_map(|number| table.action(number)).map(|action| action.to_string()).collect())
}

/// Returns the number of an action that is written as in the protocol.
#[pyfunction]
#[pyo3(signature = (action, set = 6))]
pub(crate) fn number(action: &str, set: u8) -> PyResult<usize> {
    let table = table(set)?;
    let parsed: Action = action.parse().map_err(rejected)?;
    table.number(parsed).ok_or_else(|| {
        LeydenError::new_err(format!("{action} is not an action of the set with highest pip {set}"))
    })
}

/// Returns the observation and the mask of a `turn` line of the protocol.
#[pyfunction]
#[pyo3(signature = (line, set = 6))]
#[expect(clippy::type_complexity, reason = "two arrays")]
pub(crate) fn observe<'py>(
    py: Python<'py>,
    line: &str,
    set: u8,
) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<u8>>)> {
    guarded(|| {
        let turn: Turn<'_> = serde_json::from_str(line).map_err(rejected)?;
        let view = turn.view();
        let rules = rules(view.rules.as_str(), view.counts.seats().count(), set, Some(view.target))?;
        let (encoding, table) = (Encoding::new(&rules), ActionTable::new(rules.set));
        let (mut observation, mut mask) = (vec![0; encoding.len()], vec![0; table.len()]);
        encoding.write(&view, &mut observation);
        table.write_mask(&view.legal, &mut mask);
        Ok((PyArray1::from_vec(py, observation), PyArray1::from_vec(py, mask)))
    })
}

/// Returns the names of the builtin bots.
#[pyfunction]
pub(crate) fn builtins() -> Vec<String> {
    leyden_sample_bots::names().iter().map(|name| format!("builtin:{name}")).collect()
}

/// Returns a flat array of this length that the caller lent, as a slice.
pub(crate) fn lent<'a, T: numpy::Element>(
    array: &'a mut numpy::PyReadwriteArrayDyn<'_, T>,
    name: &str,
    length: usize,
) -> PyResult<&'a mut [T]> {
    let slice =
        array.as_slice_mut().map_err(|_| LeydenError::new_err(format!("{name} must be contiguous")))?;
    if slice.len() == length {
        Ok(slice)
    } else {
        let got = slice.len();
        let elements = counted(length, "element", "elements");
        Err(LeydenError::new_err(format!("{name} must have {elements}, not {got}")))
    }
}
