//! Everything that standings are made from, read once and block by block.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::Schedule;
use crate::record::store::{BotSums, PairCell, Pairs, Results, StoredPlan};
use leyden_model::{BotIndex, LeftOut, PairKey, RecordRules, TournamentChange};
use leyden_protocol::WinningScore;
use leyden_stats::{Encounter, Entrant, Field, FieldTally, TallyBuilder};

use super::counts::PairCounts;
use super::later_legs::{LaterLegsLine, Leg, LegSums};
use super::luck::{self, LuckReport};
use super::{ReportDefect, ReportError};

/// In which order bots are counted. Their order changes no number of a report beyond the last bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BotOrder {
    /// Always the same, however they were typed.
    ByName,
    /// The first one typed is the one that the other is compared with.
    AsTyped,
}

/// A tournament as far as it has been played. Memory is that of its pairings, whatever the number of its matches.
pub struct TournamentTally {
    pub tournament: String,
    /// Not known from an export.
    pub commitment: Option<String>,
    pub rules: RecordRules,
    pub better: WinningScore,
    /// In the order of [`Entrant`].
    pub names: Vec<String>,
    /// Of each bot that names one; not known from an export.
    pub authors: BTreeMap<String, String>,
    /// Of each bot that has one, the folder or archive in which it was handed in; for the organiser alone.
    pub folders: BTreeMap<String, String>,
    /// What each bot is made of; not known from an export.
    pub hashes: BTreeMap<String, String>,
    /// What was named or handed in, and does not play; not known from an export.
    pub left_out: Vec<LeftOut>,
    /// What became different after the tournament had begun; not known from an export.
    pub changes: Vec<TournamentChange>,
    pub sums: Vec<BotSums>,
    pub tally: FieldTally,
    /// Not known from an export, as the next.
    pub blocks_wanted: Option<u64>,
    pub matches: u64,
    pub matches_wanted: Option<u64>,
    pub pairs: PairCounts,
    /// What was kept of luck in the file, if it is of all matches there.
    pub luck: Option<LuckReport>,
    /// Bots that do better in later legs of a pair than chance gives.
    pub later_legs: Vec<LaterLegsLine>,
}

impl TournamentTally {
    /// What a results file holds at this moment.
    pub fn of(results: &Results, order: BotOrder) -> Result<Self, ReportError> {
        let stored_plan = results.stored_plan();
        let schedule = stored_plan.schedule()?;
        let typed: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let places = Places::new(&typed, order);
        let voided: BTreeSet<PairKey> = results.voided()?.iter().map(|voided| voided.key.pair()).collect();
        let (tally, pairs, legs) = tally(results, &schedule, &places, &voided)?;
        let names = places.sort(&typed);
        let mut sums = vec![BotSums::default(); typed.len()];
        for (bot, bot_sums) in results.bot_sums()? {
            if let Some(place) = sums.get_mut(places.of(bot.index())) {
                *place = bot_sums;
            }
        }
        let seed = stored_plan.tournament_seed();
        Ok(Self {
            tournament: seed.tournament_id(),
            commitment: Some(seed.commitment()),
            rules: stored_plan.record_rules(),
            better: results.better(),
            later_legs: legs.lines(&names),
            names,
            authors: authors(stored_plan),
            hashes: hashes(stored_plan),
            folders: stored_plan
                .bots
                .iter()
                .filter_map(|bot| Some((bot.name.clone(), bot.folder.clone()?)))
                .collect(),
            left_out: stored_plan.left_out.clone(),
            changes: stored_plan.changes.clone(),
            sums,
            tally,
            blocks_wanted: Some(schedule.blocks().into()),
            matches: results.count()?,
            matches_wanted: Some(schedule.matches()),
            pairs,
            luck: luck::kept(results)?,
        })
    }
}

/// Of each bot what it is made of.
pub(super) fn hashes(stored_plan: &StoredPlan) -> BTreeMap<String, String> {
    stored_plan.bots.iter().map(|bot| (bot.name.clone(), bot.hash.clone())).collect()
}

/// Of each bot the author that it names.
pub(super) fn authors(stored_plan: &StoredPlan) -> BTreeMap<String, String> {
    stored_plan.bots.iter().filter_map(|bot| Some((bot.name.clone(), bot.author.clone()?))).collect()
}

/// The tally of all cells, how many pairs are complete, and how their legs compare.
fn tally(
    results: &Results,
    schedule: &Schedule,
    places: &Places,
    voided: &BTreeSet<PairKey>,
) -> Result<(FieldTally, PairCounts, LegSums), ReportError> {
    let mut tally = TallyBuilder::new(field(schedule, |bot| places.index(bot))?);
    let mut leg_sums = LegSums::new(schedule.bots(), schedule.seats());
    let wanted = Some(schedule.tables() * u64::from(schedule.blocks()));
    let mut pairs =
        PairCounts { complete: 0, incomplete: 0, wanted, voided: voided.len() as u64, played_again: 0 };
    for legs in Pairs::of(results) {
        let legs = legs?;
        let leg = |end| Leg::of(end, |bot| places.of(bot.index()));
        leg_sums.count(&legs.legs().iter().map(leg).collect::<Vec<_>>());
        let cells = legs.cells();
        if let Some(one) = cells.first() {
            pairs.complete += u64::from(one.complete);
            pairs.incomplete += u64::from(!one.complete);
            pairs.played_again += u64::from(one.complete && voided.contains(&one.pair));
        }
        for cell in &cells {
            tally.push(counted(cell, places)).map_err(ReportDefect::from)?;
        }
    }
    Ok((tally.finish().map_err(ReportDefect::from)?, pairs, leg_sums))
}

/// Who meets whom in each block; `index` says where each bot of the schedule stands.
pub(super) fn field(schedule: &Schedule, index: impl Fn(usize) -> Entrant) -> Result<Field, ReportDefect> {
    let mut bots = vec![BotIndex::default(); schedule.bots()];
    for bot in 0..schedule.bots() {
        if let Some(place) = bots.get_mut(index(bot).0 as usize) {
            *place = BotIndex(bot as u32);
        }
    }
    Field::of_meetings(bots.len(), |one, other| {
        u32::try_from(schedule.meetings(bots[one.0 as usize], bots[other.0 as usize]))
            .map_err(|_| ReportDefect::TooManyMeetings)
    })
}

fn counted(cell: &PairCell, places: &Places) -> Encounter {
    Encounter {
        block: cell.pair.block,
        first: places.index(cell.first.index()),
        second: places.index(cell.second.index()),
        score: cell.score,
        margin: cell.margin,
    }
}

/// For each bot of the command line its place in a report.
pub(super) struct Places(Vec<usize>);

impl Places {
    pub(super) fn new(typed: &[&str], order: BotOrder) -> Self {
        let mut sorted: Vec<usize> = (0..typed.len()).collect();
        if order == BotOrder::ByName {
            sorted.sort_by_key(|bot| typed[*bot]);
        }
        let mut places = vec![0; typed.len()];
        for (place, bot) in sorted.into_iter().enumerate() {
            places[bot] = place;
        }
        Self(places)
    }

    pub(super) fn of(&self, typed: usize) -> usize {
        self.0[typed]
    }

    pub(super) fn index(&self, typed: usize) -> Entrant {
        Entrant(self.of(typed) as u32)
    }

    pub(super) fn sort(&self, typed: &[&str]) -> Vec<String> {
        let mut names = vec![String::new(); typed.len()];
        for (bot, name) in typed.iter().enumerate() {
            (*name).clone_into(&mut names[self.of(bot)]);
        }
        names
    }
}
