//! What authors hand in over the network: received into the folder of the league under the author's name, and judged there as
//! everything else. The state of each is kept, for its author.
//!
//! An archive is received into a hidden file of the folder. When it is complete, it is noted and takes the place of the author's
//! archive before it, both under one lock. A kill in between leaves a note whose archive is not there, which the next start says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leyden_model::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::challenges::{CHALLENGES, Challenges};
use super::disk::Disk;
use super::entrance::Verdict;
use super::hand_in::{HandIn, HandInState, ReceivedArchive};
use super::set_aside::AsideVersions;
use super::tokens::{Tokens, TokensError};
use super::version::Version;
use crate::record::store::{Lock, StoreError};
use crate::roster::{self, PackFileError};
use crate::whole_file;

/// The usual limit of bytes of an archive.
pub const LARGEST: u64 = 32 << 20;
/// The limit of bytes of a single file.
const LARGEST_FILE: u64 = 1 << 20;
/// How often an author may hand in within an hour, accepted or not.
const AN_HOUR: usize = 20;
/// How many archives of an author are received at once. There is no limit of all together, or a few could keep the others out.
const AT_ONCE: usize = 2;
/// How many of an author are kept in mind.
const KEPT: usize = 200;

const NOTES: &str = "handed-in.json";
const DRAFT: &str = ".leyden-hand-in-";
const VERSION: u32 = 1;

/// Why nothing can be received.
#[derive(Debug, thiserror::Error)]
pub enum OpenIntakeError {
    #[error(transparent)]
    Lock(#[from] StoreError),
    #[error("bots cannot be received: {0}")]
    Io(#[from] io::Error),
}

/// Why nothing was received. What was handed in before still plays.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    #[error(transparent)]
    Tokens(#[from] TokensError),
    #[error("an archive may have {0} bytes")]
    TooLarge(u64),
    #[error("{AN_HOUR} archives came within an hour: wait until one of them is older")]
    TooMany,
    #[error("{AT_ONCE} archives of yours are being received: try again once one of them is complete")]
    Busy,
    #[error(
        "expected a zip archive of the bot's folder, or a file of source text with its name: it is neither"
    )]
    NoArchive,
    #[error(transparent)]
    Pack(#[from] PackFileError),
    #[error("it is empty")]
    Empty,
    #[error(
        "the organiser has put {0} into the folder of the league: ask the organiser to take it out, so that you can replace it"
    )]
    Taken(String),
    #[error("no version of {0} plays")]
    NonePlays(String),
    #[error("no version of {0} was withdrawn by its author")]
    NoneWithdrawn(String),
    #[error("{0}")]
    Full(String),
    #[error("it cannot be stored: {0}")]
    Io(#[from] io::Error),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Notes {
    v: u32,
    /// The oldest first.
    pub(super) all: Vec<HandIn>,
    /// The version that the author has withdrawn, until one of the author's plays again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) withdrawn: Option<String>,
}

impl Notes {
    /// The latest, if it is an archive.
    fn last_archive(&self) -> Option<&HandIn> {
        self.all.last().filter(|last| last.archive.is_some())
    }
}

/// What an organiser sets about authors.
#[derive(Clone, Copy, Debug)]
pub struct IntakeRules {
    /// The limit of bytes of an archive.
    pub largest: u64,
    /// How often an author may challenge within 24 hours.
    pub challenges_a_day: u32,
    /// Whether only the author of a bot sees its matches.
    pub hides_replays: bool,
    /// Whether not even the author of a bot sees what it writes to standard error.
    pub hides_stderr: bool,
}

impl Default for IntakeRules {
    fn default() -> Self {
        Self { largest: LARGEST, challenges_a_day: CHALLENGES, hides_replays: false, hides_stderr: false }
    }
}

/// Receives what authors hand in. Clones are the same.
#[derive(Clone, Debug)]
pub struct Intake(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) disk: Disk,
    pub(super) results: PathBuf,
    tokens: Tokens,
    pub(super) challenges: Challenges,
    pub(super) aside: AsideVersions,
    rules: IntakeRules,
    state: Mutex<State>,
    /// Nobody else may receive, or decide about versions, while this one does.
    _lock: Lock,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) authors: BTreeMap<String, Notes>,
    /// How many archives of each author are being received.
    receiving: BTreeMap<String, usize>,
    /// The version of each bot that plays.
    pub(super) playing: BTreeMap<String, Version>,
    /// The bots among them that have used up their time of the day.
    pub(super) resting: BTreeSet<String>,
    /// Whether the limit of disk was reached, which the organiser has learned.
    is_full: bool,
}

/// An archive that is being received. Nothing is left of it if it is dropped.
#[derive(Debug)]
pub struct Upload {
    intake: Intake,
    author: String,
    file: NamedTempFile,
    hash: Sha256,
    bytes: u64,
    begins: Vec<u8>,
    /// What the file is called that is received.
    name: Option<String>,
}

impl Intake {
    /// The intake of a league with these folders and results file. Fails if another program plays this league.
    pub fn open(disk: Disk, results: &Path, rules: IntakeRules) -> Result<Self, OpenIntakeError> {
        let (folder, versions) = (&disk.folder, &disk.versions);
        fs::create_dir_all(versions)?;
        sync_folder_of(versions)?;
        let lock = Lock::take(versions)?;
        let mut state = State::default();
        for entry in fs::read_dir(versions)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some(author) = name.strip_suffix(NOTES).and_then(|name| name.strip_suffix('.')) else {
                continue;
            };
            let Some(mut notes) = whole_file::read_json::<Notes>(&path)? else { continue };
            let last = notes.all.last_mut().filter(|last| last.outcome == HandInState::Received);
            if let Some(last) = last
                && let Some(archive) = &last.archive
                && hash_of(&folder.join(archive_of(author))).ok().as_ref() != Some(&archive.sha256)
            {
                last.outcome = HandInState::Lost;
            }
            if notes.all.last().is_some_and(|last| matches!(last.outcome, HandInState::Withdrawn { .. })) {
                remove(&folder.join(archive_of(author)))?;
            }
            state.authors.insert(author.to_owned(), notes);
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(DRAFT)) {
                fs::remove_file(entry.path())?;
            }
        }
        let state = Mutex::new(state);
        let (tokens, challenges) =
            (Tokens::for_results(results), Challenges::open(results, rules.challenges_a_day)?);
        Ok(Self(Arc::new(Inner {
            disk,
            results: results.to_owned(),
            tokens,
            challenges,
            aside: AsideVersions::open(results)?,
            rules,
            state,
            _lock: lock,
        })))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // Each change is complete before anything can panic.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The author with this token.
    pub fn author_of(&self, token: &str) -> Result<Option<String>, TokensError> {
        self.0.tokens.author_of(token)
    }

    /// The limit of bytes of an archive.
    pub fn largest(&self) -> u64 {
        self.0.rules.largest
    }

    /// Whether only the author of a bot sees its matches.
    pub fn hides_replays(&self) -> bool {
        self.0.rules.hides_replays
    }

    /// Whether not even the author of a bot sees what it writes to standard error.
    pub fn hides_stderr(&self) -> bool {
        self.0.rules.hides_stderr
    }

    /// What an author has handed in, the latest first.
    pub fn for_author(&self, author: &str) -> Vec<HandIn> {
        self.state()
            .authors
            .get(author)
            .map_or_else(Vec::new, |notes| notes.all.iter().rev().cloned().collect())
    }

    /// Begins to receive an archive.
    pub fn receive(&self, author: &str) -> Result<Upload, IntakeError> {
        self.may_hand_in(author)?;
        // Before the lock, because all files are looked at.
        let used = self.0.disk.used_bytes();
        let mut state = self.state();
        let own = state.receiving.get(author).copied().unwrap_or_default();
        if own >= AT_ONCE {
            return Err(IntakeError::Busy);
        }
        let all: usize = state.receiving.values().sum();
        // Each has a place, however large it is going to be.
        let is_full = !self.0.disk.allows(used.saturating_add((all as u64 + 1) * self.largest()));
        let was_full = std::mem::replace(&mut state.is_full, is_full);
        if is_full {
            let why = self.0.disk.is_full();
            if !was_full {
                tracing::warn!("nothing more is received: {why}");
            }
            return Err(IntakeError::Full(why));
        }
        let own = state.receiving.entry(author.to_owned()).or_default();
        let file = tempfile::Builder::new().prefix(DRAFT).tempfile_in(&self.0.disk.folder)?;
        *own += 1;
        let (intake, author) = (self.clone(), author.to_owned());
        Ok(Upload { intake, author, file, hash: Sha256::new(), bytes: 0, begins: Vec::new(), name: None })
    }

    pub(super) fn may_hand_in(&self, author: &str) -> Result<(), IntakeError> {
        let own = self.0.disk.folder.join(archive_of(author));
        if self.0.disk.folder.join(author).exists() || own.is_dir() {
            return Err(IntakeError::Taken(author.to_owned()));
        }
        let lately = self.for_author(author).iter().filter(|one| one.is_young()).count();
        if lately >= AN_HOUR { Err(IntakeError::TooMany) } else { Ok(()) }
    }

    /// What will be judged if this entry is judged now: an author's latest.
    pub(super) fn stamp(&self, entry: &Path) -> Option<(String, u32)> {
        let author = entry.file_name()?.to_str()?.strip_suffix(".zip")?;
        let last = self.state().authors.get(author)?.last_archive()?.number;
        Some((author.to_owned(), last))
    }

    /// Whether what has this stamp was not judged yet.
    pub(super) fn is_received(&self, (author, number): &(String, u32)) -> bool {
        let state = self.state();
        let last = state.authors.get(author).and_then(|notes| notes.all.last());
        last.is_some_and(|last| last.number == *number && last.outcome == HandInState::Received)
    }

    /// Notes the verdict on the hand-in that had this stamp before it was judged.
    pub(super) fn judged(&self, (author, number): &(String, u32), verdict: &Verdict) {
        let mut state = self.state();
        let Some(notes) = state.authors.get_mut(author) else { return };
        // If another one has come, it may be what was judged, and is judged again.
        let Some(last) = notes.all.last_mut().filter(|last| last.number == *number) else { return };
        let outcome = HandInState::from_verdict(verdict);
        let stays = match (&last.outcome, &outcome) {
            (HandInState::Accepted { version }, HandInState::Known { version: now }) => version == now,
            // After a start it is judged again, and the host may fail at it. It plays all the same.
            (HandInState::Accepted { .. }, HandInState::Waits { .. }) => true,
            (before, now) => before == now,
        };
        if !stays && last.outcome != HandInState::Lost {
            last.outcome = outcome;
            self.keep_or_warn(author, notes);
        }
    }

    pub(super) fn keep_or_warn(&self, author: &str, notes: &Notes) {
        if let Err(error) = self.keep(author, notes) {
            tracing::warn!("cannot store the verdict on a hand-in of {author}: {error}");
        }
    }

    fn keep(&self, author: &str, notes: &Notes) -> io::Result<()> {
        whole_file::replace_json(&self.0.disk.versions.join(format!("{author}.{NOTES}")), notes)
    }

    /// Puts a complete archive in its place.
    fn take(&self, upload: &mut Upload) -> Result<HandIn, IntakeError> {
        self.may_hand_in(&upload.author)?;
        upload.file.as_file().sync_all()?;
        let mut state = self.state();
        let withdrawn = state.authors.get(&upload.author).and_then(|notes| notes.withdrawn.clone());
        let sha256 = hex(&std::mem::take(&mut upload.hash).finalize());
        let archive = ReceivedArchive { bytes: upload.bytes, sha256 };
        let archive = HandIn::new(Some(archive), HandInState::Received);
        let path = self.0.disk.folder.join(archive_of(&upload.author));
        let moved = || fs::rename(upload.file.path(), path);
        let handed_in = self.note(&mut state, &upload.author, archive, withdrawn, moved)?;
        File::open(&self.0.disk.folder)?.sync_all()?;
        Ok(handed_in)
    }

    /// Adds something to what an author has done, and lets it take effect. If that fails, it was not done.
    pub(super) fn note(
        &self,
        state: &mut State,
        author: &str,
        new: HandIn,
        withdrawn: Option<String>,
        take_effect: impl FnOnce() -> io::Result<()>,
    ) -> Result<HandIn, IntakeError> {
        let before = state.authors.get(author).cloned().unwrap_or_default();
        let mut all = before.all.clone();
        if let Some(last) = all.last_mut()
            && matches!(last.outcome, HandInState::Received | HandInState::Waits { .. })
        {
            last.outcome = HandInState::Replaced;
        }
        let new = HandIn { number: all.last().map_or(0, |last| last.number) + 1, ..new };
        all.push(new.clone());
        all.drain(..all.len().saturating_sub(KEPT));
        let notes = Notes { v: VERSION, all, withdrawn };
        if let Err(error) = self.keep(author, &notes).and_then(|()| take_effect()) {
            let _ = self.keep(author, &before); // the error says more
            return Err(error.into());
        }
        state.authors.insert(author.to_owned(), notes);
        Ok(new)
    }
}

impl Upload {
    /// The limit of bytes.
    pub fn largest(&self) -> u64 {
        self.intake.largest()
    }

    /// Takes the next bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), IntakeError> {
        let largest = self.largest();
        self.bytes += bytes.len() as u64;
        if self.bytes > largest {
            return Err(IntakeError::TooLarge(largest));
        }
        let lacking = 4_usize.saturating_sub(self.begins.len()).min(bytes.len());
        self.begins.extend_from_slice(bytes.get(..lacking).unwrap_or_default());
        self.hash.update(bytes);
        Ok(self.file.write_all(bytes)?)
    }

    /// Says what the file is called that is received.
    pub fn call(&mut self, name: &str) {
        self.name = Some(name.to_owned());
    }

    /// Packs a single file of source text, which becomes what was received.
    fn pack(&mut self) -> Result<(), IntakeError> {
        let name = self.name.as_deref().ok_or(IntakeError::NoArchive)?;
        if self.bytes > LARGEST_FILE {
            return Err(IntakeError::NoArchive);
        }
        let archive = roster::pack_alone(name, &fs::read(self.file.path())?)?;
        self.file = tempfile::Builder::new().prefix(DRAFT).tempfile_in(&self.intake.0.disk.folder)?;
        (self.bytes, self.hash) = (0, Sha256::new());
        self.write(&archive)
    }

    /// Hands in what was received.
    pub fn finish(mut self) -> Result<HandIn, IntakeError> {
        if self.bytes == 0 {
            return Err(IntakeError::Empty);
        }
        if !self.begins.starts_with(b"PK") {
            self.pack()?;
        }
        let intake = self.intake.clone();
        intake.take(&mut self)
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(own) = self.intake.state().receiving.get_mut(&self.author) {
            *own = own.saturating_sub(1);
        }
    }
}

/// Lets the name of a file or folder outlast a power cut.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(above)?.sync_all()
}

pub(super) fn archive_of(author: &str) -> String {
    format!("{author}.zip")
}

/// Removes a file, which need not be there.
pub(super) fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// The SHA-256 of a file, in hex.
fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = roster::open_regular(path)?.ok_or(io::ErrorKind::InvalidInput)?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(piece.get(..count).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests;
