//! What a results file says about every match before it is played.

use leyden_protocol::{MatchEnding, PerSeat};

use super::setup::Setup;
use leyden_model::TournamentSeed;
use leyden_model::{MatchKey, Table};
use leyden_model::{MatchRecord, RECORD_VERSION, RecordRules};

/// The part of every record that follows from the setup alone.
#[derive(Clone)]
pub struct Known {
    tournament: String,
    seed: TournamentSeed,
    rules: RecordRules,
    names: Vec<String>,
}

impl Known {
    pub fn new(setup: &Setup) -> Self {
        let seed = setup.tournament_seed();
        Self {
            tournament: seed.tournament_id(),
            seed,
            rules: setup.record_rules(),
            names: setup.bots.iter().map(|bot| bot.name.clone()).collect(),
        }
    }

    /// Whether all bots of a table are there.
    pub(crate) fn has(&self, table: &Table) -> bool {
        table.seats() == self.rules.seats && table.bots().iter().all(|bot| bot.index() < self.names.len())
    }

    /// The record of a match with nothing played in it. The table must be one of this setup.
    pub fn of(&self, fixture: &MatchKey) -> MatchRecord {
        let seats = self.rules.seats;
        let name = |bot: usize| self.names[bot].as_str();
        let names: Vec<&str> = fixture.table.bots().iter().map(|bot| name(bot.index())).collect();
        let seed = self.seed.match_seed(&names, fixture.block);
        MatchRecord {
            v: RECORD_VERSION,
            id: seed.match_id(fixture.leg),
            tournament: self.tournament.clone(),
            rules: self.rules,
            seed,
            block: fixture.block,
            leg: fixture.leg,
            bots: fixture.seating().map(|bot| name(bot.index()).to_owned()),
            rounds: Vec::new(),
            scores: PerSeat::default_for(seats),
            winner: None,
            end: MatchEnding::Target,
            fault: None,
            think_us: PerSeat::default_for(seats),
            notes: Vec::new(),
            strikes: Vec::new(),
            stderr: None,
            host: None,
        }
    }
}
