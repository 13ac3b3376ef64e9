//! One tournament compared with an earlier one: who is new, who has changed, and how ratings and results have moved.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use leyden_model::{BotEntry, RecordRules};
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::MatchCounts;
use super::standings::{BotStanding, Standings};
use super::tournament_tally::{BotOrder, TournamentTally};
use super::{REPORT_VERSION, ReportError};
use crate::record::store::Results;

/// What `leyden compare --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Two tournaments compared")]
pub struct Compared {
    /// The version of this form: 1.
    pub v: u32,
    /// The ids of the tournaments.
    pub before: String,
    pub after: String,
    pub rules: RecordRules,
    /// How many matches each has, the earlier one first: of one that is not finished ratings may still change. Of a gate, which ends
    /// when it may, `wanted` is `null`.
    pub matches: [MatchCounts; 2],
    /// The bots that played both and are the same in both. Ratings of the earlier tournament are moved by one number, so that
    /// these have the same mean in both; with none of them ratings are each about the mean of their own field.
    pub same: Vec<String>,
    /// That number: `elo` of a bot's `before` is the rating that the earlier tournament gave it, and this.
    pub shift: Option<f64>,
    /// In the order of the later tournament, behind them those who left.
    pub bots: Vec<BotChange>,
}

/// One bot in two tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotChange {
    pub name: String,
    /// What it was called earlier, if that is another name: it was handed in at the same place.
    pub was_called: Option<String>,
    /// The folder or archive in which it was named or handed in, if it has one.
    pub folder: Option<String>,
    pub change: WhatChanged,
    pub before: Option<ComparedStanding>,
    pub after: Option<ComparedStanding>,
    /// By how much its rating has moved, where ratings can be compared.
    pub moved: Option<f64>,
    /// The 95 % interval of that is ± this, the errors of both ratings taken as independent.
    pub half_width: Option<f64>,
}

/// What became of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Change")]
pub enum WhatChanged {
    Same,
    /// What it is made of, or its command, is another.
    Changed,
    Joined,
    Left,
}

/// How a bot stood in one of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedStanding {
    /// Null before a block was complete.
    pub place: Option<u32>,
    pub elo: Option<f64>,
    pub half_width: Option<f64>,
    /// 0..=1.
    pub score: Option<f64>,
    /// Matches lost by faults.
    pub faults: u64,
}

/// Why two tournaments cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum NotCompared {
    #[error(
        "the tournaments are of different games ({before}, and {after}): their results say nothing of one another"
    )]
    Games { before: String, after: String },
    #[error("no bot played both tournaments")]
    NobodyInBoth,
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl Compared {
    /// The later tournament against the earlier one.
    pub fn of(before: &Results, after: &Results) -> Result<Self, NotCompared> {
        let rules = after.stored_plan().record_rules();
        if rules != before.stored_plan().record_rules() {
            let game = |results: &Results| {
                let RecordRules { name, seats, set, target } = results.stored_plan().record_rules();
                format!("{name} to {target} with {set}, {seats} seats")
            };
            return Err(NotCompared::Games { before: game(before), after: game(after) });
        }
        let (earlier, later) = (&before.stored_plan().bots, &after.stored_plan().bots);
        let met = same_bots(earlier, later);
        if met.is_empty() {
            return Err(NotCompared::NobodyInBoth);
        }
        let (was, is) = (standings(before)?, standings(after)?);
        let unchanged = met.values().filter(|(was, now)| was.is_same_bot(now));
        let unchanged: Vec<(&str, &str)> = unchanged.map(|(was, now)| (&*was.name, &*now.name)).collect();
        let shift = shift(&was, &is, &unchanged);
        let there = |bot: &BotStanding| {
            let (entry, now) = (met.get(&*bot.name), later.iter().find(|now| now.name == bot.name));
            line(entry.map(|(was, _)| *was), now, &was, &is, shift)
        };
        let stayed: BTreeSet<&str> = met.values().map(|(was, _)| &*was.name).collect();
        let gone = was.bots.iter().filter(|bot| !stayed.contains(&*bot.name));
        let left =
            |bot: &BotStanding| line(earlier.iter().find(|was| was.name == bot.name), None, &was, &is, shift);
        let bots = is.bots.iter().map(there).chain(gone.map(left)).collect();
        let same = unchanged.iter().map(|(_, now)| (*now).to_owned()).collect();
        // A gate is over when it is decided, however many matches it might have had.
        let counts = |results: &Results, standings: &Standings| {
            let is_gate = results.stored_plan().gate.is_some();
            MatchCounts { wanted: standings.matches.wanted.filter(|_| !is_gate), ..standings.matches }
        };
        let matches = [counts(before, &was), counts(after, &is)];
        let (before, after) = (was.tournament.clone(), is.tournament.clone());
        Ok(Self { v: REPORT_VERSION, before, after, rules, matches, same, shift, bots })
    }
}

fn standings(results: &Results) -> Result<Standings, ReportError> {
    Ok(Standings::of(&TournamentTally::of(results, BotOrder::ByName)?, false)?)
}

/// Who played both, by their later names: as they were earlier, and as they are now.
type Met<'a> = BTreeMap<&'a str, (&'a BotEntry, &'a BotEntry)>;

/// Bots are known by their names. Numbers behind names (`starter`, `starter#2`) go by who is there besides: whoever has such a name
/// in either tournament, and whoever has another name now, is known by where they were handed in, if only one was handed in there.
/// A name with a number is one's own where it is not known where they were handed in.
fn same_bots<'a>(was: &'a [BotEntry], now: &'a [BotEntry]) -> Met<'a> {
    let numbered: BTreeSet<&str> = was.iter().chain(now).filter_map(|bot| numbered(&bot.name)).collect();
    let is_shared = |bot: &BotEntry| numbered.contains(numbered_or_whole(&bot.name));
    let mut met = Met::new();
    by(was, now, &mut met, |bot| (!is_shared(bot)).then(|| bot.name.clone().into()));
    by(was, now, &mut met, |bot| bot.folder.clone().map(OsString::from));
    by(was, now, &mut met, |bot| Path::new(bot.folder.as_ref()?).file_stem().map(ToOwned::to_owned));
    by(was, now, &mut met, |bot| bot.folder.is_none().then(|| bot.name.clone().into()));
    met
}

/// Takes in those who have not met and of whom only one on either side is known by this.
fn by<'a>(
    was: &'a [BotEntry],
    now: &'a [BotEntry],
    met: &mut Met<'a>,
    known_by: impl Fn(&BotEntry) -> Option<OsString>,
) {
    let known: BTreeSet<&str> = met.values().flat_map(|(was, _)| [&*was.name]).collect();
    let was = only(was.iter().filter(|bot| !known.contains(&*bot.name)), &known_by);
    let now = only(now.iter().filter(|bot| !met.contains_key(&*bot.name)), &known_by);
    for (key, now) in now {
        if let Some(was) = was.get(&key) {
            met.insert(&now.name, (was, now));
        }
    }
}

fn only<'a>(
    bots: impl Iterator<Item = &'a BotEntry>,
    known_by: impl Fn(&BotEntry) -> Option<OsString>,
) -> BTreeMap<OsString, &'a BotEntry> {
    let mut all: BTreeMap<OsString, Vec<&BotEntry>> = BTreeMap::new();
    for bot in bots {
        if let Some(key) = known_by(bot) {
            all.entry(key).or_default().push(bot);
        }
    }
    all.into_iter()
        .filter_map(|(key, bots)| Some((key, *bots.first().filter(|_| bots.len() == 1)?)))
        .collect()
}

/// The name before the number that tells bots of one name apart, if there is one.
fn numbered(name: &str) -> Option<&str> {
    let (name, number) = name.rsplit_once('#')?;
    number.parse::<u32>().ok().map(|_| name)
}

fn numbered_or_whole(name: &str) -> &str {
    numbered(name).unwrap_or(name)
}

fn elo(standings: &Standings, name: &str) -> Option<f64> {
    find(standings, name)?.rating.map(|rating| rating.elo.get())
}

fn find<'a>(standings: &'a Standings, name: &str) -> Option<&'a BotStanding> {
    standings.bots.iter().find(|bot| bot.name == name)
}

/// By how much the earlier ratings are moved, so that bots that are the same have the same mean; `None` without one. Each has its
/// name in either.
fn shift(was: &Standings, is: &Standings, same: &[(&str, &str)]) -> Option<f64> {
    let difference = |(before, after): &(&str, &str)| Some(elo(is, after)? - elo(was, before)?);
    let moves: Vec<f64> = same.iter().filter_map(difference).collect();
    (!moves.is_empty()).then(|| moves.iter().sum::<f64>() / moves.len() as f64)
}

fn line(
    earlier: Option<&BotEntry>,
    later: Option<&BotEntry>,
    was: &Standings,
    is: &Standings,
    shift: Option<f64>,
) -> BotChange {
    let before = earlier.and_then(|bot| find(was, &bot.name)).map(|bot| stood(bot, shift.unwrap_or(0.0)));
    let after = later.and_then(|bot| find(is, &bot.name)).map(|bot| stood(bot, 0.0));
    let both = before.as_ref().zip(after.as_ref()).filter(|_| shift.is_some());
    let moved = both.and_then(|(before, after)| Some(after.elo? - before.elo?));
    let half_width = both.and_then(|(before, after)| Some(before.half_width?.hypot(after.half_width?)));
    let bot = later.or(earlier);
    let name = bot.map(|bot| bot.name.clone()).unwrap_or_default();
    BotChange {
        was_called: earlier.map(|bot| bot.name.clone()).filter(|was| *was != name),
        folder: bot.and_then(|bot| bot.folder.clone()),
        name,
        change: match (earlier, later) {
            (None, _) => WhatChanged::Joined,
            (_, None) => WhatChanged::Left,
            (Some(was), Some(now)) if was.is_same_bot(now) => WhatChanged::Same,
            _ => WhatChanged::Changed,
        },
        moved,
        half_width: half_width.filter(|_| moved.is_some()),
        before,
        after,
    }
}

fn stood(bot: &BotStanding, shift: f64) -> ComparedStanding {
    ComparedStanding {
        place: bot.rating.map(|_| bot.place),
        elo: bot.rating.map(|rating| rating.elo.get() + shift),
        half_width: bot.rating.and_then(|rating| rating.half_width),
        score: bot.results.score,
        faults: bot.results.faults.values().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(all: &[(&str, Option<&str>)]) -> Vec<BotEntry> {
        let bot = |(name, folder): &(&str, Option<&str>)| BotEntry {
            name: (*name).to_owned(),
            command: Vec::new(),
            hash: String::new(),
            author: None,
            language: None,
            folder: folder.map(str::to_owned),
        };
        all.iter().map(bot).collect()
    }

    fn met(was: &[(&str, Option<&str>)], now: &[(&str, Option<&str>)]) -> Vec<(String, String)> {
        let (was, now) = (bots(was), bots(now));
        same_bots(&was, &now).into_values().map(|(was, now)| (was.name.clone(), now.name.clone())).collect()
    }

    #[test]
    fn who_has_a_numbered_name_is_known_by_their_folder() {
        let of = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(was, now)| ((*was).to_owned(), (*now).to_owned())).collect()
        };
        let was = [("starter", Some("a/ann")), ("starter#2", Some("a/bob")), ("zoe", Some("a/zoe"))];
        // Ann has given hers a name, so that Bob's, which nobody touched, has lost its number.
        let now = [("ann", Some("b/ann")), ("starter", Some("b/bob")), ("zoe", Some("b/z"))];
        assert_eq!(met(&was, &now), of(&[("starter", "ann"), ("starter#2", "starter"), ("zoe", "zoe")]));
        // Ann has left, and Cy come with the same name.
        let now = [("starter", Some("a/cy")), ("starter#2", Some("a/bob"))];
        assert_eq!(met(&was, &now), of(&[("starter#2", "starter#2")]));
        // It is not known where builtin bots and older files' were handed in.
        let was = [("random", None), ("random#2", None)];
        assert_eq!(met(&was, &was), of(&[("random", "random"), ("random#2", "random#2")]));
        // A # of one's own is no number.
        let was = [("a#b", Some("x/1")), ("a", Some("x/2"))];
        let now = [("a#b", Some("x/2")), ("a", Some("x/1"))];
        assert_eq!(met(&was, &now), of(&[("a", "a"), ("a#b", "a#b")]));
    }
}
