//! Versions of the bots of a league: each is a bot of the tournament, with the name of its entry in the folder and a number.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use leyden_model::BotIndex;
use serde::{Serialize, Serializer};

use crate::record::store::StoredPlan;
use crate::roster;

/// How much an archive may unpack to, and how much the files of a bot may take, in bytes.
pub const UNPACKED: u64 = 256_000_000;

/// A version of a bot: `ann v3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The name of the entry in the folder, without the ending of an archive.
    pub bot: String,
    /// From 1.
    pub number: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{}", self.bot, self.number)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Version {
    /// Reads `ann v3`; `None` if it is not the name of a version.
    pub fn parse(name: &str) -> Option<Self> {
        let (bot, number) = name.rsplit_once(" v")?;
        let number: u32 = number.parse().ok().filter(|number| *number > 0)?;
        let version = Self { bot: bot.to_owned(), number };
        (version.to_string() == name).then_some(version)
    }
}

/// A version that has come into a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionEntry {
    pub version: Version,
    /// Of its files.
    pub hash: String,
    /// Whether it plays on.
    pub there: bool,
}

impl VersionEntry {
    /// Whether it is kept in the folder of versions as it was handed in. `leyden` is the path of this program.
    pub(super) fn is_kept(&self, versions: &Path, leyden: &Path) -> bool {
        let found = roster::find_entry(&versions.join(self.version.to_string()), leyden, UNPACKED);
        found.bots.iter().any(|bot| bot.hash == self.hash)
    }
}

/// The versions of a stored league, in the order in which they came; or the name of a bot that is none.
pub fn versions_of(stored: &StoredPlan) -> Result<Vec<VersionEntry>, String> {
    let competition = stored.format.competition().filter(|competition| competition.is_league());
    let mut all = Vec::new();
    for (index, bot) in (0..).map(BotIndex).zip(&stored.bots) {
        let version = competition.and_then(|_| Version::parse(&bot.name)).ok_or_else(|| bot.name.clone())?;
        let there = competition.is_some_and(|competition| !competition.has_left(index));
        all.push(VersionEntry { version, hash: bot.hash.clone(), there });
    }
    Ok(all)
}

/// The version of each bot that plays on: of several, which a kill may leave, the newest.
pub(super) fn playing(entered: &[VersionEntry]) -> BTreeMap<String, Version> {
    let mut playing: BTreeMap<String, Version> = BTreeMap::new();
    for VersionEntry { version, .. } in entered.iter().filter(|of| of.there) {
        let of_bot = playing.entry(version.bot.clone()).or_insert_with(|| version.clone());
        if of_bot.number < version.number {
            *of_bot = version.clone();
        }
    }
    playing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_read_as_it_is_written() {
        for (bot, number) in [("ann", 1), ("a bot v2", 30), ("v1", 7)] {
            let version = Version { bot: bot.to_owned(), number };
            assert_eq!(Version::parse(&version.to_string()), Some(version));
        }
        for none in ["ann", "ann v", "ann v0", "ann v01", "ann v+1", "ann  v1x", "annv1"] {
            assert_eq!(Version::parse(none), None, "{none}");
        }
    }
}
