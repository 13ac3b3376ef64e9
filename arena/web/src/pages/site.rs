//! Where pages are published, which decides what they can link to.

use std::collections::BTreeSet;

use leyden_language::{Language, text::pages as text};

use crate::snapshot::{MatchView, Snapshot};

/// When a table is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    /// Once all matches of its pair are over, at its own pace.
    #[default]
    Pair,
    /// While it is played, with all hands, before the same deals are played again.
    None,
}

/// Where pages are published, which decides what they can link to.
#[derive(Clone, Debug)]
pub enum Site {
    /// A server: pages follow the tournament.
    Server {
        /// When tables are shown.
        delay: Delay,
        /// Whether the server shows other events, too: then the folder above this one lists them.
        is_one_of_several: bool,
        /// Whether there is a stage.
        has_stage: bool,
        /// Whether everybody may see every match.
        has_replays: bool,
    },
    /// A folder of files: only these matches can be replayed.
    Folder {
        replays: BTreeSet<String>,
        /// Whether it contains the records, as `records.jsonl.gz`.
        has_records: bool,
    },
}

impl Site {
    /// Returns the address of a match's replay, relative to the root.
    pub(super) fn replay(&self, seen: &MatchView) -> Option<String> {
        let is_there = match self {
            Self::Server { has_replays, .. } => *has_replays,
            Self::Folder { replays, .. } => replays.contains(&seen.id),
        };
        let moment = seen.fault.and_then(|fault| fault.moment);
        let moment = moment.map_or_else(String::new, |moment| format!("#{}", moment.turn_ref));
        is_there.then(|| format!("matches/{}.html{moment}", seen.id))
    }

    /// Returns the title of the page of tables: only what somebody plays now is live.
    pub(super) fn tables_title(snapshot: &Snapshot, language: Language) -> String {
        language.say(text::Tables { live: snapshot.progress.is_playing && !snapshot.progress.is_over })
    }

    pub(super) fn is_one_of_several(&self) -> bool {
        matches!(self, Self::Server { is_one_of_several: true, .. })
    }

    pub(super) fn has_stage(&self) -> bool {
        matches!(self, Self::Server { has_stage: true, .. })
    }

    /// Whether matches can be seen.
    pub(crate) fn has_replays(&self) -> bool {
        !matches!(self, Self::Server { has_replays: false, .. })
    }

    pub(super) fn is_live(&self, snapshot: &Snapshot) -> bool {
        matches!(self, Self::Server { .. }) && !snapshot.progress.is_over
    }
}
