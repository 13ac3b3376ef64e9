//! Records as JSON Lines, one match a line in schedule order. Written and read as a stream, so exports may be of any size.

use std::io::{self, BufRead, Read, Write};

use leyden_format::{Competition, Format, Schedule};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reader;
use super::store::{Results, StoreError};
use leyden_model::{MatchKey, MatchRecord, RECORD_VERSION, RecordStage};
use leyden_protocol::Seats;
use leyden_stats::FinalScores;

/// The longest line that is read, in bytes: far more than any match needs.
const LONGEST: u64 = 1 << 26;

/// What, with the results, decides who meets whom in a competition of stages. It stands in the first record of an export, as
/// `competition`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedCompetition {
    /// The names of all bots, in the order of the command line: the format counts them from 0.
    pub bots: Vec<String>,
    pub format: Competition,
}

impl ExportedCompetition {
    /// Its schedule without any result, or why there can be none.
    fn schedule(&self, seats: Seats) -> Result<Schedule, String> {
        let mut numbers: Vec<usize> = self.format.seeds.iter().map(|bot| bot.index()).collect();
        numbers.sort_unstable();
        if numbers != (0..self.bots.len()).collect::<Vec<_>>() {
            return Err(format!("seeds that do not name each of {} bots once", self.bots.len()));
        }
        let format = Format::Stages(self.format.clone());
        Schedule::new(format, self.bots.len(), seats, 1).map_err(|error| error.to_string())
    }

    /// Its schedule as these results decide it, in any order, or why there can be none.
    pub fn decided(&self, seats: Seats, ends: &[(MatchKey, FinalScores)]) -> Result<Schedule, String> {
        let mut schedule = self.schedule(seats)?;
        schedule.replay(ends).map_err(|error| error.to_string())?;
        Ok(schedule)
    }
}

/// The first record of a competition of stages.
#[derive(Serialize)]
struct Opening<'a> {
    #[serde(flatten)]
    record: &'a MatchRecord,
    competition: &'a ExportedCompetition,
}

/// The rest of the first record.
#[derive(Deserialize)]
struct OpeningRest {
    #[serde(default)]
    competition: Option<ExportedCompetition>,
}

/// Why an export could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

/// Writes records, one per line, in the given order; returns their number.
///
/// ```no_run
/// use leyden_arena::record::{export, store::Results};
///
/// let results = Results::open("results.db".as_ref())?;
/// let records = results.records().map(|stored| stored.map(|(_, record)| record));
/// let count = export::write(&mut std::fs::File::create("results.jsonl")?, records)?;
/// println!("matches: {count}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    out: &mut impl Write,
    records: impl IntoIterator<Item = Result<MatchRecord, StoreError>>,
) -> Result<u64, ExportError> {
    let mut count = 0;
    for record in records {
        write_line(out, &record?)?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

/// Writes the records of a results file that are requested, with their stages if the format has any.
pub fn write_results(
    out: &mut impl Write,
    results: &Results,
    is_requested: impl Fn(&MatchKey) -> bool,
) -> Result<(), ExportError> {
    let stored_plan = results.stored_plan();
    let mut competition = stored_plan.format.competition().map(|format| ExportedCompetition {
        bots: stored_plan.bots.iter().map(|bot| bot.name.clone()).collect(),
        format: format.clone(),
    });
    let schedule = if competition.is_some() { Some(results.schedule()?) } else { None };
    for stored in results.records() {
        let (key, record) = stored?;
        if !is_requested(&key) {
            continue;
        }
        let round = schedule.as_ref().and_then(|schedule| schedule.round(key.block));
        let stage =
            round.map(|of| RecordStage { number: of.stage(), round: of.round(), extra: of.is_extra() });
        let record = MatchRecord { stage, ..record };
        match competition.take() {
            Some(competition) => {
                let opening = Opening { record: &record, competition: &competition };
                serde_json::to_writer(&mut *out, &opening).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
            None => write_line(out, &record)?,
        }
    }
    Ok(out.flush()?)
}

/// Writes one record and a line feed.
pub fn write_line(out: &mut impl Write, record: &MatchRecord) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}

/// A line that is not a match record.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// Counted from 1.
    pub line: u64,
    pub problem: RecordLineError,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum RecordLineError {
    #[error("cannot be read: {0}")]
    Read(io::Error),
    #[error("expected a match record, the line is empty")]
    Empty,
    #[error("the export is cut off in the middle of this line; write it again with `leyden export`")]
    CutOff,
    #[error("longer than {LONGEST} bytes: not a match record")]
    TooLong,
    #[error(
        "the record has version {found}, this leyden reads version {RECORD_VERSION}; read it with {}", reader(*found)
    )]
    Version { found: u64 },
    #[error("expected a match record as `leyden export` writes it; at column {column}: {what}")]
    Record { column: usize, what: String },
}

/// The records of an export, read line by line. Ends after the first error.
pub struct Lines<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
    ended: bool,
    competition: Option<ExportedCompetition>,
}

impl<R> Lines<R> {
    /// What the first record says about a competition of stages, once it is read.
    pub fn competition(&self) -> Option<&ExportedCompetition> {
        self.competition.as_ref()
    }
}

/// Reads an export.
pub fn read<R: BufRead>(input: R) -> Lines<R> {
    Lines { input, line: 0, buffer: Vec::new(), ended: false, competition: None }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<MatchRecord, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.line += 1;
        let next = self.read_line().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next.map(|record| record.map_err(|problem| LineError { line: self.line, problem }))
    }
}

impl<R: BufRead> Lines<R> {
    fn read_line(&mut self) -> Result<Option<MatchRecord>, RecordLineError> {
        self.buffer.clear();
        self.input
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut self.buffer)
            .map_err(RecordLineError::Read)?;
        let whole = self.buffer.last() == Some(&b'\n');
        if !whole && self.buffer.len() as u64 == LONGEST {
            return Err(RecordLineError::TooLong);
        }
        match (self.buffer.trim_ascii(), whole) {
            ([], false) => Ok(None),
            ([], true) => Err(RecordLineError::Empty),
            (text, whole) => {
                let record = parse(text, whole)?;
                if self.line == 1 {
                    let rest: OpeningRest =
                        serde_json::from_slice(text).map_err(|error| not_a_record(&error))?;
                    self.competition = rest.competition;
                }
                Ok(Some(record))
            }
        }
    }
}

fn parse(text: &[u8], whole: bool) -> Result<MatchRecord, RecordLineError> {
    let found = match serde_json::from_slice::<MatchRecord>(text) {
        Ok(record) if record.v == RECORD_VERSION => return Ok(record),
        Ok(record) => return Err(RecordLineError::Version { found: record.v.into() }),
        Err(error) => error,
    };
    if !whole && found.is_eof() {
        return Err(RecordLineError::CutOff);
    }
    let version = serde_json::from_slice::<Value>(text).ok().and_then(|record| record.get("v")?.as_u64());
    match version {
        Some(found) if found != u64::from(RECORD_VERSION) => Err(RecordLineError::Version { found }),
        _ => Err(not_a_record(&found)),
    }
}

fn not_a_record(error: &serde_json::Error) -> RecordLineError {
    // serde_json gives its message only together with the line, which is always the first here.
    let what = error.to_string();
    let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
    RecordLineError::Record { column: error.column(), what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    fn exported() -> (Vec<MatchRecord>, String) {
        let stored_plan = sample::stored_plan(3, 1);
        let all: Vec<_> =
            sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)).map(|(_, r)| r).collect();
        let mut text = Vec::new();
        let count = write(&mut text, all.iter().cloned().map(Ok)).unwrap();
        assert_eq!(count, all.len() as u64);
        (all, String::from_utf8(text).unwrap())
    }

    /// The records that could be read, and the message about the first line that is not a record.
    fn read_text(text: &[u8]) -> (usize, String) {
        let mut lines = read(text);
        let good = lines.by_ref().map_while(Result::ok).count();
        assert!(lines.next().is_none(), "reading ends after an error");
        let bad = read(text).nth(good).map(|line| line.unwrap_err().to_string());
        (good, bad.unwrap_or_default())
    }

    #[test]
    fn exported_records_are_read_back_unchanged() {
        let (all, text) = exported();
        assert_eq!(text.lines().count(), all.len());
        let back: Vec<_> = read(text.as_bytes()).collect::<Result<_, _>>().unwrap();
        assert!(back == all);
        assert!(
            read(text.trim_end().as_bytes()).all(|line| line.is_ok()),
            "the last line feed may be missing"
        );
        assert!(read(text.replace('\n', "\r\n").as_bytes()).all(|line| line.is_ok()));
        assert!(read(&b""[..]).next().is_none());
    }

    #[test]
    fn rules_edition_is_written_unless_it_is_implied() {
        let (all, text) = exported();
        assert!(all.iter().all(|record| record.rules_edition == 2) && !text.contains("rules_edition"));
        let mut later = all[0].clone();
        later.rules_edition = 3;
        let mut line = Vec::new();
        write_line(&mut line, &later).unwrap();
        assert!(String::from_utf8_lossy(&line).contains(r#"},"rules_edition":3,"seed":"#));
        assert_eq!(read(&line[..]).next().unwrap().unwrap(), later);
        let refusal = crate::record::verify::verify(&later).unwrap_err().to_string();
        assert!(
            refusal.contains("the edition of the rules: expected 2, which this leyden plays, found 3"),
            "{refusal}"
        );
    }

    #[test]
    fn export_cut_anywhere_says_so() {
        let (_, text) = exported();
        let second = text.find('\n').unwrap() + 1;
        for cut in [second + 1, second + 2, second + 100, text[second..].find('\n').unwrap() + second - 1] {
            let expected = "line 2: the export is cut off in the middle of this line; write it again with `leyden export`";
            assert_eq!(read_text(&text.as_bytes()[..cut]), (1, expected.to_owned()));
        }
    }

    #[test]
    fn bad_line_is_named_with_what_was_expected() {
        let (_, text) = exported();
        let first = text.lines().next().unwrap();
        let with = |second: &str| read_text(format!("{first}\n{second}\n{first}\n").as_bytes());
        let expected = "line 2: expected a match record as `leyden export` writes it; at column ";
        for (bad, message) in [
            ("", "line 2: expected a match record, the line is empty".to_owned()),
            ("{}", format!("{expected}2: missing field `v`")),
            ("[1]", format!("{expected}3: invalid length 1")),
            ("hello", format!("{expected}1: expected value")),
            (&first[..50], format!("{expected}50: EOF while parsing")),
            (
                &first.replace("\"v\":2", "\"v\":1"),
                "line 2: the record has version 1, this leyden reads version 2; \
                 read it with leyden 0.1, which wrote it"
                    .to_owned(),
            ),
            (
                "{\"v\":9,\"other\":[]}",
                "line 2: the record has version 9, this leyden reads version 2; \
                 read it with the leyden that wrote it, or a later one"
                    .to_owned(),
            ),
            (&first.replace("\"deck\":[\"", "\"deck\":[\"9"), "expected a tile, low half first".to_owned()),
            (&first.replace("lead:", "leads:"), "expected a seat and what it did".to_owned()),
        ] {
            let (good, said) = with(bad);
            assert!(good == 1 && said.contains(&message), "{bad:.60}: {said}");
            assert!(!said.contains(" at line 1"), "{said}");
        }
        let (good, said) = read_text(&[first.as_bytes(), b"\n\xff\xfe\n"].concat());
        assert!(good == 1 && said.starts_with("line 2: expected a match record"), "{said}");
    }
}
