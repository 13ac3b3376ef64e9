//! What `--json` prints while a tournament runs: one event a line.

use leyden_arena::report::{BotOffTurn, Standings, Versus};
use leyden_model::{MatchRecord, Pondering};
use leyden_protocol::FaultCode;
use serde::Serialize;

/// Something that happened in a run.
#[derive(Serialize, Debug)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Event<'a> {
    /// Before the first match.
    Start {
        tournament: &'a str,
        /// SHA-256 of the tournament seed, to check the seed text against afterwards.
        commitment: &'a str,
        results: &'a str,
        bots: Vec<&'a str>,
        matches: u64,
        /// Matches that were played in an earlier run.
        done: u64,
    },
    /// A match ended. Events come in the order in which matches end; `rank` is the place in the schedule.
    Match {
        rank: u64,
        /// After a fault: the command that shows what the bot saw.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay: Option<String>,
        record: &'a MatchRecord,
    },
    /// A match counts for nothing, and neither does any other of its pair, also one that was told before.
    Void {
        rank: u64,
        #[serde(rename = "match")]
        id: &'a str,
        block: u32,
        leg: u32,
        /// In seat order.
        bots: &'a [String],
        reason: &'a str,
    },
    /// A bot is not started any more: its other matches are scored as lost by the same fault.
    Withdrawn { bot: &'a str, failures: u32, code: FaultCode, message: &'a str },
    /// After the last match of a tournament: what `leyden schema standings` describes.
    Standings { standings: &'a Standings },
    /// After the last match of two bots: what `leyden schema match` describes.
    Versus { versus: &'a Versus },
    /// After the standings, if bots computed much while it was not their turn, or were stopped for it, in this run.
    OffTurn {
        /// What was agreed about it.
        pondering: Pondering,
        bots: Vec<BotOffTurn>,
    },
    /// The last line.
    End {
        played: u64,
        voided: u64,
        /// Bots that were not started any more.
        withdrawn: Vec<&'a str>,
        interrupted: bool,
        /// The seed text, once the tournament is complete.
        seed: Option<&'a str>,
    },
}
