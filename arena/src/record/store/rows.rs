//! Matches as rows: written, and read page by page in schedule order.

use leyden_protocol::{MatchEnding, PerSeat, Seat, Seats, WinningScore};
use leyden_stats::FinalScores;
use rusqlite::types::ToSql;
use rusqlite::{Connection, Row};

use super::schema::{columns, key_columns, key_length, placeholders};
use leyden_model::{BotIndex, MatchKey, MatchRecord, Table};

/// How many rows are read at once: few enough that no read keeps the writer's log from being merged.
const PAGE: usize = 512;

/// The same for rows with their records, which may be long.
const PAGE_OF_RECORDS: usize = 64;

/// The row number before all matches.
const BEFORE_ALL: i64 = -1;

/// The statement that [`insert_match`] executes: built once, because every match needs it.
pub(super) fn insertion(seats: Seats) -> String {
    format!(
        "INSERT INTO matches ({}, id, winner, ending, fault, fault_seat, {}, rounds, record) VALUES ({})",
        key_columns(seats),
        columns("score", seats),
        placeholders(key_length(seats) + 7 + seats.count()),
    )
}

/// Writes a match without its record. Fails if it exists already.
pub(super) fn insert_match(
    file: &Connection,
    insertion: &str,
    key: &MatchKey,
    record: &MatchRecord,
    rounds: usize,
    number: i64,
) -> rusqlite::Result<()> {
    let mut insert = file.prepare_cached(insertion)?;
    let mut column = bind_key(&mut insert, 1, key)?;
    let mut bind = |value: &dyn ToSql| {
        column += 1;
        insert.raw_bind_parameter(column - 1, value)
    };
    bind(&record.id)?;
    bind(&record.winner.map(seat_number))?;
    bind(&ending(record.end))?;
    bind(&record.fault.as_ref().map(|fault| fault.code.as_str()))?;
    bind(&record.fault.as_ref().map(|fault| seat_number(fault.seat)))?;
    for score in record.scores.as_slice() {
        bind(score)?;
    }
    bind(&(rounds as i64))?;
    bind(&number)?;
    insert.raw_execute().map(drop)
}

/// Binds a match's key from a column on; returns the next column.
pub(super) fn bind_key(
    query: &mut rusqlite::Statement<'_>,
    first: usize,
    key: &MatchKey,
) -> rusqlite::Result<usize> {
    query.raw_bind_parameter(first, key.stage)?;
    query.raw_bind_parameter(first + 1, key.block)?;
    let mut column = first + 2;
    for bot in key.table.bots() {
        query.raw_bind_parameter(column, bot.0)?;
        column += 1;
    }
    query.raw_bind_parameter(column, key.leg)?;
    Ok(column + 1)
}

/// The SQL condition that selects one match, for [`bind_key`]. The table is sorted by these columns, so it is found at once.
pub(super) fn is_match(seats: Seats) -> String {
    format!("({}) = ({})", key_columns(seats), placeholders(key_length(seats)))
}

/// Removes a match, but not its record.
pub(super) fn delete_match(file: &Connection, key: &MatchKey) -> rusqlite::Result<()> {
    let mut delete = file.prepare_cached(&deletion(key.table.seats()))?;
    bind_key(&mut delete, 1, key)?;
    delete.raw_execute().map(drop)
}

fn deletion(seats: Seats) -> String {
    format!("DELETE FROM matches WHERE {}", is_match(seats))
}

/// The query for the keys and numbers of what was stored after a match, in the order of storing. It reads an index alone, so
/// what was stored before costs nothing.
pub(super) fn stored_since(seats: Seats) -> String {
    format!("SELECT {}, record FROM matches WHERE record > ? ORDER BY record", key_columns(seats))
}

fn seat_number(seat: Seat) -> i64 {
    seat.index() as i64
}

pub(super) const fn ending(end: MatchEnding) -> &'static str {
    match end {
        MatchEnding::Target => "target",
        MatchEnding::Fault => "fault",
        MatchEnding::RoundLimit => "round_limit",
    }
}

/// Reads a match's key from a column on; `None` if it is not a match at tables of this size.
pub(super) fn read_key(row: &Row<'_>, first: usize, seats: Seats) -> rusqlite::Result<Option<MatchKey>> {
    let mut bots = [BotIndex::default(); leyden_protocol::MAX_SEATS];
    for (i, bot) in bots.iter_mut().enumerate().take(seats.count()) {
        *bot = BotIndex(row.get(first + 2 + i)?);
    }
    let (stage, block) = (row.get(first)?, row.get(first + 1)?);
    let leg: u32 = row.get(first + 2 + seats.count())?;
    let table = Table::new(&bots[..seats.count()]).filter(|_| (leg as usize) < seats.count());
    Ok(table.map(|table| MatchKey { stage, block, table, leg }))
}

/// Reads how a match ended: the fault's seat in a column, then the scores. `None` if the seat is invalid.
pub(super) fn read_final(
    row: &Row<'_>,
    first: usize,
    seats: Seats,
    better: WinningScore,
) -> rusqlite::Result<Option<FinalScores>> {
    let fault: Option<usize> = row.get::<_, Option<u32>>(first)?.map(|seat| seat as usize);
    let mut scores = PerSeat::default_for(seats);
    for (seat, score) in scores.iter_mut() {
        *score = row.get(first + 1 + seat.index())?;
    }
    let known = |fault: Option<Seat>| FinalScores { scores, fault, better };
    Ok(match fault {
        None => Some(known(None)),
        Some(seat) => Seat::new(seat).filter(|&seat| seats.has(seat)).map(|seat| known(Some(seat))),
    })
}

/// The matches after a given one, in schedule order: one page of those for which the condition `which` holds, which `read`
/// converts from the key and `selected`.
///
/// `selected` may name columns of `matches` and `body`, the packed record.
pub(super) fn page<T>(
    file: &Connection,
    seats: Seats,
    after: Option<&MatchKey>,
    which: &str,
    selected: &str,
    mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let columns = key_columns(seats);
    let (join, most) =
        if selected.contains("body") { ("JOIN records USING (record)", PAGE_OF_RECORDS) } else { ("", PAGE) };
    let mut query = file.prepare_cached(&format!(
        "SELECT {columns}, {selected} FROM matches {join} WHERE ({columns}) > ({}) AND {which} ORDER BY {columns} LIMIT {most}",
        placeholders(key_length(seats)),
    ))?;
    if let Some(key) = after {
        bind_key(&mut query, 1, key)?;
    } else {
        for column in 1..=key_length(seats) {
            query.raw_bind_parameter(column, BEFORE_ALL)?;
        }
    }
    let mut rows = query.raw_query();
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;

    /// How SQLite would execute a statement on a results file: one line for each table that it searches or scans, or sorts.
    fn execution(statement: &str) -> Vec<String> {
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch(&schema::tables(Seats::TWO)).unwrap();
        let mut explained = file.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let mut rows = explained.raw_query();
        let mut all = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            all.push(row.get(3).unwrap());
        }
        all
    }

    #[test]
    fn query_since_a_record_uses_a_covering_index() {
        let steps = execution(&stored_since(Seats::TWO));
        assert_eq!(steps, ["SEARCH matches USING COVERING INDEX matches_by_record (record>?)"]);
    }

    #[test]
    fn match_is_deleted_by_its_key() {
        let steps = execution(&deletion(Seats::TWO));
        let by_key =
            "SEARCH matches USING PRIMARY KEY (phase=? AND block=? AND player0=? AND player1=? AND leg=?)";
        assert_eq!(steps, [by_key]);
    }
}
