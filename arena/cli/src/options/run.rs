//! Options of a run: what it shows, and which command it belongs to.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::heading::{EXECUTION, GAME, RESULTS, SANDBOX, TIME, WORKERS};
use super::shared::Shares;
use crate::machines::workers::RemoteRunOptions;
use crate::play::serve::WatchOptions;

/// The command that a run belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subcommand {
    Tournament,
    Match {
        /// Whether luck is computed at its end.
        luck: bool,
        /// Whether its statistics are printed.
        verbose: bool,
        /// Whether what bots wrote to their standard error is printed at its end.
        stderr: bool,
    },
}

/// What a run shows.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    /// Read options from a TOML file, or with `-` from standard input; the command line overrides it, including bots
    #[arg(long, help_heading = EXECUTION, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON on standard output: for a tournament or match one event a line (`leyden schema events` describes it), for a gate
    /// one document at its end (`leyden schema gate`). --json=moves also prints every move while it is played
    #[arg(long, help_heading = RESULTS, value_name = "DETAIL", num_args = 0..=1, require_equals = true, default_missing_value = "matches", value_enum, hide_possible_values = true)]
    pub(crate) json: Option<JsonDetail>,
    /// Play nothing that counts: time a few matches on other deals, for a minute at most, and say how long the whole run would
    /// take with these --jobs, and what its blocks could decide
    #[arg(long, help_heading = EXECUTION, conflicts_with_all = ["json", "nats", "resume", "serve"])]
    pub(crate) estimate: bool,
    /// Predict what a gate or match of two bots can show, and play nothing that counts: pairs, time, and how often it
    /// finds a true difference. Uses matches timed as by --estimate or, given the results file of a match of these bots or of others
    /// like them, its pairs. With --json it is one document (`leyden schema plan`)
    #[arg(
        long,
        help_heading = EXECUTION,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = plan_pairs,
        conflicts_with_all = ["estimate", "nats", "resume", "serve"]
    )]
    pub(crate) plan: Option<PlanPairs>,
    /// Print no progress on standard error; problems are still reported
    #[arg(long, short, help_heading = RESULTS)]
    pub(crate) quiet: bool,
    #[command(flatten, next_help_heading = RESULTS)]
    pub(crate) watch: WatchOptions,
    #[command(flatten, next_help_heading = WORKERS)]
    pub(crate) remote_run: RemoteRunOptions,
}

/// A match and a gate have no format to choose.
impl Shares for RunOptions {
    const OPTIONS: &'static [&'static str] = &["bots", GAME, TIME, SANDBOX, EXECUTION, RESULTS];
}

/// Where the pairs are from on which a plan rests.
#[derive(Clone, Debug)]
pub(crate) enum PlanPairs {
    /// They are played and timed.
    Timed,
    /// From a results file.
    Stored(PathBuf),
}

/// How a plan is requested.
#[derive(Clone, Debug)]
pub(crate) struct PlanRequest {
    pub(crate) pairs: PlanPairs,
    pub(crate) json: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "clap wants a result")]
fn plan_pairs(file: &str) -> Result<PlanPairs, Infallible> {
    Ok(if file.is_empty() { PlanPairs::Timed } else { PlanPairs::Stored(file.into()) })
}

impl RunOptions {
    /// Returns whether nothing is played that counts.
    pub(crate) fn is_forecast(&self) -> bool {
        self.estimate || self.plan.is_some()
    }

    /// Returns how a plan is requested, if one is.
    pub(crate) fn plan_request(&self) -> Option<PlanRequest> {
        self.plan.clone().map(|pairs| PlanRequest { pairs, json: self.json.is_some() })
    }
}

/// How much `--json` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonDetail {
    /// One event for each match
    Matches,
    /// Also what happens in each match
    Moves,
}
