//! Watches a folder by looking at it: that works on every file system, also over a network, and within containers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::roster;
use tokio_util::sync::CancellationToken;

/// How often it is looked at.
pub(super) const LOOK: Duration = Duration::from_millis(400);
/// Looking takes at most this part of the time, and so does judging the same entry again.
const SHARE: u32 = 20;
/// How long an entry that waits does so at least.
const AGAIN: Duration = Duration::from_secs(2);
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
    /// Whether it has been as it is since the first look.
    is_old: bool,
}

impl Watch {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), entries: BTreeMap::new(), rest: LOOK, has_looked: false }
    }

    /// Entries that have changed, and have stayed the same from the last look to this one, so that nobody is writing to them.
    pub(super) fn changed(&mut self) -> Vec<PathBuf> {
        let began = Instant::now();
        let now = roster::entries_in(&self.folder).unwrap_or_default();
        self.entries.retain(|entry, _| now.contains(entry));
        let mut changed = Vec::new();
        let is_first = !std::mem::replace(&mut self.has_looked, true);
        for entry in now {
            let state = state(&entry);
            let seen = self.entries.entry(entry.clone()).or_default();
            seen.is_old = is_first || seen.is_old && seen.state == state;
            let is_due = seen.again.is_some_and(|again| again <= began);
            if seen.state == state && (seen.reported != Some(state) || is_due) {
                (seen.reported, seen.again) = (Some(state), None);
                changed.push(entry);
            }
            seen.state = state;
        }
        self.rest = LOOK.max(began.elapsed() * SHARE);
        changed
    }

    /// Whether the entry has been as it is since the first look, so that nobody has handed it in since.
    pub(super) fn is_old(&self, entry: &Path) -> bool {
        self.entries.get(entry).is_some_and(|seen| seen.is_old)
    }

    /// Reports the entry again in a while: the longer, the longer it took to judge it.
    pub(super) fn look_again(&mut self, entry: &Path, judging: Duration) {
        if let Some(seen) = self.entries.get_mut(entry) {
            seen.again = Some(Instant::now() + AGAIN.max(judging * SHARE));
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
        assert!(watch.changed().is_empty(), "nobody knows yet whether it is quiet");
        assert_eq!(watch.changed(), std::slice::from_ref(&bot));
        assert!(watch.changed().is_empty() && watch.is_old(&bot));
        fs::write(&file, "one").unwrap();
        assert!(watch.changed().is_empty(), "it has just changed");
        fs::write(&file, "and more").unwrap();
        assert!(watch.changed().is_empty(), "it is being written");
        assert_eq!(watch.changed(), std::slice::from_ref(&bot));
        watch.look_again(&bot, Duration::ZERO);
        assert!(watch.changed().is_empty(), "not at once");
        watch.entries.get_mut(&bot).unwrap().again = Some(Instant::now());
        assert_eq!(watch.changed(), std::slice::from_ref(&bot));
        assert!(watch.changed().is_empty());
        assert!(!watch.is_old(&bot));
        fs::remove_dir_all(&bot).unwrap();
        assert!(watch.changed().is_empty());
    }
}
