//! Removes the matches of a changed bot from the results file, in the caller's transaction.

use std::path::Path;

use leyden_protocol::WinningScore;
use rusqlite::Connection;

use super::error::StoreError;
use super::record_template::RecordTemplate;
use super::shape::LONGEST_RECORD;
use super::stored_plan::StoredPlan;
use super::sums::Sums;
use super::tally::Sign;
use super::{file, pack, results, rows, schema};
use leyden_model::{BotIndex, MatchKey};

/// The number of matches in a file that are removed with a bot.
pub(super) fn matches_of(
    all: &Connection,
    path: &Path,
    stored_plan: &StoredPlan,
    bot: BotIndex,
) -> Result<u64, StoreError> {
    let goes = RemovedMatches::with(all, path, stored_plan, bot)?.condition();
    let query = format!("SELECT count(*) FROM matches WHERE {goes}");
    let count = all.query_row(&query, [], |row| row.get::<_, i64>(0));
    count.map(|count| count as u64).map_err(|source| StoreError::sqlite(path, "read", source))
}

/// The matches that are removed with a bot.
struct RemovedMatches {
    bot: BotIndex,
    /// The columns of the bots.
    players: String,
    /// Where results decide who meets next: the first block behind the round in which the bot played first. The rounds from
    /// there on followed from its results.
    behind: Option<u32>,
}

impl RemovedMatches {
    fn with(
        all: &Connection,
        path: &Path,
        stored_plan: &StoredPlan,
        bot: BotIndex,
    ) -> Result<Self, StoreError> {
        let players = schema::columns("player", stored_plan.settings.seats);
        let mut behind = None;
        if stored_plan.format.is_adaptive() {
            let query = format!("SELECT min(block) FROM matches WHERE ? IN ({players})");
            let first: Option<u32> = all
                .query_row(&query, [bot.0], |row| row.get(0))
                .map_err(|source| StoreError::sqlite(path, "read", source))?;
            let (schedule, _) = results::done(all, path, stored_plan)?;
            behind = first.and_then(|first| Some(schedule.round(first)?.blocks_end()));
        }
        Ok(Self { bot, players, behind })
    }

    /// The SQL condition for one of these matches.
    fn condition(&self) -> String {
        let own = format!("{} IN ({})", self.bot.0, self.players);
        self.behind.map_or_else(|| own.clone(), |behind| format!("({own} OR block >= {behind})"))
    }
}

/// Stores what a bot is made of now, and removes all its earlier matches, with their part in every sum. `was` is the plan
/// in the file.
pub(super) fn replace(
    all: &Connection,
    path: &Path,
    (was, now): (&StoredPlan, &StoredPlan),
    bot: BotIndex,
) -> Result<(), StoreError> {
    file::update_bot(all, bot.index(), &now.bots[bot.index()])
        .map_err(|source| StoreError::sqlite(path, "write to", source))?;
    take_out(all, path, was, bot)
}

/// Removes all matches of a bot, with their part in every sum. Where results decide who meets next, this includes all matches of
/// the rounds after its first one.
pub(super) fn take_out(
    all: &Connection,
    path: &Path,
    was: &StoredPlan,
    bot: BotIndex,
) -> Result<(), StoreError> {
    let failed = |source| StoreError::sqlite(path, "write to", source);
    let damaged = |what: String| StoreError::Damaged { path: path.to_owned(), what };
    let better = was.settings.rules().map_or(WinningScore::Higher, |rules| rules.better);
    let mut sums = Sums::read(all, was.bots.len(), better).map_err(failed)?;
    let known = RecordTemplate::new(was);
    let removed = RemovedMatches::with(all, path, was, bot)?;
    let goes = removed.condition();
    let mut after = None;
    loop {
        let found = some_after(all, was, after.as_ref(), &goes).map_err(failed)?;
        if found.is_empty() {
            break;
        }
        for (key, number, body) in found {
            let key = key
                .filter(|key| known.has(&key.table))
                .ok_or_else(|| damaged("an impossible table".to_owned()))?;
            let record = pack::unpack(&body, known.for_match(&key))
                .map_err(|damage| damaged(format!("record {number}: {damage}")))?;
            sums.count(&key, &record, Sign::Minus);
            remove(all, &key, number).map_err(failed)?;
            after = Some(key);
        }
    }
    if let Some(behind) = removed.behind {
        let of_void = "DELETE FROM records WHERE record IN (SELECT record FROM voided WHERE block >= ?)";
        all.execute(of_void, [behind]).map_err(failed)?;
        all.execute("DELETE FROM voided WHERE block >= ?", [behind]).map_err(failed)?;
    }
    // Computed luck rests on matches that are gone.
    all.execute("DELETE FROM tournament WHERE name = 'luck'", []).map_err(failed)?;
    sums.write(all).map_err(failed)
}

type Stored = (Option<MatchKey>, i64, Vec<u8>);

/// Returns the next batch of matches to remove, in schedule order.
fn some_after(
    all: &Connection,
    stored_plan: &StoredPlan,
    after: Option<&MatchKey>,
    goes: &str,
) -> rusqlite::Result<Vec<Stored>> {
    let seats = stored_plan.settings.seats;
    let first = schema::key_length(seats);
    let selected = format!("record, iif(length(body) <= {LONGEST_RECORD}, body, x'')");
    rows::page(all, seats, after, goes, &selected, |row| {
        Ok((rows::read_key(row, 0, seats)?, row.get(first)?, row.get(first + 1)?))
    })
}

fn remove(all: &Connection, key: &MatchKey, number: i64) -> rusqlite::Result<()> {
    all.prepare_cached("DELETE FROM records WHERE record = ?")?.execute([number])?;
    rows::delete_match(all, key)
}
