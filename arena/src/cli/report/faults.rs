//! The faults of a run, told once for each bot and kind.

use std::collections::BTreeMap;

use leyden_arena::record::MatchRecord;
use leyden_protocol::FaultCode;

/// Faults by bot and kind, each kind with the message of the match that comes first in the schedule.
#[derive(Default)]
pub(crate) struct Faults(BTreeMap<(String, FaultCode), Noted>);

struct Noted {
    count: u64,
    rank: u64,
    message: String,
}

impl Faults {
    /// Notes how a match ended.
    pub(crate) fn note(&mut self, rank: u64, record: &MatchRecord) {
        let Some(fault) = &record.fault else { return };
        let name = record.bots[fault.seat].clone();
        let fresh = || Noted { count: 0, rank, message: fault.message.clone() };
        let noted = self.0.entry((name, fault.code)).or_insert_with(fresh);
        noted.count += 1;
        if rank < noted.rank {
            (noted.rank, noted.message) = (rank, fault.message.clone());
        }
    }

    /// A sentence for each bot and kind, with the bot it is about.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|((name, code), noted)| {
            let matches = if noted.count == 1 { "match" } else { "matches" };
            let what = code.as_str();
            (name.as_str(), format!("{what} lost it {} {matches}; first: {}", noted.count, noted.message))
        })
    }
}
