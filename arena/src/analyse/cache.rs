//! Analysed matches, kept in a file of their own beside the results. It can be deleted at any time, and is only believed where it agrees
//! with the record and with the program: what does not is computed again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use leyden_model::{MatchRecord, hex, questions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::judge::{Judge, judge_again};
use super::values::{AnalysedMatch, EVALUATION_VERSION};
use crate::rerun::RecordedMatch;

/// What is appended to the name of the results file.
const ENDING: &str = ".analysis.jsonl";

/// The longest file that is read: a match takes about 80 kB.
const MOST_BYTES: u64 = 256 << 20;

/// A match as it is kept: a line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    evaluation_version: u32,
    /// The hash of what was analysed.
    record: String,
    analysed: AnalysedMatch,
}

/// What is known of a results file's matches.
pub struct AnalysisCache {
    path: PathBuf,
    lines: BTreeMap<String, Line>,
    is_changed: bool,
}

impl AnalysisCache {
    /// Reads what is kept beside a results file; nothing if there is nothing that can be read.
    pub fn beside(results: &Path) -> Self {
        let mut name = results.as_os_str().to_owned();
        name.push(ENDING);
        let path = PathBuf::from(name);
        let is_readable = fs::metadata(&path).is_ok_and(|file| file.len() <= MOST_BYTES);
        let text = if is_readable { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let lines = lines.filter(|line| line.evaluation_version == EVALUATION_VERSION);
        let lines = lines.map(|line| (line.analysed.id.clone(), line)).collect();
        Self { path, lines, is_changed: false }
    }

    /// Returns a match that was analysed before, if that still holds: the record is the same, every question is there, and the decision
    /// that lost most is judged the same now.
    pub fn find(&self, recorded: &RecordedMatch) -> Option<AnalysedMatch> {
        let record = recorded.record();
        let line = self.lines.get(&record.id).filter(|line| line.record == hash(record))?;
        let kept = &line.analysed;
        let asked = questions(record).ok()?;
        let is_whole = asked.len() == kept.decisions.len()
            && asked.iter().zip(&kept.decisions).all(|(asked, kept)| {
                (asked.place, asked.seat, asked.turn) == (kept.place, kept.seat, kept.turn)
            });
        let loss = |place: usize| kept.decisions[place].lost.map_or(f64::MIN, |lost| lost.chance.mean);
        let worst = (0..kept.decisions.len()).max_by(|one, other| loss(*one).total_cmp(&loss(*other)));
        let is_same = worst.is_none_or(|worst| {
            let worst = &kept.decisions[worst];
            let rules = record.rules.rules().ok();
            rules
                .and_then(|rules| judge_again(&Judge::new(rules, &record.id), recorded, worst))
                .is_some_and(|again| again == *worst)
        });
        (is_whole && is_same).then(|| kept.clone())
    }

    /// Adds a match.
    pub fn add(&mut self, record: &MatchRecord, analysed: &AnalysedMatch) {
        let line =
            Line { evaluation_version: EVALUATION_VERSION, record: hash(record), analysed: analysed.clone() };
        self.lines.insert(record.id.clone(), line);
        self.is_changed = true;
    }

    /// Writes the file, if there is anything new: whole or not at all.
    pub fn keep(&self) -> io::Result<()> {
        if !self.is_changed {
            return Ok(());
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or_else(|| Path::new(".")))?;
        for line in self.lines.values() {
            serde_json::to_writer(&mut file, line)?;
            file.write_all(b"\n")?;
        }
        file.persist(&self.path)?;
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns what is kept of a match beside its results file, if it still holds.
pub fn kept_analysis(results: &Path, record: &MatchRecord) -> Option<AnalysedMatch> {
    AnalysisCache::beside(results).find(&RecordedMatch::new(record.clone(), None))
}

/// The hash of all that an analysis depends on.
fn hash(record: &MatchRecord) -> String {
    let what = serde_json::json!([
        record.rules,
        record.rules_edition,
        record.bots,
        record.rounds,
        record.winner,
        record.strikes
    ]);
    hex(&Sha256::digest(what.to_string()))
}
