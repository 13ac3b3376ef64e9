//! Publishes a tournament as a folder: the same pages, as files that work on any web server, and without one.
//!
//! The folder is created completely or not at all. An existing one is only replaced by [`update`], as a whole, and only if it is a
//! report. If the tournament is not over, the folder contains only what a spectator may know.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use leyden_language::Language;
use leyden_model::{BotIndex, MatchKey};
use maud::Markup;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::pages::{self, Query, Site, Sort};
use crate::snapshot::{MatchView, NamelessError, Snapshot, SnapshotReader};
use leyden_arena::analyse::AnalysisCache;
use leyden_arena::grade::Pseudonyms;
use leyden_arena::record::export::{self, ExportError};
use leyden_arena::record::store::{Results, StoreError};
use leyden_arena::report::column::{self, Column};
use leyden_arena::report::{ReportError, csv};
use leyden_arena::rerun::RecordedMatch;

/// How many matches of each interesting kind get a replay.
const OF_EACH: usize = 5;

/// How many matches that ended by a fault get a replay.
const FAULTS: usize = 1_000;

/// What was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    pub files: usize,
    /// The number of matches with a replay.
    pub replays: usize,
    /// Whether everything was played: then the seed and all records are included.
    pub is_over: bool,
}

/// Why nothing was published. The folder is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("{} exists already and is not empty: name a new folder, or renew a report with --update", .0.display())]
    Exists(PathBuf),
    #[error("{} is not a report, so it is not replaced: name the folder of a report, or a new one", .0.display())]
    NotReport(PathBuf),
    #[error("{} cannot be a new folder: give the report a name of its own, such as report", .0.display())]
    NoName(PathBuf),
    #[error(transparent)]
    Nameless(#[from] NamelessError),
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

impl From<StoreError> for PublishError {
    fn from(error: StoreError) -> Self {
        Self::Report(error.into())
    }
}

/// Whether a report contains the bots' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names<'a> {
    Shown,
    /// Bots are called by their places. There is no seed and there are no records, which would reveal the names.
    Hidden,
    /// The same, but each bot has a pseudonym.
    Pseudonyms(&'a Pseudonyms),
}

/// Publishes a results file as a new folder.
///
/// ```no_run
/// use leyden_language::Language;
/// use leyden_web::report::{Names, PublishError, publish};
///
/// let published = publish("results.db".as_ref(), "report".as_ref(), Names::Shown, Language::English)?;
/// println!("files: {}, replays: {}", published.files, published.replays);
/// # Ok::<(), PublishError>(())
/// ```
pub fn publish(
    results: &Path,
    out: &Path,
    names: Names<'_>,
    language: Language,
) -> Result<Publication, PublishError> {
    if has_files(out)? {
        return Err(PublishError::Exists(out.to_owned()));
    }
    written(results, out, names, language)
}

/// Publishes a results file in the place of an earlier report, of the same tournament or of another one, or as a new folder.
pub fn update(
    results: &Path,
    out: &Path,
    names: Names<'_>,
    language: Language,
) -> Result<Publication, PublishError> {
    if has_files(out)? && !OF_EVERY_REPORT.iter().all(|file| out.join(file).is_file()) {
        return Err(PublishError::NotReport(out.to_owned()));
    }
    written(results, out, names, language)
}

/// Files by which a report is known.
const OF_EVERY_REPORT: [&str; 3] = ["index.html", "standings.json", "assets/matches.js"];

fn has_files(out: &Path) -> Result<bool, PublishError> {
    if out.file_name().is_none() {
        return Err(PublishError::NoName(out.to_owned()));
    }
    match fs::read_dir(out).map(|mut entries| entries.next().is_some()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        found => found.map_err(|error| PublishError::Write { path: out.to_owned(), error }),
    }
}

/// Writes the folder, and puts it in its place at once.
fn written(
    results: &Path,
    out: &Path,
    names: Names<'_>,
    language: Language,
) -> Result<Publication, PublishError> {
    let failed = |error| PublishError::Write { path: out.to_owned(), error };
    let mut reader = SnapshotReader::open(results)?;
    reader.refresh(|_| {})?;
    let snapshot = match names {
        Names::Shown => reader.snapshot(None)?,
        Names::Hidden => reader.nameless(None, language)?,
        Names::Pseudonyms(pseudonyms) => reader.nameless(Some(pseudonyms), language)?,
    };
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    let draft = tempfile::Builder::new().prefix(".leyden-report-").tempdir_in(parent).map_err(failed)?;
    let mut folder = Folder { root: draft.path().to_owned(), language, files: 0 };
    let published = folder.fill(results, &snapshot, &reader.keys())?;
    fs::set_permissions(draft.path(), Permissions::from_mode(0o755)).map_err(failed)?;
    if has_files(out)? {
        // The earlier report is removed with the draft, whose place it takes.
        renameat_with(CWD, draft.path(), CWD, out, RenameFlags::EXCHANGE)
            .map_err(|error| failed(error.into()))?;
    } else {
        fs::rename(draft.path(), out).map_err(failed)?;
    }
    Ok(published)
}

/// A folder that is being written.
struct Folder {
    root: PathBuf,
    language: Language,
    files: usize,
}

impl Folder {
    /// Writes all files. `keys` are the keys of the matches in the results file.
    fn fill(
        &mut self,
        results: &Path,
        snapshot: &Snapshot,
        keys: &BTreeMap<String, MatchKey>,
    ) -> Result<Publication, PublishError> {
        let (is_over, language) = (snapshot.progress.is_over, self.language);
        let has_records = is_over && !snapshot.is_nameless;
        let shown = interesting(snapshot);
        let replays: BTreeSet<String> = shown.iter().map(|seen| seen.id.clone()).collect();
        let site = &Site::Folder { replays, has_records };
        self.page("index.html", pages::overview(snapshot, site, language))?;
        self.page("matches.html", pages::matches(snapshot, site, &Query::default(), language))?;
        self.page("pairings.html", pages::pairings(snapshot, site, language))?;
        self.page("verify.html", pages::verify(snapshot, site, language))?;
        for bot in 0..snapshot.bots.len() as u32 {
            if let Some(page) = pages::bot(snapshot, site, BotIndex(bot), language) {
                self.page(&format!("bots/{bot}.html"), page)?;
            }
        }
        let cache = AnalysisCache::for_results(results);
        for seen in &shown {
            let Some(key) = keys.get(&seen.id) else { continue };
            let record = Results::inspect(results, |results| results.record(key))??;
            let finished = record.as_ref().filter(|_| is_over).cloned();
            let analysed = finished.and_then(|record| cache.find(&RecordedMatch::new(record, None)));
            let record = record.map(|record| snapshot.shown(seen, record));
            let page = record
                .and_then(|record| pages::single(snapshot, site, &record, analysed.as_ref(), language).ok());
            if let Some(page) = page {
                self.write(&format!("matches/{}.html", seen.id), &page)?;
            }
        }
        for (name, text) in [
            ("look.css", crate::LOOK),
            ("pages.css", pages::STYLE),
            ("pages.js", pages::SCRIPT),
            ("matches-list.js", pages::LIST_SCRIPT),
            ("icon.svg", pages::ICON),
        ] {
            self.write(&format!("assets/{name}"), text)?;
        }
        self.write("assets/matches.js", &pages::match_rows(snapshot, site, language))?;
        let json = serde_json::to_string_pretty(&snapshot.standings).unwrap_or_default() + "\n";
        self.write("standings.json", &json)?;
        self.write("standings.csv", &csv::text(&snapshot.standings))?;
        self.write("matches.csv", &matches_csv(snapshot))?;
        if has_records {
            self.records(results, snapshot)?;
        }
        Ok(Publication { files: self.files, replays: shown.len(), is_over })
    }

    fn page(&mut self, name: &str, page: Markup) -> Result<(), PublishError> {
        self.write(name, &page.into_string())
    }

    fn write(&mut self, name: &str, text: &str) -> Result<(), PublishError> {
        let mut file = self.create(name)?;
        file.write_all(text.as_bytes()).map_err(|error| self.failed(name, error))
    }

    /// Creates a file. Other users may read it, because it is to be published.
    fn create(&mut self, name: &str) -> Result<File, PublishError> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        let made = fs::create_dir_all(folder).and_then(|()| File::create(&path));
        self.files += 1;
        made.map_err(|error| self.failed(name, error))
    }

    fn failed(&self, name: &str, error: io::Error) -> PublishError {
        PublishError::Write { path: self.root.join(name), error }
    }

    /// Writes the records of all matches that are shown, for checking; matches stored since then are left out.
    fn records(&mut self, results: &Path, snapshot: &Snapshot) -> Result<(), PublishError> {
        const NAME: &str = "records.jsonl.gz";
        let mut file = self.create(NAME)?;
        let shown: BTreeSet<MatchKey> = snapshot.matches.iter().map(|seen| seen.key).collect();
        let results = Results::inspect(results, |results| {
            // It may be read a second time.
            file.rewind()?;
            file.set_len(0)?;
            let mut out = GzEncoder::new(BufWriter::new(&file), Compression::default());
            export::write_results(&mut out, results, |key| shown.contains(key))?;
            out.finish()?.flush()?;
            Ok::<_, ExportError>(())
        })?;
        results.map_err(|error| match error {
            ExportError::Write(error) => self.failed(NAME, error),
            ExportError::Store(error) => error.into(),
        })
    }
}

/// Returns the matches that get a replay: those that ended by a fault, and a few interesting ones.
fn interesting(snapshot: &Snapshot) -> Vec<&MatchView> {
    let faults = snapshot.faults().map(|(seen, _)| seen).take(FAULTS);
    let sorts = [Sort::Closest, Sort::Upset, Sort::Clearest, Sort::Longest];
    let kinds = sorts.map(|sort| Query { sort, ..Query::default() });
    let few = kinds.iter().flat_map(|query| query.find(snapshot).into_iter().take(OF_EACH));
    let mut known = BTreeSet::new();
    faults.chain(few).filter(|seen| known.insert(seen.id.as_str())).collect()
}

/// Returns a table with a line per match.
fn matches_csv(snapshot: &Snapshot) -> String {
    let name = |bot: BotIndex| csv::quoted(&snapshot.bot(bot).name);
    let mut columns: Vec<Column<'_, MatchView>> = vec![
        Column::words("match", |seen: &MatchView| seen.id.clone()),
        Column::number("stage", |seen: &MatchView| seen.key.stage.to_string()),
        Column::number("block", |seen: &MatchView| seen.key.block.to_string()),
        Column::number("leg", |seen: &MatchView| seen.key.leg.to_string()),
    ];
    let seats = snapshot.rules.seats;
    columns.extend(
        seats
            .iter()
            .map(|seat| Column::words(format!("bot{seat}"), move |seen: &MatchView| name(seen.bots[seat]))),
    );
    columns.extend(seats.iter().map(|seat| {
        Column::number(format!("score{seat}"), move |seen: &MatchView| seen.scores[seat].to_string())
    }));
    columns.extend([
        Column::words("winner", |seen: &MatchView| {
            seen.winner.map_or_else(String::new, |seat| name(seen.bots[seat]))
        }),
        Column::words("end", |seen: &MatchView| {
            let end = serde_json::to_value(seen.end).ok();
            end.and_then(|end| Some(end.as_str()?.to_owned())).unwrap_or_default()
        }),
        Column::words("fault", |seen: &MatchView| {
            seen.fault.map_or_else(String::new, |fault| fault.code.to_string())
        }),
        Column::words("fault_of", |seen: &MatchView| {
            seen.fault.map_or_else(String::new, |fault| name(seen.bots[fault.seat]))
        }),
        Column::number("rounds", |seen: &MatchView| seen.rounds.to_string()),
    ]);
    let mut all: Vec<&MatchView> = snapshot.matches.iter().map(|seen| &**seen).collect();
    all.sort_by_key(|seen| seen.key);
    column::csv(&columns, all)
}
