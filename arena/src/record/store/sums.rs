//! The sums of a results file: kept in memory by the writer, and written together with the matches they count.

use std::collections::BTreeSet;

use leyden_protocol::{FaultCode, WinningScore};
use rusqlite::{Connection, Row};

use super::bytes::TruncatedError;
use super::schema::{fault_column, fault_columns, placeholders};
use super::shape::{LONGEST_TEXT, MOST_BOTS};
use super::tally::{BotSums, Sign};
use super::thinking_times::ThinkingTimes;
use leyden_model::MatchRecord;
use leyden_model::{BotIndex, MatchKey};

/// The number of columns before the faults in `bot_sums`.
const BEFORE_FAULTS: usize = 12;

/// The sums of all bots, and which have changed since they were last written.
pub(super) struct Sums {
    better: WinningScore,
    bots: Vec<BotSums>,
    changed: BTreeSet<usize>,
    /// Whether the file is known to have a column for every fault.
    has_columns: bool,
}

impl Sums {
    /// Reads the sums of a file.
    pub(super) fn read(file: &Connection, bots: usize, better: WinningScore) -> rusqlite::Result<Self> {
        let mut all = vec![BotSums::default(); bots];
        for (bot, sums) in read_bots(file)? {
            if let Some(known) = all.get_mut(bot.index()) {
                *known = sums;
            }
        }
        Ok(Self { better, bots: all, changed: BTreeSet::new(), has_columns: false })
    }

    /// The sums of no matches.
    pub(super) fn none(bots: usize, better: WinningScore) -> Self {
        let bots = vec![BotSums::default(); bots];
        Self { better, bots, changed: BTreeSet::new(), has_columns: false }
    }

    /// The sums of one bot.
    pub(super) fn of(&self, bot: usize) -> Option<&BotSums> {
        self.bots.get(bot)
    }

    /// Counts a match, or takes it back. The rounds of the record are not used.
    pub(super) fn count(&mut self, key: &MatchKey, record: &MatchRecord, sign: Sign) {
        let seats = key.table.seats();
        for seat in seats.iter() {
            let bot = key.seat(seat).index();
            self.bots[bot].count(record, self.better, seat, sign);
            self.changed.insert(bot);
        }
    }

    /// Writes what has changed, in the caller's transaction.
    pub(super) fn write(&mut self, file: &Connection) -> rusqlite::Result<()> {
        if !self.has_columns && !self.changed.is_empty() {
            add_columns(file)?;
            self.has_columns = true;
        }
        while let Some(bot) = self.changed.pop_first() {
            write_bot(file, bot, &self.bots[bot])?;
        }
        Ok(())
    }
}

/// The faults that a file has a column for: one that was made before a fault code was added lacks its column.
fn has_column(file: &Connection) -> rusqlite::Result<[bool; FaultCode::ALL.len()]> {
    let mut query =
        file.prepare_cached("SELECT count(*) FROM pragma_table_info('bot_sums') WHERE name = ?")?;
    let mut all = [false; FaultCode::ALL.len()];
    for (has, code) in all.iter_mut().zip(FaultCode::ALL) {
        *has = query.query_row([fault_column(code)], |row| row.get::<_, i64>(0))? == 1;
    }
    Ok(all)
}

/// Adds the columns that a file lacks: no bot has such a fault yet.
fn add_columns(file: &Connection) -> rusqlite::Result<()> {
    let all = has_column(file)?.into_iter().zip(FaultCode::ALL);
    for (_, code) in all.filter(|(has, _)| !has) {
        let column = fault_column(code);
        file.execute(&format!("ALTER TABLE bot_sums ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"), [])?;
    }
    Ok(())
}

fn write_bot(file: &Connection, bot: usize, sums: &BotSums) -> rusqlite::Result<()> {
    let mut replace = file.prepare_cached(&format!(
        "INSERT OR REPLACE INTO bot_sums (bot, matches, won, drawn, lost, comparisons, half_points, points_for,
            points_against, margin, margins, strikes, {}, thinking) VALUES ({})",
        fault_columns(),
        placeholders(BEFORE_FAULTS + FaultCode::ALL.len() + 1),
    ))?;
    let numbers: [i64; BEFORE_FAULTS] = [
        bot as i64,
        sums.matches,
        sums.won,
        sums.drawn,
        sums.lost,
        sums.comparisons,
        sums.half_points,
        sums.points_for,
        sums.points_against,
        sums.margin,
        sums.margin_count,
        sums.strikes,
    ];
    let mut column = 0;
    for number in numbers.iter().chain(&sums.faults) {
        column += 1;
        replace.raw_bind_parameter(column, number)?;
    }
    replace.raw_bind_parameter(column + 1, sums.thinking.to_bytes())?;
    replace.raw_execute().map(drop)
}

/// The sums of every bot that has played, in command-line order.
pub(super) fn read_bots(file: &Connection) -> rusqlite::Result<Vec<(BotIndex, BotSums)>> {
    let columns = has_column(file)?.into_iter().zip(FaultCode::ALL);
    let faults: Vec<String> =
        columns.map(|(has, code)| if has { fault_column(code) } else { "0".to_owned() }).collect();
    let mut query = file.prepare(&format!(
        "SELECT bot, matches, won, drawn, lost, comparisons, half_points, points_for, points_against, margin,
            margins, strikes, {}, iif(length(thinking) < {LONGEST_TEXT}, thinking, NULL) FROM bot_sums ORDER BY bot LIMIT {}",
        faults.join(", "),
        MOST_BOTS + 1,
    ))?;
    query.query_map([], read_bot)?.collect()
}

fn read_bot(row: &Row<'_>) -> rusqlite::Result<(BotIndex, BotSums)> {
    let mut faults = [0; FaultCode::ALL.len()];
    for (i, count) in faults.iter_mut().enumerate() {
        *count = row.get(BEFORE_FAULTS + i)?;
    }
    let column = BEFORE_FAULTS + faults.len();
    let thinking = row.get_ref(column)?.as_blob()?;
    let thinking = ThinkingTimes::from_bytes(thinking).map_err(|TruncatedError| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            rusqlite::types::Type::Blob,
            Box::new(TruncatedError),
        )
    })?;
    let sums = BotSums {
        matches: row.get(1)?,
        won: row.get(2)?,
        drawn: row.get(3)?,
        lost: row.get(4)?,
        comparisons: row.get(5)?,
        half_points: row.get(6)?,
        points_for: row.get(7)?,
        points_against: row.get(8)?,
        margin: row.get(9)?,
        margin_count: row.get(10)?,
        strikes: row.get(11)?,
        faults,
        thinking,
    };
    Ok((BotIndex(row.get(0)?), sums))
}
