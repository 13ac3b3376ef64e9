//! The rules of a league that its organiser sets: typed, or in a file with comments.

use std::str::FromStr;
use std::time::SystemTime;

use clap::Args;
use leyden_arena::league::{IntakeRules, LARGEST, LeagueRules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exit::CommandError;
use crate::options::{Memory, Span};

/// How many versions of a bot may come within 24 hours if authors send them.
const VERSIONS: u32 = 10;

/// How much bots may take on disk if authors send them.
const DISK: u64 = 10 << 30;

/// The rules of a league. Can be a file of its own.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct RuleOptions {
    /// From this moment on, such as 2027-01-31T18:00:00Z, what is handed in waits, and no version comes back
    #[arg(long, value_name = "TIME")]
    #[schemars(example = "2027-01-31T18:00:00Z")]
    pub(crate) freeze: Option<Moment>,
    /// How many versions of a bot may come within 24 hours; others wait [default: with --intake 10, otherwise all]
    #[arg(long, value_name = "N")]
    #[schemars(example = 10)]
    pub(crate) versions_a_day: Option<u32>,
    /// How long a bot may think in a day of UTC, challenges of its author included; then it rests until the next day [default: as long
    /// as it likes]
    #[arg(long, value_name = "DUR")]
    #[schemars(example = "30m")]
    pub(crate) cpu_a_day: Option<Span>,
    /// How many challenges an author may play within 24 hours: a pair against a bot of the author's choice, which counts for
    /// nothing [default: 10]
    #[arg(long, value_name = "N", requires = "intake")]
    #[schemars(example = 10)]
    pub(crate) challenges_a_day: Option<u32>,
    /// Show the matches of a bot to its author alone; everybody sees results
    #[arg(long, requires = "intake")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) hide_replays: bool,
    /// Show what a bot writes to standard error to nobody, not even to its author: neither with its faults nor where it is refused
    #[arg(long, requires = "intake")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) hide_stderr: bool,
    /// Show bots to others under names that are drawn: on pages and in what programs read of them, in replays, and to other authors. The
    /// names stand in FILE.pseudonyms.json, which you may edit; as long as that file is there, it is in force
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(example = true)]
    pub(crate) pseudonyms: bool,
    /// Only this entry of the folder may play; can be given several times
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["ann", "bob"])]
    pub(crate) eligible: Vec<String>,
    /// How much versions, builds, challenges and what is handed in may take on disk in total, such as 20GB; then builds are removed,
    /// and what is handed in waits or is not received [default: with --intake 10GB, otherwise what the disk has]
    #[arg(long, value_name = "SIZE")]
    #[schemars(example = "20GB")]
    pub(crate) disk: Option<Memory>,
}

impl RuleOptions {
    /// Returns the rules for authors who hand in over the network.
    pub(crate) fn intake_rules(&self) -> IntakeRules {
        let usual = IntakeRules::default();
        IntakeRules {
            challenges_a_day: self.challenges_a_day.unwrap_or(usual.challenges_a_day),
            hides_replays: self.hide_replays,
            hides_stderr: self.hide_stderr,
            ..usual
        }
    }

    /// Returns the rules that hold; `intake` is whether authors hand in over the network.
    pub(crate) fn hold(&self, intake: bool) -> Result<LeagueRules, CommandError> {
        let disk = self.disk.map(Memory::bytes);
        if disk.is_some_and(|bytes| bytes < 3 * LARGEST) {
            return Err(CommandError::usage(format!("disk: expected at least {}MB", (3 * LARGEST) >> 20)));
        }
        Ok(LeagueRules {
            freeze: self.freeze.map(|Moment(time)| time),
            versions_a_day: self.versions_a_day.or(intake.then_some(VERSIONS)),
            cpu_a_day: self.cpu_a_day.map(Span::duration),
            eligible: self.eligible.iter().cloned().collect(),
            hides_stderr: self.hide_stderr,
            disk: disk.or(intake.then_some(DISK)),
        })
    }
}

/// A moment as it is typed: `2027-01-31T18:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Moment(SystemTime);

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let time = humantime::parse_rfc3339(text);
        time.map(Self).map_err(|_| "expected a time such as 2027-01-31T18:00:00Z".to_owned())
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(Moment(time): Moment) -> Self {
        humantime::format_rfc3339(time).to_string()
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}
