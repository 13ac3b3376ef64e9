//! A bot that was played has changed: what it played in is taken out of the results file, in the caller's transaction.

use std::path::Path;

use leyden_protocol::WinningScore;
use rusqlite::Connection;

use super::error::StoreError;
use super::record_template::RecordTemplate;
use super::shape::LONGEST_RECORD;
use super::stored_plan::StoredPlan;
use super::sums::Sums;
use super::tally::Sign;
use super::{file, pack, rows, schema};
use leyden_model::{BotIndex, MatchKey};

/// How many matches are taken out at once.
const AT_ONCE: usize = 64;

/// How many matches of a file a bot played in.
pub(super) fn matches_of(all: &Connection, stored_plan: &StoredPlan, bot: BotIndex) -> rusqlite::Result<u64> {
    let query = format!("SELECT count(*) FROM matches WHERE ? IN ({})", players(stored_plan));
    all.query_row(&query, [bot.0], |row| row.get::<_, i64>(0)).map(|count| count as u64)
}

/// Writes what a bot is made of now, and takes out all that it played in before, with its part in every sum. `was` is what the
/// file says.
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

/// Takes out all that a bot played in, with its part in every sum.
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
    loop {
        let found = some_of(all, was, bot).map_err(failed)?;
        if found.is_empty() {
            break;
        }
        for (key, number, body) in found {
            let key = key
                .filter(|key| known.has(&key.table))
                .ok_or_else(|| damaged("a table that cannot be".to_owned()))?;
            let record = pack::unpack(&body, known.of(&key))
                .map_err(|damage| damaged(format!("record {number}: {damage}")))?;
            sums.count(&key, &record, Sign::Minus);
            let gone = all
                .execute("DELETE FROM records WHERE record = ?", [number])
                .and_then(|_| all.execute("DELETE FROM matches WHERE record = ?", [number]));
            gone.map_err(failed)?;
        }
    }
    // What was worked out of luck rests on matches that are gone.
    all.execute("DELETE FROM tournament WHERE name = 'luck'", []).map_err(failed)?;
    sums.write(all).map_err(failed)
}

type Stored = (Option<MatchKey>, i64, Vec<u8>);

/// Some of the matches that a bot played in, as long as there are any.
fn some_of(all: &Connection, stored_plan: &StoredPlan, bot: BotIndex) -> rusqlite::Result<Vec<Stored>> {
    let seats = stored_plan.settings.seats;
    let mut query = all.prepare_cached(&format!(
        "SELECT {}, record, iif(length(body) <= {LONGEST_RECORD}, body, x'') FROM matches JOIN records USING (record)
            WHERE ? IN ({}) LIMIT {AT_ONCE}",
        schema::key_columns(seats),
        players(stored_plan),
    ))?;
    let first = schema::key_length(seats);
    query
        .query_map([bot.0], |row| Ok((rows::read_key(row, 0, seats)?, row.get(first)?, row.get(first + 1)?)))?
        .collect()
}

fn players(stored_plan: &StoredPlan) -> String {
    schema::columns("player", stored_plan.settings.seats)
}
