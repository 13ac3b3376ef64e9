//! What can be typed about a gate, or stand in its section of a configuration file.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::span::Span;

/// A gate as it is typed.
#[derive(Args, Clone, Debug)]
pub(crate) struct GateOptions {
    #[command(flatten)]
    pub(crate) test: GateTest,
    /// Write a report as JUnit XML: a case for the verdict, one for the faults of each bot, and one for each case in the bot's folder;
    /// or one error that says why there is no verdict. Their names never change. What is undecided is a skipped case, which is neither
    /// passed nor failed: whether it stops a merge is for the exit code (4) to say
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// What a gate decides between. May stand in a configuration file, as its section `gate`.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct GateTest {
    /// Name one bot, a folder, and take its old version from git as it was at this commit, tag or branch
    #[arg(long, value_name = "REV", allow_hyphen_values = false)]
    pub(crate) against: Option<String>,
    /// The strength that is to be rejected [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo0: Option<f64>,
    /// The strength that is to be accepted [default: 20]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo1: Option<f64>,
    /// Test against a loss of strength: --elo0 -20 --elo1 0
    #[arg(long, conflicts_with_all = ["elo0", "elo1"])]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) non_regression: bool,
    /// How often a bot of strength elo0 may be accepted [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) alpha: Option<f64>,
    /// How often a bot of strength elo1 may be rejected [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) beta: Option<f64>,
    /// The most pairs to play [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u32>,
    /// End when that many pairs, all from the first on, are each the same match twice: undecided, or accepted by a test against a
    /// loss of strength; 0: never [default: 10, with --non-regression 100]
    #[arg(long, value_name = "N")]
    pub(crate) mirror_pairs: Option<u32>,
    /// The scale of elo0 and elo1 [default: normalised]
    #[arg(long, value_enum)]
    pub(crate) model: Option<StrengthScale>,
    /// Judge pairs with the luck of deals and draws taken out: the same question, answered from fewer pairs. That takes time after
    /// each match, so it pays where bots think for a while, and not where they answer at once
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) luck: bool,
    /// How many matches the new version may lose by faults, such as a crash; one more is the answer no. A gate ends as soon as
    /// strength is decided: `leyden match NEW OLD --blocks 1000` looks longer for a rare fault [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_faults: Option<u64>,
    /// End undecided after this time of playing, such as 10m
    #[arg(long, value_name = "DUR")]
    pub(crate) max_time: Option<Span>,
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
