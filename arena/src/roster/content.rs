//! Hashes the files that make up a bot. Opens only regular files, and reads only a limited number of bytes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};

use leyden_model::{RESULTS_MARK, hex};
use rustix::fs::OFlags;
use rustix::io::Errno;
use sha2::{Digest, Sha256};

/// The most files and folders, and the most bytes, in a bot's folder.
pub(super) const MOST_FILES: usize = 100_000;
pub(super) const MOST_BYTES: u64 = 2 << 30;

/// The longest path within a bot's folder or archive, in bytes: a copy of it elsewhere must still be one that the system accepts.
pub(super) const LONGEST_PATH: usize = 1_000;

/// Names that come and go without a change to the bot.
const PASSING: [&str; 3] = [".git", "__pycache__", ".DS_Store"];

/// Endings of the files that SQLite and the arena keep next to a results file.
const BESIDE_RESULTS: [&str; 4] = ["-wal", "-shm", "-journal", "-lock"];

/// Folders into which build commands write; they are part of a bot without a build command.
const BUILT: [&str; 4] = ["build", "target", "node_modules", "obj"];

/// Whether a path within a bot's folder lies in a folder into which build commands write.
pub(super) fn is_built(path: &Path) -> bool {
    let mut parts = path.components().skip_while(|part| *part == Component::CurDir);
    parts.next().is_some_and(|part| BUILT.iter().any(|built| part.as_os_str() == *built))
}

/// Why a folder cannot be hashed.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error("{path} cannot be read: {source}", path = .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} is neither a file nor a folder nor a link: leave it out", .0.display())]
    Special(PathBuf),
    #[error("it contains more than {MOST_FILES} files and folders")]
    Files,
    #[error("it contains more than {} GiB", MOST_BYTES >> 30)]
    Bytes,
    #[error("it contains the path {0:?}…, which has more than {LONGEST_PATH} bytes: shorten it")]
    LongPath(String),
}

impl ContentError {
    /// Returns the system's error if the machine lacks something; otherwise the cause is what was handed in.
    pub fn system(&self) -> Option<&io::Error> {
        match self {
            Self::Unreadable { source, .. } => Some(source).filter(|error| !is_of_handed_in(error)),
            Self::Special(_) | Self::Files | Self::Bytes | Self::LongPath(_) => None,
        }
    }
}

/// Whether the system refuses the name, the kind or the content of a file, which is for the bot's author to mend. Otherwise
/// the machine lacks something, such as room.
pub(super) fn is_of_content(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AlreadyExists, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, Other,
        UnexpectedEof,
    };
    matches!(
        error.kind(),
        AlreadyExists
            | InvalidData
            | InvalidFilename
            | InvalidInput
            | IsADirectory
            | NotADirectory
            | Other
            | UnexpectedEof
    ) || error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) // its kind has no stable name
}

/// The same where a file that was handed in is read: it may also be gone, or not be open to the arena.
pub(super) fn is_of_handed_in(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) || is_of_content(error)
}

/// Refuses a path within a bot's folder or archive that is too long.
pub(super) fn check_length(path: &[u8]) -> Result<(), ContentError> {
    if path.len() <= LONGEST_PATH {
        return Ok(());
    }
    Err(ContentError::LongPath(String::from_utf8_lossy(&path[..40]).into_owned()))
}

/// Whether a file with this mode is marked as executable.
pub(super) const fn is_executable(mode: u32) -> bool {
    mode & 0o111 != 0
}

/// Returns the SHA-256, in hex, of a folder: of the paths and contents of its files and the targets of its links. Links are not
/// followed.
pub(super) fn hash_folder(folder: &Path, has_build: bool) -> Result<String, ContentError> {
    hash_paths(folder, &paths(folder, has_build)?)
}

/// Returns the hash of a folder without one file, given by its name; `None` if there is no other file.
pub(super) fn without(folder: &Path, file: &str, has_build: bool) -> Result<Option<String>, ContentError> {
    let mut paths = paths(folder, has_build)?;
    paths.retain(|path| *path != folder.join(file));
    (!paths.is_empty()).then(|| hash_paths(folder, &paths)).transpose()
}

fn hash_paths(folder: &Path, paths: &[PathBuf]) -> Result<String, ContentError> {
    let mut hash = Sha256::new();
    let mut left = MOST_BYTES;
    for path in paths {
        let unreadable = |source| ContentError::Unreadable { path: path.clone(), source };
        let name = path.strip_prefix(folder).unwrap_or(path).as_os_str().as_bytes();
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name);
        let content = if path.is_symlink() {
            let target = fs::read_link(path).map_err(unreadable)?;
            hash.update(b"link");
            Sha256::digest(target.as_os_str().as_bytes())
        } else {
            let (content, bytes) = digest_file(path, left)?;
            left -= bytes;
            content
        };
        hash.update(content);
    }
    Ok(hex(&hash.finalize()))
}

/// Returns the files and links of a folder that are part of the bot, sorted.
pub(super) fn paths(folder: &Path, has_build: bool) -> Result<Vec<PathBuf>, ContentError> {
    let mut walk = Walk::new(folder, has_build);
    walk.collect(folder)?;
    walk.paths.sort();
    Ok(walk.paths)
}

/// The files of a bot's folder: path to fingerprint. The fingerprint is the first 16 hex digits of the SHA-256, or the size of a
/// large file.
pub type Files = BTreeMap<String, String>;

/// The most files that are fingerprinted, and the most bytes of a file that are read again for that.
const MOST_KEPT: usize = 2_000;
const MOST_READ: u64 = 8 << 20;

/// Returns the files of a bot's folder; none if there are too many, or if they cannot be read.
pub(super) fn files(folder: &Path, has_build: bool) -> Files {
    let paths = paths(folder, has_build).unwrap_or_default();
    if paths.len() > MOST_KEPT {
        return Files::new();
    }
    let entry_at = |path: PathBuf| {
        let meta = path.symlink_metadata().ok()?;
        let what = if meta.is_symlink() {
            let target = fs::read_link(&path).ok()?;
            hex(&Sha256::digest(target.as_os_str().as_bytes()))[..16].to_owned()
        } else if meta.len() > MOST_READ {
            format!("{} bytes", meta.len())
        } else {
            hex(&digest_file(&path, MOST_READ).ok()?.0)[..16].to_owned()
        };
        Some((shown(folder, &path), what))
    };
    paths.into_iter().filter_map(entry_at).collect()
}

/// Returns a path relative to the bot's folder. Hidden characters are replaced: the name comes from outside, and must not break the
/// line that it is printed on.
fn shown(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    inside.to_string_lossy().replace(leyden_protocol::is_hidden, "\u{fffd}")
}

/// Returns the paths of the files that were changed last, newest first; none if there is no folder.
pub fn latest(folder: &Path, most: usize) -> Vec<String> {
    let changed = |path: PathBuf| Some((path.symlink_metadata().ok()?.modified().ok()?, path));
    let mut files: Vec<_> = paths(folder, true).unwrap_or_default().into_iter().filter_map(changed).collect();
    files.sort_by(|one, other| other.cmp(one));
    files.iter().take(most).map(|(_, path)| shown(folder, path)).collect()
}

/// Returns the digest of a regular file and its length in bytes. Fails if it has more than `most` bytes.
pub(super) fn digest_file(
    path: &Path,
    most: u64,
) -> Result<(sha2::digest::Output<Sha256>, u64), ContentError> {
    let unreadable = |source| ContentError::Unreadable { path: path.to_owned(), source };
    let mut file =
        open_regular(path).map_err(unreadable)?.ok_or_else(|| ContentError::Special(path.to_owned()))?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let count = file.read(&mut piece).map_err(unreadable)?;
        if count == 0 {
            return Ok((hash.finalize(), bytes));
        }
        bytes += count as u64;
        if bytes > most {
            return Err(ContentError::Bytes);
        }
        hash.update(piece.get(..count).unwrap_or_default());
    }
}

/// Opens a regular file for reading; `None` for anything else. Never blocks on a pipe, and never opens a device.
pub(crate) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    if !path.metadata()?.is_file() {
        return Ok(None);
    }
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::options().read(true).custom_flags(flags.bits() as i32).open(path)?;
    // The path may have been replaced since.
    Ok(Some(file).filter(|file| file.metadata().is_ok_and(|meta| meta.is_file())))
}

/// Returns the text of a regular file of at most `most` bytes, whole KiB.
pub(super) fn text(path: &Path, most: usize) -> io::Result<String> {
    let file = open_regular(path)?.ok_or_else(|| io::Error::other("it is not a file"))?;
    let mut text = String::new();
    file.take(most as u64 + 1).read_to_string(&mut text)?;
    if text.len() > most {
        return Err(io::Error::other(format!("it has more than {} KiB", most >> 10)));
    }
    Ok(text)
}

/// Whether a file is a results file, or one of the files that belong to it: people play in the folder of their bot.
fn is_results(path: &Path) -> bool {
    let has_mark = |path: &Path| {
        let mut head = [0; 72];
        let file = open_regular(path).ok().flatten();
        file.is_some_and(|mut file| file.read_exact(&mut head).is_ok())
            && head.starts_with(b"SQLite format 3\0")
            && head.ends_with(&RESULTS_MARK)
    };
    let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default();
    let of = BESIDE_RESULTS.iter().find_map(|end| name.strip_suffix(end.as_bytes()));
    has_mark(path) || of.is_some_and(|of| has_mark(&path.with_file_name(OsStr::from_bytes(of))))
}

/// The first bytes of the outputs of this program that people redirect into their bot's folder: a report for CI, the events of a
/// run, and JSON about a results file.
const WRITTEN: [&[u8]; 3] = [
    b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leyden\"",
    b"{\"event\":\"start\",\"v\":1,\"tournament\":\"",
    b"{\n  \"v\": 1,\n  \"tournament\": \"",
];

/// Whether a file is a report or a document that this program wrote.
fn is_report(path: &Path) -> bool {
    let mut head = [0; 80];
    let Some(mut file) = open_regular(path).ok().flatten() else { return false };
    let Ok(count) = file.read(&mut head) else { return false };
    let begins = |with: &[u8]| head.get(..count).is_some_and(|head| head.starts_with(with));
    WRITTEN.iter().any(|with| begins(with))
}

/// Returns the files that this program's output is redirected to: it names deals that may be played again.
pub(super) fn own_streams() -> Vec<PathBuf> {
    let of = |fd: BorrowedFd<'_>| fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).ok();
    let files = [of(io::stdout().as_fd()), of(io::stderr().as_fd())].into_iter().flatten();
    files.filter(|path| path.is_file()).collect()
}

/// Whether a file was written by this program, and so is not part of a bot even if it lies in its folder.
pub(super) fn is_written_here(path: &Path) -> bool {
    let is_stream = |meta: fs::Metadata| {
        let is = |fd: BorrowedFd<'_>| {
            rustix::fs::fstat(fd).is_ok_and(|own| (own.st_dev, own.st_ino) == (meta.dev(), meta.ino()))
        };
        is(io::stdout().as_fd()) || is(io::stderr().as_fd())
    };
    is_results(path) || is_report(path) || path.metadata().is_ok_and(is_stream)
}

/// Whether a file starts like a program: with the interpreter of a script, or as machine code.
pub(super) fn looks_like_program(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = open_regular(path).ok().flatten().map(|mut file| file.read(&mut start));
    matches!(read, Some(Ok(2..))) && (start.starts_with(b"#!") || start == *b"\x7fELF")
}

struct Walk<'a> {
    folder: &'a Path,
    has_build: bool,
    /// The number of files and folders seen.
    entries: usize,
    paths: Vec<PathBuf>,
}

impl<'a> Walk<'a> {
    fn new(folder: &'a Path, has_build: bool) -> Self {
        Self { folder, has_build, entries: 0, paths: Vec::new() }
    }

    fn collect(&mut self, folder: &Path) -> Result<(), ContentError> {
        let unreadable = |source| ContentError::Unreadable { path: folder.to_owned(), source };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let name = entry.file_name();
            let is = |names: &[&str]| names.iter().any(|&known| name == known);
            if is(&PASSING) || (self.has_build && folder == self.folder && kind.is_dir() && is(&BUILT)) {
                continue;
            }
            self.entries += 1;
            if self.entries > MOST_FILES {
                return Err(ContentError::Files);
            }
            let path = entry.path();
            check_length(path.strip_prefix(self.folder).unwrap_or(&path).as_os_str().as_bytes())?;
            if kind.is_file() && is_written_here(&path) {
                continue;
            }
            if kind.is_dir() {
                self.collect(&path)?;
            } else if kind.is_file() || kind.is_symlink() {
                self.paths.push(path);
            } else {
                return Err(ContentError::Special(path));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_counts_except_temporary_files() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let hash = |has_build| hash_folder(folder, has_build).unwrap();
        fs::write(folder.join("bot.py"), "print()").unwrap();
        let first = hash(true);
        assert_eq!(first, hash(false));
        for passing in PASSING {
            fs::create_dir(folder.join(passing)).unwrap();
            fs::write(folder.join(passing).join("x"), "x").unwrap();
        }
        assert_eq!(first, hash(false));
        fs::create_dir(folder.join("build")).unwrap();
        fs::write(folder.join("build/bot"), "x").unwrap();
        assert_eq!(first, hash(true), "a build command makes it again");
        let with_program = hash(false);
        assert_ne!(first, with_program, "it is what was handed in");
        fs::create_dir(folder.join(".hidden")).unwrap();
        fs::write(folder.join(".hidden/model"), "x").unwrap();
        let hidden = hash(false);
        assert_ne!(with_program, hidden);
        std::os::unix::fs::symlink("/dev/zero", folder.join("link")).unwrap();
        assert_ne!(hidden, hash(false));
    }

    #[test]
    fn too_long_path_is_refused_with_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("d/".repeat(LONGEST_PATH / 2 - 1));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("xx"), "x").unwrap();
        assert_eq!(paths(folder.path(), false).unwrap().len(), 1);
        fs::write(deep.join("xxx"), "x").unwrap();
        let refused = paths(folder.path(), false).unwrap_err();
        assert!(matches!(refused, ContentError::LongPath(_)) && refused.system().is_none());
        assert!(refused.to_string().contains("has more than 1000 bytes"), "{refused}");
    }

    #[test]
    fn arena_output_is_not_part_of_a_bot() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        fs::write(folder.join("bot.py"), "print()").unwrap();
        let hash = || hash_folder(folder, false).unwrap();
        let first = hash();
        fs::write(folder.join("out.json"), "{\"event\":\"start\",\"v\":1,\"tournament\":\"0a\"}\n").unwrap();
        fs::write(folder.join("table.json"), "{\n  \"v\": 1,\n  \"tournament\": \"0a\"\n}\n").unwrap();
        assert_eq!(hash(), first);
        fs::write(folder.join("book.json"), "{\"v\": 1}").unwrap();
        assert_ne!(hash(), first, "it may be the bot's own");
    }

    #[test]
    fn special_files_neither_block_nor_are_read_forever() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        assert!(
            matches!(hash_folder(folder.path(), false), Err(ContentError::Special(path)) if path == pipe)
        );
        assert!(matches!(digest_file(&pipe, 1), Err(ContentError::Special(_))));
        assert!(open_regular(Path::new("/dev/zero")).unwrap().is_none());

        let sparse = folder.path().join("sparse");
        fs::remove_file(&pipe).unwrap();
        File::create(&sparse).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(matches!(digest_file(&sparse, 1 << 20), Err(ContentError::Bytes)));
    }
}
