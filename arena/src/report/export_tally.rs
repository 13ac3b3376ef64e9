//! The tally of an export, record by record. An export does not say what was planned or voided.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::export::ExportedCompetition;
use crate::record::store::BotSums;
use leyden_format::{CompetitionTable, Schedule};
use leyden_model::{BotIndex, MatchKey, MatchRecord, PairKey, RecordRules, Table};
use leyden_protocol::WinningScore;
use leyden_stats::{Entrant, Field, FinalScores, TallyBuilder};

use super::ReportError;
use super::later_legs::Leg;
use super::pair_sums::PairSums;
use super::tournament_tally::{TournamentTally, rated_block, rated_tally};

/// Records of one tournament, in any order.
#[derive(Default)]
pub struct ExportTally {
    /// What all records agree on: tournament and rules, and the direction of score that follows.
    common: Option<(String, RecordRules, WinningScore)>,
    /// Bots in the order in which they first appear.
    bots: BTreeMap<String, u32>,
    sums: Vec<BotSums>,
    /// The legs of each pair, identified by its block and its bots, ascending. Bots are numbered in order of appearance.
    legs: BTreeMap<(u32, Vec<u32>), Vec<Leg>>,
    /// The stage to which each block belongs, in a competition of stages.
    stages: BTreeMap<u32, u32>,
    matches: u64,
}

/// A competition of stages as its results so far decide it.
struct PlannedStages<'a> {
    stages: &'a ExportedCompetition,
    schedule: Schedule,
    rated: Schedule,
    /// What the format calls each bot, in order of appearance.
    numbers: Vec<BotIndex>,
}

impl ExportTally {
    /// Adds a record; one of another tournament is rejected.
    pub fn add(&mut self, record: &MatchRecord) -> Result<(), ReportError> {
        let better = self.better(record)?;
        let (seats, end) = (record.bots.seats(), crate::record::final_scores(record, better));
        let indices: Vec<u32> = record.bots.as_slice().iter().map(|name| self.index(name)).collect();
        for (seat, bot) in seats.iter().zip(&indices) {
            self.sums[*bot as usize].add(record, better, seat);
        }
        let mut table = indices;
        let bots = record.bots.map(|name| self.index(name) as usize);
        table.sort_unstable();
        let legs = self.legs.entry((record.block, table)).or_default();
        legs.push(Leg { number: record.leg, end, bots });
        self.stages.extend(record.stage.map(|stage| (record.block, stage.number)));
        self.matches += 1;
        Ok(())
    }

    fn better(&mut self, record: &MatchRecord) -> Result<WinningScore, ReportError> {
        if let Some((tournament, rules, better)) = &self.common {
            if (tournament, rules) == (&record.tournament, &record.rules) {
                return Ok(*better);
            }
            return Err(ReportError::SeveralTournaments);
        }
        let better = record.rules.rules()?.better;
        self.common = Some((record.tournament.clone(), record.rules, better));
        Ok(better)
    }

    fn index(&mut self, name: &str) -> u32 {
        if let Some(index) = self.bots.get(name) {
            return *index;
        }
        let index = self.sums.len() as u32;
        self.sums.push(BotSums::default());
        self.bots.insert(name.to_owned(), index);
        index
    }

    /// The tally from which standings are made; `stages` is what the first record says of a competition of stages. Without it, bots
    /// that met in one block are expected to meet in every block.
    pub fn finish(mut self, stages: Option<&ExportedCompetition>) -> Result<TournamentTally, ReportError> {
        let Some((tournament, rules, better)) = self.common.clone() else {
            return Err(ReportError::NoMatch);
        };
        for bot in stages.iter().flat_map(|stages| &stages.bots) {
            self.index(bot); // also if it has played no match yet
        }
        // The names are sorted; each bot is numbered by its index among them.
        let mut entrants = vec![Entrant(0); self.sums.len()];
        for (sorted, index) in (0..).zip(self.bots.values()) {
            entrants[*index as usize] = Entrant(sorted);
        }
        let planned = stages.map(|stages| self.planned(stages, rules)).transpose()?;
        let tally = match &planned {
            Some(planned) => self.stage_tally(planned, &entrants)?,
            None => self.tally(&entrants)?,
        };
        let blocks = self.blocks(planned.as_ref());
        let Self { bots, mut sums, mut legs, matches, .. } = self;
        let mut pairs = PairSums::new(tally, bots.len(), rules.seats, planned.is_none());
        for (legs, block) in legs.values_mut().zip(blocks) {
            legs.sort_by_key(|leg| leg.number);
            for leg in &mut *legs {
                leg.bots = leg.bots.map(|bot| entrants[*bot].0 as usize);
            }
            let counted = pairs.add(block, legs, (legs.len() == rules.seats.count(), false));
            counted.map_err(ReportError::Contradiction)?;
        }
        let (tally, pairs, leg_sums) = pairs.finish().map_err(ReportError::Contradiction)?;
        let sums = bots.values().map(|index| std::mem::take(&mut sums[*index as usize])).collect();
        let names: Vec<String> = bots.into_keys().collect();
        Ok(TournamentTally {
            left_out: Vec::new(),
            changes: Vec::new(),
            is_sequential: false,
            authors: BTreeMap::new(),
            folders: BTreeMap::new(),
            tournament,
            commitment: None,
            rules,
            better,
            sums,
            later_legs: leg_sums.lines(&names),
            names,
            tally,
            blocks_planned: None,
            competition: planned.and_then(|planned| planned.table()),
            matches,
            matches_planned: None,
            luck: None,
            pairs,
        })
    }

    /// The empty tally of blocks in which all meet, or of the pairs of a single one.
    fn tally(&self, entrants: &[Entrant]) -> Result<TallyBuilder, ReportError> {
        let met: BTreeSet<&[u32]> = self.legs.keys().map(|(_, table)| &table[..]).collect();
        let table = |table: &[u32]| table.iter().map(|bot| entrants[*bot as usize]).collect();
        let tables: Vec<Vec<Entrant>> = met.into_iter().map(table).collect();
        let field = Field::from_tables(self.bots.len(), &tables).map_err(ReportError::NoTable)?;
        let is_one_block = self.legs.keys().all(|(block, _)| *block == 0);
        let is_by_pairs = is_one_block && tables.iter().all(|table| table.len() == 2);
        let tally = TallyBuilder::new(field);
        Ok(if is_by_pairs { tally.by_pairs() } else { tally })
    }

    /// The empty tally of the rated rounds of a competition.
    fn stage_tally(
        &self,
        planned: &PlannedStages<'_>,
        entrants: &[Entrant],
    ) -> Result<TallyBuilder, ReportError> {
        let index = |bot: usize| entrants[self.bots[&planned.stages.bots[bot]] as usize];
        Ok(rated_tally(&planned.rated, index, TallyBuilder::new)?)
    }

    /// What follows from the format and the results.
    fn planned<'a>(
        &self,
        stages: &'a ExportedCompetition,
        rules: RecordRules,
    ) -> Result<PlannedStages<'a>, ReportError> {
        let mut numbers = vec![BotIndex::default(); self.sums.len()];
        for (name, index) in &self.bots {
            let number = stages.bots.iter().position(|bot| bot == name);
            let number = number.ok_or_else(|| {
                ReportError::NoCompetition(format!("records of {name}, which is none of its bots"))
            })?;
            numbers[*index as usize] = BotIndex(number as u32);
        }
        let ends: Vec<(MatchKey, FinalScores)> = self
            .legs
            .iter()
            .filter_map(|((block, table), legs)| Some((self.pair(&numbers, *block, table)?, legs)))
            .flat_map(|(pair, legs)| legs.iter().map(move |leg| (pair.leg(leg.number), leg.end)))
            .collect();
        let schedule = stages.decided(rules.seats, &ends).map_err(ReportError::NoCompetition)?;
        Ok(PlannedStages { stages, rated: schedule.rated(self.matches), schedule, numbers })
    }

    /// The key of a pair in a competition of stages; `None` if it belongs to none.
    fn pair(&self, numbers: &[BotIndex], block: u32, table: &[u32]) -> Option<PairKey> {
        let mut bots: Vec<BotIndex> = table.iter().map(|bot| numbers[*bot as usize]).collect();
        bots.sort_unstable();
        Some(PairKey { stage: *self.stages.get(&block)?, block, table: Table::new(&bots)? })
    }

    /// The block in which each pair counts; `None` if it is not rated.
    fn blocks(&self, planned: Option<&PlannedStages<'_>>) -> Vec<Option<u32>> {
        let block = |(block, table): &(u32, Vec<u32>)| match planned {
            Some(planned) => rated_block(&planned.rated, &self.pair(&planned.numbers, *block, table)?),
            None => Some(*block),
        };
        self.legs.keys().map(block).collect()
    }
}

impl PlannedStages<'_> {
    /// How it stands.
    fn table(&self) -> Option<CompetitionTable<String>> {
        let name = |bot: BotIndex| self.stages.bots[bot.index()].clone();
        self.schedule.competition().map(|table| table.named(name))
    }
}
