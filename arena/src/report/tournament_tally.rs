//! Everything from which standings are made, read once and in schedule order.
//!
//! The unit of statistics is the block: results of different blocks must be independent. In a competition of stages blocks are not
//! alike, and one block says nothing about its spread: there, at two seats, each pair counts by itself. With more seats a block of a
//! competition is the n-th block of each round together, under any number, so that all of its matches are in one block however
//! often two bots meet; a round of more pairs than others has several of them in each. Only complete rounds are rated, without pairs
//! that were added to level meetings: how many these are depends on how they went.
//!
//! Where results decide who meets next, results are independent only given the pairings: those of a later round follow from all
//! blocks of the rounds before. So ratings and their bars are for the pairings as they were drawn, and don't include that
//! other deals would have drawn others. In particular, a bot that was lucky early meets stronger rivals later; its rating takes
//! their strength into account, but its bar does not get wider for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::store::{BotSums, Pairs, Results, StoredPlan};
use leyden_format::{CompetitionTable, Schedule};
use leyden_model::{
    BotEntry, BotIndex, ChangeKind, LeftOut, MatchKey, PairKey, RecordRules, TournamentChange,
};
use leyden_protocol::WinningScore;
use leyden_stats::{Entrant, Field, FieldTally, FinalScores, Holds, Ratings, TallyBuilder};

use super::counts::{BlockCounts, PairCounts};
use super::later_legs::{LaterLegsLine, Leg};
use super::luck::{self, LuckReport};
use super::pair_sums::PairSums;
use super::{ImpossibleRecordsError, ReportError};

/// The order in which bots are counted. It changes the numbers of a report only in their last bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BotOrder {
    /// The same order, however the bots were typed.
    ByName,
    /// The bot typed first is the one that is compared with the other.
    AsTyped,
}

/// The played part of a tournament. Memory grows with its pairings, and only for formats that look at results with
/// its matches.
///
/// ```no_run
/// use leyden_arena::record::store::Results;
/// use leyden_arena::report::{BotOrder, Standings, TournamentTally};
///
/// let results = Results::open("results.db".as_ref())?;
/// let tally = TournamentTally::from_results(&results, BotOrder::ByName)?;
/// for bot in Standings::from_tally(&tally, false)?.bots {
///     println!("{} {}", bot.place, bot.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TournamentTally {
    pub tournament: String,
    /// Not known from an export.
    pub commitment: Option<String>,
    pub rules: RecordRules,
    pub better: WinningScore,
    /// In the order of [`Entrant`].
    pub names: Vec<String>,
    /// The authors of the bots that name one; not known from an export.
    pub authors: BTreeMap<String, String>,
    /// For each bot that has one, the folder or archive in which it was handed in; only for the organiser.
    pub folders: BTreeMap<String, String>,
    /// What was named or handed in but does not play; not known from an export.
    pub left_out: Vec<LeftOut>,
    /// What changed after the tournament had started; not known from an export.
    pub changes: Vec<TournamentChange>,
    /// Whether results decide when it ends, as in a gate.
    pub is_sequential: bool,
    /// One for each bot, in the order of `names`.
    pub sums: Vec<BotSums>,
    pub tally: FieldTally,
    /// Not known from an export, like the next.
    pub blocks_planned: Option<u64>,
    /// How the competition stands, if the format has stages; not known from an export.
    pub competition: Option<CompetitionTable<String>>,
    /// Matches that were played and count.
    pub matches: u64,
    pub matches_planned: Option<u64>,
    pub pairs: PairCounts,
    /// The luck stored in the file, if it covers all matches.
    pub luck: Option<LuckReport>,
    /// Bots that do better in later legs of a pair than chance would explain.
    pub later_legs: Vec<LaterLegsLine>,
}

impl TournamentTally {
    /// The tally of a results file at this moment.
    pub fn from_results(results: &Results, order: BotOrder) -> Result<Self, ReportError> {
        Self::tally(results, order, TallyBuilder::new)
    }

    /// The same, but its blocks are kept, to be compared with those of another tournament.
    pub fn keeping_blocks(results: &Results, order: BotOrder) -> Result<Self, ReportError> {
        Self::tally(results, order, |field| TallyBuilder::new(field).keeping_blocks())
    }

    fn tally(
        results: &Results,
        order: BotOrder,
        empty: impl FnOnce(Field) -> TallyBuilder,
    ) -> Result<Self, ReportError> {
        let _moment = results.moment()?;
        let stored_plan = results.stored_plan();
        let schedule = results.schedule()?;
        let typed: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let indices = ReportIndices::new(&typed, order);
        let voided: BTreeSet<PairKey> = results.voided()?.iter().map(|voided| voided.key.pair()).collect();
        let rated = schedule.rated(results.count()?);
        let empty = rated_tally(&rated, |bot| indices.index(bot), empty)?;
        let mut pairs = pair_sums(&rated, empty, (&indices, &voided));
        for legs in Pairs::from_results(results) {
            let legs = legs?;
            add_pair(&mut pairs, &rated, (legs.legs(), legs.is_complete()), (&indices, &voided))?;
        }
        let mut sums = vec![BotSums::default(); typed.len()];
        for (bot, bot_sums) in results.bot_sums()? {
            if let Some(sums) = sums.get_mut(bot.index()) {
                *sums = bot_sums;
            }
        }
        let folder = |bot: &BotEntry| Some((bot.name.clone(), bot.folder.clone()?));
        let tally = Self {
            folders: stored_plan.bots.iter().filter_map(folder).collect(),
            matches: results.count()?,
            ..Self::planned(stored_plan, &schedule, (&indices, &voided), (results.better(), &sums), pairs)?
        };
        Ok(tally.with_luck(luck::kept(results)?))
    }
}

impl TournamentTally {
    /// The tally of the matches so far of a tournament whose plan is known; `sums` are in the order of the command line.
    pub(super) fn planned(
        stored_plan: &StoredPlan,
        schedule: &Schedule,
        (indices, voided): (&ReportIndices, &BTreeSet<PairKey>),
        (better, sums): (WinningScore, &[BotSums]),
        pairs: PairSums,
    ) -> Result<Self, ImpossibleRecordsError> {
        let (tally, counts, legs) = pairs.finish()?;
        let (planned, voided) = (Some(schedule.pairs()), voided.len() as u64);
        let seed = stored_plan.tournament_seed();
        let typed: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let names = indices.sort(&typed);
        let mut sorted = vec![BotSums::default(); sums.len()];
        for (bot, sums) in sums.iter().enumerate() {
            sorted[indices.of(bot)].clone_from(sums);
        }
        let author = |bot: &BotEntry| Some((bot.name.clone(), bot.author.clone()?));
        Ok(Self {
            tournament: seed.tournament_id(),
            commitment: Some(seed.commitment()),
            rules: stored_plan.record_rules(),
            better,
            later_legs: legs.lines(&names),
            names,
            authors: stored_plan.bots.iter().filter_map(author).collect(),
            folders: BTreeMap::new(),
            left_out: stored_plan.left_out.clone(),
            changes: stored_plan.changes.clone(),
            is_sequential: stored_plan.gate.is_some(),
            sums: sorted,
            tally,
            blocks_planned: Some(schedule.blocks().into()),
            competition: named_table(schedule, stored_plan),
            matches: 0,
            matches_planned: Some(schedule.matches()),
            pairs: PairCounts { planned, voided, ..counts },
            luck: None,
        })
    }

    /// Adds scores without luck, if their intervals hold when those of the ratings do: a run that is extended has not reached its
    /// end any more.
    #[must_use]
    pub fn with_luck(self, luck: Option<LuckReport>) -> Self {
        let holds = self.holds();
        Self { luck: luck.filter(|luck| luck.holds == holds), ..self }
    }

    /// How many blocks are complete. Where pairs count by themselves there is one, and the end completes it.
    pub(super) fn blocks(&self) -> BlockCounts {
        if !self.tally.is_by_pairs() {
            let (complete, incomplete) = (self.tally.blocks(), self.tally.incomplete_blocks());
            return BlockCounts { complete, incomplete, planned: self.blocks_planned };
        }
        let PairCounts { complete, incomplete, voided, played_again, planned } = self.pairs;
        let settled = complete + voided.saturating_sub(played_again);
        let is_over = complete > 0 && incomplete == 0 && planned.is_none_or(|planned| settled >= planned);
        let begun = u64::from(complete + incomplete > 0);
        let over = u64::from(is_over);
        BlockCounts { complete: over, incomplete: begun - over, planned: self.blocks_planned.map(|_| 1) }
    }

    /// The ratings of its complete blocks.
    pub fn ratings(&self) -> Result<Ratings, ImpossibleRecordsError> {
        Ok(Ratings::fit(&self.tally, self.holds())?)
    }

    /// When intervals of it hold: once everything is played that was planned before the first match. A run that asked for more blocks
    /// later may have done so because of what the first ones showed.
    pub fn holds(&self) -> Holds {
        let is_extended = self.changes.iter().any(|change| matches!(change.what, ChangeKind::Blocks { .. }));
        let PairCounts { complete, voided, played_again, planned, .. } = self.pairs;
        let planned = planned.filter(|_| !self.is_sequential && !is_extended);
        Holds::after(complete + voided.saturating_sub(played_again), planned)
    }
}

/// How the competition stands, with the names of its bots.
fn named_table(schedule: &Schedule, stored_plan: &StoredPlan) -> Option<CompetitionTable<String>> {
    let name =
        |bot: BotIndex| stored_plan.bots.get(bot.index()).map_or_else(String::new, |bot| bot.name.clone());
    schedule.competition().map(|table| table.named(name))
}

/// The empty sums of the rounds that are rated, whose blocks do not wait for void pairs.
pub(super) fn pair_sums(
    rated: &Schedule,
    tally: TallyBuilder,
    (indices, voided): (&ReportIndices, &BTreeSet<PairKey>),
) -> PairSums {
    let tally = tally.without(void_meetings(rated, voided, |bot| indices.index(bot)));
    PairSums::new(tally, rated.bots(), rated.seats(), rated.rounds().len() == 1)
}

/// Every two bots of these pairs, with the block for which they do not count; without those of rounds that are not rated. `index`
/// maps a bot of the schedule to its index in the report.
fn void_meetings(
    rated: &Schedule,
    voided: &BTreeSet<PairKey>,
    index: impl Fn(usize) -> Entrant,
) -> Vec<(u32, Entrant, Entrant)> {
    let mut meetings = Vec::new();
    for pair in voided {
        let Some(block) = rated.nth_block(pair) else { continue };
        let bots: Vec<Entrant> = pair.table.bots().iter().map(|bot| index(bot.index())).collect();
        for (seat, one) in bots.iter().enumerate() {
            meetings.extend(bots[..seat].iter().map(|other| (block, *one, *other)));
        }
    }
    meetings
}

/// Adds the legs of a pair, in the order of play.
pub(super) fn add_pair(
    pairs: &mut PairSums,
    rated: &Schedule,
    (legs, is_complete): (&[(MatchKey, FinalScores)], bool),
    (indices, voided): (&ReportIndices, &BTreeSet<PairKey>),
) -> Result<(), ImpossibleRecordsError> {
    let Some(pair) = legs.first().map(|(key, _)| key.pair()) else { return Ok(()) };
    let legs: Vec<Leg> = legs.iter().map(|end| Leg::new(end, |bot| indices.of(bot.index()))).collect();
    Ok(pairs.add(rated_block(rated, &pair), &legs, (is_complete, voided.contains(&pair)))?)
}

/// The block in which a pair counts: where pairs count by themselves, the one that it has anyway. `None` if its round is not rated.
pub(super) fn rated_block(rated: &Schedule, pair: &PairKey) -> Option<u32> {
    let nth = rated.nth_block(pair)?;
    Some(if rated.counts_pairs() { pair.block } else { nth })
}

/// The empty tally of these rounds, of blocks or of single pairs; `index` maps a bot of the schedule to its index in the report.
pub(super) fn rated_tally(
    rated: &Schedule,
    index: impl Fn(usize) -> Entrant,
    empty: impl FnOnce(Field) -> TallyBuilder,
) -> Result<TallyBuilder, ImpossibleRecordsError> {
    let tally = empty(field(rated, index)?);
    Ok(if rated.counts_pairs() { tally.by_pairs() } else { tally })
}

/// The field of bots that meet in each block, or in any pair.
fn field(schedule: &Schedule, index: impl Fn(usize) -> Entrant) -> Result<Field, ImpossibleRecordsError> {
    let mut bots = vec![BotIndex::default(); schedule.bots()];
    for bot in 0..schedule.bots() {
        if let Some(entry) = bots.get_mut(index(bot).0 as usize) {
            *entry = BotIndex(bot as u32);
        }
    }
    Field::from_meetings(bots.len(), |one, other| {
        let meetings = schedule.meetings(bots[one.0 as usize], bots[other.0 as usize]);
        let counted = if schedule.counts_pairs() { meetings.min(schedule.legs().into()) } else { meetings };
        u32::try_from(counted).map_err(|_| ImpossibleRecordsError::TooManyMeetings)
    })
}

/// For each bot of the command line, its index in the report.
pub(super) struct ReportIndices(Vec<usize>);

impl ReportIndices {
    pub(super) fn new(typed: &[&str], order: BotOrder) -> Self {
        let mut sorted: Vec<usize> = (0..typed.len()).collect();
        if order == BotOrder::ByName {
            sorted.sort_by_key(|bot| typed[*bot]);
        }
        let mut indices = vec![0; typed.len()];
        for (index, bot) in sorted.into_iter().enumerate() {
            indices[bot] = index;
        }
        Self(indices)
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
