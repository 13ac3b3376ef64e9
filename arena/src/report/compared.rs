//! One tournament compared with an earlier one: who is new, who has changed, and how ratings and results have moved.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use leyden_model::{BotEntry, RecordRules};
use schemars::JsonSchema;
use serde::Serialize;

use super::gathered::{Gathered, Order};
use super::standings::{BotStanding, Standings};
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
    /// The bots that played both and are the same in both. Ratings of the earlier tournament are moved by one number, so that
    /// these have the same mean in both; with none of them ratings are each about the mean of their own field.
    pub same: Vec<String>,
    /// In the order of the later tournament, behind them those who left.
    pub bots: Vec<BotChange>,
}

/// One bot in two tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotChange {
    pub name: String,
    /// What it was called earlier, if that is another name: it was handed in at the same place.
    pub was_called: Option<String>,
    pub change: Change,
    pub before: Option<Stood>,
    pub after: Option<Stood>,
    /// By how much its rating has moved, where ratings can be compared.
    pub moved: Option<f64>,
    /// The 95 % interval of that is ± this, the errors of both ratings taken as independent.
    pub half_width: Option<f64>,
}

/// What became of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Same,
    /// What it is made of, or its command, is another.
    Changed,
    Joined,
    Left,
}

/// How a bot stood in one of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stood {
    pub place: u32,
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
        let rules = after.setup().record_rules();
        if rules != before.setup().record_rules() {
            let game = |results: &Results| {
                let RecordRules { name, seats, set, target } = results.setup().record_rules();
                format!("{name} to {target} with {set}, {seats} seats")
            };
            return Err(NotCompared::Games { before: game(before), after: game(after) });
        }
        let (mut entries, now) = (entries(before), entries(after));
        let renamed = renamed(&entries, &now);
        for (name, was_called) in &renamed {
            if let Some(entry) = entries.remove(was_called) {
                entries.insert(name.clone(), entry);
            }
        }
        let is_same = |name: &&String| entries.get(*name).is_some_and(|was| is_unchanged(was, now[*name]));
        let same: Vec<String> = now.keys().filter(is_same).cloned().collect();
        if now.keys().all(|name| !entries.contains_key(name)) {
            return Err(NotCompared::NobodyInBoth);
        }
        let (mut was, is) = (standings(before)?, standings(after)?);
        for bot in &mut was.bots {
            if let Some((name, _)) = renamed.iter().find(|(_, was_called)| **was_called == bot.name) {
                bot.name.clone_from(name);
            }
        }
        let (was, is) = (&was, &is);
        let shift = shift(was, is, &same);
        let change = |name: &str| match (entries.get(name), now.get(name)) {
            (None, _) => Change::Joined,
            (_, None) => Change::Left,
            (Some(was), Some(now)) if is_unchanged(was, now) => Change::Same,
            _ => Change::Changed,
        };
        let gone = was.bots.iter().filter(|bot| !now.contains_key(&bot.name));
        let names = is.bots.iter().chain(gone).map(|bot| bot.name.clone());
        let line = |name: String| BotChange {
            was_called: renamed.get(&name).cloned(),
            ..line(change(&name), name, was, is, shift)
        };
        let bots = names.map(line).collect();
        let (before, after) = (was.tournament.clone(), is.tournament.clone());
        Ok(Self { v: REPORT_VERSION, before, after, rules, same, bots })
    }
}

fn standings(results: &Results) -> Result<Standings, ReportError> {
    Ok(Standings::of(&Gathered::of(results, Order::ByName)?, false)?)
}

fn entries(results: &Results) -> BTreeMap<String, &BotEntry> {
    results.setup().bots.iter().map(|bot| (bot.name.clone(), bot)).collect()
}

/// What bots were called that have another name now, by that: only one of either tournament was handed in at a place that is
/// called so, and neither name is in both.
fn renamed(was: &BTreeMap<String, &BotEntry>, now: &BTreeMap<String, &BotEntry>) -> BTreeMap<String, String> {
    let place = |entry: &BotEntry| Path::new(entry.folder.as_ref()?).file_stem().map(ToOwned::to_owned);
    let places = |of: &BTreeMap<String, &BotEntry>, other: &BTreeMap<String, &BotEntry>| {
        let mut places: BTreeMap<OsString, Vec<String>> = BTreeMap::new();
        for (name, entry) in of.iter().filter(|(name, _)| !other.contains_key(*name)) {
            if let Some(place) = place(entry) {
                places.entry(place).or_default().push(name.clone());
            }
        }
        places
    };
    let (was, now) = (places(was, now), places(now, was));
    now.iter()
        .filter_map(|(place, names)| match (&names[..], &was.get(place)?[..]) {
            ([name], [was_called]) => Some((name.clone(), was_called.clone())),
            _ => None,
        })
        .collect()
}

fn is_unchanged(was: &BotEntry, now: &BotEntry) -> bool {
    (&was.hash, &was.command) == (&now.hash, &now.command)
}

fn elo(standings: &Standings, name: &str) -> Option<f64> {
    find(standings, name)?.rating.map(|rating| rating.elo.get())
}

fn find<'a>(standings: &'a Standings, name: &str) -> Option<&'a BotStanding> {
    standings.bots.iter().find(|bot| bot.name == name)
}

/// By how much the earlier ratings are moved, so that bots that are the same have the same mean; `None` without one.
fn shift(was: &Standings, is: &Standings, same: &[String]) -> Option<f64> {
    let moves: Vec<f64> = same.iter().filter_map(|name| Some(elo(is, name)? - elo(was, name)?)).collect();
    (!moves.is_empty()).then(|| moves.iter().sum::<f64>() / moves.len() as f64)
}

fn line(change: Change, name: String, was: &Standings, is: &Standings, shift: Option<f64>) -> BotChange {
    let before = find(was, &name).map(|bot| stood(bot, shift.unwrap_or(0.0)));
    let after = find(is, &name).map(|bot| stood(bot, 0.0));
    let both = before.as_ref().zip(after.as_ref()).filter(|_| shift.is_some());
    let moved = both.and_then(|(before, after)| Some(after.elo? - before.elo?));
    let half_width = both.and_then(|(before, after)| Some(before.half_width?.hypot(after.half_width?)));
    BotChange {
        name,
        was_called: None,
        change,
        moved,
        half_width: half_width.filter(|_| moved.is_some()),
        before,
        after,
    }
}

fn stood(bot: &BotStanding, shift: f64) -> Stood {
    Stood {
        place: bot.place,
        elo: bot.rating.map(|rating| rating.elo.get() + shift),
        half_width: bot.rating.and_then(|rating| rating.half_width),
        score: bot.results.score,
        faults: bot.results.faults.values().sum(),
    }
}
