//! Reports for people: tables and figures that fit a terminal of 100 columns, without colours.

mod circumstances;
mod competition;
mod gate;
mod parts;
mod standings;
mod versus;

pub(crate) use circumstances::circumstances;
pub(crate) use gate::{cases, gate, gate_figures, gate_line, score, verdict};
pub(crate) use parts::{beyond_turn, disabled, holding, p_value, range};
pub(crate) use standings::{StandingsNotes, standings};
pub(crate) use versus::{versus, versus_figures};
