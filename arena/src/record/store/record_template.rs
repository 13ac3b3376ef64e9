//! What a results file says about every match before it is played.

use super::stored_plan::StoredPlan;
use leyden_model::{MatchHeader, MatchKey, MatchRecord, RECORD_VERSION, RecordRules, Table, TournamentSeed};

/// The part of every record that follows from the stored plan alone.
#[derive(Clone)]
pub struct RecordTemplate {
    tournament: String,
    seed: TournamentSeed,
    rules: RecordRules,
    names: Vec<String>,
    /// That of the records.
    version: u32,
}

impl RecordTemplate {
    pub fn new(stored_plan: &StoredPlan) -> Self {
        let seed = stored_plan.tournament_seed();
        Self {
            tournament: seed.tournament_id(),
            seed,
            rules: stored_plan.record_rules(),
            names: stored_plan.bots.iter().map(|bot| bot.name.clone()).collect(),
            version: RECORD_VERSION,
        }
    }

    /// The same of records of another version.
    pub(super) fn in_version(self, version: u32) -> Self {
        Self { version, ..self }
    }

    /// Whether all bots of a table are there.
    pub(crate) fn has(&self, table: &Table) -> bool {
        table.seats() == self.rules.seats && table.bots().iter().all(|bot| bot.index() < self.names.len())
    }

    /// The record of a match with nothing played in it. The table must be one of this stored plan.
    pub fn of(&self, key: &MatchKey) -> MatchRecord {
        let names: Vec<&str> = key.table.bots().iter().map(|bot| self.names[bot.index()].as_str()).collect();
        let seed = self.seed.match_seed(&names, key.block);
        let place = (key.block, key.leg);
        let header = MatchHeader::new(self.tournament.clone(), seed, self.rules, place, &names);
        MatchRecord { v: self.version, ..header.record() }
    }
}
