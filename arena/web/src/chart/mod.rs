//! Charts as SVG: functions from numbers to drawings. They know only names and numbers, and carry classes instead of styles (see
//! `assets/pages.css`).

mod bars;
mod heat;
mod whiskers;

pub use bars::{BarKind, Bars, bars};
pub use heat::{HeatMap, STEPS, heat_map, step, texture};
pub use whiskers::{Scale, whiskers};
