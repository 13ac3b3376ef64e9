//! What the decisions of several matches come to: for each bot, and the worst moments.

use std::collections::BTreeMap;

use leyden_model::TurnRef;
use leyden_protocol::{Action, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::alternative_bot::AlternativeBot;
use super::evaluator::DEALS_IN_ALL;
use super::match_mean::MatchMean;
use super::sample::SampleSize;
use super::values::{AnalysedMatch, BlunderKind, EVALUATION_VERSION, Estimate, EvaluatedDecision, Loss};

/// The output of `leyden analyse --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "What decisions were worth")]
pub struct Analysis {
    /// The version of this format: 1.
    pub v: u32,
    /// The version of the evaluation: values of different versions cannot be compared.
    pub evaluation_version: u32,
    /// The most deals on which an action is tried.
    pub deals: u32,
    pub sampled: SampleSize,
    /// By name; if one bot was asked for, only that.
    pub bots: Vec<BotAnalysis>,
    /// The worst blunders, the worst first; if one bot was asked for, only its own.
    pub worst: Vec<WorstDecision>,
    /// What another bot would have done, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<AlternativeBot>,
    pub matches: Vec<AnalysedMatch>,
}

/// What the decisions of a bot come to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotAnalysis {
    pub bot: String,
    pub matches: u64,
    pub decisions: u64,
    /// How often it took what the evaluation takes for best.
    pub agreed: u64,
    /// What it gave away in a match, as a mean with its error over matches; the error is null for a single match.
    pub lost_chance: MatchMean,
    /// The same in points that it would have gained on the best of the others.
    pub lost_points: MatchMean,
    /// How many decisions were certainly worse than the best action.
    pub blunders: u64,
    /// How many blunders of each kind; kinds without any are left out.
    pub kinds: BTreeMap<BlunderKind, u64>,
}

/// A blunder.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorstDecision {
    #[serde(rename = "match")]
    pub id: String,
    pub bot: String,
    pub seat: Seat,
    #[serde(rename = "place")]
    pub turn_ref: TurnRef,
    /// The round, from 0.
    pub round: u32,
    pub kind: BlunderKind,
    pub taken: Action,
    pub best: Action,
    pub lost: Loss,
}

/// How many of the worst blunders are listed.
const WORST: usize = 10;

impl Analysis {
    /// Sums up matches; with `only`, one bot.
    pub fn new(matches: Vec<AnalysedMatch>, sampled: SampleSize, only: Option<&str>) -> Self {
        let is_meant = |bot: &str| only.is_none_or(|only| only == bot);
        let mut by_bot: BTreeMap<&str, Vec<Vec<&EvaluatedDecision>>> = BTreeMap::new();
        let mut worst = Vec::new();
        for analysed in &matches {
            for (seat, bot) in analysed.bots.iter().filter(|(_, bot)| is_meant(bot)) {
                let own = analysed.decisions.iter().filter(|decision| decision.seat == seat);
                worst.extend(
                    own.clone().filter_map(|decision| WorstDecision::from_decision(analysed, decision)),
                );
                by_bot.entry(bot).or_default().push(own.collect());
            }
        }
        worst.sort_by(|one, other| other.lost.chance.mean.total_cmp(&one.lost.chance.mean));
        worst.truncate(WORST);
        let bots =
            by_bot.into_iter().map(|(bot, matches)| BotAnalysis::from_matches(bot, &matches)).collect();
        Self {
            v: crate::report::REPORT_VERSION,
            evaluation_version: EVALUATION_VERSION,
            deals: DEALS_IN_ALL,
            sampled,
            bots,
            worst,
            other: None,
            matches,
        }
    }
}

impl BotAnalysis {
    fn from_matches(bot: &str, matches: &[Vec<&EvaluatedDecision>]) -> Self {
        let decisions = || matches.iter().flatten();
        let mut kinds = BTreeMap::new();
        for kind in decisions().filter_map(|decision| decision.blunder) {
            *kinds.entry(kind).or_insert(0) += 1;
        }
        Self {
            bot: bot.to_owned(),
            matches: matches.len() as u64,
            decisions: decisions().count() as u64,
            agreed: decisions().filter(|decision| decision.taken == Some(decision.best)).count() as u64,
            lost_chance: per_match(matches, |loss| loss.chance),
            lost_points: per_match(matches, |loss| loss.points),
            blunders: kinds.values().sum(),
            kinds,
        }
    }
}

/// What decisions gave away in a match.
fn per_match(matches: &[Vec<&EvaluatedDecision>], of: impl Fn(&Loss) -> Estimate) -> MatchMean {
    let sum = |decisions: &Vec<&EvaluatedDecision>| {
        Estimate::sum(decisions.iter().filter_map(|decision| decision.lost.as_ref()).map(&of)).mean
    };
    let sums: Vec<f64> = matches.iter().map(sum).collect();
    MatchMean::from_sums(&sums)
}

impl WorstDecision {
    fn from_decision(analysed: &AnalysedMatch, decision: &EvaluatedDecision) -> Option<Self> {
        Some(Self {
            id: analysed.id.clone(),
            bot: analysed.bots[decision.seat].clone(),
            seat: decision.seat,
            turn_ref: decision.turn_ref,
            round: decision.round,
            kind: decision.blunder?,
            taken: decision.taken?,
            best: decision.best,
            lost: decision.lost?,
        })
    }
}
