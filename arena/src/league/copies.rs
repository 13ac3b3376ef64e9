//! How the ranks of a league read when copies count once.
//!
//! The files of another bot are no version at all. What is only like another bot, or hardly more than a starter, plays: nobody can tell
//! from texts alone who has copied. Its results count like those of anybody else. But it takes a place, and where strength is not all
//! there is, many of them move the ratings of others. So here a group of copies has one place, and weighs as much as one bot.
//!
//! To compare sources takes a while, and ratings change with every pair. So which versions are alike is found out once for those that
//! play, on a thread of its own, and kept beside the results file in `FILE.copies.json`; ranks follow from that and from results,
//! wherever they are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use leyden_stats::{Elo, Entrant, LeagueTable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entrants::{EntrantsError, kept, playing};
use super::standing::{StandingError, league_table};
use super::version::Version;
use crate::likeness;
use crate::record::store::{Results, StoreError};
use crate::report::{BotOrder, ImpossibleRecordsError, REPORT_VERSION, ReportError, TournamentTally};
use crate::roster::Competitor;
use crate::whole_file;

/// Of the file, and of how sources are compared.
const VERSION: u32 = 1;

/// Which of the versions that play are copies of one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copies {
    v: u32,
    /// The hash of each version that plays, by its name.
    versions: BTreeMap<String, String>,
    /// The names of two or more that are alike. No name is in two groups.
    groups: Vec<BTreeSet<String>>,
}

impl Copies {
    fn file(results: &Path) -> PathBuf {
        results.with_extension("copies.json")
    }

    /// What is kept for the league with this results file. A damaged file is as none: it is written again.
    pub fn kept(results: &Path) -> Option<Self> {
        let kept: Option<Self> = whole_file::read_json(&Self::file(results)).ok()?;
        kept.filter(|kept| kept.v == VERSION)
    }

    /// Returns the copies among the versions that play now; compares their sources unless that was done for the
    /// same versions. `leyden` is the path of this program.
    pub fn current(results: &Path, leyden: &Path) -> Result<Self, EntrantsError> {
        let entries = playing(results, Results::open(results)?.stored_plan())?;
        let versions = entries.iter().map(|of| (of.version.to_string(), of.hash.clone())).collect();
        if let Some(kept) = Self::kept(results).filter(|kept| kept.versions == versions) {
            return Ok(kept);
        }
        let bots = entries.iter().map(|of| Ok(kept(results, of, leyden)?.1));
        let groups = groups(&bots.collect::<Result<Vec<Competitor>, EntrantsError>>()?);
        Ok(Self { v: VERSION, versions, groups })
    }

    /// Keeps the copies among the versions that play now.
    fn renew(results: &Path, leyden: &Path) -> Result<(), EntrantsError> {
        let now = Self::current(results, leyden)?;
        if Self::kept(results).as_ref() == Some(&now) {
            return Ok(());
        }
        let path = Self::file(results);
        let failed = |source: io::Error| StoreError::Io { path: path.clone(), doing: "write", source };
        Ok(whole_file::replace_json(&path, &now).map_err(failed)?)
    }

    /// Whether no version is like another one.
    pub fn are_none(&self) -> bool {
        self.groups.is_empty()
    }

    /// Ranks the versions that play, the best one first, by these results. `version` says which version a bot of theirs is, as it
    /// may have another name there.
    pub fn ranks<'a>(
        &self,
        tally: &'a TournamentTally,
        version: impl Fn(&'a str) -> &'a str,
    ) -> Result<Vec<CountedVersion>, ReportError> {
        let all = (0..).map(Entrant).zip(&tally.names);
        let mut there: Vec<(Entrant, &str)> = all.map(|(bot, name)| (bot, version(name))).collect();
        there.retain(|(_, name)| self.versions.contains_key(*name));
        let alike = |group: &BTreeSet<String>| {
            there.iter().filter(|(_, name)| group.contains(*name)).map(|(bot, _)| *bot).collect()
        };
        let groups: Vec<Vec<Entrant>> = self.groups.iter().map(alike).collect();
        let table = league_table(tally);
        let rated = |table: &LeagueTable| table.ratings().map_err(ImpossibleRecordsError::from);
        let (elo, once) = (rated(&table)?, rated(&table.counting_once(&groups))?);
        let best_first = |there: &mut Vec<(Entrant, &str)>, by: &[Elo]| {
            there.sort_by(|(one, _), (other, _)| {
                by[other.0 as usize].get().total_cmp(&by[one.0 as usize].get())
            });
        };
        best_first(&mut there, &elo);
        let better = |bot: Entrant| {
            let group = groups.iter().find(|group| group.contains(&bot));
            there.iter().find(|(other, _)| group.is_some_and(|group| group.contains(other)))
        };
        let like = |bot: Entrant| better(bot).filter(|(other, _)| *other != bot);
        let mut counted = there.clone();
        counted.retain(|(bot, _)| like(*bot).is_none());
        best_first(&mut counted, &once);
        let index = |bot: Entrant| counted.iter().position(|(other, _)| *other == bot);
        let rank = |(rank, (bot, name)): (usize, &(Entrant, &str))| {
            Some(CountedVersion {
                version: Version::parse(name)?,
                rank,
                once: index(*bot).map(|index| index + 1),
                like: like(*bot).and_then(|(_, name)| Version::parse(name)),
            })
        };
        Ok((1..).zip(&there).filter_map(rank).collect())
    }
}

/// The ranks of the versions that play, as `leyden league copies --json` prints them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "The ranks of a league if copies count once")]
pub struct LeagueCopies {
    /// The version of this format: 1.
    pub v: u32,
    /// The best one first.
    pub versions: Vec<CountedVersion>,
}

impl LeagueCopies {
    /// Ranks the versions of the league with this results file. `leyden` is the path of this program.
    pub fn current(results: &Path, leyden: &Path) -> Result<Self, EntrantsError> {
        let copies = Copies::current(results, leyden)?;
        let tally = TournamentTally::from_results(&Results::open(results)?, BotOrder::ByName)
            .map_err(StandingError::from)?;
        let versions = copies.ranks(&tally, |name| name).map_err(StandingError::from)?;
        Ok(Self { v: REPORT_VERSION, versions })
    }
}

/// A version that plays, and its rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CountedVersion {
    /// Its name among the bots of the results file, such as `ann v3`.
    #[serde(rename = "name")]
    #[schemars(with = "String")]
    pub version: Version,
    /// From 1, by rating.
    pub rank: usize,
    /// The rank if a group of copies counts once, in the ratings, too; `null` for those that are like a better one.
    pub once: Option<usize>,
    /// The best version of its group, if that is another one.
    #[schemars(with = "Option<String>")]
    pub like: Option<Version>,
}

/// Groups bots that are alike. Reads only their source text.
fn groups(bots: &[Competitor]) -> Vec<BTreeSet<String>> {
    let found = likeness::compare(bots);
    let mut alike = found.clusters;
    alike.push(likeness::starter_copies(bots));
    let samples: BTreeSet<&str> = found.samples.iter().map(|of| of.sample.as_str()).collect();
    let of_sample = |sample: &str| {
        let made = found.samples.iter().filter(|of| of.sample == sample);
        made.map(|of| of.bot.clone()).collect()
    };
    alike.extend(samples.into_iter().map(of_sample));
    joined(alike)
}

/// Joins groups with a name in common.
fn joined(groups: Vec<Vec<String>>) -> Vec<BTreeSet<String>> {
    let mut joined: Vec<BTreeSet<String>> = Vec::new();
    for group in groups {
        let (same, rest): (Vec<_>, Vec<_>) =
            joined.into_iter().partition(|other| group.iter().any(|name| other.contains(name)));
        joined = rest;
        joined.push(same.into_iter().flatten().chain(group).collect());
    }
    joined.retain(|group| group.len() > 1);
    joined.sort();
    joined
}

/// Compares the versions that play, on a thread of its own, each time that there may be others.
pub(super) struct ComparisonThread {
    wake: Sender<()>,
    failures: Receiver<EntrantsError>,
    thread: JoinHandle<()>,
}

impl ComparisonThread {
    pub(super) fn start(results: &Path, leyden: &Path) -> Self {
        let (wake, woken) = channel();
        let (fails, failures) = channel();
        let (results, leyden) = (results.to_owned(), leyden.to_owned());
        let thread = thread::spawn(move || {
            while woken.recv().is_ok() {
                while woken.try_recv().is_ok() {}
                if let Err(error) = Copies::renew(&results, &leyden)
                    && fails.send(error).is_err()
                {
                    return;
                }
            }
        });
        Self { wake, failures, thread }
    }

    /// There may be others.
    pub(super) fn look(&self) {
        // A thread that has panicked compares nothing more; the league goes on without.
        let _ = self.wake.send(());
    }

    /// Why something could not be compared, since the last time.
    pub(super) fn failures(&self) -> impl Iterator<Item = EntrantsError> {
        self.failures.try_iter()
    }

    /// Waits until everything is compared.
    pub(super) fn finish(self) {
        drop(self.wake);
        let _ = self.thread.join();
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::MatchRecord;
    use leyden_protocol::PerSeat;

    use super::*;
    use crate::record::sample;
    use crate::record::store::Writer;

    /// Everybody has met everybody once, and those before have won.
    fn ladder(bots: &[String]) -> TournamentTally {
        let mut plan = sample::stored_plan(bots.len(), 1);
        plan.bots.iter_mut().zip(bots).for_each(|(bot, name)| bot.name.clone_from(name));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cup.db");
        let writer = Writer::create(&path, &plan).unwrap();
        for (key, record) in sample::matches(&plan) {
            let (winner, _) = record.bots.iter().min_by_key(|(_, name)| (*name).clone()).unwrap();
            let scores = PerSeat::from_fn(record.bots.seats(), |seat| if seat == winner { 0 } else { 100 });
            writer.add(&key, MatchRecord { scores, winner: Some(winner), ..record }).unwrap();
        }
        writer.finish().unwrap();
        TournamentTally::from_results(&Results::open(&path).unwrap(), BotOrder::ByName).unwrap()
    }

    #[test]
    fn group_of_copies_has_one_place() {
        let name = |bot: &str| format!("{bot} v2");
        let bots = ["ann", "bob", "cy", "dan", "eve"].map(name);
        let mut all = bots.to_vec();
        all.push("aaron v1".to_owned());
        let tally = ladder(&all);
        let group = |bots: &[&str]| bots.iter().map(|bot| name(bot)).collect::<Vec<_>>();
        let read = |groups: &[Vec<String>]| {
            // One that has left is no rival.
            let versions = bots.iter().map(|bot| (bot.clone(), String::new())).collect();
            let copies = Copies { v: VERSION, versions, groups: joined(groups.to_vec()) };
            let counted = copies.ranks(&tally, |name| name).unwrap().into_iter();
            counted.map(|of| (of.rank, of.once, of.like.map(|like| like.bot))).collect::<Vec<_>>()
        };
        let apart = read(&[]);
        assert!(apart.iter().all(|(rank, once, like)| *once == Some(*rank) && like.is_none()), "{apart:?}");
        let like_bob = Some("bob".to_owned());
        let expected = [
            (1, Some(1), None),
            (2, Some(2), None),
            (3, None, like_bob.clone()),
            (4, Some(3), None),
            (5, None, like_bob),
        ];
        assert_eq!(read(&[group(&["eve", "cy"]), group(&["cy", "bob"]), group(&["dan"])]), expected);
        assert_eq!(read(&[group(&["bob", "cy", "eve"])]), expected);
    }
}
