//! Verifies the records of one tournament together: none twice, each pair in every seating, seeds that follow from the seed
//! text.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use leyden_protocol::PerSeat;
use serde::Serialize;

use super::pairings::{self, PlayedMatch};
use super::single_record::{RecordError, RecordPart, verify};
use super::words::in_words;
use crate::record::export::ExportedCompetition;
use crate::record::store::StoredPlan;
use leyden_format::Schedule;
use leyden_model::{
    BotIndex, Commitment, MatchKey, MatchRecord, MatchSeed, RecordRules, Table, TournamentSeed,
};

/// Checks the records of one tournament one after the other, each by itself and against those before it.
///
/// Takes about 24 bytes of memory per match, and 16 per table, to remember those it has seen.
///
/// ```no_run
/// use leyden_arena::record::source::RecordSource;
/// use leyden_arena::record::verify::Verifier;
/// use leyden_model::TournamentSeed;
///
/// let mut verifier = Verifier::with_seed(TournamentSeed::from_text("the seed shown at the end"));
/// for record in RecordSource::open("results.jsonl".as_ref())?.records() {
///     verifier.check(&record?)?;
/// }
/// println!("{} matches are correct", verifier.matches());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Verifier {
    /// The tournament, if it is known in full, with every round that its matches determine.
    known: Option<(StoredPlan, Schedule)>,
    seed: Option<TournamentSeed>,
    /// The published commitment, if the seed is not known.
    commitment: Option<Commitment>,
    /// What the first record said about the tournament.
    tournament: Option<(String, RecordRules)>,
    seen: HashSet<u64>,
    /// The pair of the last record: its seed, block and bots in command-line order.
    pair: Option<(MatchSeed, u32, Vec<String>)>,
    /// Every pair: a hash of its block and its bots in command-line order, by a hash of its seed.
    pairs: HashMap<u64, u64>,
    matches: u64,
    /// Every table: a hash of its bots in command-line order, by a hash of the same bots sorted.
    tables: HashMap<u64, u64>,
    /// The number of blocks, up to the last one seen.
    blocks: u32,
    /// From an export of a competition of stages: what decides who meets next.
    played: Vec<PlayedMatch>,
    /// The schedule that follows from it.
    decided: Option<Schedule>,
}

impl Verifier {
    /// For an export about which nothing else is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// For an export whose seed text is known.
    pub fn with_seed(seed: TournamentSeed) -> Self {
        Self { seed: Some(seed), ..Self::default() }
    }

    /// For an export about which only the commitment published before the first match is known: the tournament id must match
    /// it, and match seeds cannot be checked.
    pub fn with_commitment(commitment: Commitment) -> Self {
        Self { commitment: Some(commitment), ..Self::default() }
    }

    /// For the records of a tournament that is known in full, with every round of its schedule that follows from them.
    pub fn for_plan(stored_plan: &StoredPlan, schedule: Schedule) -> Self {
        Self {
            seed: Some(stored_plan.tournament_seed()),
            known: Some((stored_plan.clone(), schedule)),
            ..Self::default()
        }
    }

    /// Whether a match is in the schedule of a tournament that is known in full. A run that is under way may begin a round after
    /// the schedule was read: then [`extend`](Self::extend) it.
    pub fn knows(&self, key: &MatchKey) -> bool {
        self.known.as_ref().is_none_or(|(_, schedule)| schedule.rank(key).is_some())
    }

    /// Takes a schedule with more rounds.
    pub fn extend(&mut self, further: Schedule) {
        if let Some((_, schedule)) = &mut self.known {
            *schedule = further;
        }
    }

    /// Checks that who met whom follows from the format and the results, once all records of an export are checked.
    pub fn decide(&mut self, exported: &ExportedCompetition) -> Result<(), RecordError> {
        let Some((_, rules)) = &self.tournament else { return Ok(()) };
        self.decided = pairings::schedule(exported, rules.seats, &self.played)?;
        Ok(())
    }

    /// Whether who met whom was compared with what the results decide; `None` without stages.
    pub fn compares_pairings(&self) -> Option<bool> {
        let known = self.known.as_ref().map(|(_, schedule)| schedule).or(self.decided.as_ref());
        let has_stages = known.map_or(!self.played.is_empty(), |schedule| schedule.format().is_adaptive());
        has_stages.then_some(known.is_some())
    }

    /// The number of correct matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Whether every match's seed is compared with the tournament's.
    pub fn compares_seeds(&self) -> bool {
        self.seed.is_some()
    }

    /// The tournament that the records name, if there was a record.
    pub fn tournament(&self) -> Option<&str> {
        self.tournament.as_ref().map(|(id, _)| id.as_str())
    }

    /// The number of missing matches. For a tournament known in full, compared with the part of its schedule that results determine
    /// it: if none is missing, there is no further round; so for the export of a competition of stages once it is
    /// [decided](Self::decide). For another export, which does not say how many blocks were planned, and for a gate, which may end early:
    /// compared with all matches of the tables seen, in every seating, in every block started.
    pub fn missing(&self) -> u64 {
        let tournament = self.known.as_ref().filter(|(stored_plan, _)| stored_plan.gate.is_none());
        let planned =
            tournament.map(|(_, schedule)| schedule).or(self.decided.as_ref()).map(Schedule::matches);
        let begun = || {
            let legs = self.tournament.as_ref().map_or(0, |(_, rules)| rules.seats.count() as u64);
            (self.tables.len() as u64).saturating_mul(self.blocks.into()).saturating_mul(legs)
        };
        planned.unwrap_or_else(begun).saturating_sub(self.matches)
    }

    /// Checks the next record.
    pub fn check(&mut self, record: &MatchRecord) -> Result<(), RecordError> {
        verify(record)?;
        self.one_tournament(record)?;
        self.seated(record)?;
        self.seeded(record)?;
        self.in_stored_plan(record)?;
        let id = u64::from_str_radix(&record.id, 16).unwrap_or_default(); // already checked: 16 hex digits of its seed
        if !self.seen.insert(id) {
            return wrong(record, "the match", "every match once", &"this one a second time");
        }
        if self.known.is_none() {
            self.played.extend(PlayedMatch::from_record(record));
        }
        self.matches += 1;
        self.blocks = self.blocks.max(record.block.saturating_add(1));
        Ok(())
    }

    fn one_tournament(&mut self, record: &MatchRecord) -> Result<(), RecordError> {
        let (id, rules) = self.tournament.get_or_insert_with(|| (record.tournament.clone(), record.rules));
        same(record, "the tournament, as in the records before", id, &record.tournament)?;
        same(record, "the rules, as in the records before", rules, &record.rules)
    }

    /// In leg ℓ seat i is taken by player (i + ℓ) mod k: rotating the seats back gives the same players in every leg, and in
    /// every block.
    fn seated(&mut self, record: &MatchRecord) -> Result<(), RecordError> {
        let mut players = record.bots.as_slice().to_vec();
        players.rotate_right(record.leg as usize);
        // The other legs and blocks may be anywhere: their order is not trusted.
        let of_pair = hashed(&(record.block, &players));
        let same_pair = *self.pairs.entry(hashed(&record.seed)).or_insert(of_pair) == of_pair;
        let in_order = hashed(&players);
        match &self.pair {
            Some((seed, block, before)) if *seed == record.seed => {
                same(record, "the block, as in the other legs of the pair", block, &record.block)?;
                let mut expected = before.clone();
                expected.rotate_left(record.leg as usize);
                same(
                    record,
                    "the seating, from the other legs of the pair",
                    &expected,
                    &record.bots.as_slice().to_vec(),
                )?;
            }
            _ => self.pair = Some((record.seed, record.block, players.clone())),
        }
        if !same_pair {
            let what = "the block and the seating, as in the other legs of the pair";
            let found = format!("block {} with {}", record.block, in_words(&record.bots));
            return wrong(record, what, "the same block and bots", &found);
        }
        players.sort_unstable();
        if *self.tables.entry(hashed(&players)).or_insert(in_order) != in_order {
            let what = "the seating, as in the other blocks of these bots";
            return wrong(record, what, "the same order, turned by a seat in each leg", &record.bots);
        }
        Ok(())
    }

    fn seeded(&self, record: &MatchRecord) -> Result<(), RecordError> {
        if let Some(commitment) = &self.commitment {
            let id = commitment.tournament_id().to_owned();
            same(record, "the tournament, which follows from the commitment", &id, &record.tournament)?;
        }
        let Some(tournament) = &self.seed else { return Ok(()) };
        let id = tournament.tournament_id();
        let what = "the tournament, which follows from the seed text (one that was changed gives another)";
        same(record, what, &id, &record.tournament)?;
        let names: Vec<&str> = record.bots.as_slice().iter().map(String::as_str).collect();
        let seed = tournament.match_seed(&names, record.block);
        same(
            record,
            "the match seed, which follows from the seed text, the bots and the block",
            &seed,
            &record.seed,
        )
    }

    fn in_stored_plan(&self, record: &MatchRecord) -> Result<(), RecordError> {
        let Some((stored_plan, schedule)) = &self.known else { return Ok(()) };
        same(record, "the rules of the tournament", &stored_plan.record_rules(), &record.rules)?;
        let blocks = schedule.blocks_end();
        if record.block >= blocks {
            return wrong(record, "the block", &format!("one below {blocks}"), &record.block);
        }
        let mut players = record.bots.as_slice().to_vec();
        players.rotate_right(record.leg as usize);
        let index = |name: &String| stored_plan.bots.iter().position(|bot| bot.name == *name);
        if let Some(stranger) = players.iter().find(|name| index(name).is_none()) {
            return wrong(record, "the bots", "bots of the tournament", stranger);
        }
        if !players.is_sorted_by_key(index) {
            let mut expected = players;
            expected.sort_by_key(index);
            expected.rotate_left(record.leg as usize);
            return same(record, "the seating of this leg", &expected, &record.bots.as_slice().to_vec());
        }
        let bots: Vec<BotIndex> = players.iter().filter_map(index).map(|bot| BotIndex(bot as u32)).collect();
        if Table::new(&bots).and_then(|table| schedule.pair(table, record.block)).is_none() {
            let expected = format!("bots that meet in block {}", record.block);
            return wrong(record, "the bots", &expected, &record.bots);
        }
        let mut strikes = PerSeat::<u32>::default_for(record.bots.seats());
        for strike in &record.strikes {
            strikes[strike.seat] += 1;
        }
        match strikes.as_slice().iter().find(|&&count| count > stored_plan.settings.strikes) {
            Some(count) => wrong(
                record,
                "the strikes of a seat",
                &format!("at most {}", stored_plan.settings.strikes),
                count,
            ),
            None => Ok(()),
        }
    }
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hash = DefaultHasher::new();
    value.hash(&mut hash);
    hash.finish()
}

fn same<T: PartialEq + Serialize>(
    record: &MatchRecord,
    what: &'static str,
    expected: &T,
    found: &T,
) -> Result<(), RecordError> {
    if expected == found { Ok(()) } else { wrong(record, what, &in_words(expected), found) }
}

fn wrong(
    record: &MatchRecord,
    what: &'static str,
    expected: &str,
    found: &impl Serialize,
) -> Result<(), RecordError> {
    let (expected, found) = (expected.to_owned(), in_words(found));
    Err(RecordError { id: record.id.clone(), part: RecordPart::Match, what, expected, found })
}
