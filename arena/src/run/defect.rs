//! Defects of the arena itself. A panic while a match is played costs no bot anything: it voids the pair and is reported.

use std::fmt;

use leyden_model::event::MatchHeader;

/// How often the arena may panic at the same location before the run stops: a panic that keeps coming back would void most
/// of the remaining matches.
pub const SAME_PANIC: u32 = 5;

/// A defect of the arena in one match, with everything needed to reproduce it. `Display` is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchDefect {
    /// The panic message.
    pub text: String,
    /// File, line and column.
    pub location: String,
    /// The match.
    pub header: Box<MatchHeader>,
    /// SHA-256 of the tournament's seed, from which the deals follow.
    pub commitment: String,
    /// In seat order, the command of each bot.
    pub commands: Vec<String>,
}

impl fmt::Display for MatchDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, location, header, .. } = self;
        let MatchHeader { id, block, leg, bots, .. } = &**header;
        let bots = bots.as_slice().join(" – ");
        write!(
            f,
            "a defect of the arena in match {id} ({bots}, block {block}, leg {leg}): it panicked at {location}: {text}"
        )
    }
}

impl MatchDefect {
    /// The other lines of a report.
    pub fn circumstances(&self) -> Vec<String> {
        let mut lines = vec![
            format!("leyden {}", env!("CARGO_PKG_VERSION")),
            format!("rules {}", self.header.rules),
            format!("seed commitment {}", self.commitment),
        ];
        let seats = self.header.bots.iter().zip(&self.commands);
        lines.extend(
            seats.map(|((seat, name), command)| format!("seat {seat}: {name}, started by {command}")),
        );
        lines
    }
}
