//! What a bot in a sandbox can read: the system's programs, the files next to its own, and the paths that it asks for and the
//! organiser allows. Starts no processes.

use std::collections::BTreeSet;
use std::fmt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use leyden_host::sandbox::system_files;

use super::programs::{locate, on_path};
use super::{Competitor, UnusableBotError, content};

/// The most pieces in which a folder is shown: each costs a mount at every start of a bot.
const MOST_PIECES: usize = 256;

/// What the organiser lets bots have in a sandbox.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grants<'a> {
    /// What any bot may read if its manifest asks for it.
    pub read: &'a [PathBuf],
    /// The names of the bots that may use the network if their manifests ask for it.
    pub network: &'a [String],
    pub sharing: Sharing,
}

/// Who may see the folder of files that several command lines name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Command lines that name the same files there: they are the same program.
    #[default]
    SameFiles,
    /// Any of them: they are versions by one author.
    Anybody,
}

/// Why a command line cannot see the folder of a file that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HideReason {
    Home,
    /// Every user may write to it, as to /tmp.
    OpenToAll,
    /// The bot of this name is in it.
    Holds(String),
    /// It contains something private, and too many other files to show them one by one.
    ManyPieces,
}

impl fmt::Display for HideReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Home => f.write_str("that folder is or contains your home folder"),
            Self::OpenToAll => f.write_str("every user may write to that folder"),
            Self::Holds(bot) => {
                write!(
                    f,
                    "that folder also contains the bot {bot}, which is another program, and no bot sees another's files"
                )
            }
            Self::ManyPieces => write!(
                f,
                "that folder contains something that must stay hidden, such as results, and more than {MOST_PIECES} \
                 other files and folders"
            ),
        }
    }
}

/// Returns the files and folders that together make up a folder without its private parts and any results, and then the folders of
/// which only the names may be seen. `None` if there are too many. Files that are created later, such as a journal, are not
/// included; nor are links, which may lead to something private.
fn all_but(folder: &Path, private: &[PathBuf]) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut pieces, mut listed) = (Vec::new(), Vec::new());
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        listed.push(folder.clone());
        for entry in folder.read_dir().ok()? {
            let entry = entry.ok()?;
            let (path, kind) = (entry.path(), entry.file_type().ok()?);
            if is_private(&path, private) {
                continue;
            }
            if kind.is_dir()
                && (private.iter().any(|inside| inside.starts_with(&path)) || holds_written(&path))
            {
                folders.push(path);
            } else if kind.is_dir() || (kind.is_file() && !content::is_written_here(&path)) {
                pieces.push(path);
            }
            if pieces.len() + folders.len() + listed.len() > MOST_PIECES {
                return None;
            }
        }
    }
    pieces.sort();
    Some((pieces, listed))
}

/// Whether a folder contains, at any depth, output of this program, such as other results, which reveal seeds; or is too large to
/// be searched.
fn holds_written(folder: &Path) -> bool {
    let mut folders = vec![folder.to_owned()];
    let mut left = content::MOST_FILES;
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            let Ok(kind) = entry.file_type() else { continue };
            if left == 0 || (kind.is_file() && content::is_written_here(&entry.path())) {
                return true;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}

/// Whether a path is private, belongs to a private file (`-wal`, `-lock`), or is another name of one.
fn is_private(path: &Path, private: &[PathBuf]) -> bool {
    let file = |path: &Path| path.metadata().ok().map(|meta| (meta.dev(), meta.ino()));
    let belongs = |to: &Path| {
        let name = |path: &Path| path.file_name().unwrap_or_default().as_encoded_bytes().to_owned();
        path.parent() == to.parent() && name(path).starts_with(&[name(to), b"-".to_vec()].concat())
    };
    private.iter().any(|other| {
        path == other || belongs(other) || file(path).is_some_and(|this| file(other) == Some(this))
    })
}

impl Competitor {
    /// Lets a command line see the folders of the files that it names, except for private files and output of this program. A
    /// folder is not shown if it is a home folder, is open to every user, or contains another bot. Returns the folders that are not
    /// shown, and why.
    pub(super) fn show_folders_of_its_files(
        &mut self,
        all: &[Self],
        private: &[PathBuf],
        sharing: Sharing,
    ) -> Vec<(PathBuf, HideReason)> {
        if self.command.folder.is_some() {
            return Vec::new();
        }
        let folders = self.named_files().into_iter().filter_map(|file| Some(file.parent()?.to_owned()));
        let folders: BTreeSet<PathBuf> = folders.filter(|folder| !system_files::is_part(folder)).collect();
        let whole = |path: &PathBuf| path.canonicalize().ok().into_iter().chain([path.clone()]);
        let private: Vec<PathBuf> = private.iter().flat_map(whole).chain(content::own_streams()).collect();
        let mut hidden = Vec::new();
        for folder in folders {
            if let Some(why) = self.why_hidden(&folder, all, sharing) {
                hidden.push((folder, why));
            } else if !private.iter().any(|path| path.starts_with(&folder)) && !holds_written(&folder) {
                self.command.reads.push(folder);
            } else if let Some((pieces, listed)) = all_but(&folder, &private) {
                self.command.reads.extend(pieces);
                self.command.lists.extend(listed);
            } else {
                hidden.push((folder, HideReason::ManyPieces));
            }
        }
        hidden
    }

    /// For a command line, returns the folder of a file that it names, if it is shown other files there, too.
    pub fn shown_folder(&self) -> Option<PathBuf> {
        let named = self.named_files();
        let shown: Vec<&PathBuf> = self.command.reads.iter().chain(&self.command.lists).collect();
        let has_others = |folder: &Path| {
            let mut entries = folder.read_dir().into_iter().flatten().flatten();
            entries.any(|entry| !named.contains(&entry.path()))
        };
        let mut folders = named.iter().filter_map(|file| file.parent());
        folders
            .find(|folder| shown.iter().any(|shown| shown == folder) && has_others(folder))
            .map(Path::to_owned)
    }

    /// Whether the bot's hash covers only the files that its command line names although it may read others.
    pub fn is_known_by_named_files(&self) -> bool {
        self.command.folder.is_none() && !self.named_files().is_empty()
    }

    /// Whether the bot's path is known: it has a folder, or names a file that exists.
    pub fn has_path(&self) -> bool {
        self.command.folder.is_some() || !self.named_files().is_empty()
    }

    /// Says why a folder must stay hidden: it is or contains the organiser's home, is open to every user, or contains another bot
    /// that does not share it.
    fn why_hidden(&self, folder: &Path, all: &[Self], sharing: Sharing) -> Option<HideReason> {
        let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        // A folder in which every user may write, such as /tmp, is not the organiser's own.
        if folder.metadata().is_ok_and(|meta| is_open_to_all(meta.permissions().mode())) {
            return Some(HideReason::OpenToAll);
        }
        let is_inside = |other: &Path| other.starts_with(folder);
        if home.is_some_and(|home| is_inside(&home)) {
            return Some(HideReason::Home);
        }
        let mut others = all.iter().filter(|other| other.name != self.name);
        let own: BTreeSet<PathBuf> = self.named_files().into_iter().filter(|file| is_inside(file)).collect();
        let is_in_the_way = |other: &&Self| {
            let there = other.named_files().into_iter().filter(|file| is_inside(file));
            let there: BTreeSet<PathBuf> = there.collect();
            other.command.folder.as_deref().is_some_and(is_inside)
                || (sharing == Sharing::SameFiles && !there.is_empty() && there != own)
        };
        others.find(is_in_the_way).map(|other| HideReason::Holds(other.name.clone()))
    }

    /// Returns the absolute paths of the files that a command line names; none for a builtin bot.
    fn named_files(&self) -> Vec<PathBuf> {
        if self.command.folder.is_some() || self.is_builtin() {
            return Vec::new();
        }
        let words = self.command.arguments.iter().map(Path::new).chain([self.command.program.as_path()]);
        words.filter(|word| word.is_file()).filter_map(|path| path.canonicalize().ok()).collect()
    }

    /// Restricts the command to what a sandbox shows: the system's programs, the bot's own folder, and the paths and the network that
    /// it asks for and the organiser allows. Call it before [`prepare`](Self::prepare).
    pub(super) fn admit(&mut self, grants: Grants<'_>) -> Result<(), UnusableBotError> {
        let (name, allowed) = (|| self.name.clone(), grants.read);
        if self.wants_network {
            let is_this =
                |granted: &String| *granted == self.name || Some(granted) == self.handed_in.as_ref();
            if !grants.network.iter().any(is_this) {
                return Err(UnusableBotError::NetworkNotAllowed { name: name() });
            }
            self.command.network = true;
        }
        if self.command.folder.is_none() {
            // The organiser typed the command, and it has no manifest with paths to read.
            self.command.reads = allowed.to_vec();
        }
        for path in &mut self.command.reads {
            let Some(real) = path.is_absolute().then(|| path.canonicalize().ok()).flatten() else {
                return Err(UnusableBotError::NothingToRead { name: name(), path: path.clone() });
            };
            let covers =
                |allowed: &PathBuf| allowed.canonicalize().is_ok_and(|allowed| real.starts_with(allowed));
            if !allowed.iter().any(covers) {
                return Err(UnusableBotError::NotAllowed { name: name(), path: path.clone() });
            }
            *path = real;
        }
        let program = &self.command.program;
        if program.components().count() > 1 {
            return Ok(()); // named files are shown anyway
        }
        if let Some(seen) = on_path(program, system_files::SEARCH.as_ref()) {
            self.command.program = seen;
            return Ok(());
        }
        let Some(found) = locate(program, None) else { return Ok(()) }; // missing: `prepare` will report it
        if !self.command.reads.iter().any(|path| found.starts_with(path)) {
            let program = program.display().to_string();
            let has_python3 =
                program == "python" && on_path(Path::new("python3"), system_files::SEARCH.as_ref()).is_some();
            return Err(UnusableBotError::OutOfReach { name: name(), program, found, has_python3 });
        }
        self.command.program = found;
        Ok(())
    }
}

/// Whether every user may write to a folder of this mode; if it is sticky, each may remove only files of its own.
const fn is_open_to_all(mode: u32) -> bool {
    mode & 0o002 != 0
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn sandbox_hides_only_arena_output_and_its_links() {
        let temporary = tempfile::tempdir().unwrap();
        let at = temporary.path().canonicalize().unwrap();
        for folder in ["lib", "out", "out/old"] {
            fs::create_dir(at.join(folder)).unwrap();
        }
        for file in ["bot.py", "r.db", "r.db-wal", "r.db-lock", "r.dbx", "out/cup.db", "out/notes", "lib/x"] {
            fs::write(at.join(file), "x").unwrap();
        }
        symlink("r.db", at.join("link")).unwrap();
        fs::hard_link(at.join("r.db"), at.join("twin")).unwrap();
        // A file that does not exist yet is private, too.
        let private = ["r.db", "out/cup.db", "later.db"].map(|file| at.join(file));
        let (shown, _) = all_but(&at, &private).unwrap();
        assert_eq!(shown, ["bot.py", "lib", "out/notes", "out/old", "r.dbx"].map(|name| at.join(name)));
        // Earlier output of this program is hidden wherever it is; the files next to it are not.
        fs::write(at.join("lib/old.json"), "{\n  \"v\": 1,\n  \"tournament\": \"0a\"\n}\n").unwrap();
        let (shown, listed) = all_but(&at, &private).unwrap();
        assert_eq!(shown, ["bot.py", "lib/x", "out/notes", "out/old", "r.dbx"].map(|name| at.join(name)));
        assert!(listed.contains(&at) && listed.contains(&at.join("lib")), "{listed:?}");
        for number in 0..=MOST_PIECES {
            fs::write(at.join(number.to_string()), "").unwrap();
        }
        assert_eq!(all_but(&at, &private), None);
    }

    #[test]
    fn folder_is_opened_by_write_bit_alone() {
        assert!(is_open_to_all(0o40777) && is_open_to_all(0o41777) && is_open_to_all(0o40703));
        assert!(!is_open_to_all(0o41755) && !is_open_to_all(0o41700) && !is_open_to_all(0o40775));
    }
}
