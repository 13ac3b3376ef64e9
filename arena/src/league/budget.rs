//! How long a bot may think in a day: one that has used up its time rests until the next one, so that a slow bot keeps nobody waiting.
//!
//! What each version has used in total is in the results file. What that was when the day began, and which versions rest, is beside
//! it in `FILE.day.json`; days are those of UTC. What a bot has thought in challenges of its author is kept with these, and counts on
//! the day on which they are over.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use leyden_model::MatchRecord;
use serde::{Deserialize, Serialize};

use super::challenges::Challenges;
use super::timestamp;
use super::version::{Version, VersionEntry};
use crate::record::store::{Results, StoreError};
use crate::whole_file;

const VERSION: u32 = 1;

/// What bots have used of a day.
pub(super) struct Budget {
    /// How long each may think; `None` is as long as it likes.
    most: Option<Duration>,
    file: PathBuf,
    day: Day,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Day {
    v: u32,
    /// Such as 2027-01-31.
    date: String,
    /// How long each bot had thought when the day began, in microseconds.
    before: BTreeMap<String, u64>,
    /// The version of each bot that has used up its time.
    resting: BTreeMap<String, String>,
    /// The version of each bot that has rested, and is about to play again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    coming_back: BTreeMap<String, String>,
}

impl Budget {
    /// That of the league with this results file.
    pub(super) fn open(results: &Path, most: Option<Duration>) -> io::Result<Self> {
        let file = results.with_extension("day.json");
        let day = whole_file::read_json(&file)?.unwrap_or_default();
        Ok(Self { most, file, day })
    }

    /// Counts versions that rest, or have rested and come back, among those that are there: they have not left for good, unless
    /// their author has withdrawn them.
    pub(super) fn keep_resting(&self, entered: &mut [VersionEntry], is_withdrawn: impl Fn(&str) -> bool) {
        let away = self.day.resting.iter().chain(&self.day.coming_back);
        for (bot, version) in away.filter(|(bot, _)| !is_withdrawn(bot)) {
            if entered.iter().any(|of| of.version.bot == *bot && of.there) {
                continue;
            }
            if let Some(of) = entered.iter_mut().find(|of| of.version.to_string() == *version) {
                of.there = true;
            }
        }
    }

    /// Looks at who has used up the time of this day. Returns the bots that begin to rest.
    pub(super) fn look(
        &mut self,
        results: &Path,
        challenges: Option<&Challenges>,
        playing: &BTreeMap<String, Version>,
    ) -> Result<Vec<String>, StoreError> {
        let before = self.day.clone();
        if let Some(most) = self.most
            && results.exists()
        {
            let used = used(&Results::open(results)?)?;
            if self.day.date != today() {
                self.day.coming_back.append(&mut self.day.resting);
                (self.day.v, self.day.date, self.day.before) = (VERSION, today(), used.clone());
            }
            let today = self.used_today(used, challenges);
            for (bot, version) in playing {
                if today.get(bot).copied().unwrap_or_default() >= most.as_micros() as u64 {
                    self.day.resting.insert(bot.clone(), version.to_string());
                }
            }
        } else {
            self.day.coming_back.append(&mut self.day.resting);
        }
        // A version that was withdrawn while it rested does not come back when the day is over.
        let plays =
            |bot: &String, away: &mut String| playing.get(bot).is_some_and(|of| of.to_string() == *away);
        self.day.resting.retain(plays);
        self.day.coming_back.retain(plays);
        let new = self.day.resting.keys().filter(|bot| !before.resting.contains_key(*bot)).cloned().collect();
        match self.keep(before) {
            Ok(()) => Ok(new),
            Err(source) => Err(StoreError::io(&self.file, "write", source)),
        }
    }

    /// Stores the day if it has changed. If that fails, it has not.
    fn keep(&mut self, before: Day) -> io::Result<()> {
        if self.day == before {
            return Ok(());
        }
        let stored = whole_file::replace_json(&self.file, &self.day);
        if stored.is_err() {
            self.day = before;
        }
        stored
    }

    /// Learns which bots play, so that none of them is about to come back any more.
    pub(super) fn settle(&mut self, playing: &BTreeMap<String, Version>) -> io::Result<()> {
        let before = self.day.clone();
        self.day.coming_back.retain(|bot, _| !playing.contains_key(bot));
        self.keep(before)
    }

    /// How long each bot has thought today, given how long it has in the league altogether.
    fn used_today(
        &self,
        mut used: BTreeMap<String, u64>,
        challenges: Option<&Challenges>,
    ) -> BTreeMap<String, u64> {
        for (bot, us) in &mut used {
            *us = us.saturating_sub(self.day.before.get(bot).copied().unwrap_or_default());
        }
        for (author, us) in challenges.map_or_else(BTreeMap::new, |all| all.used_on(&today())) {
            *used.entry(author).or_default() += us;
        }
        used
    }

    /// Whether a version rests, or has rested and comes back.
    pub(super) fn is_away(&self, version: &str) -> bool {
        self.day.resting.values().chain(self.day.coming_back.values()).any(|away| away == version)
    }

    /// Lets these versions not come back when the day is over. What they have used of it still counts.
    pub(super) fn withdraw(&mut self, versions: &[String]) -> io::Result<()> {
        let before = self.day.clone();
        self.day.resting.retain(|_, resting| !versions.contains(resting));
        self.day.coming_back.retain(|_, coming| !versions.contains(coming));
        self.keep(before)
    }

    /// The bots that rest.
    pub(super) fn resting(&self) -> BTreeSet<String> {
        self.day.resting.keys().cloned().collect()
    }

    /// The versions that do not rest.
    pub(super) fn awake(&self, playing: &BTreeMap<String, Version>) -> BTreeMap<String, Version> {
        let all = playing.iter().filter(|(bot, _)| !self.day.resting.contains_key(*bot));
        all.map(|(bot, version)| (bot.clone(), version.clone())).collect()
    }

    /// Measures what bots use from now on.
    pub(super) fn meter(
        &self,
        results: &Path,
        challenges: Option<&Challenges>,
    ) -> Result<Option<Meter>, StoreError> {
        let Some(most) = self.most else { return Ok(None) };
        let over = challenges.map(|all| (all.clone(), all.over()));
        let used = if results.exists() { used(&Results::open(results)?)? } else { BTreeMap::new() };
        let used = self.used_today(used, challenges);
        Ok(Some(Meter { most: most.as_micros() as u64, used, date: today(), is_over: false, over }))
    }
}

/// Measures what bots use during a run.
pub(super) struct Meter {
    most: u64,
    used: BTreeMap<String, u64>,
    date: String,
    is_over: bool,
    /// The challenges, and how many of them were over when the run began.
    over: Option<(Challenges, u64)>,
}

impl Meter {
    pub(super) fn take(&mut self, record: &MatchRecord) {
        for (seat, name) in record.bots.iter() {
            let Some(version) = Version::parse(name) else { continue };
            let used = self.used.entry(version.bot).or_default();
            *used += record.think_us[seat].iter().sum::<u64>();
            self.is_over |= *used >= self.most;
        }
        self.is_over |= self.date != today();
    }

    /// Whether a bot has used up its time or may have done so in a challenge, or another day has begun.
    pub(super) fn is_over(&self) -> bool {
        self.is_over || self.over.as_ref().is_some_and(|(challenges, before)| challenges.over() != *before)
    }
}

/// How long the versions of each bot have thought, in microseconds.
fn used(results: &Results) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut all = BTreeMap::new();
    for (bot, sums) in results.bot_sums()? {
        let name = results.stored_plan().bots.get(bot.index()).map(|bot| bot.name.as_str());
        let Some(version) = name.and_then(Version::parse) else { continue };
        let us: u64 = sums.thinking.times().map(|(us, count)| us.saturating_mul(count)).sum();
        *all.entry(version.bot).or_default() += us;
    }
    Ok(all)
}

fn today() -> String {
    timestamp::now().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rested_version_comes_back_after_any_restart() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("league.db");
        let day = r#"{"v": 1, "date": "2020-01-01", "before": {}, "resting": {"ann": "ann v1"}}"#;
        std::fs::write(folder.path().join("league.day.json"), day).unwrap();
        let ann = Version { bot: "ann".to_owned(), number: 1 };
        let playing = BTreeMap::from([("ann".to_owned(), ann.clone())]);
        let open = || Budget::open(&results, None).unwrap();
        let is_kept = || {
            let mut entered = [VersionEntry { version: ann.clone(), hash: String::new(), there: false }];
            open().keep_resting(&mut entered, |_| false);
            assert_eq!(open().is_away("ann v1"), entered[0].there);
            entered[0].there
        };
        for _ in 0..2 {
            assert!(is_kept());
            // Its rest is over, and the league ends before it plays.
            open().look(&results, None, &playing).unwrap();
        }
        assert!(is_kept());
        open().settle(&playing).unwrap();
        assert!(!is_kept(), "it plays");

        for is_authors in [true, false] {
            std::fs::write(folder.path().join("league.day.json"), day).unwrap();
            open().look(&results, None, &playing).unwrap();
            assert!(is_kept());
            if is_authors {
                open().look(&results, None, &BTreeMap::new()).unwrap();
            } else {
                open().withdraw(&["ann v1".to_owned()]).unwrap();
            }
            assert!(!is_kept(), "it was withdrawn");
        }
    }
}
