//! The boundary to Python: errors become exceptions, and no panic crosses it.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    leyden,
    LeydenError,
    PyValueError,
    "What the arena rejects: it says what was expected, what came and what to do."
);
create_exception!(
    leyden,
    IllegalActionError,
    LeydenError,
    "An action that is not legal. Nothing has changed."
);

/// Returns an error as an exception with the same words.
pub(crate) fn rejected(error: impl Error) -> PyErr {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(reason) = cause {
        text = format!("{text}: {reason}");
        cause = reason.source();
    }
    LeydenError::new_err(text)
}

/// Does the work; a panic becomes an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, PyErr>) -> Result<T, PyErr> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text");
        Err(LeydenError::new_err(format!("{text}. This is a defect of the arena; please report it")))
    })
}
