//! What a results file says about every match before it is played.

use super::stored_plan::StoredPlan;
use leyden_model::{
    MatchHeader, MatchKey, MatchRecord, RECORD_VERSION, RULES_EDITION, RecordRules, Table, TournamentSeed,
};

/// The part of every record that follows from the stored plan alone.
#[derive(Clone)]
pub struct RecordTemplate {
    tournament: String,
    seed: TournamentSeed,
    rules: RecordRules,
    names: Vec<String>,
    /// The edition of the rules, and the version of the records.
    versions: (u32, u32),
}

impl RecordTemplate {
    /// Takes from the plan what all its records have in common.
    pub fn new(stored_plan: &StoredPlan) -> Self {
        let seed = stored_plan.tournament_seed();
        Self {
            tournament: seed.tournament_id(),
            seed,
            rules: stored_plan.record_rules(),
            names: stored_plan.bots.iter().map(|bot| bot.name.clone()).collect(),
            versions: (RULES_EDITION, RECORD_VERSION),
        }
    }

    /// The same for records by another edition of the rules, or of another version.
    pub(super) fn in_versions(self, versions: (u32, u32)) -> Self {
        Self { versions, ..self }
    }

    /// Whether all bots of a table exist.
    pub(crate) fn has(&self, table: &Table) -> bool {
        table.seats() == self.rules.seats && table.bots().iter().all(|bot| bot.index() < self.names.len())
    }

    /// The record of a match in which nothing was played. The table must be one of this stored plan.
    pub fn for_match(&self, key: &MatchKey) -> MatchRecord {
        let names: Vec<&str> = key.table.bots().iter().map(|bot| self.names[bot.index()].as_str()).collect();
        let seed = self.seed.match_seed(&names, key.block);
        let block_and_leg = (key.block, key.leg);
        let header = MatchHeader::new(self.tournament.clone(), seed, self.rules, block_and_leg, &names);
        let (rules_edition, v) = self.versions;
        MatchRecord { v, rules_edition, ..header.record() }
    }
}
