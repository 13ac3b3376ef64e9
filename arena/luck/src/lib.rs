//! How much of a match was luck: what its deals and draws gave the bot in the first seat, apart from what the bots
//! decided. Pure: a recorded match in, numbers with mean 0 out; no clock, no I/O, no thread.
//!
//! ```text
//! luck = value at the end − value at the start − Σ over decisions [Q(action taken) − Q(action of the baseline)]
//! ```
//!
//! [`LuckEstimator::luck`] is that, by each of four baselines; a fifth estimate from the features of drawn tiles alone; and a sixth
//! in which each change counts by the value before it. `leyden_stats::adjust` takes them out of scores.
//! `arena/luck/README.md` has the proof, what voids it, and what was measured.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod baseline;
mod careful;
mod dice;
mod draws;
mod ends;
mod equity;
mod estimator;
mod packed_playout;
mod packed_terms;
mod perturbation;
mod policy;
mod position;
mod replay;
mod round_end;
mod simulation;
mod weights;

pub use baseline::{BASELINES, Baseline};
pub use draws::{DRAW_FEATURES, DrawSums};
pub use equity::{EquityTable, RoundCounts, Stage, UnsupportedRulesError};
pub use estimator::{Deal, LUCK_ESTIMATES, Luck, LuckEstimator, LuckReplayError, PLAYOUTS};

/// Goes up whenever the same match comes to another luck: with the baselines, the tables, the number of playouts or the way
/// chance is drawn. Figures of different versions are never mixed: stored ones of another version are not shown, and a gate
/// that used another version gives no verdict.
pub const LUCK_VERSION: u32 = 7;
