//! A file that is replaced as a whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Replaces a file, or creates it; only its owner can read it. Even after a power cut, the old content is there, or
/// the new one.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    // It has the mode 0600.
    let mut draft = tempfile::Builder::new().prefix(&prefix).tempfile_in(folder)?;
    draft.write_all(content)?;
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    File::open(folder)?.sync_all()
}

/// Does the same with a value as JSON.
pub fn replace_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    replace(path, &serde_json::to_vec_pretty(value)?)
}

/// Reads such a value; `None` if there is no file. The error of a damaged one says that it may be removed.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    read_json_or_advise(path, "remove it to go on without")
}

/// Does the same for a file that is needed: the error of a damaged one ends with this advice.
pub fn read_json_or_advise<T: DeserializeOwned>(path: &Path, advice: &str) -> io::Result<Option<T>> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let value = serde_json::from_slice(&text).map_err(|error| {
        let message = format!("{} is damaged: {error}; {advice}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })?;
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn replacement_leaves_no_draft_even_when_it_fails() {
        let temporary = tempfile::tempdir().unwrap();
        let path = temporary.path().join("notes.json");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(temporary.path().read_dir().unwrap().count(), 1, "no draft is left");

        assert_eq!(read_json::<u8>(&temporary.path().join("none")).unwrap(), None);
        let damaged = read_json::<u8>(&path).unwrap_err();
        assert_eq!(damaged.kind(), io::ErrorKind::InvalidData, "a wrong file, not a failure of the host");
        let damaged = damaged.to_string();
        assert!(damaged.contains("notes.json is damaged") && damaged.contains("remove it"), "{damaged}");
        replace_json(&path, &2).unwrap();
        assert_eq!(read_json(&path).unwrap(), Some(2));

        let folder = temporary.path().join("folder");
        fs::create_dir_all(folder.join("with content")).unwrap();
        assert!(replace(&folder, b"three").is_err());
        assert_eq!(temporary.path().read_dir().unwrap().count(), 2, "no draft is left");
    }
}
