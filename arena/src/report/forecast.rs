//! What a test of two bots can be expected to show before it is played: from a few timed pairs, or from pairs in a results file.

use leyden_stats::{ExpectedPairs, GateForecast, Interval, MatchForecast, Pentanomial, SprtPlan};
use schemars::JsonSchema;
use serde::Serialize;

use super::tournament_tally::{BotOrder, TournamentTally};
use super::{REPORT_VERSION, ReportError, Versus};
use crate::record::store::Results;
use crate::run::{Plan, Timing};

/// The output of `leyden gate --plan --json` and `leyden match --plan --json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "A test before it is played")]
pub struct TestForecast {
    /// The version of this format: 1.
    pub v: u32,
    /// The bots, the new version or the first one first.
    pub bots: [String; 2],
    /// The kinds of pair on which the forecast rests: `[LL, LD, WL+DD, WD, WW]`.
    pub seen: Pentanomial,
    /// The variance of a pair's score without luck over that with it, if the results file says so.
    pub variance_ratio: Option<f64>,
    /// 95 %.
    pub variance_ratio_interval: Option<Interval>,
    /// How long a pair takes on this machine, in microseconds, with `jobs` matches at once.
    pub pair_us: u64,
    /// How many matches are played at once.
    pub jobs: u64,
    /// Of a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<PlannedGate>,
    /// Of a match.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub of_match: Option<MatchForecast>,
}

/// A gate before it is played.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlannedGate {
    /// The hypotheses and error rates of the test.
    pub test: SprtPlan,
    /// Of pairs as they are played.
    pub plain: GateForecast,
    /// Of pairs with their luck taken out, if its worth is known.
    pub without_luck: Option<GateForecast>,
    /// How many times the mean number of pairs that takes, by the ends of the variance ratio's interval: below 1 it pays.
    pub luck_takes: Option<Interval>,
}

/// The pairs of two bots on which a forecast rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedPairs {
    pub kinds: Pentanomial,
    /// With its 95 % interval.
    pub variance_ratio: Option<(f64, Interval)>,
}

/// Why a results file says nothing about pairs of two bots.
#[derive(Debug, thiserror::Error)]
pub enum ObservedPairsError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("it has no complete pair of two bots at a table of two: name the file of a match, or of a gate")]
    NotOfTwo,
}

impl ObservedPairs {
    /// The pairs in a results file of two bots, and what its scores without luck are worth, if they were computed.
    pub fn stored(results: &Results) -> Result<Self, ObservedPairsError> {
        let tally = TournamentTally::from_results(results, BotOrder::AsTyped)?;
        let versus = Versus::from_tally(&tally).ok_or(ObservedPairsError::NotOfTwo)?;
        let kinds = versus.estimate.as_ref().and_then(|estimate| estimate.counts);
        let luck = versus.luck.as_ref();
        let variance_ratio = luck.and_then(|luck| luck.variance_ratio.zip(luck.variance_ratio_interval));
        Ok(Self { kinds: kinds.ok_or(ObservedPairsError::NotOfTwo)?, variance_ratio })
    }
}

impl TestForecast {
    /// For a plan of two bots that was timed; `None` for any other. The pairs are those of a file, or else those that were timed.
    pub fn new(plan: &Plan, timing: &Timing, stored: Option<ObservedPairs>) -> Option<Self> {
        let [one, two] = &plan.bots[..] else { return None };
        let seen = stored.unwrap_or(ObservedPairs { kinds: timing.kinds, variance_ratio: None });
        let expected = ExpectedPairs::from_observed(&seen.kinds);
        let gate = plan.gate.map(|terms| {
            let as_played = GateForecast::new(&terms.plan.without_luck(), &expected, 1.0);
            let luck = |ratio| GateForecast::new(&terms.plan.with_luck(super::LUCK_TERMS), &expected, ratio);
            let takes = |ratio| luck(ratio).mean_pairs() / as_played.mean_pairs();
            let range = |(_, Interval { low, high })| Interval { low: takes(low), high: takes(high) };
            PlannedGate {
                test: terms.plan,
                without_luck: seen.variance_ratio.map(|(ratio, _)| luck(ratio)),
                luck_takes: seen.variance_ratio.map(range),
                plain: as_played,
            }
        });
        let pairs = timing.planned / 2;
        Some(Self {
            v: REPORT_VERSION,
            bots: [one.name.clone(), two.name.clone()],
            seen: seen.kinds,
            variance_ratio: seen.variance_ratio.map(|(ratio, _)| ratio),
            variance_ratio_interval: seen.variance_ratio.map(|(_, interval)| interval),
            pair_us: timing.all.as_micros().try_into().map_or(u64::MAX, |all: u64| all / pairs.max(1)),
            jobs: plan.jobs as u64,
            of_match: gate.is_none().then(|| MatchForecast::new(plan.blocks.into(), &expected)),
            gate,
        })
    }
}
