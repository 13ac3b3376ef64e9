//! What is agreed before a tournament: the rules, the limits and what a fault costs. The results file keeps it, and
//! a resumed tournament must agree with all of it. A field that is added here is an option of a run, is stored, compared and
//! resumed.

use std::time::Duration;

use leyden_protocol::{ClockKind, LONGEST_LINE, Limits, RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Rules, RulesError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sandbox::SandboxLevel;

/// Everything about a tournament that a resumed one must agree with, except for the seed and the bots. Before it starts, `S` and
/// `L` may leave the number of seats and the level of the sandbox to what is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Settings")]
pub struct Settings<S = Seats, L = SandboxLevel> {
    pub rules: RulesName,
    pub seats: S,
    pub set: Set,
    pub target: u32,
    pub limits: TimeLimits,
    /// How many faults per match are forgiven; with 0 the first one loses it.
    pub strikes: u32,
    /// Whether every match gets new processes.
    pub fresh: bool,
    /// Whether bots learn each other's names.
    pub names: bool,
    /// Whether bots may compute while it is not their turn.
    #[serde(default)]
    pub pondering: Pondering,
    /// The sandbox around each bot. Matches played at different levels are not comparable.
    pub sandbox: L,
    /// Bytes of memory that a bot may use; `None` if nothing enforces it, in files older than 0.2, and before a tournament for as
    /// much as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl<S: Default, L: Default> Default for Settings<S, L> {
    fn default() -> Self {
        Self::new(S::default(), L::default())
    }
}

impl<S, L> Settings<S, L> {
    /// What is usual, with these seats and this sandbox.
    pub fn new(seats: S, sandbox: L) -> Self {
        Self {
            rules: RulesName::default(),
            seats,
            set: Set::default(),
            target: DEFAULT_TARGET,
            limits: TimeLimits::default(),
            strikes: 0,
            fresh: false,
            names: false,
            pondering: Pondering::default(),
            sandbox,
            memory: None,
        }
    }

    /// The same with these seats and this sandbox.
    pub fn with<T, M>(self, seats: T, sandbox: M) -> Settings<T, M> {
        let Self {
            rules,
            seats: _,
            set,
            target,
            limits,
            strikes,
            fresh,
            names,
            pondering,
            sandbox: _,
            memory,
        } = self;
        Settings { rules, seats, set, target, limits, strikes, fresh, names, pondering, sandbox, memory }
    }
}

impl Settings {
    /// Returns all parameters of the rule set.
    pub fn rules(&self) -> Result<Rules, RulesError> {
        Rules::new(self.rules, self.seats, self.set, self.target)
    }
}

/// Whether a bot may compute while it is not its turn, and so take time from the bot on the same core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pondering {
    /// A little is ignored. Beyond that the bot is stopped whenever it is not its turn.
    #[default]
    Watched,
    /// Every bot is stopped whenever it is not its turn.
    Never,
    /// As much as it likes: for bots with cores of their own.
    Allowed,
}

/// How long a bot may take, in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeLimits {
    /// From `hello` to `ready`.
    pub startup_ms: u64,
    /// For each decision.
    pub turn_ms: u64,
    /// For a whole match: used up by decisions that take longer than `turn_ms`.
    pub bank_ms: u64,
    /// Added to the bank after each decision.
    pub increment_ms: u64,
    pub clock: ClockKind,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self { startup_ms: 5_000, turn_ms: 1_000, bank_ms: 0, increment_ms: 0, clock: ClockKind::Wall }
    }
}

impl TimeLimits {
    /// Returns how long a bot may take from `hello` to `ready`.
    pub fn startup(&self) -> Duration {
        Duration::from_millis(self.startup_ms)
    }

    /// Returns how long a decision may take before it uses up the bank.
    pub fn turn(&self) -> Duration {
        Duration::from_millis(self.turn_ms)
    }

    /// Returns how much longer all decisions of a match together may take.
    pub fn bank(&self) -> Duration {
        Duration::from_millis(self.bank_ms)
    }

    /// Returns what each decision adds to the bank.
    pub fn increment(&self) -> Duration {
        Duration::from_millis(self.increment_ms)
    }

    /// Returns the limits as a bot receives them.
    pub fn as_sent(&self) -> Limits {
        Limits {
            startup_ms: self.startup_ms,
            turn_ms: self.turn_ms,
            bank_ms: self.bank_ms,
            increment_ms: self.increment_ms,
            clock: self.clock,
            line: LONGEST_LINE as u64,
        }
    }
}
