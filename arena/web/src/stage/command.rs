//! What the organiser's page may ask for.

use leyden_protocol::Seat;
use serde::Deserialize;

/// A request of the organiser's page, with the token that proves that it is the organiser's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControlRequest {
    pub(crate) token: String,
    /// The first block of the round that is listed; `None` lists the next one.
    pub(crate) listed: Option<u32>,
    pub(crate) command: StageCommand,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum StageCommand {
    /// Changes nothing.
    Look,
    Title,
    Standings,
    Winner,
    /// Shows a match of the listed round.
    Match {
        id: String,
    },
    /// Shows a match and those of its meeting that follow.
    Meeting {
        id: String,
    },
    /// Shows the match of the listed round with the smallest margin.
    Closest,
    /// Shows the match of the listed round that was decided latest.
    Latest,
    Moment {
        at: usize,
    },
    Play,
    Pause,
    Pace {
        ms: u64,
    },
    View {
        seat: Option<Seat>,
    },
    /// Counts down to the next round.
    Countdown {
        seconds: u64,
    },
    /// Reveals the round that begins with this block.
    Reveal {
        block: u32,
    },
}
