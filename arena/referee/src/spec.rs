//! What is settled about a match before it starts.

use leyden_model::{MatchHeader, Settings, TimeLimits};
use leyden_rules::{Rules, RulesError};

/// Everything that determines how a match is played, except for the players.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// The head of its record.
    pub header: MatchHeader,
    /// The rules that its header names.
    pub rules: Rules,
    /// How long each player may take.
    pub limits: TimeLimits,
    /// How many faults of each seat are forgiven.
    pub strikes: u32,
    /// Whether the bots learn each other's names.
    pub show_names: bool,
}

impl MatchSpec {
    /// Returns the spec of a match in a tournament with these settings.
    pub fn new(header: MatchHeader, settings: &Settings) -> Result<Self, RulesError> {
        let rules = header.rules.rules()?;
        Ok(Self {
            header,
            rules,
            limits: settings.limits,
            strikes: settings.strikes,
            show_names: settings.names,
        })
    }
}
