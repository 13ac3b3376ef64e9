//! How the ranks of a league read when copies count once.
//!
//! The files of another bot are no version at all. What is only like another bot, or hardly more than a starter, plays: nobody can tell
//! from texts alone who has copied. Its results count like those of anybody else, and do not move the differences between the
//! ratings of others (tested in `leyden-stats`). But it takes a place, so here a group of copies has one.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::entrants::LeagueEntrant;
use super::version::Version;
use crate::likeness;
use crate::report::REPORT_VERSION;
use crate::roster::Competitor;

/// The ranks of the versions that play, as `leyden league copies --json` prints them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "The ranks of a league if copies count once")]
pub struct LeagueCopies {
    /// The version of this format: 1.
    pub v: u32,
    /// The best one first.
    pub versions: Vec<CountedVersion>,
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
    /// The rank if a group of copies counts once; `null` for those that are like a better one.
    pub once: Option<usize>,
    /// The best version of its group, if that is another one.
    #[schemars(with = "Option<String>")]
    pub like: Option<Version>,
}

/// Ranks entrants of which the best one comes first. Reads only their source text.
pub fn counted_once(entrants: &[LeagueEntrant]) -> LeagueCopies {
    let bots: Vec<Competitor> = entrants.iter().map(|of| of.bot.clone()).collect();
    let found = likeness::of(&bots);
    let mut groups = found.clusters;
    groups.push(likeness::like_a_starter(&bots));
    let samples: BTreeSet<&str> = found.samples.iter().map(|of| of.sample.as_str()).collect();
    let of_sample = |sample: &str| {
        let made = found.samples.iter().filter(|of| of.sample == sample);
        made.map(|of| of.bot.clone()).collect()
    };
    groups.extend(samples.into_iter().map(of_sample));
    let versions: Vec<Version> = entrants.iter().map(|of| of.line.version.clone()).collect();
    LeagueCopies { v: REPORT_VERSION, versions: ranked(&versions, &groups) }
}

/// Ranks versions, the best one first; `groups` have names of versions, and those with a name in common are one.
fn ranked(versions: &[Version], groups: &[Vec<String>]) -> Vec<CountedVersion> {
    let mut joined: Vec<BTreeSet<&String>> = Vec::new();
    for group in groups {
        let (same, rest): (Vec<_>, Vec<_>) =
            joined.into_iter().partition(|other| group.iter().any(|name| other.contains(name)));
        joined = rest;
        joined.push(same.into_iter().flatten().chain(group).collect());
    }
    let mut counted: Vec<CountedVersion> = Vec::new();
    let mut last = 0;
    for (version, rank) in versions.iter().zip(1..) {
        let group = joined.iter().find(|group| group.contains(&version.to_string()));
        let first = versions
            .iter()
            .take(rank - 1)
            .find(|before| group.is_some_and(|group| group.contains(&before.to_string())));
        let once = first.is_none().then(|| {
            last += 1;
            last
        });
        counted.push(CountedVersion { version: version.clone(), rank, once, like: first.cloned() });
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_copies_has_one_place() {
        let versions: Vec<Version> =
            ["ann", "bob", "cy", "dan", "eve"].map(|bot| Version { bot: bot.to_owned(), number: 2 }).into();
        let group = |bots: &[&str]| bots.iter().map(|bot| format!("{bot} v2")).collect::<Vec<_>>();
        let read = |groups: &[Vec<String>]| {
            let counted = ranked(&versions, groups).into_iter();
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
