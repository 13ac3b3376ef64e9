//! Checks that everything in a results file follows from its records: the columns of each match, and the sums.

use std::fmt;

use leyden_protocol::FaultCode;
use rusqlite::Row;
use rusqlite::types::Value;

use super::error::StoreError;
use super::results::Results;
use super::sums::Sums;
use super::tally::{BotSums, Sign};
use super::{rows, schema};
use leyden_model::words::counted;
use leyden_model::{BotIndex, MatchRecord};

/// A value in a results file that does not follow from its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Whose value it is: a match's, or the sums of a bot.
    pub of: String,
    pub what: String,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, what, expected, found } = self;
        write!(f, "{of}: {what}: expected {expected}, which follows from the records, found {found}")
    }
}

impl Results {
    /// Compares the columns of matches and the sums with the records; returns the first difference, if any. Call it within
    /// [`inspect`](Self::inspect) if the file may be written to.
    pub fn audit(&self) -> Result<Option<Mismatch>, StoreError> {
        let seats = self.stored_plan().settings.seats;
        let first = schema::key_length(seats);
        let names = ["id", "winner", "ending", "fault", "fault_seat"].map(str::to_owned).into_iter();
        let names: Vec<String> = names
            .chain((0..seats.count()).map(|seat| format!("score{seat}")))
            .chain(["rounds".to_owned()])
            .collect();
        let selected = format!("{}, record", names.join(", "));
        let mut sums = Sums::none(self.stored_plan().bots.len(), self.better());
        let mut after = None;
        loop {
            let read = |row: &Row<'_>| {
                let values: Result<Vec<Value>, _> = (0..names.len()).map(|i| row.get(first + i)).collect();
                Ok((rows::read_key(row, 0, seats)?, values?))
            };
            let page = self.page(after.as_ref(), &selected, read)?;
            if page.is_empty() {
                break;
            }
            for (key, found) in page {
                after = key;
                let Some(key) = self.known_key(key)? else { continue };
                let of = format!("match {}", self.template().for_match(&key).id);
                let Some(record) = self.record(&key)? else {
                    let (what, expected) = ("its record".to_owned(), "one".to_owned());
                    return Ok(Some(Mismatch { of, what, expected, found: "none".to_owned() }));
                };
                let differing =
                    columns(&record).into_iter().zip(found).zip(&names).find(|((a, b), _)| a != b);
                if let Some(((expected, found), name)) = differing {
                    let (expected, found) = (shown(&expected), shown(&found));
                    return Ok(Some(Mismatch { of, what: format!("the column {name}"), expected, found }));
                }
                sums.count(&key, &record, Sign::Plus);
            }
        }
        self.audit_sums(&sums)
    }

    fn audit_sums(&self, expected: &Sums) -> Result<Option<Mismatch>, StoreError> {
        let found = self.bot_sums()?;
        for (bot, entry) in self.stored_plan().bots.iter().enumerate() {
            let of_bot = |(index, _): &&(BotIndex, BotSums)| index.index() == bot;
            let found = found.iter().find(of_bot).map(|(_, sums)| sums.clone()).unwrap_or_default();
            let Some(expected) = expected.of(bot) else { continue };
            let both = named(expected).into_iter().zip(named(&found));
            let differing = both.into_iter().find(|((_, expected), (_, found))| expected != found);
            if let Some(((name, expected), (_, found))) = differing {
                let (of, what) = (format!("the sums of {}", entry.name), format!("the column {name}"));
                return Ok(Some(Mismatch { of, what, expected, found }));
            }
        }
        Ok(None)
    }
}

/// The expected values of a match's columns, in the order in which they are queried.
fn columns(record: &MatchRecord) -> Vec<Value> {
    let number = |number: Option<usize>| number.map_or(Value::Null, |number| Value::Integer(number as i64));
    let fault = record.fault.as_ref();
    let mut values = vec![
        Value::Text(record.id.clone()),
        number(record.winner.map(leyden_protocol::Seat::index)),
        Value::Text(rows::ending(record.end).to_owned()),
        fault.map_or(Value::Null, |fault| Value::Text(fault.code.as_str().to_owned())),
        number(fault.map(|fault| fault.seat.index())),
    ];
    values.extend(record.scores.as_slice().iter().map(|&score| Value::Integer(score.into())));
    values.push(Value::Integer(record.rounds.len() as i64));
    values
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("{:?}", text.chars().take(100).collect::<String>()),
        Value::Blob(bytes) => counted(bytes.len(), "byte", "bytes"),
    }
}

/// Sums by the names of their columns.
fn named(sums: &BotSums) -> Vec<(String, String)> {
    let numbers = [
        ("matches", sums.matches),
        ("won", sums.won),
        ("drawn", sums.drawn),
        ("lost", sums.lost),
        ("comparisons", sums.comparisons),
        ("half_points", sums.half_points),
        ("points_for", sums.points_for),
        ("points_against", sums.points_against),
        ("margin", sums.margin),
        ("margins", sums.margin_count),
        ("strikes", sums.strikes),
    ];
    let numbers = numbers.map(|(name, number)| (name.to_owned(), number.to_string()));
    let faults = FaultCode::ALL.iter().zip(sums.faults);
    let faults = faults.map(|(code, count)| (schema::fault_column(*code), count.to_string()));
    let times: Vec<String> = sums.thinking.times().map(|(us, count)| format!("{count} of {us} µs")).collect();
    numbers.into_iter().chain(faults).chain([("thinking".to_owned(), times.join(", "))]).collect()
}
