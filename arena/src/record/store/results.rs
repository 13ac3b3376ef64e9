//! Reads a results file, beside a writer or without one.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use leyden_protocol::{FaultCode, Seat, WinningScore};
use leyden_stats::FinalScores;
use rusqlite::{Connection, Row, Transaction};

use super::error::StoreError;
use super::record_template::RecordTemplate;
use super::shape::LONGEST_RECORD;
use super::stored_plan::StoredPlan;
use super::tally::BotSums;
use super::{file, pack, rows, schema, sums};
use leyden_format::{DoneMatches, Schedule};
use leyden_model::{BotIndex, ChangeKind, MatchKey, MatchRecord, RULES_EDITION};

/// A results file open for reading. Each query sees what is committed when it is made; nothing is ever changed.
pub struct Results {
    file: Connection,
    path: PathBuf,
    stored_plan: StoredPlan,
    template: RecordTemplate,
    rules_edition: u32,
    better: WinningScore,
    /// The part that was known when it was last needed: a format that looks at results gets further rounds.
    schedule: RefCell<Schedule>,
    /// Whether that is all of it: rounds that begin later are left out.
    is_schedule_known: Cell<bool>,
    /// The schedule with bots and blocks that were added since the file was opened, as it was when it was last needed.
    later: RefCell<Option<Schedule>>,
    /// SQLite's number for the state of the file when it was last looked at.
    data_version: Cell<i64>,
    /// Whether somebody has written to the file since it was opened.
    is_changed: Cell<bool>,
}

/// A match that counts for nothing, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidMatch {
    pub key: MatchKey,
    pub id: String,
    pub reason: String,
}

/// Why no single match has an id.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("no match in the file has an id that starts with {0:?}")]
    None(String),
    #[error(
        "more than one match has an id that starts with {prefix:?}: {first}, {second}, …; give more digits"
    )]
    Several { prefix: String, first: String, second: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Results {
    /// Opens a results file, which may be written to at the same time. Bots, blocks and rounds that are added later are left out;
    /// if matches that are read are removed, reading ends with an error.
    ///
    /// ```no_run
    /// use leyden_arena::record::store::{Results, StoreError};
    ///
    /// for stored in Results::open("results.db".as_ref())?.records() {
    ///     let (key, record) = stored?;
    ///     println!("block {}: {}", key.block, record.id);
    /// }
    /// # Ok::<(), StoreError>(())
    /// ```
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::on(file::open_to_read(path)?, path)
    }

    fn on(file: Connection, path: &Path) -> Result<Self, StoreError> {
        let (stored_plan, versions, data_version) = file::read_tournament(&file, path)?;
        let rules = stored_plan.settings.rules();
        let rules =
            rules.map_err(|error| StoreError::Damaged { path: path.to_owned(), what: error.to_string() })?;
        let template = RecordTemplate::new(&stored_plan).in_versions(versions);
        let schedule = RefCell::new(stored_plan.schedule()?);
        let (path, (rules_edition, _), better) = (path.to_owned(), versions, rules.better);
        let is_schedule_known = Cell::new(!stored_plan.format.is_adaptive());
        let (later, data_version, is_changed) =
            (RefCell::default(), Cell::new(data_version), Cell::new(false));
        Ok(Self {
            file,
            path,
            stored_plan,
            template,
            rules_edition,
            better,
            schedule,
            is_schedule_known,
            later,
            data_version,
            is_changed,
        })
    }

    /// Reads a results file and leaves nothing beside it, whether it is being written to or not. `read` sees the file as it
    /// was at one moment, and must not keep what it is given. If a writer starts during that time, `read` is called again, because
    /// its first result may be wrong: calling it twice must have the same effect as calling it once.
    pub fn inspect<T>(path: &Path, mut read: impl FnMut(&Self) -> T) -> Result<T, StoreError> {
        loop {
            let (file, beside_writer) = file::open_to_inspect(path)?;
            let before = std::fs::metadata(path).and_then(|found| found.modified()).ok();
            let at_one_moment =
                file.execute_batch("BEGIN").map_err(|error| StoreError::sqlite(path, "read", error));
            let outcome = at_one_moment.and_then(|()| Self::on(file, path)).map(|results| read(&results));
            let after = std::fs::metadata(path).and_then(|found| found.modified()).ok();
            if beside_writer || (before == after && !file::is_written(path)) {
                return outcome;
            }
        }
    }

    /// Until what is returned is dropped, all queries see the same moment, if the file is being written to; otherwise a lock would
    /// only keep a writer from beginning. Keep it for moments: the writer's log grows.
    pub(crate) fn moment(&self) -> Result<Option<Transaction<'_>>, StoreError> {
        if file::is_written(&self.path) {
            file::moment(&self.file).map_err(|error| self.failed(error))
        } else {
            Ok(None)
        }
    }

    /// Returns the path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tournament; its blocks are those that were planned, done or not.
    pub fn stored_plan(&self) -> &StoredPlan {
        &self.stored_plan
    }

    /// Rejects matches that this program cannot replay, because they were played by another edition of the rules. Their
    /// results are as good as any.
    pub fn check_edition(&self) -> Result<(), StoreError> {
        if self.rules_edition == RULES_EDITION {
            return Ok(());
        }
        let by = self.fact("leyden")?.and_then(|by| by.as_str().map(str::to_owned));
        Err(StoreError::OtherEdition { path: self.path.clone(), found: self.rules_edition, by })
    }

    /// Which direction of score is good.
    pub fn better(&self) -> WinningScore {
        self.better
    }

    /// The number of stored matches, without voided ones.
    pub fn count(&self) -> Result<u64, StoreError> {
        let seats: Option<i64> = self.value("SELECT sum(matches) FROM bot_sums")?;
        Ok(seats.unwrap_or(0) as u64 / self.stored_plan.settings.seats.count() as u64)
    }

    /// The known part of the schedule, and which of its matches are stored.
    pub fn done(&self) -> Result<(Schedule, DoneMatches), StoreError> {
        done(&self.file, &self.path, &self.stored_plan)
    }

    /// The schedule with every round that is known from the stored matches. Reads them only if the format looks at results.
    pub fn schedule(&self) -> Result<Schedule, StoreError> {
        if self.stored_plan.format.is_adaptive() {
            *self.schedule.borrow_mut() = self.done()?.0;
            self.is_schedule_known.set(true);
        }
        Ok(self.schedule.borrow().clone())
    }

    /// The same, but every round is computed from the matches before it, and none is taken as it was played: to verify who met whom.
    pub fn decided_schedule(&self) -> Result<Schedule, StoreError> {
        let mut schedule = self.stored_plan.schedule()?;
        if self.stored_plan.format.is_adaptive() {
            let (ends, _) = stored_ends(&self.file, &self.stored_plan).map_err(|error| self.failed(error))?;
            schedule.replay(&ends)?;
        }
        Ok(schedule)
    }

    /// Whether all planned matches are played. A gate is over earlier, once it is decided.
    pub fn is_over(&self) -> Result<bool, StoreError> {
        let (schedule, done) = self.done()?;
        Ok(done.count() == schedule.matches())
    }

    /// The commitment as noted when the tournament started.
    pub fn commitment(&self) -> Result<Option<String>, StoreError> {
        Ok(self.fact("commitment")?.and_then(|noted| noted.as_str().map(str::to_owned)))
    }

    /// All records in schedule order, streamed.
    pub fn records(&self) -> Records<'_> {
        Records { results: self, page: VecDeque::new(), after: None, ended: false }
    }

    /// The matches that were stored after match `number`, in the order in which they were stored, each with its number. The
    /// first number of a file is 1.
    pub fn stored_since(&self, number: i64) -> Result<Vec<(i64, MatchKey)>, StoreError> {
        let seats = self.stored_plan.settings.seats;
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut query = self.file.prepare_cached(&rows::stored_since(seats))?;
            let row =
                |row: &Row<'_>| Ok((row.get(schema::key_length(seats))?, rows::read_key(row, 0, seats)?));
            query.query_map([number], row)?.collect()
        };
        let _moment = self.reading()?;
        let found = read().map_err(|error| self.failed(error))?;
        let known = |(number, key)| Ok(self.possible_key(key)?.map(|key| (number, key)));
        found.into_iter().filter_map(|stored| known(stored).transpose()).collect()
    }

    /// A match of the schedule, if it is stored.
    pub fn record(&self, key: &MatchKey) -> Result<Option<MatchRecord>, StoreError> {
        if !self.template.has(&key.table) {
            return Ok(None);
        }
        let read = || {
            let seats = key.table.seats();
            let mut query = self.file.prepare_cached(&format!(
                "SELECT iif(length(body) <= {LONGEST_RECORD}, body, NULL) FROM matches JOIN records USING (record) WHERE {}",
                rows::is_match(seats),
            ))?;
            rows::bind_key(&mut query, 1, key)?;
            let mut rows = query.raw_query();
            rows.next()?.map(|row| row.get::<_, Vec<u8>>(0)).transpose()
        };
        let _moment = self.reading()?;
        let body = read().map_err(|error| self.failed(error))?;
        body.map(|body| self.unpack(key, &body)).transpose()
    }

    /// The match with this id; a prefix is enough if it is unique.
    pub fn find(&self, prefix: &str) -> Result<(MatchKey, MatchRecord), FindError> {
        let found = self.matches_called(prefix)?;
        match &found[..] {
            [] => Err(FindError::None(prefix.to_owned())),
            [(key, _)] => {
                let record = self.record(key)?.ok_or_else(|| FindError::None(prefix.to_owned()))?;
                Ok((*key, record))
            }
            [(_, first), (_, second), ..] => {
                let (first, second) = (first.clone(), second.clone());
                Err(FindError::Several { prefix: prefix.to_owned(), first, second })
            }
        }
    }

    /// Up to two matches whose ids start with a prefix.
    fn matches_called(&self, prefix: &str) -> Result<Vec<(MatchKey, String)>, StoreError> {
        let seats = self.stored_plan.settings.seats;
        let columns = schema::key_columns(seats);
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut query = self.file.prepare_cached(&format!(
                "SELECT {columns}, id FROM matches WHERE substr(id, 1, ?) = ? ORDER BY {columns} LIMIT 2"
            ))?;
            let row =
                |row: &Row<'_>| Ok((rows::read_key(row, 0, seats)?, row.get(schema::key_length(seats))?));
            query.query_map((prefix.chars().count() as i64, prefix), row)?.collect()
        };
        let _moment = self.reading()?;
        let found = read().map_err(|error| self.failed(error))?;
        let known = |(key, id)| Ok(self.known_key(key)?.map(|key| (key, id)));
        found.into_iter().filter_map(|stored| known(stored).transpose()).collect()
    }

    /// The sums of every bot that has played, in command-line order.
    pub fn bot_sums(&self) -> Result<Vec<(BotIndex, BotSums)>, StoreError> {
        let _moment = self.reading()?;
        let mut all = sums::read_bots(&self.file).map_err(|error| self.failed(error))?;
        let bots = self.stored_plan.bots.len();
        if all.iter().any(|(bot, _)| bot.index() >= bots) && self.plan_since()?.is_some() {
            all.retain(|(bot, _)| bot.index() < bots);
        }
        match all.iter().find(|(bot, sums)| bot.index() >= bots || !sums.are_possible()) {
            Some((bot, _)) => Err(self.damaged(&format!("impossible sums of bot {}", bot.0))),
            None => Ok(all),
        }
    }

    /// Calls back for every match that ended by a fault, with the seat at fault, in schedule order.
    pub fn each_fault(&self, mut take: impl FnMut(MatchKey, Seat, FaultCode)) -> Result<(), StoreError> {
        let seats = self.stored_plan.settings.seats;
        let columns = schema::key_columns(seats);
        let read = || -> rusqlite::Result<Vec<_>> {
            let mut query = self.file.prepare_cached(&format!(
                "SELECT {columns}, fault_seat, fault FROM matches WHERE fault IS NOT NULL ORDER BY {columns}"
            ))?;
            let first = schema::key_length(seats);
            let row = |row: &Row<'_>| {
                let (seat, code): (u8, String) = (row.get(first)?, row.get(first + 1)?);
                let code = FaultCode::ALL.into_iter().find(|known| known.as_str() == code);
                let seat = Seat::new(seat.into()).filter(|seat| seats.has(*seat));
                Ok((rows::read_key(row, 0, seats)?, seat.zip(code)))
            };
            query.query_map([], row)?.collect()
        };
        let _moment = self.reading()?;
        for (key, fault) in read().map_err(|error| self.failed(error))? {
            let (seat, code) = fault.ok_or_else(|| self.damaged("an impossible fault"))?;
            self.known_key(key)?.into_iter().for_each(|key| take(key, seat, code));
        }
        Ok(())
    }

    /// Every voided match, in the order in which they were voided.
    pub fn voided(&self) -> Result<Vec<VoidMatch>, StoreError> {
        let seats = self.stored_plan.settings.seats;
        let first = schema::key_length(seats);
        let read = || -> rusqlite::Result<Vec<_>> {
            let columns = schema::key_columns(seats);
            let mut query = self
                .file
                .prepare_cached(&format!("SELECT {columns}, id, reason FROM voided ORDER BY number"))?;
            let row =
                |row: &Row<'_>| Ok((rows::read_key(row, 0, seats)?, row.get(first)?, row.get(first + 1)?));
            query.query_map([], row)?.collect()
        };
        let _moment = self.reading()?;
        let all = read().map_err(|error| self.failed(error))?.into_iter();
        let known = |(key, id, reason)| Ok(self.possible_key(key)?.map(|key| VoidMatch { key, id, reason }));
        all.filter_map(|voided| known(voided).transpose()).collect()
    }

    pub(super) fn page<T>(
        &self,
        after: Option<&MatchKey>,
        selected: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let _moment = self.reading()?;
        rows::page(&self.file, self.stored_plan.settings.seats, after, "TRUE", selected, read)
            .map_err(|error| self.failed(error))
    }

    /// One moment. Fails if bots were withdrawn or replaced since the file was opened: others may have their numbers now, and
    /// matches that were read are gone.
    fn reading(&self) -> Result<Option<Transaction<'_>>, StoreError> {
        let moment = file::moment(&self.file).map_err(|error| self.failed(error))?;
        let version = file::data_version(&self.file).map_err(|error| self.failed(error))?;
        if version == self.data_version.get() {
            return Ok(moment);
        }
        if let Some(now) = self.plan_since()? {
            let new = now.changes.get(self.stored_plan.changes.len()..).unwrap_or_default();
            let removes = |kind: &ChangeKind| match kind {
                ChangeKind::Replaced { .. } | ChangeKind::Withdrawn { .. } => true,
                ChangeKind::Joined { .. } | ChangeKind::Left { .. } | ChangeKind::Blocks { .. } => false,
            };
            if new.iter().any(|change| removes(&change.what)) {
                return Err(StoreError::Removed { path: self.path.clone() });
            }
        }
        self.data_version.set(version);
        self.is_changed.set(true);
        Ok(moment)
    }

    fn unpack(&self, key: &MatchKey, body: &[u8]) -> Result<MatchRecord, StoreError> {
        let known = self.template.for_match(key);
        let what = format!("match {}", known.id);
        pack::unpack(body, known).map_err(|damage| self.damaged(&format!("{what}: {damage}")))
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.file
    }

    pub(super) fn template(&self) -> &RecordTemplate {
        &self.template
    }

    /// A match of the schedule; `None` for one of bots, blocks or rounds that were added since the file was opened. Rejects any other.
    pub(super) fn known_key(&self, key: Option<MatchKey>) -> Result<Option<MatchKey>, StoreError> {
        let Some(key) = key else { return Err(self.damaged("an impossible table")) };
        let is_in = |schedule: &Schedule| schedule.rank(&key).is_some();
        if is_in(&self.schedule.borrow()) || (!self.is_schedule_known.get() && is_in(&self.schedule()?)) {
            return Ok(Some(key));
        }
        // Who wrote since the key was read is known after another look.
        drop(self.reading()?);
        if self.is_changed.get() && self.is_later(&key)? {
            return Ok(None);
        }
        Err(self.damaged("an impossible table"))
    }

    /// Whether a match that is not in the schedule is of bots, blocks or rounds that were added.
    fn is_later(&self, key: &MatchKey) -> Result<bool, StoreError> {
        let is_later_round = self.stored_plan.format.is_adaptive() && key.block >= self.blocks_end();
        let has = |later: &Option<Schedule>| later.as_ref().is_some_and(|later| later.rank(key).is_some());
        if is_later_round || has(&self.later.borrow()) {
            return Ok(true);
        }
        let _moment = file::moment(&self.file).map_err(|error| self.failed(error))?;
        if let Some(now) = self.plan_since()? {
            let is_adaptive = now.format.is_adaptive();
            let later = if is_adaptive { done(&self.file, &self.path, &now)?.0 } else { now.schedule()? };
            *self.later.borrow_mut() = Some(later);
        }
        Ok(has(&self.later.borrow()))
    }

    fn blocks_end(&self) -> u32 {
        self.schedule.borrow().blocks_end()
    }

    /// The tournament in the file, if it is another than when the file was opened.
    fn plan_since(&self) -> Result<Option<StoredPlan>, StoreError> {
        let (now, ..) = file::read_tournament(&self.file, &self.path)?;
        Ok((now != self.stored_plan).then_some(now))
    }

    /// The same, but one of a later round than those known is not looked for: that would read all matches. Who
    /// follows the file checks it once that round is known.
    fn possible_key(&self, key: Option<MatchKey>) -> Result<Option<MatchKey>, StoreError> {
        let is_later = |key: &MatchKey| {
            let is_adaptive = self.stored_plan.format.is_adaptive();
            is_adaptive && self.template.has(&key.table) && key.block >= self.blocks_end()
        };
        if key.as_ref().is_some_and(is_later) { Ok(key) } else { self.known_key(key) }
    }

    fn value<T: rusqlite::types::FromSql>(&self, query: &str) -> Result<T, StoreError> {
        self.file.query_row(query, [], |row| row.get(0)).map_err(|error| self.failed(error))
    }

    /// A value of the table `tournament`.
    pub(super) fn fact(&self, name: &str) -> Result<Option<serde_json::Value>, StoreError> {
        file::fact(&self.file, name).map_err(|error| self.failed(error))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, "read", source)
    }

    pub(super) fn damaged(&self, what: &str) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what: what.to_owned() }
    }
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The records of a results file in schedule order. A match that is committed behind the reader's position is not seen.
pub struct Records<'a> {
    results: &'a Results,
    page: VecDeque<(Option<MatchKey>, Vec<u8>)>,
    after: Option<MatchKey>,
    /// Set after an error: nothing more is returned.
    ended: bool,
}

impl Iterator for Records<'_> {
    type Item = Result<(MatchKey, MatchRecord), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

impl Records<'_> {
    fn read(&mut self) -> Result<Option<(MatchKey, MatchRecord)>, StoreError> {
        loop {
            if self.page.is_empty() {
                let seats = self.results.stored_plan.settings.seats;
                let read =
                    |row: &Row<'_>| Ok((rows::read_key(row, 0, seats)?, row.get(schema::key_length(seats))?));
                let body = format!("iif(length(body) <= {LONGEST_RECORD}, body, NULL)");
                self.page = self.results.page(self.after.as_ref(), &body, read)?.into();
            }
            let Some((key, body)) = self.page.pop_front() else { return Ok(None) };
            self.after = key;
            if let Some(key) = self.results.known_key(key)? {
                return Ok(Some((key, self.results.unpack(&key, &body)?)));
            }
        }
    }
}

/// The known part of the schedule, and which of its matches a file holds. All of these are counted in the schedule, so
/// that further rounds follow once the missing ones are counted, too.
pub(super) fn done(
    file: &Connection,
    path: &Path,
    stored_plan: &StoredPlan,
) -> Result<(Schedule, DoneMatches), StoreError> {
    let failed = |source| StoreError::sqlite(path, "read", source);
    let mut schedule = stored_plan.schedule()?;
    if !stored_plan.format.is_adaptive() {
        let done = stored_ranks(file, &schedule).map_err(failed)?;
        return Ok((schedule, done));
    }
    let (ends, unknown) = stored_ends(file, stored_plan).map_err(failed)?;
    schedule.restore(&ends)?;
    let mut done = DoneMatches::none(&schedule);
    for key in ends.iter().map(|(key, _)| key).chain(&unknown) {
        schedule.rank(key).inspect(|&rank| done.insert(rank));
    }
    Ok((schedule, done))
}

/// Which matches of a schedule a file holds.
fn stored_ranks(file: &Connection, schedule: &Schedule) -> rusqlite::Result<DoneMatches> {
    let seats = schedule.seats();
    let mut done = DoneMatches::none(schedule);
    let mut query = file.prepare(&format!("SELECT {} FROM matches", schema::key_columns(seats)))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(rank) = rows::read_key(row, 0, seats)?.and_then(|key| schedule.rank(&key)) {
            done.insert(rank);
        }
    }
    Ok(done)
}

/// The stored matches with how they ended, which determines later rounds, and those without a known end.
type StoredEnds = (Vec<(MatchKey, FinalScores)>, Vec<MatchKey>);

fn stored_ends(file: &Connection, stored_plan: &StoredPlan) -> rusqlite::Result<StoredEnds> {
    let seats = stored_plan.settings.seats;
    let better = stored_plan.settings.rules().map_or(WinningScore::Higher, |rules| rules.better);
    let (key, scores) = (schema::key_columns(seats), schema::columns("score", seats));
    let mut query = file.prepare(&format!("SELECT {key}, fault_seat, {scores} FROM matches"))?;
    let mut rows = query.query([])?;
    let (mut ends, mut unknown) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let Some(key) = rows::read_key(row, 0, seats)? else { continue };
        match rows::read_final(row, schema::key_length(seats), seats, better)? {
            Some(end) => ends.push((key, end)),
            None => unknown.push(key),
        }
    }
    Ok((ends, unknown))
}
