//! Ratings, intervals and sequential tests: results in, numbers out. Pure: no clock, no I/O, no processes, no randomness, and
//! no knowledge of the game or of how matches are played.
//!
//! The unit of counting is the *pair* (one deal played once with each seating), clustered by *block* (the n-th pair of every
//! pairing), never the single match: the two legs of a pair share their deal and are not independent. The same results give
//! the same numbers, bit for bit, in any order: counts are exact integers until the last step, and floating-point sums run in
//! the order of the bots.
//!
//! ```text
//! FinalScores ── Comparison ── Score in a PairingResult                        one match, one block
//! results ── TallyBuilder ── FieldTally ── Ratings::fit ── Ranking::from_tally         `leyden standings`
//!                                      └── head_to_head(), cycles()
//! pairs in any order ── Gate (judges the contiguous prefix) ── GateReport      `leyden gate`
//!     (with their luck: AdjustedPairs)                                          `leyden gate --luck`
//! pairs with their luck ── adjust                                              `leyden luck`
//! pairs ── PairingTally ── MatchEstimate                                       `leyden match`
//! points of a league ── LeagueTable::next_batch            whose meetings say most about the order: `leyden league`
//! legs of pairs ── LaterLegs                                                   who seems to know a deal
//! matches with seats and lead ── circumstances()                               `leyden standings --bot`
//! ```
//!
//! `arena/stats/README.md` explains the methods for organisers and has the measurements.
#![forbid(unsafe_code)]

mod adjusted_pairs;
mod adjustment;
mod anytime_interval;
mod batch_mean;
mod circumstances;
mod comparison;
mod cycles;
mod dist;
mod estimate;
mod fit;
mod forecast;
mod gaps;
mod gate;
mod head_to_head;
mod hypotheses;
mod later_legs;
mod league;
mod likelihood;
mod lottery;
mod meeting;
mod minimum_blocks;
mod movement;
mod pairing;
mod pairing_result;
mod pentanomial;
mod plan;
mod points;
mod ranking;
mod ranks;
mod rating;
mod regression;
mod repeat;
mod simultaneous_bounds;
mod single_pairs;
mod sprt;
mod square_matrix;
mod stagewise_interval;
mod tally;
mod units;
mod validity;
#[cfg(test)]
mod vectors;

pub use adjusted_pairs::{AdjustedEstimate, AdjustedPairs, FEWEST as FEWEST_ADJUSTED, LuckTerms};
pub use adjustment::{
    AdjustedScore, LEAST_GAIN, PairLuck, PairingLuck, adjust, gains, half_width_of_mean, without_luck,
};
pub use anytime_interval::{AnytimeEstimate, anytime_score_interval};
pub use batch_mean::BatchMean;
pub use circumstances::{Circumstance, CircumstanceResult, SeatedMatch, Strays, circumstances};
pub use comparison::{Comparison, FinalScores};
pub use cycles::{Cycle, cycles};
pub use estimate::{MarginEstimate, MatchEstimate};
pub use fit::{Fit, Residual};
pub use forecast::BlocksRange;
pub use gate::{Gate, GateEnd, GateError, GateReport, PairResult, largest_unseen_rate};
pub use head_to_head::{HeadToHead, head_to_head};
pub use hypotheses::{EloScale, Hypotheses};
pub use later_legs::{LaterLegs, LaterLegsBias, NAMED_BELOW};
pub use league::LeagueTable;
pub use lottery::{ModelFreeResult, unmodelled};
pub use meeting::meeting_win_chance;
pub use minimum_blocks::{FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE};
pub use movement::{BotMovement, Movement, RatedField, SharedBot};
pub use pairing::PairingGain;
pub use pairing_result::{Entrant, Margin, PairPoints, PairingResult, Score, mean_score};
pub use pentanomial::Pentanomial;
pub use plan::{ExpectedPairs, GateChances, GateForecast, MatchForecast, MatchPower};
pub use points::{PointChances, PointScale};
pub use ranking::{RankedBot, Ranking};
pub use ranks::RankInterval;
pub use rating::{FitError, PRIOR_WEIGHT, Ratings};
pub use regression::{LUCK_ESTIMATES, LuckEstimates, solve};
pub use repeat::Repeat;
pub use sprt::{MIRROR_PAIRS, SprtPlan, SprtPlanError, SprtState, Verdict, WIDEST_BOUND};
pub use stagewise_interval::{NormalisedInterval, StagewiseEstimate};
pub use tally::{Field, FieldError, FieldTally, PairingTally, TallyBuilder, TallyError};
pub use units::{Elo, EloInterval, Interval, NormalisedElo};
pub use validity::Holds;
