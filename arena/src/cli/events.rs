//! What `--json` prints while a tournament runs: one event a line.

use leyden_arena::record::MatchRecord;
use serde::Serialize;

use super::report::standings::Standings;
use super::report::versus::Versus;

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
    Match { rank: u64, record: &'a MatchRecord },
    /// After the last match of a tournament: what `leyden schema standings` describes.
    Standings { standings: &'a Standings },
    /// After the last match of two bots: what `leyden schema match` describes.
    Versus { versus: &'a Versus },
    /// The last line.
    End {
        played: u64,
        voided: u64,
        interrupted: bool,
        /// The seed text, once the tournament is complete.
        seed: Option<&'a str>,
    },
}
