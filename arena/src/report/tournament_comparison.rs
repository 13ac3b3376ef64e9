//! Compares a tournament with an earlier one: which bots are new, which have changed, and how ratings and results have moved.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use leyden_model::{BotEntry, RecordRules, shared_name};
use leyden_stats::{BotMovement, Entrant, Holds, Movement, RatedField, Ratings, SharedBot};
use schemars::JsonSchema;
use serde::Serialize;

use super::counts::MatchCounts;
use super::standings::{BotStanding, Standings};
use super::tournament_tally::{BotOrder, TournamentTally};
use super::{ImpossibleRecordsError, REPORT_VERSION, ReportError};
use crate::record::store::Results;

/// The output of `leyden compare --json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Two tournaments compared")]
pub struct TournamentComparison {
    /// The version of this format: 1.
    pub v: u32,
    /// The ids of the tournaments.
    pub before: String,
    pub after: String,
    pub rules: RecordRules,
    /// The number of matches in each, the earlier one first: if one is not finished, ratings may still change. The planned number is
    /// `null` for a gate, which may end early.
    pub matches: [MatchCounts; 2],
    /// The bots that played in both and are the same in both. The ratings of the earlier tournament are shifted by one number
    /// that gives these bots the same mean in both; without any, each tournament's ratings are relative to its own field.
    pub same: Vec<String>,
    /// That number: the `elo` of a bot's `before` is its rating in the earlier tournament plus this.
    pub shift: Option<f64>,
    /// The number of blocks that were played on the same deals, because both have the same seed.
    pub shared_blocks: u64,
    /// When the intervals of changes hold.
    pub holds: Holds,
    /// In the order of the later tournament, followed by the bots that left.
    pub bots: Vec<BotChange>,
}

/// One bot in two tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BotChange {
    pub name: String,
    /// Its name in the earlier tournament, if that was different: it was handed in under the same path.
    pub was_called: Option<String>,
    /// The folder or archive in which it was named or handed in, if it has one.
    pub folder: Option<String>,
    pub change: BotChangeKind,
    pub before: Option<ComparedStanding>,
    pub after: Option<ComparedStanding>,
    /// By how much its rating has changed, if the ratings can be compared; `null` for a bot that cannot move: the only one that is
    /// the same.
    pub moved: Option<f64>,
    /// The interval of `moved` is ± this, from the covariance of both fields, the error of the shift included; with 95 % the
    /// intervals of all bots hold together. `null` with too few blocks.
    pub half_width: Option<f64>,
}

/// What happened to a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Change")]
pub enum BotChangeKind {
    Same,
    /// Its content or its command has changed.
    Changed,
    Joined,
    Left,
}

/// The standing of a bot in one of the tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedStanding {
    /// Null before a block was complete.
    pub place: Option<u32>,
    /// Its rating, in the earlier tournament plus `shift`; null before there are ratings.
    pub elo: Option<f64>,
    /// The 95 % interval of this bot by itself is `elo` ± this; null with too few blocks.
    pub half_width: Option<f64>,
    /// 0..=1.
    pub score: Option<f64>,
    /// Matches lost by faults.
    pub faults: u64,
}

/// Why two tournaments cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    #[error(
        "the tournaments are of different games ({before}, and {after}): their results cannot be compared"
    )]
    Games { before: RecordRules, after: RecordRules },
    #[error("no bot played both tournaments")]
    NobodyInBoth,
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl TournamentComparison {
    /// Compares the later tournament with the earlier one.
    pub fn new(before: &Results, after: &Results) -> Result<Self, CompareError> {
        let [earlier_rules, rules] = [before, after].map(|results| results.stored_plan().record_rules());
        if rules != earlier_rules {
            return Err(CompareError::Games { before: earlier_rules, after: rules });
        }
        let (earlier, later) = (&before.stored_plan().bots, &after.stored_plan().bots);
        let met = same_bots(earlier, later);
        if met.is_empty() {
            return Err(CompareError::NobodyInBoth);
        }
        let (was, is) = (RatedTournament::from_results(before)?, RatedTournament::from_results(after)?);
        let same = met.values().filter(|(was, now)| was.is_same_bot(now));
        let same = same.map(|(_, now)| now.name.clone()).collect();
        let moves = moves(&was, &is, &met)?;
        let stayed: BTreeSet<&str> = met.values().map(|(was, _)| &*was.name).collect();
        let there = |bot: &BotStanding| {
            let (entry, now) = (met.get(&*bot.name), later.iter().find(|now| now.name == bot.name));
            line(entry.map(|(was, _)| *was), now, [&was, &is], &moves)
        };
        let gone = was.standings.bots.iter().filter(|bot| !stayed.contains(&*bot.name));
        let left = |bot: &BotStanding| {
            line(earlier.iter().find(|was| was.name == bot.name), None, [&was, &is], &moves)
        };
        let bots = is.standings.bots.iter().map(there).chain(gone.map(left)).collect();
        // A gate ends once it is decided, however many matches it might have had.
        let counts = |results: &Results, standings: &Standings| {
            let is_gate = results.stored_plan().gate.is_some();
            MatchCounts { planned: standings.matches.planned.filter(|_| !is_gate), ..standings.matches }
        };
        let matches = [counts(before, &was.standings), counts(after, &is.standings)];
        Ok(Self {
            v: REPORT_VERSION,
            before: was.standings.tournament,
            after: is.standings.tournament,
            rules,
            matches,
            same,
            shift: moves.shift,
            shared_blocks: moves.shared_blocks,
            holds: moves.holds,
            bots,
        })
    }
}

/// A tournament, its ratings and its standings.
struct RatedTournament {
    gathered: TournamentTally,
    ratings: Ratings,
    standings: Standings,
}

impl RatedTournament {
    fn from_results(results: &Results) -> Result<Self, ReportError> {
        let gathered = TournamentTally::keeping_blocks(results, BotOrder::ByName)?;
        let ratings = gathered.ratings()?;
        let standings = Standings::from_ratings(&gathered, &ratings, false)?;
        Ok(Self { gathered, ratings, standings })
    }

    fn field(&self) -> RatedField<'_> {
        RatedField { tally: &self.gathered.tally, ratings: &self.ratings }
    }

    fn entrant(&self, name: &str) -> Option<Entrant> {
        let index = self.gathered.names.iter().position(|known| known == name)?;
        Some(Entrant(u32::try_from(index).ok()?))
    }
}

/// How the bots moved, by their later names.
struct Moves {
    shift: Option<f64>,
    shared_blocks: u64,
    holds: Holds,
    bots: BTreeMap<String, BotMovement>,
}

/// The moves of the bots that are in both. None before there are ratings in both, and if no bot is the same.
fn moves(was: &RatedTournament, is: &RatedTournament, met: &Met<'_>) -> Result<Moves, ReportError> {
    let holds = was.ratings.holds().combined(is.ratings.holds());
    let none = Moves { shift: None, shared_blocks: 0, holds, bots: BTreeMap::new() };
    if [was, is].iter().any(|rated| rated.ratings.blocks() == 0) {
        return Ok(none);
    }
    let in_both = |(earlier, later): &(&BotEntry, &BotEntry)| {
        Some(SharedBot {
            before: was.entrant(&earlier.name)?,
            after: is.entrant(&later.name)?,
            unchanged: earlier.is_same_bot(later),
        })
    };
    let bots: Vec<SharedBot> = met.values().filter_map(in_both).collect();
    // The id of a tournament is that of its seed, from which deals follow.
    let same_deals = was.gathered.commitment == is.gathered.commitment;
    let movement =
        Movement::new(was.field(), is.field(), &bots, same_deals).map_err(ImpossibleRecordsError::from)?;
    let Some(movement) = movement else { return Ok(none) };
    let by_name = |(bot, moved): (&SharedBot, &BotMovement)| {
        Some((is.gathered.names.get(bot.after.0 as usize)?.clone(), *moved))
    };
    Ok(Moves {
        shift: Some(movement.shift.get()),
        shared_blocks: movement.shared_blocks,
        holds,
        bots: bots.iter().zip(&movement.bots).filter_map(by_name).collect(),
    })
}

/// The bots that played in both, by their later names: the earlier entry, and the later one.
type Met<'a> = BTreeMap<&'a str, (&'a BotEntry, &'a BotEntry)>;

/// Bots are identified by their names. The numbers behind equal names (`starter`, `starter#2`) depend on which other bots
/// play. So a bot with such a name in either tournament, and a bot that has been renamed, is identified by where it was
/// handed in, if only one was handed in there. If that is unknown, a name with a number counts as the bot's own.
fn same_bots<'a>(was: &'a [BotEntry], now: &'a [BotEntry]) -> Met<'a> {
    let numbered: BTreeSet<&str> = was.iter().chain(now).filter_map(|bot| shared_name(&bot.name)).collect();
    let is_shared = |bot: &BotEntry| numbered.contains(shared_name(&bot.name).unwrap_or(&bot.name));
    let mut met = Met::new();
    by(was, now, &mut met, |bot| (!is_shared(bot)).then(|| bot.name.clone().into()));
    by(was, now, &mut met, |bot| bot.folder.clone().map(OsString::from));
    by(was, now, &mut met, |bot| Path::new(bot.folder.as_ref()?).file_stem().map(ToOwned::to_owned));
    by(was, now, &mut met, |bot| bot.folder.is_none().then(|| bot.name.clone().into()));
    met
}

/// Adds the bots that are not matched yet and that have a key which is unique on both sides.
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

fn find<'a>(standings: &'a Standings, name: &str) -> Option<&'a BotStanding> {
    standings.bots.iter().find(|bot| bot.name == name)
}

fn line(
    earlier: Option<&BotEntry>,
    later: Option<&BotEntry>,
    [was, is]: [&RatedTournament; 2],
    all: &Moves,
) -> BotChange {
    let shift = all.shift.unwrap_or(0.0);
    let before = earlier.and_then(|bot| find(&was.standings, &bot.name)).map(|bot| stood(bot, shift));
    let after = later.and_then(|bot| find(&is.standings, &bot.name)).map(|bot| stood(bot, 0.0));
    let moved = later.filter(|_| earlier.is_some()).and_then(|bot| all.bots.get(&bot.name));
    let bot = later.or(earlier);
    let name = bot.map(|bot| bot.name.clone()).unwrap_or_default();
    BotChange {
        was_called: earlier.map(|bot| bot.name.clone()).filter(|was| *was != name),
        folder: bot.and_then(|bot| bot.folder.clone()),
        name,
        change: match (earlier, later) {
            (None, _) => BotChangeKind::Joined,
            (_, None) => BotChangeKind::Left,
            (Some(was), Some(now)) if was.is_same_bot(now) => BotChangeKind::Same,
            _ => BotChangeKind::Changed,
        },
        moved: moved.filter(|moved| moved.can_move).map(|moved| moved.elo.get()),
        half_width: moved.and_then(|moved| moved.half_width),
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
    fn numbered_bots_are_matched_by_their_folder() {
        let of = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(was, now)| ((*was).to_owned(), (*now).to_owned())).collect()
        };
        let was = [("starter", Some("a/ann")), ("starter#2", Some("a/bob")), ("zoe", Some("a/zoe"))];
        // Ann has named hers, so Bob's, which nobody touched, has lost its number.
        let now = [("ann", Some("b/ann")), ("starter", Some("b/bob")), ("zoe", Some("b/z"))];
        assert_eq!(met(&was, &now), of(&[("starter", "ann"), ("starter#2", "starter"), ("zoe", "zoe")]));
        // Ann has left, and Cy has joined with the same name.
        let now = [("starter", Some("a/cy")), ("starter#2", Some("a/bob"))];
        assert_eq!(met(&was, &now), of(&[("starter#2", "starter#2")]));
        // Where builtin bots and those of older files were handed in is not known.
        let was = [("random", None), ("random#2", None)];
        assert_eq!(met(&was, &was), of(&[("random", "random"), ("random#2", "random#2")]));
        // A # that belongs to the name is not a number.
        let was = [("a#b", Some("x/1")), ("a", Some("x/2"))];
        let now = [("a#b", Some("x/2")), ("a", Some("x/1"))];
        assert_eq!(met(&was, &now), of(&[("a", "a"), ("a#b", "a#b")]));
    }
}
