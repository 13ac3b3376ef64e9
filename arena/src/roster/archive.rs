//! A submission that comes as a zip archive, unpacked. Nothing of it leaves its folder, and it cannot grow without end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::content::{self, MOST_BYTES, MOST_FILES, Uncountable};
use leyden_model::hex;

/// Why an archive cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadArchive {
    #[error("{0}")]
    Unreadable(io::Error),
    #[error(transparent)]
    Content(#[from] Uncountable),
    #[error("it is not a zip archive, or it is damaged: {0}")]
    Damaged(zip::result::ZipError),
    #[error("its entry {0:?} is outside of the archive's own folder")]
    Outside(String),
    #[error("its entry {0:?} is a link, which an archive may not hold")]
    Link(String),
    #[error("its entry {0:?} is there twice")]
    Twice(String),
    #[error("it is encrypted")]
    Encrypted,
    #[error("it cannot be unpacked into {folder}: {source}", folder = .folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },
}

impl From<io::Error> for BadArchive {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Where archives are unpacked: in the user's cache.
pub(super) fn cache() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("leyden/unpacked")
}

/// Unpacks an archive into a folder of the place that is named after its content, unless that is there already. Returns the
/// folder.
pub(super) fn unpack(archive: &Path, place: &Path) -> Result<PathBuf, BadArchive> {
    let (digest, _) = content::of_file(archive, MOST_BYTES)?;
    let folder = place.join(hex(&digest));
    if folder.is_dir() {
        return Ok(folder);
    }
    let unwritable = |source| BadArchive::Unwritable { folder: place.to_owned(), source };
    fs::create_dir_all(place).map_err(unwritable)?;
    // It gets its name when it is complete: two arenas may unpack the same archive at once.
    let unfinished = tempfile::tempdir_in(place).map_err(unwritable)?;
    extract(archive, unfinished.path())?;
    fs::set_permissions(unfinished.path(), fs::Permissions::from_mode(0o755)).map_err(unwritable)?;
    match fs::rename(unfinished.path(), &folder) {
        Ok(()) => drop(unfinished.keep()),
        Err(_) if folder.is_dir() => {}
        Err(error) => return Err(unwritable(error)),
    }
    Ok(folder)
}

fn extract(archive: &Path, folder: &Path) -> Result<(), BadArchive> {
    let unwritable = |source| BadArchive::Unwritable { folder: folder.to_owned(), source };
    let file = content::open_regular(archive)?.ok_or_else(|| Uncountable::Special(archive.to_owned()))?;
    let mut zip = ZipArchive::new(file).map_err(BadArchive::Damaged)?;
    if zip.len() > MOST_FILES {
        return Err(Uncountable::Files.into());
    }
    let mut left = MOST_BYTES;
    for number in 0..zip.len() {
        let mut entry = zip.by_index(number).map_err(|error| match error {
            zip::result::ZipError::UnsupportedArchive(zip::result::ZipError::PASSWORD_REQUIRED) => {
                BadArchive::Encrypted
            }
            error => BadArchive::Damaged(error),
        })?;
        let name = entry.name().map_err(BadArchive::Damaged)?.into_owned();
        let path = entry.enclosed_name().ok_or_else(|| BadArchive::Outside(name.clone()))?;
        let path = folder.join(path);
        if entry.is_symlink() {
            return Err(BadArchive::Link(name));
        }
        if entry.is_dir() {
            fs::create_dir_all(&path).map_err(unwritable)?;
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(unwritable)?;
        }
        let mut out = File::create_new(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BadArchive::Twice(name.clone()),
            _ => unwritable(error),
        })?;
        // What it says of its own length is not believed.
        let written = io::copy(&mut (&mut entry).take(left + 1), &mut out)?;
        left = left.checked_sub(written).ok_or(Uncountable::Bytes)?;
        let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let mode = if is_program { 0o755 } else { 0o644 };
        out.set_permissions(fs::Permissions::from_mode(mode)).map_err(unwritable)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// An archive with these entries; a name that ends in a slash is a folder.
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
    fn an_archive_is_unpacked_once_and_what_it_is_shows_in_its_folder() {
        let place = tempfile::tempdir().unwrap();
        let (file, cache) = (place.path().join("ann.zip"), place.path().join("cache"));
        archive(&file, &[("ann/", ""), ("ann/bot.toml", "x"), ("ann/src/bot.py", "print()")]);
        let folder = unpack(&file, &cache).unwrap();
        assert_eq!(fs::read_to_string(folder.join("ann/src/bot.py")).unwrap(), "print()");
        let mode = folder.join("ann/bot.toml").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        assert_eq!(unpack(&file, &cache).unwrap(), folder);
        archive(&file, &[("ann/bot.toml", "y")]);
        assert_ne!(unpack(&file, &cache).unwrap(), folder);
        let kept: Vec<_> = fs::read_dir(&cache).unwrap().collect();
        assert_eq!(kept.len(), 2, "nothing unfinished is left: {kept:?}");
    }

    #[test]
    fn nothing_leaves_its_folder_and_what_is_no_archive_is_said() {
        let place = tempfile::tempdir().unwrap();
        let (file, cache) = (place.path().join("eve.zip"), place.path().join("cache"));
        for (name, says) in
            [("../victim/bot", "outside"), ("/etc/passwd", "outside"), ("a/../../b", "outside")]
        {
            archive(&file, &[("fine", ""), (name, "x")]);
            let said = unpack(&file, &cache).map_err(|error| error.to_string());
            // A path from the root may be taken as one from the folder.
            assert!(
                said.as_ref().is_err_and(|error| error.contains(says)) || name.starts_with('/'),
                "{name}: {said:?}"
            );
        }
        assert!(!place.path().join("victim").exists() && !place.path().join("b").exists());
        let mut zip = ZipWriter::new(File::create(&file).unwrap());
        zip.add_symlink("link", "/etc/shadow", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        assert!(unpack(&file, &cache).unwrap_err().to_string().contains("link"));
        fs::write(&file, "no archive").unwrap();
        assert!(unpack(&file, &cache).unwrap_err().to_string().contains("not a zip archive"));
    }
}
