//! Watches a folder by looking at it: that works on every file system, also over a network, and within containers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::roster::{self, BotLookupError};
use tokio_util::sync::CancellationToken;

/// The shortest time between two looks at the folder.
pub(super) const LOOK: Duration = Duration::from_millis(400);
/// Looking takes at most this part of the time, and so does judging the same entry again.
const SHARE: u32 = 20;
/// How long an entry that waits does so at least.
const AGAIN: Duration = Duration::from_secs(2);
/// The longest pause after failures of the host.
const LONGEST: Duration = Duration::from_hours(1);
/// Names that change although a bot does not.
const PASSING: [&str; 2] = [".git", "__pycache__"];

/// The state of each entry of a folder.
pub(super) struct Watch {
    folder: PathBuf,
    entries: BTreeMap<PathBuf, Sighting>,
    rest: Duration,
    has_looked: bool,
}

#[derive(Clone, Copy, Default)]
struct Sighting {
    /// A number that changes with the files.
    state: u64,
    /// The state that was reported.
    reported: Option<u64>,
    /// When it is reported again, although it has not changed.
    again: Option<Instant>,
    /// How often in a row the host has failed at this state. Another state is judged at once, as it may be what mends it: an
    /// author hands in only so often in an hour.
    failures: u32,
    /// Whether it has been as it is since the first look.
    is_old: bool,
}

impl Watch {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), entries: BTreeMap::new(), rest: LOOK, has_looked: false }
    }

    /// Entries that have changed, and have stayed the same from the last look to this one, so that nobody is writing to them.
    /// Fails if the folder, or its list of what is ignored, cannot be read: the entries stay as they were.
    pub(super) fn changed(&mut self) -> Result<Vec<PathBuf>, BotLookupError> {
        let began = Instant::now();
        let now = roster::entries_in(&self.folder)?;
        self.entries.retain(|entry, _| now.contains(entry));
        let mut changed = Vec::new();
        let is_first = !std::mem::replace(&mut self.has_looked, true);
        for entry in now {
            let state = state(&entry);
            let seen = self.entries.entry(entry.clone()).or_default();
            seen.is_old = is_first || seen.is_old && seen.state == state;
            let is_due = seen.again.is_some_and(|again| again <= began);
            if seen.state != state {
                seen.failures = 0;
            } else if seen.reported != Some(state) || is_due {
                (seen.reported, seen.again) = (Some(state), None);
                changed.push(entry);
            }
            seen.state = state;
        }
        self.rest = LOOK.max(began.elapsed() * SHARE);
        Ok(changed)
    }

    /// Whether the entry has been as it is since the first look, so that nobody has handed it in since.
    pub(super) fn is_old(&self, entry: &Path) -> bool {
        self.entries.get(entry).is_some_and(|seen| seen.is_old)
    }

    /// Notes whether the host failed at the entry. Returns how often in a row it has.
    pub(super) fn count_failures(&mut self, entry: &Path, has_failed: bool) -> u32 {
        let Some(seen) = self.entries.get_mut(entry) else { return u32::from(has_failed) };
        seen.failures = if has_failed { seen.failures.saturating_add(1) } else { 0 };
        seen.failures
    }

    /// Reports the entry again in a while: the longer, the longer it took to judge it and the more often the host failed.
    pub(super) fn look_again(&mut self, entry: &Path, judging: Duration) {
        if let Some(seen) = self.entries.get_mut(entry) {
            let pause = LONGEST.min(AGAIN * 2_u32.saturating_pow(seen.failures));
            seen.again = Some(Instant::now() + pause.max(judging * SHARE));
        }
    }

    /// Waits until it is time for the next look.
    pub(super) fn rest(&self, stop: &CancellationToken) {
        pause(stop, self.rest);
    }
}

/// Waits for this long, or until it is stopped. Not on a thread that runs tasks.
pub(super) fn pause(stop: &CancellationToken, longest: Duration) {
    const LOOK: Duration = Duration::from_millis(50);
    let until = Instant::now() + longest;
    while !stop.is_cancelled() && Instant::now() < until {
        thread::sleep(LOOK.min(until.saturating_duration_since(Instant::now())));
    }
}

/// Of the paths, sizes and times of all files of an entry.
fn state(entry: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    note(entry, &mut hasher);
    hasher.finish()
}

fn note(path: &Path, hasher: &mut DefaultHasher) {
    let Ok(meta) = fs::symlink_metadata(path) else { return };
    path.hash(hasher);
    if !meta.is_dir() {
        return (meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec(), meta.mode()).hash(hasher);
    }
    let mut inside: Vec<PathBuf> =
        fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    inside.retain(|path| !PASSING.iter().any(|name| path.file_name() == Some(OsStr::new(name))));
    inside.sort();
    for path in &inside {
        note(path, hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_is_reported_once_it_is_quiet() {
        let folder = tempfile::tempdir().unwrap();
        let (bot, file) = (folder.path().join("ann"), folder.path().join("ann/bot.toml"));
        fs::create_dir(&bot).unwrap();
        fs::write(folder.path().join(".hidden"), "x").unwrap();
        let mut watch = Watch::new(folder.path());
        assert!(watch.changed().unwrap().is_empty(), "nobody knows yet whether it is quiet");
        assert_eq!(watch.changed().unwrap(), std::slice::from_ref(&bot));
        assert!(watch.changed().unwrap().is_empty() && watch.is_old(&bot));
        fs::write(&file, "one").unwrap();
        assert!(watch.changed().unwrap().is_empty(), "it has just changed");
        fs::write(&file, "and more").unwrap();
        assert!(watch.changed().unwrap().is_empty(), "it is being written");
        assert_eq!(watch.changed().unwrap(), std::slice::from_ref(&bot));
        watch.look_again(&bot, LONGEST);
        assert!(watch.changed().unwrap().is_empty(), "not at once");
        watch.entries.get_mut(&bot).unwrap().again = Some(Instant::now());
        assert_eq!(watch.changed().unwrap(), std::slice::from_ref(&bot));
        assert!(watch.changed().unwrap().is_empty());
        assert!(!watch.is_old(&bot));
        fs::remove_dir_all(&bot).unwrap();
        assert!(watch.changed().unwrap().is_empty());
    }

    #[test]
    fn failures_lengthen_pause_until_entry_changes() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("ann.zip");
        fs::write(&bot, "one").unwrap();
        let mut watch = Watch::new(folder.path());
        let report = |watch: &mut Watch| {
            let [first, second] = [watch.changed().unwrap(), watch.changed().unwrap()];
            first.len() + second.len()
        };
        assert_eq!(report(&mut watch), 1);
        let pauses = |watch: &mut Watch, pause: Duration| {
            let before = Instant::now();
            watch.look_again(&bot, Duration::ZERO);
            let again = watch.entries[&bot].again.unwrap();
            (before + pause..=Instant::now() + pause).contains(&again)
        };
        for failures in 1..=40_u32 {
            assert_eq!(watch.count_failures(&bot, true), failures);
            let pause = Duration::from_secs(2 << failures.min(20)).min(Duration::from_hours(1));
            assert!(pauses(&mut watch, pause), "{failures}");
        }
        fs::write(&bot, "another").unwrap();
        assert_eq!(report(&mut watch), 1, "it does not wait for the end of the pause");
        assert_eq!(watch.count_failures(&bot, true), 1);
        fs::remove_file(&bot).unwrap();
        assert_eq!(report(&mut watch), 0);
        assert!(watch.entries.is_empty());
        fs::write(&bot, "another").unwrap();
        assert_eq!(report(&mut watch), 1);
        assert_eq!(watch.count_failures(&bot, true), 1);
        assert_eq!(watch.count_failures(&bot, false), 0);
        assert!(pauses(&mut watch, AGAIN));
    }

    #[test]
    fn unreadable_list_forgets_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join(".leydenignore");
        fs::create_dir(folder.path().join("ann")).unwrap();
        let mut watch = Watch::new(folder.path());
        let reported = [watch.changed().unwrap(), watch.changed().unwrap()].concat();
        assert_eq!(reported, [folder.path().join("ann")]);
        std::os::unix::fs::symlink("gone", &list).unwrap();
        let error = watch.changed().unwrap_err().to_string();
        assert!(error.ends_with("it is a link: put the list itself there"), "{error}");
        fs::remove_file(&list).unwrap();
        assert!(watch.changed().unwrap().is_empty(), "it has not changed since");
    }
}
