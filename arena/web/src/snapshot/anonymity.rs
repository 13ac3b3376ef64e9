//! A tournament without names: bots are called by their places, and nothing else reveals who they are to anyone who knows the
//! field.
//!
//! A snapshot gets its names only from the stored plan, so a changed stored plan removes them. Three other things could reveal
//! them: what bots and their authors write; the order in which bots were named, often alphabetical, which affects indices, keys and
//! legs; and the seed, because deals follow from it and the bots' names. So their texts are left out, everything is in the order of
//! the ranks, and there is no seed and no record.

use std::sync::Arc;

use leyden_language::Language;
use leyden_language::text::pages;
use leyden_model::{BotEntry, BotIndex, ChangeKind, MatchKey, MatchRecord, Table};
use leyden_protocol::{PerSeat, Seat};

use super::record::{nameless_record, own_record};
use super::{MatchView, Snapshot, SnapshotReader};
use leyden_arena::league::PublicNames;
use leyden_arena::record::store::StoredPlan;
use leyden_arena::report::ReportError;
use leyden_arena::roster::Pseudonyms;

/// Why there are no pages without names.
#[derive(Debug, thiserror::Error)]
pub enum NamelessError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("{bot} has no pseudonym: add the line {bot:?} = \"…\" to [pseudonyms] in the rubric")]
    Pseudonym { bot: String },
}

impl SnapshotReader {
    /// Returns a snapshot without names, or with pseudonyms.
    pub fn nameless(
        &self,
        pseudonyms: Option<&Pseudonyms>,
        language: Language,
    ) -> Result<Snapshot, NamelessError> {
        let ranking = self.snapshot(None)?.ranking;
        let stored_plan = renamed(self.stored_plan(), &ranking, pseudonyms)?;
        let named = self.snapshot_of(&stored_plan, None, None)?;
        let mut indices = vec![BotIndex::default(); ranking.len()];
        for (index, bot) in (0..).zip(&ranking) {
            indices[bot.index()] = BotIndex(index);
        }
        let at = |bot: BotIndex| indices[bot.index()];
        let each = || ranking.iter().map(|bot| bot.index());
        let rows = each().flat_map(|row| each().map(move |column| (row, column)));
        let mut matches: Vec<MatchView> = named.matches.iter().map(|seen| moved(seen, at)).collect();
        matches.sort_by_key(|seen| seen.key);
        let mut gate = named.gate;
        if let Some(gate) = &mut gate {
            gate.seed = None;
        }
        Ok(Snapshot {
            name: language.say(pages::Nameless),
            is_nameless: true,
            names: None,
            seed: None,
            bots: ranking.iter().map(|bot| named.bots[bot.index()].clone()).collect(),
            meetings: rows.map(|(row, column)| named.meetings[row * ranking.len() + column]).collect(),
            ranking: named.ranking.iter().map(|bot| at(*bot)).collect(),
            // Who has copied from whom may be known.
            copies: Vec::new(),
            matches: matches.into_iter().map(Arc::new).collect(),
            fault_details: Arc::default(),
            gate,
            ..named
        })
    }
}

impl SnapshotReader {
    /// Returns a snapshot of a league that hides names, in the order in which bots came.
    pub(super) fn pseudonymous(
        &self,
        names: &PublicNames,
        rate: Option<f64>,
    ) -> Result<Snapshot, ReportError> {
        let mut stored_plan = self.stored_plan().clone();
        for bot in &mut stored_plan.bots {
            *bot = nameless_entry(names.public_name(&bot.name));
        }
        stored_plan.left_out.clear();
        for change in &mut stored_plan.changes {
            if let Some(bot) = bot_of(&mut change.what) {
                *bot = names.public_name(bot);
            }
        }
        let mut snapshot = self.snapshot_of(&stored_plan, None, rate)?;
        for counted in &mut snapshot.copies {
            // An author who has copied would learn what the other one is called.
            counted.like = None;
        }
        Ok(Snapshot {
            is_nameless: true,
            names: Some(names.clone()),
            seed: None,
            fault_details: Arc::default(),
            gate: None,
            ..snapshot
        })
    }
}

fn nameless_entry(name: String) -> BotEntry {
    BotEntry { name, command: Vec::new(), hash: String::new(), author: None, language: None, folder: None }
}

/// The bot that a change is about.
fn bot_of(change: &mut ChangeKind) -> Option<&mut String> {
    match change {
        ChangeKind::Joined { bot }
        | ChangeKind::Replaced { bot }
        | ChangeKind::Withdrawn { bot, .. }
        | ChangeKind::Left { bot, .. } => Some(bot),
        ChangeKind::Blocks { .. } => None,
    }
}

impl Snapshot {
    /// Returns a match of an author's bot as the author may see it: what others wrote is left out if names are hidden.
    pub(crate) fn for_author(&self, seen: &MatchView, seat: Seat, record: MatchRecord) -> MatchRecord {
        if self.names.is_none() {
            return record;
        }
        let bots = seen.bots.map(|bot| self.bot(*bot).name.clone());
        MatchRecord { leg: seen.key.leg, ..own_record(record, seat, bots) }
    }

    /// Returns a record as this snapshot may show it.
    pub fn shown(&self, seen: &MatchView, record: MatchRecord) -> MatchRecord {
        if !self.is_nameless {
            return record;
        }
        let bots = seen.bots.map(|bot| self.bot(*bot).name.clone());
        MatchRecord { leg: seen.key.leg, ..nameless_record(record, bots) }
    }
}

/// Returns the stored plan with the bots called by their pseudonyms or places, best first.
fn renamed(
    stored_plan: &StoredPlan,
    ranking: &[BotIndex],
    pseudonyms: Option<&Pseudonyms>,
) -> Result<StoredPlan, NamelessError> {
    let digits = ranking.len().to_string().len();
    // With leading zeros, the names sort like the places.
    let name = |rank: usize, bot: &BotEntry| match pseudonyms {
        None => Ok(format!("Bot {rank:0digits$}")),
        Some(pseudonyms) => {
            let found = pseudonyms.find(&bot.name, bot.folder.as_deref());
            found.map(str::to_owned).ok_or_else(|| NamelessError::Pseudonym { bot: bot.name.clone() })
        }
    };
    let mut stored_plan = stored_plan.clone();
    for (rank, bot) in (1_usize..).zip(ranking) {
        let entry = &mut stored_plan.bots[bot.index()];
        *entry = nameless_entry(name(rank, entry)?);
    }
    stored_plan.left_out.clear();
    for change in &mut stored_plan.changes {
        // When a bot joined may be widely known.
        if let Some(bot) = bot_of(&mut change.what) {
            "a bot".clone_into(bot);
        }
    }
    Ok(stored_plan)
}

/// Returns a match with other indices for its bots.
fn moved(seen: &MatchView, at: impl Fn(BotIndex) -> BotIndex) -> MatchView {
    let bots: PerSeat<BotIndex> = seen.bots.map(|bot| at(*bot));
    let mut table = bots.as_slice().to_vec();
    table.sort_unstable();
    let first = bots.as_slice().iter().position(|bot| Some(bot) == table.first()).unwrap_or_default();
    let key = MatchKey {
        table: Table::new(&table).unwrap_or(seen.key.table),
        // The leg in which the best bot has this seat.
        leg: ((table.len() - first) % table.len()) as u32,
        ..seen.key
    };
    MatchView { key, bots, ..seen.clone() }
}
