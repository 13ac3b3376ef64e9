//! The arena's own defects. A panic while a match is played costs no bot anything: it voids the pair and is reported.

use std::fmt;

use leyden_model::event::MatchHeader;

/// How often the arena may panic at one place before the tournament is given up: what comes back again and again would
/// void most of what is left.
pub const SAME_PANIC: u32 = 5;

/// A defect of the arena in one match, with everything that is needed to see it again. Display is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchDefect {
    /// What the panic said.
    pub text: String,
    /// Where: file, line and column.
    pub location: String,
    /// The match.
    pub header: Box<MatchHeader>,
    /// SHA-256 of the tournament's seed, from which the deals follow.
    pub commitment: String,
    /// In seat order, the words that start each bot.
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
    /// What else has to stand in a report, a line each.
    pub fn circumstances(&self) -> Vec<String> {
        let rules = self.header.rules;
        let mut lines = vec![
            format!("leyden {}", env!("CARGO_PKG_VERSION")),
            format!("rules {} to {} with {}, {} seats", rules.name, rules.target, rules.set, rules.seats),
            format!("seed commitment {}", self.commitment),
        ];
        let seats = self.header.bots.iter().zip(&self.commands);
        lines.extend(
            seats.map(|((seat, name), command)| format!("seat {seat}: {name}, started by {command}")),
        );
        lines
    }
}
