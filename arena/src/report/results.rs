//! A bot's results, apart from its rating.

use std::collections::BTreeMap;

use crate::record::store::BotSums;
use leyden_protocol::FaultCode;
use leyden_stats::{Margin, mean_score};
use schemars::JsonSchema;
use serde::Serialize;

/// Sums over a bot's matches.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotResults {
    pub matches: u64,
    /// Won against everyone at the table.
    pub won: u64,
    /// Shared the best score with others.
    pub drawn: u64,
    pub lost: u64,
    /// Points per comparison with one other bot, 0..=1: a win counts 1, a draw ½. At a table of two this is the score per
    /// match. `null` without a match.
    pub score: Option<f64>,
    /// Its own game points, over the matches that ended without a fault, like the next two.
    pub points_for: i64,
    /// The game points of the others.
    pub points_against: i64,
    /// By how many game points it was ahead of another bot on average; positive is good, no matter which direction of
    /// score is.
    pub mean_margin: Option<f64>,
    /// Its own faults that ended a match, by kind; kinds that did not occur are left out.
    pub faults: BTreeMap<FaultCode, u64>,
    /// The number of strikes.
    pub strikes: u64,
    /// The number of decisions it was asked for.
    pub decisions: u64,
    /// Half of its decisions took at most this long, in microseconds.
    pub think_median_us: Option<u64>,
    /// 99 of 100 decisions took at most this long.
    pub think_p99_us: Option<u64>,
}

impl BotResults {
    /// Returns the results that these sums stand for.
    pub fn from_sums(sums: &BotSums) -> Self {
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        let faults = FaultCode::ALL.into_iter().zip(sums.faults).filter(|(_, faults)| *faults > 0);
        Self {
            matches: count(sums.matches),
            won: count(sums.won),
            drawn: count(sums.drawn),
            lost: count(sums.lost),
            score: mean_score(count(sums.half_points), count(sums.comparisons)),
            points_for: sums.points_for,
            points_against: sums.points_against,
            mean_margin: Margin { sum: sums.margin, matches: count(sums.margin_count) }.mean(),
            faults: faults.map(|(code, faults)| (code, count(faults))).collect(),
            strikes: count(sums.strikes),
            decisions: sums.thinking.decisions(),
            think_median_us: sums.thinking.quantile(0.5),
            think_p99_us: sums.thinking.quantile(0.99),
        }
    }
}
