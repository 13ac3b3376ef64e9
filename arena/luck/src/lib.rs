//! How much of a match was luck: what its deals and draws gave to the bot in the first seat, apart from what the bots
//! decided. Pure: a match as it was recorded in, a number with mean 0 out; no clock, no I/O, no thread.
//!
//! ```text
//! Luck of a match = value at its end − value at its start − Σ over decisions [Q(action taken) − Q(action of the baseline)]
//! ```
//!
//! [`Judge::luck`] is that sum, once by each of four baselines; `leyden_stats::adjust` takes them out of scores.
//! `arena/luck/README.md` has the proof, what voids it, and what was measured.
#![forbid(unsafe_code)]

mod baseline;
mod careful;
mod dice;
mod duel;
mod ended;
mod ends;
mod judge;
mod manner;
mod packed;
mod position;
mod prospects;
mod taste;
mod walk;
mod weighed;

pub use baseline::{BASELINES, Baseline};
pub use judge::{Deal, Judge, Luck, NotReplayed, PLAYOUTS};
pub use prospects::{NoProspects, Prospects, Rounds, Stage};

/// Counts up when the same match comes to another luck: with the baseline, the tables, the number of playouts or how chance
/// is drawn. Figures of different versions are never mixed: those that were kept are told no more, and a gate that took luck out
/// by another version is not judged. So a better baseline needs nothing but the next number.
pub const LUCK_VERSION: u32 = 4;
