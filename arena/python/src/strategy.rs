//! Who plays the other seats: a builtin bot, or a Python callable.

use std::sync::{Arc, Mutex, PoisonError};

use leyden_env::{ActionTable, Encoding};
use leyden_protocol::{Action, Turn as TurnLine};
use leyden_rules::Rules;
use leyden_sample_bots::Strategy;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::boundary::{LeydenError, rejected};
use crate::turn::{Turn, action, illegal};

/// The exception that a callable ended with, kept until the step returns.
#[derive(Clone, Default)]
pub(crate) struct RaisedException(Arc<Mutex<Option<PyErr>>>);

impl RaisedException {
    pub(crate) fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Returns the exception of a callable.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the exception of a callable, or else this one.
    pub(crate) fn or(&self, error: PyErr) -> PyErr {
        self.take().unwrap_or(error)
    }
}

/// Asks a Python callable.
struct Callable {
    ask: Py<PyAny>,
    encoding: Encoding,
    raised: RaisedException,
}

impl Strategy for Callable {
    fn begin(&mut self, _: &Rules, _: u64) {}

    fn choose(&mut self, turn: &TurnLine<'_>) -> Action {
        let asked = Python::attach(|py| answer(py, self.ask.bind(py), turn, &self.encoding));
        asked.unwrap_or_else(|error| {
            self.raised.keep(error);
            // Never legal where there is a choice, so the step ends here.
            Action::Pass
        })
    }
}

/// Asks a callable for one of the legal actions of a turn.
pub(crate) fn answer(
    py: Python<'_>,
    ask: &Bound<'_, PyAny>,
    turn: &TurnLine<'_>,
    encoding: &Encoding,
) -> PyResult<Action> {
    let asked = Py::new(py, Turn::new(turn.clone().into_owned(), encoding))?;
    let action = action(&ask.call1((asked,))?, ActionTable::new(encoding.rules().set))?;
    if turn.legal.contains(&action) { Ok(action) } else { Err(illegal(action, &turn.legal)) }
}

/// Returns who plays a seat, from `builtin:NAME`, with options after it, or a callable.
fn strategy(
    player: &Bound<'_, PyAny>,
    encoding: &Encoding,
    raised: &RaisedException,
) -> PyResult<Box<dyn Strategy>> {
    if let Ok(text) = player.cast::<PyString>() {
        let text = text.to_str()?;
        let mut words = text.split_whitespace();
        let Some(name) = words.next().and_then(|word| word.strip_prefix("builtin:")) else {
            return Err(LeydenError::new_err(format!(
                "expected a callable or a builtin bot such as \"builtin:careful\", got {text:?}; folders and command lines \
                 play in leyden.match"
            )));
        };
        let options: Vec<&str> = words.collect();
        return leyden_sample_bots::strategy(name, &options).map_err(rejected);
    }
    if !player.is_callable() {
        return Err(LeydenError::new_err(format!(
            "expected a callable or a builtin bot such as \"builtin:careful\", got {player}"
        )));
    }
    Ok(Box::new(Callable {
        ask: player.clone().unbind(),
        encoding: encoding.clone(),
        raised: raised.clone(),
    }))
}

/// Returns who plays the other seats: each of them, or one for all.
pub(crate) fn others(
    players: &[Bound<'_, PyAny>],
    encoding: &Encoding,
    raised: &RaisedException,
) -> PyResult<Vec<Box<dyn Strategy>>> {
    let seats = encoding.rules().seats.count() - 1;
    if players.len() != 1 && players.len() != seats {
        return Err(LeydenError::new_err(format!(
            "expected one opponent, or one for each of the {seats} other seats, got {}",
            players.len()
        )));
    }
    let player = |seat: usize| &players[seat.min(players.len() - 1)];
    (0..seats).map(|seat| strategy(player(seat), encoding, raised)).collect()
}
