//! Unpacks submissions that are zip archives. No entry is written outside the folder, and the unpacked size is limited.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use leyden_host::Temporary;
use zip::ZipArchive;
use zip::result::ZipError;

use super::content::{self, ContentError, MOST_FILES, is_executable};

/// An archive may unpack to this many times its size, or to [`ALWAYS`] if that is more.
const MOST_RATIO: u64 = 100;

/// The size in bytes to which every archive may unpack.
const ALWAYS: u64 = 64_000_000;

/// Why an archive cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArchiveError {
    /// The machine lacks something to read it, or to write what is in it.
    #[error("it cannot be unpacked: {0}")]
    System(io::Error),
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error("it is not a zip archive, or it is damaged: {0}")]
    Damaged(ZipError),
    #[error("its entry {0:?} leads out of the archive's folder")]
    Outside(String),
    #[error("its entry {0:?} is a link: an archive may not contain links")]
    Link(String),
    #[error("it contains the entry {0:?} twice")]
    Twice(String),
    #[error("its entry {0:?} cannot be written: {1}")]
    Name(String, io::Error),
    #[error(
        "it unpacks to more than {} MB, which is {MOST_RATIO} times its size: leave out what compresses that well, or hand in \
         a folder", .0 / 1_000_000
    )]
    Inflated(u64),
    #[error("it unpacks to more than {} MB", .0 / 1_000_000)]
    Large(u64),
    #[error("it is encrypted")]
    Encrypted,
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        if content::is_of_content(&error) { Self::Damaged(ZipError::Io(error)) } else { Self::System(error) }
    }
}

impl From<ZipError> for ArchiveError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => error.into(),
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Self::Encrypted,
            error => Self::Damaged(error),
        }
    }
}

/// A folder of the arena, which an archive was unpacked into or a bot was built in. It is deleted with the last clone.
#[derive(Clone, Debug)]
pub(super) struct UnpackedFolder(Arc<Temporary>);

impl UnpackedFolder {
    pub(super) fn new(folder: Arc<Temporary>) -> Self {
        Self(folder)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.0.path()
    }
}

impl PartialEq for UnpackedFolder {
    fn eq(&self, other: &Self) -> bool {
        self.path() == other.path()
    }
}

impl Eq for UnpackedFolder {}

/// Whether a path is a file with the extension `.zip`.
pub(super) fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) && path.is_file()
}

/// Unpacks an archive to at most that many bytes, into a new folder to which no other user can write.
pub(super) fn unpack(archive: &Path, most: u64) -> Result<UnpackedFolder, ArchiveError> {
    let folder = Temporary::readable().map_err(ArchiveError::System)?;
    extract(archive, &folder.path(), most)?;
    Ok(UnpackedFolder(Arc::new(folder)))
}

fn extract(archive: &Path, folder: &Path, most: u64) -> Result<(), ArchiveError> {
    let unreadable = |source| ContentError::Unreadable { path: archive.to_owned(), source };
    let file = content::open_regular(archive).map_err(unreadable)?;
    let file = file.ok_or_else(|| ContentError::Special(archive.to_owned()))?;
    let inflated = file.metadata()?.len().saturating_mul(MOST_RATIO).max(ALWAYS);
    let mut zip = ZipArchive::new(file)?;
    // Counted before anything is written, because a short name can create many folders.
    let mut entries_left = MOST_FILES;
    for name in zip.file_names() {
        let name = name?;
        content::check_length(name.as_bytes())?;
        let entries = name.split(['/', '\\']).filter(|part| !part.is_empty()).count();
        entries_left = entries_left.checked_sub(entries).ok_or(ContentError::Files)?;
    }
    let mut bytes_left = inflated.min(most);
    for number in 0..zip.len() {
        let mut entry = zip.by_index(number)?;
        let name = entry.name()?.into_owned();
        // The folder itself, such as `./`, is there already; as a file it has no name.
        let path = entry.enclosed_name().filter(|path| entry.is_dir() || !path.as_os_str().is_empty());
        let path = folder.join(path.ok_or_else(|| ArchiveError::Outside(name.clone()))?);
        if entry.is_symlink() {
            return Err(ArchiveError::Link(name));
        }
        let unwritable = |error: io::Error| {
            if content::is_of_content(&error) {
                ArchiveError::Name(name.clone(), error)
            } else {
                ArchiveError::System(error)
            }
        };
        if entry.is_dir() {
            fs::create_dir_all(&path).map_err(unwritable)?;
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(unwritable)?;
        }
        let mut out = File::create_new(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ArchiveError::Twice(name.clone()),
            _ => unwritable(error),
        })?;
        // The size in the entry's header is not trusted.
        let written = io::copy(&mut (&mut entry).take(bytes_left + 1), &mut out)?;
        bytes_left = bytes_left.checked_sub(written).ok_or(if inflated < most {
            ArchiveError::Inflated(inflated)
        } else {
            ArchiveError::Large(most)
        })?;
        let is_program = entry.unix_mode().is_some_and(is_executable);
        let mode = if is_program { 0o755 } else { 0o644 };
        out.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::content::{LONGEST_PATH, MOST_BYTES};
    use super::*;

    /// Writes an archive with these entries; a name that ends in a slash is a folder.
    fn archive(file: &Path, entries: &[(&str, &str)]) {
        let mut zip = ZipWriter::new(File::create(file).unwrap());
        for (name, content) in entries {
            if name.ends_with('/') {
                zip.add_directory(*name, SimpleFileOptions::default()).unwrap();
            } else {
                zip.start_file(*name, SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
                zip.write_all(content.as_bytes()).unwrap();
            }
        }
        zip.finish().unwrap();
    }

    #[test]
    fn unpacked_archive_is_deleted_with_its_last_owner() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ann.zip");
        archive(&file, &[("ann/", ""), ("ann/bot.toml", "x"), ("ann/src/bot.py", "print()")]);
        let unpacked = unpack(&file, MOST_BYTES).unwrap();
        let path = unpacked.path();
        assert_eq!(fs::read_to_string(path.join("ann/src/bot.py")).unwrap(), "print()");
        let mode = path.join("ann/bot.toml").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        let other = unpacked.clone();
        drop(unpacked);
        assert!(path.is_dir());
        drop(other);
        assert!(!path.exists());
    }

    #[test]
    fn small_archive_does_not_fill_a_disk() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bomb.zip");
        let blanks = " ".repeat(ALWAYS as usize);
        archive(&file, &[("one", &blanks)]);
        assert!(unpack(&file, MOST_BYTES).is_ok());
        archive(&file, &[("one", &blanks), ("two", "x")]);
        let said = unpack(&file, MOST_BYTES).unwrap_err().to_string();
        assert!(said.starts_with("it unpacks to more than 64 MB, which is 100 times"), "{said}");
        let said = unpack(&file, 1_000_000).unwrap_err().to_string();
        assert_eq!(said, "it unpacks to more than 1 MB");
    }

    #[test]
    fn archive_is_blamed_for_its_content_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eve.zip");
        let long = "x".repeat(300);
        for entries in
            [&[(long.as_str(), "x")][..], &[("a", "x"), ("a/b", "x")], &[("a", "x"), ("a/b/c", "x")]]
        {
            archive(&file, entries);
            let refused = unpack(&file, MOST_BYTES).unwrap_err();
            assert!(matches!(refused, ArchiveError::Name(..)), "{refused:?}");
        }
        for name in [".", "a/..", "c:"] {
            archive(&file, &[(name, "x")]);
            assert!(matches!(unpack(&file, MOST_BYTES), Err(ArchiveError::Outside(_))), "{name}");
        }
        archive(&file, &[("./", ""), ("bot.toml", "x")]);
        assert!(unpack(&file, MOST_BYTES).is_ok());
        let deep = "d/".repeat(LONGEST_PATH / 2) + "x";
        archive(&file, &[(deep.as_str(), "x")]);
        let refused = unpack(&file, MOST_BYTES).unwrap_err();
        assert!(matches!(refused, ArchiveError::Content(ContentError::LongPath(_))), "{refused:?}");
        let mut zip = ZipWriter::new(File::create(&file).unwrap());
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file("bot.toml", stored).unwrap();
        zip.write_all(b"intact").unwrap();
        zip.finish().unwrap();
        let mut bytes = fs::read(&file).unwrap();
        let damaged = bytes.windows(6).position(|six| six == b"intact").unwrap();
        bytes[damaged] = b'!';
        fs::write(&file, bytes).unwrap();
        assert!(matches!(unpack(&file, MOST_BYTES), Err(ArchiveError::Damaged(_))));
        fs::remove_file(&file).unwrap();
        let gone = unpack(&file, MOST_BYTES);
        assert!(matches!(gone, Err(ArchiveError::Content(ContentError::Unreadable { .. }))), "{gone:?}");
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert!(matches!(ArchiveError::from(full), ArchiveError::System(_)));
    }

    #[test]
    fn nested_folders_count_towards_the_limit_of_entries() {
        let temporary = tempfile::tempdir().unwrap();
        let file = temporary.path().join("deep.zip");
        let names: Vec<String> = (0..300).map(|i| format!("{i}/{}x", "d/".repeat(400))).collect();
        let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
        archive(&file, &entries);
        let folder = temporary.path().join("unpacked");
        fs::create_dir(&folder).unwrap();
        let refused = extract(&file, &folder, MOST_BYTES).unwrap_err().to_string();
        assert_eq!(refused, "it contains more than 100000 files and folders");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing was written");
    }

    #[test]
    fn unpacking_stays_in_its_folder_and_refuses_links() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eve.zip");
        for name in ["../victim/bot", "a/../../b"] {
            archive(&file, &[("fine", ""), (name, "x")]);
            assert!(unpack(&file, MOST_BYTES).unwrap_err().to_string().contains("leads out of"), "{name}");
        }
        // An absolute path is taken as relative to the folder, or refused.
        archive(&file, &[("/etc/leyden-was-here", "x")]);
        if let Ok(unpacked) = unpack(&file, MOST_BYTES) {
            assert!(unpacked.path().join("etc/leyden-was-here").is_file());
        }
        assert!(!Path::new("/etc/leyden-was-here").exists());
        assert!(!folder.path().join("victim").exists() && !folder.path().join("b").exists());
        let mut zip = ZipWriter::new(File::create(&file).unwrap());
        zip.add_symlink("link", "/etc/shadow", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        assert!(unpack(&file, MOST_BYTES).unwrap_err().to_string().contains("link"));
        fs::write(&file, "no archive").unwrap();
        assert!(unpack(&file, MOST_BYTES).unwrap_err().to_string().contains("not a zip archive"));
    }
}
