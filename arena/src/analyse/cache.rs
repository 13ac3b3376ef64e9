//! Analysed matches, kept in a file of their own beside the results. It can be deleted at any time, and is only believed where it agrees
//! with the record and with the program: what does not is computed again.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use leyden_model::{MatchRecord, hex, questions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::evaluator::{DecisionEvaluator, evaluate_again};
use super::values::{AnalysedMatch, EVALUATION_VERSION};
use crate::rerun::RecordedMatch;
use crate::roster::open_regular;
use crate::whole_file;

/// What is appended to the name of the results file.
const ENDING: &str = ".analysis.jsonl";

/// How much of the file is read: a match takes about 80 kB.
const MOST_BYTES: u64 = 256 << 20;

/// A match as it is kept: a line of the file.
#[derive(Serialize, Deserialize)]
struct Line<A> {
    // These two come first, so that a line is found by its first bytes; `start` writes the same.
    evaluation_version: u32,
    /// The hash of what was analysed.
    record: String,
    analysed: A,
}

/// What is known of a results file's matches.
pub struct AnalysisCache {
    path: PathBuf,
    /// Lines by the hash of what was analysed. Only those that are looked for are parsed.
    lines: BTreeMap<String, String>,
    is_changed: bool,
}

impl AnalysisCache {
    /// Reads what is kept beside a results file; nothing if there is nothing that can be read.
    pub fn for_results(results: &Path) -> Self {
        Self::reading(results, &start(""))
    }

    /// Reads the lines that begin like this.
    fn reading(results: &Path, start: &str) -> Self {
        let mut name = results.as_os_str().to_owned();
        name.push(ENDING);
        let path = PathBuf::from(name);
        let file = open_regular(&path).ok().flatten();
        let lines = file.into_iter().flat_map(|file| BufReader::new(file.take(MOST_BYTES)).lines());
        let hashed =
            |line: String| Some((line.strip_prefix(&self::start(""))?.split('"').next()?.to_owned(), line));
        let lines =
            lines.map_while(Result::ok).filter(|line| line.starts_with(start)).filter_map(hashed).collect();
        Self { path, lines, is_changed: false }
    }

    /// Returns a match that was analysed before, if that still holds: the record is the same, every question is there, and the decision
    /// that lost most is evaluated the same now.
    pub fn find(&self, recorded: &RecordedMatch) -> Option<AnalysedMatch> {
        let record = recorded.record();
        let line: Line<AnalysedMatch> = serde_json::from_str(self.lines.get(&hash(record))?).ok()?;
        let kept = line.analysed;
        let asked = questions(record).ok()?;
        let is_whole = asked.len() == kept.decisions.len()
            && asked.iter().zip(&kept.decisions).all(|(asked, kept)| {
                (asked.turn_ref, asked.seat, asked.turn) == (kept.turn_ref, kept.seat, kept.turn)
            });
        let loss = |index: usize| kept.decisions[index].lost.map_or(f64::MIN, |lost| lost.chance.mean);
        let worst = (0..kept.decisions.len()).max_by(|one, other| loss(*one).total_cmp(&loss(*other)));
        let is_same = worst.is_none_or(|worst| {
            let worst = &kept.decisions[worst];
            let rules = record.rules.rules().ok();
            rules
                .and_then(|rules| evaluate_again(&DecisionEvaluator::new(rules, &record.id), recorded, worst))
                .is_some_and(|again| again == *worst)
        });
        (is_whole && is_same).then_some(kept)
    }

    /// Adds a match.
    pub fn add(&mut self, record: &MatchRecord, analysed: &AnalysedMatch) {
        let record = hash(record);
        let line = Line { evaluation_version: EVALUATION_VERSION, record: record.clone(), analysed };
        if let Ok(line) = serde_json::to_string(&line) {
            self.lines.insert(record, line);
            self.is_changed = true;
        }
    }

    /// Writes the file, if there is anything new: whole or not at all.
    pub fn keep(&self) -> io::Result<()> {
        if !self.is_changed {
            return Ok(());
        }
        let text: String = self.lines.values().flat_map(|line| [line, "\n"]).collect();
        whole_file::replace(&self.path, text.as_bytes())
    }

    /// Returns the file in which it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns what is kept of a match beside its results file, if it still holds.
pub fn kept_analysis(results: &Path, record: &MatchRecord) -> Option<AnalysedMatch> {
    AnalysisCache::reading(results, &start(&hash(record))).find(&RecordedMatch::new(record.clone(), None))
}

/// How the line of a record begins, up to the end of its hash.
fn start(hash: &str) -> String {
    format!(r#"{{"evaluation_version":{EVALUATION_VERSION},"record":"{hash}"#)
}

/// The hash of all that an analysis depends on.
fn hash(record: &MatchRecord) -> String {
    let what = serde_json::json!([
        record.id,
        record.rules,
        record.rules_edition,
        record.bots,
        record.rounds,
        record.winner,
        record.strikes
    ]);
    hex(&Sha256::digest(what.to_string()))
}
