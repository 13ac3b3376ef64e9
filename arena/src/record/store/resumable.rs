//! A results file that is about to be resumed: what is in it, and whether a tournament may continue it. It writes nothing.

use std::cell::OnceCell;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use leyden_format::{DoneMatches, Schedule};
use leyden_model::{BotIndex, RECORD_VERSION, RULES_EDITION, TournamentChange};
use rusqlite::Connection;

use super::difference::Advice;
use super::error::StoreError;
use super::lock::Lock;
use super::results::Results;
use super::stored_plan::StoredPlan;
use super::{difference, file, removal};

/// A results file that is about to be resumed. It is locked against other writers, and nothing has been written yet: what is
/// read from it stays true.
pub struct Resumable {
    results: Results,
    /// The edition of the rules and the version of the records.
    versions: (u32, u32),
    /// The known part of the schedule, and which of its matches are stored: read once, because a league's file is long.
    known: OnceCell<(Schedule, DoneMatches)>,
    begun_blocks: OnceCell<u32>,
    /// Which file was read, by device and number.
    inode: (u64, u64),
    /// The bots whose matches are removed.
    replaced: Vec<BotIndex>,
    /// Released last.
    lock: Lock,
}

impl Resumable {
    /// Opens an existing results file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = Lock::take(path)?;
        let results = Results::open(path)?;
        let versions = file::read_versions(results.connection(), path)?;
        file::try_to_write(path)?;
        let (known, begun_blocks, inode) = (OnceCell::new(), OnceCell::new(), inode(path)?);
        Ok(Self { results, versions, known, begun_blocks, inode, replaced: Vec::new(), lock })
    }

    /// Resumes without the matches of these bots, which may have changed.
    #[must_use]
    pub fn replacing(self, replaced: Vec<BotIndex>) -> Self {
        Self { replaced, ..self }
    }

    /// The bots whose matches will be removed.
    pub fn replaced(&self) -> &[BotIndex] {
        &self.replaced
    }

    /// The number of matches that a bot played in.
    pub fn matches_of(&self, bot: BotIndex) -> Result<u64, StoreError> {
        removal::matches_of(self.results.connection(), self.path(), self.stored_plan(), bot)
    }

    /// Rejects a different tournament. Only replaced bots may have changed.
    pub fn check(&self, now: &StoredPlan) -> Result<(), StoreError> {
        now.check()?;
        let mut was = self.stored_plan().clone();
        for bot in &self.replaced {
            let Some(was) = was.bots.get_mut(bot.index()) else { continue };
            if let Some(now) = now.bots.iter().find(|now| now.name == was.name) {
                (was.command, was.hash) = (now.command.clone(), now.hash.clone());
            }
        }
        let mut differences = was.differences(now, self.begun_blocks()?);
        // All matches of a file follow the same rules and have the same format.
        differences.extend(difference::versions_differ(self.versions, (RULES_EDITION, RECORD_VERSION)));
        if differences.is_empty() {
            return Ok(());
        }
        let is_gate = self.stored_plan().gate.is_some() || now.gate.is_some();
        let advice = if is_gate {
            difference::for_gate(&differences)
        } else {
            difference::for_tournament(&differences, self.is_over()?)
        };
        Err(StoreError::Different { path: self.path().to_owned(), differences, advice })
    }

    /// Rejects a gate where a tournament or match is resumed, and the other way round. Done before the bots are looked for,
    /// because they would be different ones.
    pub fn check_kind(&self, is_gate: bool) -> Result<(), StoreError> {
        match difference::for_kind(self.stored_plan().gate.is_some(), is_gate) {
            None => Ok(()),
            Some(kind) => {
                let (path, advice) = (self.path().to_owned(), Advice::None);
                Err(StoreError::Different { path, differences: vec![kind], advice })
            }
        }
    }

    /// The number of blocks, counted from the first, up to the last with a played or void match.
    fn begun_blocks(&self) -> Result<u32, StoreError> {
        if let Some(begun) = self.begun_blocks.get() {
            return Ok(*begun);
        }
        let query = "SELECT coalesce(max(block) + 1, 0) FROM (SELECT block FROM matches UNION ALL SELECT block FROM voided)";
        let begun = self.results.connection().query_row(query, [], |row| row.get(0));
        let begun = begun.map_err(|source| StoreError::sqlite(self.path(), "read", source))?;
        Ok(*self.begun_blocks.get_or_init(|| begun))
    }

    /// The tournament in the file.
    pub fn stored_plan(&self) -> &StoredPlan {
        self.results.stored_plan()
    }

    /// What is in the file.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The round of a Swiss, the first stage, before which bots may join or leave.
    pub fn open_round(&self) -> Result<Option<u32>, StoreError> {
        Ok(self.known()?.0.open_round())
    }

    /// Whether all planned matches were played: then the seed has been revealed.
    pub fn is_over(&self) -> Result<bool, StoreError> {
        self.reached().map(|(_, is_over)| is_over)
    }

    fn known(&self) -> Result<&(Schedule, DoneMatches), StoreError> {
        if let Some(known) = self.known.get() {
            return Ok(known);
        }
        let known = self.results.done()?;
        Ok(self.known.get_or_init(|| known))
    }

    /// What is known of the schedule of `now` without reading the file again.
    pub(super) fn known_of(&mut self, now: &StoredPlan) -> Option<(Schedule, DoneMatches)> {
        let was = self.stored_plan();
        let of = |plan: &StoredPlan| (plan.bots.len(), plan.blocks, plan.settings.seats);
        let is_same = self.replaced.is_empty() && was.format == now.format && of(was) == of(now);
        self.known.take().filter(|_| is_same)
    }

    /// The number of matches played, and whether that is all of them.
    pub(super) fn reached(&self) -> Result<(u64, bool), StoreError> {
        let (schedule, done) = self.known()?;
        Ok((done.count(), done.count() == schedule.matches()))
    }

    /// Opens the file for writing; the lock must be kept until that is over. The reader is closed first: if it were the last
    /// to close, it would leave the log beside the file.
    pub(super) fn into_writing(self) -> Result<(PathBuf, Lock, Connection), StoreError> {
        let Self { results, lock, inode: read, .. } = self;
        let path = results.path().to_owned();
        drop(results);
        let is_another = || inode(&path).map(|found| found != read);
        if is_another()? {
            return Err(StoreError::Exchanged { path });
        }
        let file = file::open_to_write(&path)?;
        if is_another()? {
            return Err(StoreError::Exchanged { path });
        }
        Ok((path, lock, file))
    }

    /// The path of the results file.
    pub fn path(&self) -> &Path {
        self.results.path()
    }

    /// The edition of the rules and the version of the records.
    pub(super) fn versions(&self) -> (u32, u32) {
        self.versions
    }

    /// The changes to the tournament if it is resumed as `now`; each notes whether the seed had been revealed by then.
    pub fn changes_to(&self, now: &StoredPlan) -> Result<Vec<TournamentChange>, StoreError> {
        Ok(self.stored_plan().changes_to(now, &self.replaced, self.reached()?))
    }
}

impl std::fmt::Debug for Resumable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resumable").field("path", &self.path()).finish_non_exhaustive()
    }
}

/// The device and the number of the file at a path.
fn inode(path: &Path) -> Result<(u64, u64), StoreError> {
    let found = fs::metadata(path).map_err(|source| StoreError::Io {
        path: path.to_owned(),
        doing: "read",
        source,
    })?;
    Ok((found.dev(), found.ino()))
}
