//! The sums of a results file: kept in memory by the writer, written with the matches they count.

use std::collections::BTreeSet;

use leyden_protocol::{FaultCode, WinningScore};
use rusqlite::{Connection, Row};

use super::bytes::Truncated;
use super::schema::{fault_columns, places};
use super::shape::{LONGEST_TEXT, MOST_BOTS};
use super::tally::{BotSums, Sign};
use super::thinking::Thinking;
use leyden_model::MatchRecord;
use leyden_model::{BotIndex, MatchKey};

/// How many columns stand before the faults in `bot_sums`.
const BEFORE_FAULTS: usize = 12;

/// The sums of all bots, and what has changed since they were last written.
pub(super) struct Sums {
    better: WinningScore,
    bots: Vec<BotSums>,
    changed: BTreeSet<usize>,
}

impl Sums {
    /// The sums that a file holds.
    pub(super) fn read(file: &Connection, bots: usize, better: WinningScore) -> rusqlite::Result<Self> {
        let mut all = vec![BotSums::default(); bots];
        for (bot, sums) in read_bots(file)? {
            if let Some(place) = all.get_mut(bot.index()) {
                *place = sums;
            }
        }
        Ok(Self { better, bots: all, changed: BTreeSet::new() })
    }

    /// Those of no match.
    pub(super) fn none(bots: usize, better: WinningScore) -> Self {
        Self { better, bots: vec![BotSums::default(); bots], changed: BTreeSet::new() }
    }

    /// Those of one bot.
    pub(super) fn of(&self, bot: usize) -> Option<&BotSums> {
        self.bots.get(bot)
    }

    /// Counts a match, or takes it back. The rounds of the record are not looked at.
    pub(super) fn count(&mut self, key: &MatchKey, record: &MatchRecord, sign: Sign) {
        let seats = key.table.seats();
        for seat in seats.iter() {
            let bot = key.seat(seat).index();
            self.bots[bot].count(record, self.better, seat, sign);
            self.changed.insert(bot);
        }
    }

    /// Writes what has changed, within the caller's transaction.
    pub(super) fn write(&mut self, file: &Connection) -> rusqlite::Result<()> {
        while let Some(bot) = self.changed.pop_first() {
            write_bot(file, bot, &self.bots[bot])?;
        }
        Ok(())
    }
}

fn write_bot(file: &Connection, bot: usize, sums: &BotSums) -> rusqlite::Result<()> {
    let mut replace = file.prepare_cached(&format!(
        "INSERT OR REPLACE INTO bot_sums (bot, matches, won, drawn, lost, comparisons, half_points, points_for,
            points_against, margin, margins, strikes, {}, thinking) VALUES ({})",
        fault_columns(),
        places(BEFORE_FAULTS + FaultCode::ALL.len() + 1),
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
        sums.margins,
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
    let mut query = file.prepare(&format!(
        "SELECT bot, matches, won, drawn, lost, comparisons, half_points, points_for, points_against, margin,
            margins, strikes, {}, iif(length(thinking) < {LONGEST_TEXT}, thinking, NULL) FROM bot_sums ORDER BY bot LIMIT {}",
        fault_columns(),
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
    let thinking = Thinking::from_bytes(thinking).map_err(|Truncated| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Blob, Box::new(Truncated))
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
        margins: row.get(10)?,
        strikes: row.get(11)?,
        faults,
        thinking,
    };
    Ok((BotIndex(row.get(0)?), sums))
}
