//! What can be typed about a run: how it shows itself, and which command it belongs to.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::nats::ElsewhereOptions;
use crate::cli::serve::WatchOptions;

/// Which command a run is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subcommand {
    Tournament,
    Match {
        /// Whether luck is worked out at its end.
        luck: bool,
        /// Whether what bots wrote to their standard error is told at its end.
        stderr: bool,
    },
}

/// How a run shows itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    /// Take options from a TOML file, or with `-` from standard input; what is typed here wins, bots included
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// JSON on standard output: of a tournament or match one event a line (`leyden schema events` describes it), of a gate
    /// one document at its end (`leyden schema gate`). --json=moves also tells every move while it is played
    #[arg(long, value_name = "DETAIL", num_args = 0..=1, require_equals = true, default_missing_value = "matches", value_enum, hide_possible_values = true)]
    pub(crate) json: Option<JsonDetail>,
    /// Play nothing that counts: time a few matches on other deals, for a minute at most, and say how long the whole run would
    /// take with these --jobs, and what its blocks could decide
    #[arg(long, conflicts_with_all = ["json", "nats", "resume", "serve"])]
    pub(crate) estimate: bool,
    /// No progress on standard error; what went wrong is told all the same
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) watch: WatchOptions,
    #[command(flatten)]
    pub(crate) elsewhere: ElsewhereOptions,
}

/// How much `--json` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum JsonDetail {
    /// What becomes of each match
    Matches,
    /// What happens in each match, too
    Moves,
}
