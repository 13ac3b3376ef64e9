//! What an organiser wants, before any of it is checked.

use std::path::PathBuf;

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::Settings;
use leyden_protocol::Seats;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use leyden_format::{Seeding, Stage};

use super::GateTerms;
use super::in_process_players::InProcessPlayers;
use crate::roster::{ReadyBots, Sharing};
use tokio_util::sync::CancellationToken;

/// Everything that can be chosen about a run. [`Options::new`] has the defaults. What is not skipped has a name, by which
/// [`Options::with`] changes it: other programs, such as the package for Python, offer it without a list of their own.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate choice")]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// The program that runs as the supervisor of each bot, and as `PROGRAM bot NAME` for builtin bots: `leyden`, or without
    /// builtin bots any that begins with `leyden_host::run_if_started_by_arena`.
    #[serde(skip)]
    pub leyden: PathBuf,
    /// Bots as they are named on the command line: a folder with a `bot.toml`, a folder of such folders, an executable, a
    /// command line, or `builtin:NAME`.
    #[serde(skip)]
    pub bots: Vec<String>,
    /// The bots among them that are players of this program.
    #[serde(skip)]
    pub players: InProcessPlayers,
    /// Names for the first of them, in order, that replace their own. They must differ from one another and from the names of
    /// the rest. Deals follow from the seed and the names.
    #[serde(skip)]
    pub called: Vec<String>,
    /// Paths to report for the first of them, in order, instead of where they are: for a folder that is gone when the report
    /// is read.
    #[serde(skip)]
    pub paths: Vec<Option<String>>,
    #[serde(skip)]
    pub kind: RunKind,
    pub settings: ChosenSettings,
    /// How often every table meets, on new deals. A gate ignores this and plays until it is decided.
    pub blocks: u32,
    /// The text that all deals follow from. `None` takes the seed of the resumed tournament, or else an unpredictable one.
    pub seed: Option<String>,
    /// How many matches are played at once. `None` takes as many as there are cores for.
    pub jobs: Option<usize>,
    /// How many cores each match is played on.
    pub cores_per_match: usize,
    /// What the build command of a bot may use.
    pub build_limits: BuildLimits,
    /// Whether bots with a build command play as they are in their folders, already built.
    pub no_build: bool,
    /// The folder where builds are kept for the next run of the program.
    #[serde(skip)]
    pub kept_builds: Option<PathBuf>,
    /// The bots of the resumed tournament that may have changed, by their names or as they were given: their matches are
    /// played again.
    pub replace: Vec<String>,
    /// Whether the organiser asserts that nobody could have used the seed although it was revealed: then bots may still join
    /// or be replaced.
    pub seed_unused: bool,
    /// What bots in a sandbox may read if their `bot.toml` asks for it.
    pub allow_read: Vec<PathBuf>,
    /// The bots in a sandbox that may use the network if their `bot.toml` asks for it, by their names or as they were given.
    pub allow_network: Vec<String>,
    /// Files hidden from every bot in a sandbox, such as passwords of the arena.
    #[serde(skip)]
    pub private: Vec<PathBuf>,
    /// Whether bots that cannot be run are left out; otherwise nothing is played.
    pub allow_missing: bool,
    /// Whether folders and archives in a tournament may be builtin bots, or contain or start this program.
    pub allow_builtins: bool,
    /// Bots of other runs of this process that are ready, and need not be built again.
    #[serde(skip)]
    pub ready: ReadyBots,
    /// Ends preparation and play early.
    #[serde(skip)]
    pub stop: CancellationToken,
}

/// Settings before the bots are found. The seats are two or, for a match, as many as there are bots, if none were chosen. By
/// default the sandbox is at the level of the resumed tournament, or else at the best level that this machine supports.
pub type ChosenSettings = Settings<Option<Seats>, SandboxLevelChoice>;

/// The format of a tournament, with bots by name. A bot is named by its name or as it was given among the bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FormatChoice {
    /// Every table meets.
    #[default]
    RoundRobin,
    /// Every table with one of these challengers meets.
    Gauntlet(Vec<String>),
    /// Stages in a row.
    Stages(StagesChoice),
}

/// Stages in a row, and who has which seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StagesChoice {
    pub seeding: Seeding,
    /// For seeds by rating: the bots that have one, best first. The others come behind them in their order.
    pub rated: Vec<String>,
    pub stages: Vec<Stage>,
}

/// What is played.
#[derive(Clone, Debug, PartialEq)]
pub enum RunKind {
    /// Bots meet as the format says.
    Tournament { format: FormatChoice },
    /// The bots of one table meet.
    Match,
    /// The first of two bots is tested against the second.
    Gate(GateTerms),
}

impl Default for RunKind {
    fn default() -> Self {
        Self::Tournament { format: FormatChoice::RoundRobin }
    }
}

impl RunKind {
    /// Who may see the folder of files that several command lines name: a gate compares versions by one author.
    pub(super) fn sharing(&self) -> Sharing {
        if matches!(self, Self::Gate(_)) { Sharing::Anybody } else { Sharing::SameFiles }
    }
}

impl Options {
    /// Creates the options of a round-robin of these bots: one block, in the rule set leyden.
    pub fn new(leyden: impl Into<PathBuf>, bots: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            leyden: leyden.into(),
            bots: bots.into_iter().map(Into::into).collect(),
            players: InProcessPlayers::default(),
            called: Vec::new(),
            paths: Vec::new(),
            kind: RunKind::default(),
            settings: ChosenSettings::default(),
            blocks: 1,
            seed: None,
            jobs: None,
            cores_per_match: 1,
            build_limits: BuildLimits::default(),
            no_build: false,
            kept_builds: None,
            replace: Vec::new(),
            seed_unused: false,
            allow_read: Vec::new(),
            allow_network: Vec::new(),
            private: Vec::new(),
            allow_missing: false,
            allow_builtins: false,
            ready: ReadyBots::default(),
            stop: CancellationToken::new(),
        }
    }

    /// What a bot in a sandbox may use.
    pub fn sandbox_limits(&self) -> ResourceLimits {
        let usual = ResourceLimits::default();
        ResourceLimits { memory: self.settings.memory.unwrap_or(usual.memory), ..usual }
    }

    /// Returns the values of the options that have a name, such as `turn_ms`: times in milliseconds, memory in bytes.
    pub fn named(&self) -> serde_json::Result<Map<String, Value>> {
        let values = named_values(&self.nested()?);
        Ok(values.into_iter().map(|(path, value)| (last_name(&path).to_owned(), value)).collect())
    }

    /// Returns these options with another value of the one with this name.
    ///
    /// ```
    /// use leyden_arena::run::Options;
    ///
    /// let options = Options::new("/usr/bin/leyden", ["builtin:careful", "builtin:greedy"]);
    /// let options = options.with("clock", "cpu".into())?.with("turn_ms", 200.into())?;
    /// assert_eq!(options.settings.limits.turn_ms, 200);
    /// let refused = options.with("set", 7.into()).unwrap_err();
    /// assert_eq!(refused.to_string(), "set = 7: expected 6, 9 or 12 (the highest pip of the set), got 7");
    /// # Ok::<(), leyden_arena::run::NamedOptionError>(())
    /// ```
    pub fn with(self, name: &str, value: Value) -> Result<Self, NamedOptionError> {
        let refused = |value, error| NamedOptionError::Value { name: name.to_owned(), value, error };
        let mut nested = self.nested().map_err(|error| refused(value.clone(), error))?;
        let mut paths = named_values(&nested).into_iter().map(|(path, _)| path);
        let path = paths.find(|path| last_name(path) == name);
        let slot = path.and_then(|path| nested.pointer_mut(&format!("/{}", path.replace('.', "/"))));
        *slot.ok_or_else(|| NamedOptionError::Unknown(name.to_owned()))? = value.clone();
        let changed: Self = serde_json::from_value(nested).map_err(|error| refused(value, error))?;
        #[rustfmt::skip] // a new option must be named here: with `_` if it has a name by which it is changed
        let Self {
            leyden, bots, players, called, paths, kind, kept_builds, private, ready, stop,
            settings: _, blocks: _, seed: _, jobs: _, cores_per_match: _, build_limits: _, no_build: _, replace: _,
            seed_unused: _, allow_read: _, allow_network: _, allow_missing: _, allow_builtins: _,
        } = self;
        Ok(Self { leyden, bots, players, called, paths, kind, kept_builds, private, ready, stop, ..changed })
    }

    /// The options that have a name, in groups as here.
    fn nested(&self) -> serde_json::Result<Value> {
        let mut nested = serde_json::to_value(self)?;
        // It is left out where it is as usual.
        nested["settings"]["memory"] = self.sandbox_limits().memory.into();
        Ok(nested)
    }
}

/// An option cannot be changed by its name.
#[derive(Debug, thiserror::Error)]
pub enum NamedOptionError {
    #[error("there is no option {0}")]
    Unknown(String),
    #[error("{name} = {value}: {error}")]
    Value { name: String, value: Value, error: serde_json::Error },
}

/// The values inside a value, each with its path: `limits.turn_ms`.
pub(crate) fn named_values(value: &impl Serialize) -> Vec<(String, Value)> {
    fn walk(name: &str, value: Value, all: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    let name = if name.is_empty() { field } else { format!("{name}.{field}") };
                    walk(&name, value, all);
                }
            }
            value => all.push((name.to_owned(), value)),
        }
    }
    let mut all = Vec::new();
    // Settings have string keys and no paths, so JSON can always represent them.
    walk("", serde_json::to_value(value).unwrap_or_default(), &mut all);
    all
}

fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::new("leyden", ["a", "b"])
    }

    #[test]
    fn named_options_differ_and_keep_their_values() {
        let (values, named) = (named_values(&options().nested().unwrap()), options().named().unwrap());
        assert_eq!(values.len(), named.len(), "two options have the same name: {values:?}");
        let same = named.into_iter().try_fold(options(), |options, (name, value)| options.with(&name, value));
        let mut usual = options();
        usual.settings.memory = Some(usual.sandbox_limits().memory);
        assert_eq!(format!("{:?}", same.unwrap()), format!("{usual:?}"));
    }

    #[test]
    fn option_changes_by_name_in_any_group() {
        let base = Options { kind: RunKind::Match, called: vec!["c".to_owned()], ..options() };
        let changes: [(&str, Value); 7] = [
            ("jobs", 3.into()),
            ("rules", "leiden".into()),
            ("startup_ms", 7.into()),
            ("pondering", "never".into()),
            ("memory", (64_u64 << 20).into()),
            ("build_ms", 9.into()),
            ("allow_read", serde_json::json!(["/opt"])),
        ];
        let actual = changes
            .into_iter()
            .try_fold(base.clone(), |options, (name, value)| options.with(name, value))
            .unwrap();
        let mut expected = base;
        expected.jobs = Some(3);
        expected.settings.rules = leyden_protocol::RulesName::Leiden;
        expected.settings.limits.startup_ms = 7;
        expected.settings.pondering = leyden_model::Pondering::Never;
        expected.settings.memory = Some(64 << 20);
        expected.build_limits.time_ms = 9;
        expected.allow_read = vec!["/opt".into()];
        assert_eq!(format!("{actual:?}"), format!("{expected:?}"));
    }

    #[test]
    fn unknown_option_or_wrong_value_is_refused() {
        let refused = |name: &str, value: Value| options().with(name, value).unwrap_err().to_string();
        for name in ["tarket", "settings", "bots", "limits.turn_ms", ""] {
            assert_eq!(refused(name, 1.into()), format!("there is no option {name}"));
        }
        assert_eq!(refused("fresh", 1.into()), "fresh = 1: invalid type: integer `1`, expected a boolean");
        let said = refused("clock", "sun".into());
        assert_eq!(said, "clock = \"sun\": unknown variant `sun`, expected `wall` or `cpu`");
    }
}
