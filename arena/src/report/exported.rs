//! The tally of an export, record by record. An export does not say what was wanted or voided.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::store::BotSums;
use leyden_model::{MatchRecord, RecordRules};
use leyden_protocol::WinningScore;
use leyden_stats::{Entrant, Field, TallyBuilder};

use super::ReportError;
use super::later_legs::Leg;
use super::pair_sums::PairSums;
use super::tournament_tally::TournamentTally;

/// Records of one tournament, in any order.
#[derive(Default)]
pub struct Exported {
    /// What all records agree on: tournament and rules, and the direction of score that follows.
    common: Option<(String, RecordRules, WinningScore)>,
    /// Bots in the order in which they first appear.
    bots: BTreeMap<String, u32>,
    sums: Vec<BotSums>,
    /// The legs of each pair, identified by its block and its bots, ascending. Bots are numbered in order of appearance.
    legs: BTreeMap<(u32, Vec<u32>), Vec<Leg>>,
    matches: u64,
}

impl Exported {
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

    /// The tally from which standings are made. Bots that met in one block are expected to meet in every block: an export does
    /// not say how many rounds there are, so blocks in which only some tables meet again are incomplete, and are not rated.
    pub fn finish(self) -> Result<TournamentTally, ReportError> {
        let Self { common, bots, mut sums, mut legs, matches } = self;
        let Some((tournament, rules, better)) = common else {
            return Err(ReportError::NoMatch);
        };
        // The names are sorted; each takes its place among them.
        let mut places = vec![Entrant(0); sums.len()];
        for (place, index) in (0..).zip(bots.values()) {
            places[*index as usize] = Entrant(place);
        }
        let met: BTreeSet<&[u32]> = legs.keys().map(|(_, table)| &table[..]).collect();
        let table = |table: &[u32]| table.iter().map(|bot| places[*bot as usize]).collect();
        let tables: Vec<Vec<Entrant>> = met.into_iter().map(table).collect();
        let field = Field::of_tables(bots.len(), &tables).map_err(ReportError::NoTable)?;
        let seats = rules.seats;
        let mut pairs = PairSums::new(TallyBuilder::new(field), bots.len(), seats, true);
        for ((block, _), legs) in &mut legs {
            legs.sort_by_key(|leg| leg.number);
            for leg in &mut *legs {
                leg.bots = leg.bots.map(|bot| places[*bot].0 as usize);
            }
            let counted = pairs.add(Some(*block), legs, (legs.len() == seats.count(), false));
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
            blocks_wanted: None,
            competition: None,
            matches,
            matches_wanted: None,
            luck: None,
            pairs,
        })
    }
}
