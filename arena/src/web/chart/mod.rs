//! Charts as SVG: functions from numbers to drawings. They know nothing of bots or matches beyond the names they are given,
//! and carry no style of their own but classes (`assets/pages.css`).

mod bars;
mod heat;
mod whiskers;

pub use bars::{BarKind, Bars, bars};
pub use heat::{HeatMap, STEPS, heat_map, step, texture};
pub use whiskers::{Scale, whiskers};
