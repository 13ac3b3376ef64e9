//! Where pages stand, and what they can lead to from there.

use std::collections::BTreeSet;

use crate::web::snapshot::{MatchSeen, Snapshot};

/// Where pages stand, which decides what they can lead to.
#[derive(Clone, Debug)]
pub enum Site {
    /// A server: pages follow what happens, and every match can be replayed.
    Server {
        /// What is drawn on the tables, in a sentence.
        delay: &'static str,
    },
    /// A folder of files: these matches can be replayed.
    Folder {
        replays: BTreeSet<String>,
        /// Whether the records are there, as `records.jsonl.gz`.
        has_records: bool,
    },
}

impl Site {
    /// The address of a match's replay, seen from the root.
    pub(super) fn replay(&self, seen: &MatchSeen) -> Option<String> {
        let is_there = match self {
            Self::Server { .. } => true,
            Self::Folder { replays, .. } => replays.contains(&seen.id),
        };
        let moment = seen.fault.and_then(|fault| fault.moment);
        let moment = moment.map_or_else(String::new, |(round, action)| format!("#r{round}.t{action}"));
        is_there.then(|| format!("matches/{}.html{moment}", seen.id))
    }

    pub(super) fn is_live(&self, snapshot: &Snapshot) -> bool {
        matches!(self, Self::Server { .. }) && !snapshot.progress.is_over
    }
}
