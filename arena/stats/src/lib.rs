//! Ratings, intervals and sequential tests: results in, numbers out. Pure: no clock, no I/O, no process, no chance,
//! and nothing of the game or of how matches are played.
//!
//! Everything counts *pairs* (one deal played once with each seating), clustered by *block* (the n-th pair of
//! every pairing), never single matches: the two legs of a pair share their deal and are not independent.
//! The same results give the same numbers, bit for bit, in whatever order they are handed in: counts are
//! exact integers until the last step, and sums of floating-point numbers run in the order of the bots.
//!
//! ```text
//! cells of results ── Tally ── FieldTally ── Ratings::fit ── standings()     `leyden standings`
//!                                        └── head_to_head(), cycles()
//! pairs in any order ── Gate (judges the contiguous prefix) ── GateReport   `leyden gate`
//! pairs ── PairingTally ── MatchEstimate                                    `leyden match`
//! ```
//!
//! `arena/stats/README.md` explains the methods for organisers, with what was measured.
#![forbid(unsafe_code)]

mod dense;
mod dist;
mod estimate;
mod gate;
mod hypotheses;
mod likelihood;
mod outcome;
mod pairing;
mod pentanomial;
mod rating;
mod sprt;
mod standings;
mod tally;
mod units;
#[cfg(test)]
mod vectors;

pub use estimate::{AnytimeEstimate, MarginEstimate, MatchEstimate, anytime_score_interval};
pub use gate::{Gate, GateEnd, GateError, GateReport, MIRROR_PAIRS, PairResult};
pub use hypotheses::Hypotheses;
pub use outcome::{BotIndex, Cell, Margin, Outcome, PairPoints, Score};
pub use pairing::PairingGain;
pub use pentanomial::Pentanomial;
pub use rating::{FitError, PRIOR_WEIGHT, RankInterval, Ratings};
pub use sprt::{SprtPlan, SprtPlanError, SprtState, Verdict, WIDEST_BOUND};
pub use standings::{BotStanding, Cycle, HeadToHead, StandingsReport, cycles, head_to_head, standings};
pub use tally::{Field, FieldError, FieldTally, PairingTally, Tally, TallyError};
pub use units::{Elo, EloInterval, Interval, NormalisedElo};
