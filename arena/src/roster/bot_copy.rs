//! A copy of exactly the files of a bot that were hashed. The build command, if any, may do what it likes in there, and the bot
//! plays from it. The original stays as it is, and may change during the run.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, lchown, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use leyden_host::{Temporary, remove_closed};

use super::archive::UnpackedFolder;
use super::competitor::Competitor;
use super::content::{self, ContentError, is_executable};

/// A copy of a bot's folder, and a home folder for its build command.
#[derive(Debug)]
pub(super) struct BotCopy {
    temporary: Temporary,
    has_build: bool,
    /// The user that builds, if it is not the arena's own.
    builder: Option<u32>,
}

/// Why a folder could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error(transparent)]
    Content(ContentError),
    /// In the copy, paths are longer.
    #[error("its files cannot be copied: {0}")]
    LongPath(io::Error),
    #[error("its files have changed since they were hashed")]
    Changed,
    /// The machine lacks something: when it was hashed, the folder was in order.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidFilename { Self::LongPath(error) } else { Self::Io(error) }
    }
}

impl From<ContentError> for CopyError {
    fn from(error: ContentError) -> Self {
        if let ContentError::Unreadable { source, .. } = error { source.into() } else { Self::Content(error) }
    }
}

impl BotCopy {
    /// Copies the hashed files of a folder, to play from the copy.
    pub(super) fn without_build(folder: &Path, hash: &str) -> Result<Self, CopyError> {
        Self::copy_of(folder, hash, false, None)
    }

    /// Copies the hashed files of a bot with a build command, to build in the copy.
    pub(super) fn new(folder: &Path, hash: &str, builder: Option<u32>) -> Result<Self, CopyError> {
        Self::copy_of(folder, hash, true, builder)
    }

    /// Copies the files of a bot's folder, if they still have this hash.
    fn copy_of(folder: &Path, hash: &str, has_build: bool, builder: Option<u32>) -> Result<Self, CopyError> {
        let temporary = Temporary::readable()?;
        let workplace = Self { temporary, has_build, builder };
        let copy = workplace.folder();
        fs::create_dir(&copy)?;
        fs::create_dir(workplace.home())?;
        for path in content::paths(folder, has_build)? {
            let Ok(name) = path.strip_prefix(folder) else { continue };
            copy_one(&path, &copy.join(name))?;
        }
        if content::hash_folder(&copy, has_build)? != hash {
            return Err(CopyError::Changed);
        }
        if let Some(user) = builder {
            each(&workplace.path(), &mut |path, _| lchown(path, Some(user), Some(user)))?;
            lchown(workplace.path(), Some(user), Some(user))?;
        }
        Ok(workplace)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.temporary.path()
    }

    /// Returns the bot's folder within the copy.
    pub(super) fn folder(&self) -> PathBuf {
        self.path().join("bot")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Returns the built folder, which every user can read and only the arena's user can change. Call it when no process of the
    /// build runs any more.
    pub(super) fn settle(self) -> io::Result<UnpackedFolder> {
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        let (is_ours, bot) = (self.builder.is_none(), self.folder());
        let settle = |path: &Path, meta: &fs::Metadata| {
            // Where it is copied or kept, paths are longer.
            if let Ok(inside) = path.strip_prefix(&bot) {
                content::check_length(inside.as_os_str().as_encoded_bytes())
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidFilename, error.to_string()))?;
            }
            if !is_ours {
                lchown(path, Some(user), Some(group))?;
            }
            if meta.is_symlink() {
                return Ok(());
            }
            // Where a build may not change modes, its programs are recognised by their first bytes.
            let is_program = meta.is_dir()
                || is_executable(meta.permissions().mode())
                || self.has_build && content::looks_like_program(path);
            let mode = if is_program { 0o755 } else { 0o644 };
            fs::set_permissions(path, fs::Permissions::from_mode(mode))
        };
        if !is_ours {
            lchown(self.path(), Some(user), Some(group))?;
        }
        fs::set_permissions(self.path(), fs::Permissions::from_mode(0o755))?;
        // A build may have put links in the place of its folders: nobody may be led out of the copy.
        if !self.folder().symlink_metadata()?.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::NotADirectory,
                "the bot's folder is not a folder any more",
            ));
        }
        match remove_closed(&self.home()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        each(&self.path(), &mut { settle })?;
        Ok(UnpackedFolder::new(Arc::new(self.temporary)))
    }
}

impl Competitor {
    /// Copies the hashed files into a new folder, which then is the same bot. Either the whole folder is there afterwards, and outlasts a
    /// power cut, or nothing.
    pub fn keep(&self, at: &Path) -> Result<(), CopyError> {
        let Some(folder) = self.counted() else { return Err(io::Error::other("it has no folder").into()) };
        let above = at.parent().unwrap_or(Path::new("."));
        let copy = tempfile::Builder::new().prefix(".leyden-").tempdir_in(above)?;
        for path in content::paths(folder, self.has_build())? {
            let Ok(name) = path.strip_prefix(folder) else { continue };
            copy_one(&path, &copy.path().join(name))?;
        }
        if content::hash_folder(copy.path(), self.has_build())? != self.hash {
            return Err(CopyError::Changed);
        }
        fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755))?;
        // The target of a link is never opened.
        each(copy.path(), &mut |path, meta| if meta.is_symlink() { Ok(()) } else { sync(path) })?;
        sync(copy.path())?;
        fs::rename(copy.path(), at)?;
        let _ = copy.keep(); // it has moved
        Ok(sync(if above.as_os_str().is_empty() { Path::new(".") } else { above })?)
    }
}

/// Waits until a file or folder is on disk.
fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Calls `call` on everything below a folder, on each folder before its contents. Links are not followed. No folder is open while
/// those in it are read.
fn each(folder: &Path, call: &mut dyn FnMut(&Path, &fs::Metadata) -> io::Result<()>) -> io::Result<()> {
    // An entry keeps its folder open.
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name());
    for name in fs::read_dir(folder)?.map(name).collect::<io::Result<Vec<_>>>()? {
        let path = folder.join(name);
        let meta = path.symlink_metadata()?;
        call(&path, &meta)?;
        if meta.is_dir() {
            each(&path, call)?;
        }
    }
    Ok(())
}

fn copy_one(from: &Path, to: &Path) -> Result<(), CopyError> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    if from.is_symlink() {
        symlink(fs::read_link(from)?, to)?;
        return Ok(());
    }
    let mut file = content::open_regular(from)?.ok_or_else(|| ContentError::Special(from.to_owned()))?;
    let is_program = is_executable(file.metadata()?.permissions().mode());
    let mut copy = File::create_new(to)?;
    io::copy(&mut io::Read::take(&mut file, content::MOST_BYTES), &mut copy)?;
    copy.set_permissions(fs::Permissions::from_mode(if is_program { 0o755 } else { 0o644 }))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

    use super::*;

    #[test]
    fn folders_a_bot_closed_or_nested_are_removed() {
        let as_ordinary_user = || {
            // No folder is closed to root.
            let nothing = CapabilitySet::empty();
            let sets = CapabilitySets { effective: nothing, permitted: nothing, inheritable: nothing };
            set_capabilities(None, sets).unwrap();
            let close = |folder: PathBuf| {
                fs::create_dir_all(folder.join("inside")).unwrap();
                fs::set_permissions(folder, fs::Permissions::from_mode(0o000)).unwrap();
            };
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("bot.c"), "int main").unwrap();
            let hash = content::hash_folder(folder.path(), true).unwrap();
            let workplace = BotCopy::new(folder.path(), &hash, None).unwrap();
            let home = workplace.home();
            close(home.join("x"));
            // More folders in one another than there are file descriptors, made from the innermost outwards.
            let (inner, outer) = (home.join("inner"), home.join("outer"));
            fs::create_dir(&inner).unwrap();
            for _ in 0..3_000 {
                fs::create_dir(&outer).unwrap();
                fs::rename(&inner, outer.join("in")).unwrap();
                fs::rename(&outer, &inner).unwrap();
            }
            fs::create_dir_all(workplace.folder().join("d/".repeat(500))).unwrap();
            let built = workplace.settle().unwrap();
            assert!(!home.exists());
            let path = built.path();
            close(path.join("bot/x"));
            drop(built);
            assert!(!path.parent().unwrap().exists());
        };
        // Capabilities are those of a thread.
        std::thread::spawn(as_ordinary_user).join().unwrap();
    }

    #[test]
    fn link_replacing_a_built_folder_leads_nowhere() {
        let others = tempfile::tempdir().unwrap();
        fs::write(others.path().join("secret"), "x").unwrap();
        fs::set_permissions(others.path(), fs::Permissions::from_mode(0o750)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("bot.c"), "int main").unwrap();
        let hash = content::hash_folder(folder.path(), true).unwrap();
        let replaced = |of: fn(&BotCopy) -> PathBuf| {
            let copy = BotCopy::new(folder.path(), &hash, None).unwrap();
            fs::remove_dir_all(of(&copy)).unwrap();
            symlink(others.path(), of(&copy)).unwrap();
            copy
        };
        let built = replaced(BotCopy::home).settle().unwrap();
        assert!(
            built.path().join("bot/bot.c").exists() && built.path().join("home").symlink_metadata().is_err()
        );
        let refused = replaced(BotCopy::folder).settle().unwrap_err();
        assert!(content::is_of_handed_in(&refused), "{refused}");
        for place in [Temporary::readable().unwrap(), Temporary::private().unwrap()] {
            fs::remove_dir(place.path()).unwrap();
            symlink(others.path(), place.path()).unwrap();
        }
        let deep = BotCopy::new(folder.path(), &hash, None).unwrap();
        fs::create_dir_all(deep.folder().join("d/".repeat(1_200))).unwrap();
        let refused = deep.settle().unwrap_err();
        assert!(
            content::is_of_handed_in(&refused) && refused.to_string().contains("1000 bytes"),
            "{refused}"
        );
        let without_home = BotCopy::new(folder.path(), &hash, None).unwrap();
        fs::remove_dir(without_home.home()).unwrap();
        without_home.settle().unwrap();
        assert!(others.path().join("secret").exists());
        assert_eq!(others.path().metadata().unwrap().permissions().mode() & 0o777, 0o750);
    }

    #[test]
    fn files_without_hash_are_not_copied() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        for (name, text) in [
            ("bot.c", "int main"),
            ("src/part.c", "part"),
            ("build/bot", "handed in"),
            (".git/x", "x"),
            ("__pycache__/x.pyc", "x"),
            (".hidden", "x"),
        ] {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), text).unwrap();
        }
        symlink("/etc/shadow", folder.join("link")).unwrap();
        let hash = content::hash_folder(folder, true).unwrap();
        let workplace = BotCopy::new(folder, &hash, None).unwrap();
        let mut copied: Vec<PathBuf> = Vec::new();
        each(&workplace.folder(), &mut |path, _| {
            copied.push(path.strip_prefix(workplace.folder()).unwrap().to_owned());
            Ok(())
        })
        .unwrap();
        copied.sort();
        assert_eq!(copied, [".hidden", "bot.c", "link", "src", "src/part.c"].map(PathBuf::from));

        fs::create_dir(workplace.folder().join("build")).unwrap();
        fs::write(workplace.folder().join("build/bot"), b"\x7fELF\x02").unwrap();
        fs::write(workplace.home().join("rest"), "x").unwrap();
        let (bot, path) = (workplace.folder().join("build/bot"), workplace.path());
        let built = workplace.settle().unwrap();
        assert_eq!(bot.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        assert!(!path.join("home").exists());
        drop(built);
        assert!(!path.exists());

        let mut results = b"SQLite format 3\0".to_vec();
        results.resize(68, 0);
        results.extend(leyden_model::RESULTS_MARK);
        let without = content::hash_folder(folder, false).unwrap();
        fs::write(folder.join("cup.db"), results).unwrap();
        fs::write(folder.join("cup.db-wal"), "x").unwrap();
        assert_eq!(content::hash_folder(folder, false).unwrap(), without);
        fs::write(folder.join("other.db-wal"), "x").unwrap();
        assert_ne!(content::hash_folder(folder, false).unwrap(), without, "it may be the bot's own");

        let hash_of_all = content::hash_folder(folder, false).unwrap();
        let copy = BotCopy::without_build(folder, &hash_of_all).unwrap();
        assert!(copy.folder().join("build/bot").exists(), "it was handed in, and nobody makes it again");
        assert!(!copy.folder().join("cup.db").exists());
        assert!(!copy.folder().join(".git").exists() && !copy.folder().join("__pycache__").exists());

        fs::write(folder.join("bot.c"), "other").unwrap();
        assert!(matches!(BotCopy::new(folder, &hash, None), Err(CopyError::Changed)));
    }
}
