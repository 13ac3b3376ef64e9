//! The native part of the Python package `leyden`: a thin layer over the crates that do the work.
//!
//! Errors become Python exceptions with the words of the crates. A panic, a defect of the arena, becomes an exception too.
#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "PyO3 passes arguments by value")]

mod boundary;
mod numbers;
mod play;
mod player;
mod results;
mod strategy;
mod table;
mod turn;
mod vector;

use pyo3::prelude::*;

#[pymodule]
mod _leyden {
    #[pymodule_export]
    use super::boundary::{IllegalActionError, LeydenError};
    #[pymodule_export]
    use super::numbers::{action, actions, builtins, encoding, number, observe};
    #[pymodule_export]
    use super::play::{options, play};
    #[pymodule_export]
    use super::results::{Decisions, matches, standings};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::turn::Turn;
    #[pymodule_export]
    use super::vector::Vector;
}
