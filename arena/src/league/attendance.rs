//! Who plays in a league from one run to the next.

use std::collections::BTreeMap;

use super::budget::Budget;
use super::entrance::Verdict;
use super::set_aside::AsideVersions;
use super::version::{Version, VersionEntry};

/// Which versions there are, and which of them shall play.
pub(super) struct Roster {
    pub(super) entered: Vec<VersionEntry>,
    pub(super) playing: BTreeMap<String, Version>,
    pub(super) aside: AsideVersions,
}

impl Roster {
    /// Without the bots that rest.
    pub(super) fn awake(&self, budget: &Budget) -> Self {
        let (entered, aside) = (self.entered.clone(), self.aside.clone());
        Self { entered, playing: budget.awake(&self.playing), aside }
    }

    pub(super) fn take(&mut self, verdict: &Verdict) {
        let version = match verdict {
            Verdict::Enters { version, hash } => {
                let (version, hash) = (version.clone(), hash.clone());
                self.entered.push(VersionEntry { version: version.clone(), hash, there: false });
                version
            }
            Verdict::Returns(version) => version.clone(),
            Verdict::Withdrawn(version) => {
                self.playing.remove(&version.bot);
                return;
            }
            Verdict::Known(_) | Verdict::Copy(_) | Verdict::Refused(_) | Verdict::Waits(_) => return,
        };
        self.playing.insert(version.bot.clone(), version);
    }
}
