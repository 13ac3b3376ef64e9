//! The writer: a thread that commits what finished in the last 50 ms, all of it or nothing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use leyden_protocol::WinningScore;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction};

use super::error::StoreError;
use super::lock::Lock;
use super::queue::WriteQueue;
use super::record_template::RecordTemplate;
use super::resumable::Resumable;
use super::stored_plan::StoredPlan;
use super::sums::Sums;
use super::tally::Sign;
use super::{file, pack, removal, results, rows, schema};
use leyden_format::{DoneMatches, Schedule};
use leyden_model::{MatchKey, MatchRecord};

/// Writing has stopped: [`Writer::finish`] returns the error. The run should end; it can be resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the results can no longer be written")]
pub struct WriterStoppedError;

/// A results file that is being written to. There is at most one writer for a file.
///
/// A match given to [`add`](Self::add) survives the arena's death 50 ms later, and a power cut as soon as the disk has it.
/// Dropping a writer writes what is left; only [`finish`](Self::finish) reports whether that worked.
pub struct Writer {
    queue: Arc<WriteQueue<Write>>,
    failure: Arc<Mutex<Option<StoreError>>>,
    thread: Option<JoinHandle<()>>,
    template: RecordTemplate,
    schedule: Schedule,
    path: PathBuf,
    /// Released last, after all writing.
    _lock: Lock,
}

enum Write {
    Match(PackedMatch),
    Void {
        key: MatchKey,
        reason: String,
        played: Option<PackedMatch>,
    },
    /// Called once everything before it is committed.
    Then(Box<dyn FnOnce() + Send>),
}

/// A match ready to be written: its packed record, and the record without its rounds.
struct PackedMatch {
    key: MatchKey,
    record: MatchRecord,
    rounds: usize,
    body: Vec<u8>,
}

impl Resumable {
    /// Resumes the tournament, which may have more bots or another number of blocks; returns its schedule and which matches
    /// are done. Any other change is rejected, and nothing is written.
    pub fn resume(mut self, now: &StoredPlan) -> Result<(Writer, Schedule, DoneMatches), StoreError> {
        self.check(now)?;
        let changes = self.changes_to(now)?;
        let known = self.known_of(now);
        let (was, replaced) = (self.stored_plan().clone(), self.replaced().to_vec());
        let (path, lock, mut file) = self.into_writing()?;
        let failed = |source| StoreError::sqlite(&path, "write to", source);
        let all = file.transaction().map_err(failed)?;
        file::extend(&all, &was, now, changes).map_err(failed)?;
        all.execute_batch(schema::INDEX).map_err(failed)?;
        for bot in replaced {
            removal::replace(&all, &path, (&was, now), bot)?;
        }
        all.commit().map_err(failed)?;
        let (schedule, done) = match known {
            Some(known) => known,
            None => results::done(&file, &path, now)?,
        };
        Ok((Writer::start(&path, lock, file, now)?, schedule, done))
    }
}

impl Writer {
    /// Creates a results file and opens it. Never overwrites an existing file.
    pub fn create(path: &Path, stored_plan: &StoredPlan) -> Result<Self, StoreError> {
        stored_plan.check()?;
        let lock = Lock::take(path)?;
        file::create(path, stored_plan)?;
        Self::start(path, lock, file::open_to_write(path)?, stored_plan)
    }

    /// [`Resumable::open`] and [`Resumable::resume`].
    pub fn resume(path: &Path, stored_plan: &StoredPlan) -> Result<(Self, DoneMatches), StoreError> {
        let (writer, _, done) = Resumable::open(path)?.resume(stored_plan)?;
        Ok((writer, done))
    }

    fn start(
        path: &Path,
        lock: Lock,
        file: Connection,
        stored_plan: &StoredPlan,
    ) -> Result<Self, StoreError> {
        let failed = |source| StoreError::sqlite(path, "read", source);
        let better = stored_plan.settings.rules().map_or(WinningScore::Higher, |rules| rules.better);
        let template = RecordTemplate::new(stored_plan);
        let scribe = WriterThread {
            sums: Sums::read(&file, stored_plan.bots.len(), better).map_err(failed)?,
            next: next_record(&file).map_err(failed)?,
            insertion: rows::insertion(stored_plan.settings.seats),
            template: template.clone(),
        };
        let queue = Arc::new(WriteQueue::new());
        let failure = Arc::new(Mutex::new(None));
        let thread = {
            let (queue, failure, path) = (Arc::clone(&queue), Arc::clone(&failure), path.to_owned());
            thread::Builder::new().name("results".to_owned()).spawn(move || {
                // Closes the queue even after a panic, so that no caller waits forever for this thread.
                let _close = CloseOnDrop(&queue);
                if let Err(error) = scribe.write_all(file, &queue, &path) {
                    fail(&failure, error);
                }
            })
        };
        let thread = thread.map_err(|source| StoreError::io(path, "start writing to", source))?;
        let schedule = stored_plan.schedule()?;
        let path = path.to_owned();
        Ok(Self { queue, failure, thread: Some(thread), template, schedule, path, _lock: lock })
    }

    /// The path of the results file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Hands over a finished match. Packs it at once; another thread writes it, so this blocks only if the disk stalls for
    /// thousands of matches.
    pub fn add(&self, key: &MatchKey, record: MatchRecord) -> Result<(), WriterStoppedError> {
        let packed = self.pack(key, record)?;
        self.queue.push(Write::Match(packed)).map_err(|_| WriterStoppedError)
    }

    /// Declares a pair void because of the arena or the host, not a bot: its stored matches are set aside and do not count,
    /// and a resumed run plays them again. `played` is the played part of the match in progress.
    pub fn void(
        &self,
        key: &MatchKey,
        reason: &str,
        played: Option<MatchRecord>,
    ) -> Result<(), WriterStoppedError> {
        let played = match played {
            Some(record) => Some(self.pack(key, record)?),
            None => self.scheduled(key).map(|()| None)?,
        };
        let reason = reason.to_owned();
        self.queue.push(Write::Void { key: *key, reason, played }).map_err(|_| WriterStoppedError)
    }

    /// Calls `then` on another thread once everything handed over so far is committed; never if that fails.
    pub fn when_stored(&self, then: Box<dyn FnOnce() + Send>) {
        // A writer that has stopped commits nothing more.
        drop(self.queue.push(Write::Then(then)));
    }

    fn pack(&self, key: &MatchKey, mut record: MatchRecord) -> Result<PackedMatch, WriterStoppedError> {
        self.scheduled(key)?;
        let body = pack::pack(&record, &self.template.for_match(key));
        let rounds = std::mem::take(&mut record.rounds).len();
        Ok(PackedMatch { key: *key, record, rounds, body })
    }

    fn scheduled(&self, key: &MatchKey) -> Result<(), WriterStoppedError> {
        // Rounds that depend on results are not known here.
        let is_later = self.schedule.format().is_adaptive() && key.block >= self.schedule.blocks_end();
        if is_later || self.schedule.rank(key).is_some() {
            return Ok(());
        }
        fail(&self.failure, StoreError::Misplaced { key: *key, why: "though it is not in the schedule" });
        self.queue.close();
        Err(WriterStoppedError)
    }

    /// Writes what is left and closes the file, which is then complete without any other file beside it.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.end();
        match self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn end(&mut self) {
        self.queue.close();
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            fail(&self.failure, StoreError::Panicked);
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.end();
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Keeps the first failure.
fn fail(failure: &Mutex<Option<StoreError>>, error: StoreError) {
    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

struct CloseOnDrop<'a>(&'a WriteQueue<Write>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The state of the writing thread.
struct WriterThread {
    sums: Sums,
    /// The number of the next record.
    next: i64,
    /// The statement that writes a match.
    insertion: String,
    template: RecordTemplate,
}

impl WriterThread {
    fn write_all(
        mut self,
        mut file: Connection,
        queue: &WriteQueue<Write>,
        path: &Path,
    ) -> Result<(), StoreError> {
        while let Some(jobs) = queue.take() {
            self.write(&mut file, jobs, path)?;
        }
        file::close(file, path, file::READERS)
    }

    /// Writes a batch: all of it or nothing.
    fn write(&mut self, file: &mut Connection, jobs: Vec<Write>, path: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::sqlite(path, "write to", source);
        let mut afterwards = Vec::new();
        let all = file.transaction().map_err(failed)?;
        for job in jobs {
            match job {
                Write::Then(then) => afterwards.push(then),
                Write::Match(packed) => self.write_match(&all, &packed, path)?,
                Write::Void { key, reason, played } => {
                    self.void_pair(&all, &key, &reason, path)?;
                    let record = played.map(|packed| self.write_body(&all, &packed.body)).transpose();
                    let record = record.map_err(failed)?;
                    let id = self.template.for_match(&key).id;
                    write_void(&all, &key, &id, &reason, record).map_err(failed)?;
                }
            }
        }
        self.sums.write(&all).map_err(failed)?;
        all.commit().map_err(failed)?;
        for then in afterwards {
            then();
        }
        Ok(())
    }

    fn write_match(
        &mut self,
        all: &Transaction<'_>,
        packed: &PackedMatch,
        path: &Path,
    ) -> Result<(), StoreError> {
        let PackedMatch { key, record, rounds, body } = packed;
        let written = rows::insert_match(all, &self.insertion, key, record, *rounds, self.next)
            .and_then(|()| self.write_body(all, body));
        match written {
            Ok(_) => {
                self.sums.count(key, record, Sign::Plus);
                Ok(())
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Err(StoreError::Misplaced { key: *key, why: "a second time" })
            }
            Err(error) => Err(StoreError::sqlite(path, "write to", error)),
        }
    }

    fn write_body(&mut self, all: &Transaction<'_>, body: &[u8]) -> rusqlite::Result<i64> {
        let number = self.next;
        self.next += 1;
        all.prepare_cached("INSERT INTO records VALUES (?, ?)")?.execute((number, body))?;
        Ok(number)
    }

    /// Sets aside the stored matches of a pair, and removes them from the sums.
    fn void_pair(
        &mut self,
        all: &Transaction<'_>,
        key: &MatchKey,
        reason: &str,
        path: &Path,
    ) -> Result<(), StoreError> {
        let failed = |source| StoreError::sqlite(path, "write to", source);
        for leg in 0..key.table.seats().count() as u32 {
            let key = MatchKey { leg, ..*key };
            let Some((number, body)) = stored(all, &key).map_err(failed)? else { continue };
            let record = pack::unpack(&body, self.template.for_match(&key)).map_err(|damage| {
                StoreError::Damaged { path: path.to_owned(), what: format!("record {number}: {damage}") }
            })?;
            self.sums.count(&key, &record, Sign::Minus);
            write_void(all, &key, &record.id, reason, Some(number)).map_err(failed)?;
            rows::delete_match(all, &key).map_err(failed)?;
        }
        Ok(())
    }
}

fn next_record(file: &Connection) -> rusqlite::Result<i64> {
    file.query_row("SELECT coalesce(max(record), 0) + 1 FROM records", [], |row| row.get(0))
}

fn stored(all: &Connection, key: &MatchKey) -> rusqlite::Result<Option<(i64, Vec<u8>)>> {
    let mut query = all.prepare_cached(&format!(
        "SELECT record, body FROM matches JOIN records USING (record) WHERE {}",
        rows::is_match(key.table.seats()),
    ))?;
    rows::bind_key(&mut query, 1, key)?;
    query
        .raw_query()
        .next()?
        .map(|row| Ok((row.get(0)?, row.get(1)?)))
        .transpose()
        .optional()
        .map(Option::flatten)
}

fn write_void(
    all: &Connection,
    key: &MatchKey,
    id: &str,
    reason: &str,
    record: Option<i64>,
) -> rusqlite::Result<()> {
    let seats = key.table.seats();
    let mut insert = all.prepare_cached(&format!(
        "INSERT INTO voided ({}, id, reason, record) VALUES ({})",
        schema::key_columns(seats),
        schema::placeholders(schema::key_length(seats) + 3),
    ))?;
    let column = rows::bind_key(&mut insert, 1, key)?;
    insert.raw_bind_parameter(column, id)?;
    insert.raw_bind_parameter(column + 1, reason)?;
    insert.raw_bind_parameter(column + 2, record)?;
    insert.raw_execute().map(drop)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A writer on a connection that the test has prepared.
    pub(in super::super) fn on(file: Connection, path: &Path, stored_plan: &StoredPlan) -> Writer {
        Writer::start(path, Lock::take(path).unwrap(), file, stored_plan).unwrap()
    }
}
