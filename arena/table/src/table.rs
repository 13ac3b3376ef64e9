//! What is fixed before a match with a person begins: the seats, the rules, the seed, and the file that it will be stored in.

use std::path::PathBuf;

use leyden_model::{
    BotEntry, BotIndex, MatchHeader, MatchKey, MatchRecord, RecordRules, Table, TournamentSeed, numbered_name,
};
use leyden_protocol::Seat;
use leyden_referee::MatchSpec;
use leyden_rules::Rules;

use leyden_arena::format::Format;
use leyden_arena::record::store::{StoreError, StoredPlan};
use leyden_arena::run::{Notice, Opponents, Options, PlanError};
use leyden_arena::tournament::{OpenError, ResultsFile, create, try_results_file};

/// The name of a person in records.
pub const PERSON: &str = "person";

/// A table that is ready for a match.
#[derive(Clone, Debug)]
pub struct ReadyTable {
    pub(super) opponents: Opponents,
    /// The person's seat, if any; always the first.
    pub(super) seat: Option<Seat>,
    pub(super) spec: MatchSpec,
    stored_plan: StoredPlan,
    key: MatchKey,
    file: ResultsFile,
}

impl ReadyTable {
    /// Prepares a table for a person and the bots in these options.
    pub fn with_person(
        options: &Options,
        file: ResultsFile,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        Self::make(options, Some(Seat::FIRST), file, notify)
    }

    /// Prepares a table for bots only.
    pub fn for_bots(
        options: &Options,
        file: ResultsFile,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        Self::make(options, None, file, notify)
    }

    fn make(
        options: &Options,
        seat: Option<Seat>,
        file: ResultsFile,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        let private = match &file {
            ResultsFile::Dated(folder) => folder.join("leyden-results.db"),
            ResultsFile::New(path) => path.clone(),
        };
        try_results_file(&file)?; // fail now rather than after the match
        let opponents = Opponents::make(options, usize::from(seat.is_some()), &[private], notify)?;
        let mut bots: Vec<BotEntry> =
            opponents.bots.iter().map(leyden_arena::roster::Competitor::entry).collect();
        if seat.is_some() {
            bots.insert(0, person(&bots));
        }
        let indices: Vec<BotIndex> = (0..bots.len() as u32).map(BotIndex).collect();
        let table = Table::new(&indices)
            .ok_or(PlanError::NotATable { bots: bots.len(), seats: opponents.settings.seats })?;
        let stored_plan = StoredPlan {
            settings: opponents.settings.clone(),
            seed: opponents.seed.clone(),
            bots,
            left_out: Vec::new(),
            changes: Vec::new(),
            blocks: 1,
            format: Format::Single,
            gate: None,
            files: Vec::new(),
            begun_in: std::env::current_dir().ok(),
        };
        let names: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let seed = TournamentSeed::from_text(&stored_plan.seed);
        let rules = RecordRules::from(&opponents.rules);
        let header =
            MatchHeader::new(seed.tournament_id(), seed.match_seed(&names, 0), rules, (0, 0), &names);
        let spec = MatchSpec::new(header, &opponents.settings).map_err(PlanError::from)?;
        let key = MatchKey { stage: 0, table, block: 0, leg: 0 };
        Ok(Self { opponents, seat, spec, stored_plan, key, file })
    }

    /// Returns the header of the match. It contains the seed, which no player may see.
    pub fn header(&self) -> &MatchHeader {
        &self.spec.header
    }

    /// Returns the rules by which the match is played.
    pub fn rules(&self) -> &Rules {
        &self.opponents.rules
    }

    /// Returns the person's seat, if any.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// Stores a finished match in a new results file, and returns its path.
    pub(super) fn keep(&self, record: MatchRecord) -> Result<PathBuf, OpenError> {
        let writer = create(&self.file, &self.stored_plan)?;
        let path = writer.path().to_owned();
        let added = writer.add(&self.key, record);
        writer.finish()?;
        added.map_err(|_| StoreError::Panicked)?; // `finish` returns the cause, if it is known
        Ok(path)
    }
}

/// Returns the person's entry for the results file, with a name that no bot has.
fn person(bots: &[BotEntry]) -> BotEntry {
    let is_free = |name: &String| bots.iter().all(|bot| bot.name != *name);
    let mut names = (1..).map(|number| numbered_name(PERSON, number)).take(bots.len() + 1);
    let name = names.find(is_free).unwrap_or_default();
    BotEntry { name, command: Vec::new(), hash: String::new(), author: None, language: None, folder: None }
}
