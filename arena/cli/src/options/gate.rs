//! The options of a gate, typed or in its section of a configuration file.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::gate::{EloScale, GateChoices};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::heading::{EXECUTION, RESULTS, TEST};
use super::span::Span;

/// The options of `leyden gate`.
#[derive(Args, Clone, Debug)]
pub(crate) struct GateOptions {
    #[command(flatten, next_help_heading = TEST)]
    pub(crate) test: GateTest,
    /// Write a report as JUnit XML: a case for the verdict, one for the faults of each bot, and one for each case in the bot's
    /// folder; or one error that says why there is no verdict. The names never change. An undecided gate is a skipped case, neither
    /// passed nor failed: use the exit code (4) to decide whether it stops a merge
    #[arg(long, help_heading = RESULTS, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// What a gate decides between. Can be the section `gate` of a configuration file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct GateTest {
    /// Name one bot, a folder, and take its old version from git as it was at this commit, tag or branch
    #[arg(long, help_heading = EXECUTION, value_name = "REV", allow_hyphen_values = false)]
    #[schemars(example = "origin/main")]
    pub(crate) against: Option<String>,
    /// The strength to reject [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo0: Option<f64>,
    /// The strength to accept [default: 20]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo1: Option<f64>,
    /// Test against a loss of strength: --elo0 -20 --elo1 0
    #[arg(long, conflicts_with_all = ["elo0", "elo1"])]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) non_regression: bool,
    /// The probability of accepting a bot of strength elo0 [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) alpha: Option<f64>,
    /// The probability of rejecting a bot of strength elo1 [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) beta: Option<f64>,
    /// The maximum number of pairs to play [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u32>,
    /// End when this many pairs, counted from the first, are each the same match twice: undecided, or accepted by a test against a
    /// loss of strength; 0: never [default: 0, with --non-regression 100]
    #[arg(long, value_name = "N")]
    #[schemars(example = 100)]
    pub(crate) mirror_pairs: Option<u32>,
    /// The scale of elo0 and elo1 [default: normalised]
    #[arg(long, value_enum)]
    pub(crate) model: Option<StrengthScale>,
    /// Take the luck of deals and draws out of each pair; the question stays the same. With bounds 20 Elo apart this needs a fifth
    /// to all of the pairs: fewest if the bots play like `builtin:careful`, but up to 1.4 times as many if they differ in few deals.
    /// With bounds 60 apart it needs 0.4 to 3 times as many, with 150 always more. --plan=FILE estimates it for your bots. The
    /// computation takes time after each match, so it pays for bots that think for a while
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) luck: bool,
    /// How many matches the new version may lose by faults, such as a crash; one more rejects it. A gate ends as soon as strength
    /// is decided: to find a rare fault, use `leyden match NEW OLD --blocks 1000` [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_faults: Option<u64>,
    /// End undecided after this time of playing, such as 10m
    #[arg(long, value_name = "DUR")]
    #[schemars(example = "10m")]
    pub(crate) max_time: Option<Span>,
}

impl GateTest {
    /// Returns what was chosen about the test.
    pub(crate) fn choices(&self) -> GateChoices {
        #[rustfmt::skip] // a new option must be named here
        let Self { against: _, elo0, elo1, non_regression, alpha, beta, max_pairs, mirror_pairs, model, luck, max_faults, max_time } = *self;
        GateChoices {
            elo0,
            elo1,
            non_regression,
            scale: model.map(EloScale::from),
            alpha,
            beta,
            max_pairs,
            mirror_pairs,
            luck,
            max_faults,
            timed: max_time.is_some(),
        }
    }
}

impl From<StrengthScale> for EloScale {
    fn from(scale: StrengthScale) -> Self {
        match scale {
            StrengthScale::Normalised => Self::Normalised,
            StrengthScale::Logistic => Self::Logistic,
        }
    }
}

/// A scale of strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StrengthScale {
    /// Per standard deviation of a match: how long the test takes does not depend on the luck of the game
    #[default]
    Normalised,
    /// By the expected score
    Logistic,
}
