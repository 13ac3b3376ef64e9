//! What a bot sees of the machine in a sandbox: the system's programs, what lies beside its files, and what it asks for and the
//! organiser allows. Starts nothing.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::sandbox::system_files;

use super::programs::{locate, on_path};
use super::{Competitor, Missing};

impl Competitor {
    /// Lets a command line see what lies beside the files that it names, unless that is somebody's home or holds what is not
    /// for it. Returns the folders of which it sees these files alone.
    pub(super) fn show_folders_of_its_files(&mut self, all: &[Self], private: &[PathBuf]) -> Vec<PathBuf> {
        if self.command.folder.is_some() {
            return Vec::new();
        }
        let folders = self.named_files().into_iter().filter_map(|file| Some(file.parent()?.to_owned()));
        let folders: BTreeSet<PathBuf> = folders.filter(|folder| !system_files::is_part(folder)).collect();
        let (shown, hidden): (Vec<_>, Vec<_>) =
            folders.into_iter().partition(|folder| !self.holds_others(folder, all, private));
        self.command.reads.extend(shown);
        hidden
    }

    /// Whether a folder is the organiser's home or has it in it, is everybody's, or has what is not for this bot.
    fn holds_others(&self, folder: &Path, all: &[Self], private: &[PathBuf]) -> bool {
        let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        // Everybody's folder, such as /tmp, is no more one's own than a home.
        if folder.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o1000 != 0) {
            return true;
        }
        let others = all.iter().filter(|other| other.name != self.name);
        let theirs =
            others.flat_map(|other| other.command.folder.clone().into_iter().chain(other.named_files()));
        theirs.chain(home).chain(private.iter().cloned()).any(|other| other.starts_with(folder))
    }

    /// The files that a command line names, in full. A builtin bot has none.
    fn named_files(&self) -> Vec<PathBuf> {
        if self.command.folder.is_some() || self.is_builtin() {
            return Vec::new();
        }
        let words = self.command.arguments.iter().map(Path::new).chain([self.command.program.as_path()]);
        words.filter(|word| word.is_file()).filter_map(|path| path.canonicalize().ok()).collect()
    }

    /// Fits the command to a sandbox, where only the system's programs are seen, the bot's own folder, and what it asks for
    /// and the organiser allows. To be called before [`prepare`](Self::prepare).
    pub(super) fn admit(&mut self, allowed: &[PathBuf]) -> Result<(), Missing> {
        let name = || self.name.clone();
        if self.command.folder.is_none() {
            // The organiser typed the command himself, and there is no manifest to ask.
            self.command.reads = allowed.to_vec();
        }
        for path in &mut self.command.reads {
            let Some(real) = path.is_absolute().then(|| path.canonicalize().ok()).flatten() else {
                return Err(Missing::NothingToRead { name: name(), path: path.clone() });
            };
            let covers =
                |allowed: &PathBuf| allowed.canonicalize().is_ok_and(|allowed| real.starts_with(allowed));
            if !allowed.iter().any(covers) {
                return Err(Missing::NotAllowed { name: name(), path: path.clone() });
            }
            *path = real;
        }
        let program = &self.command.program;
        if program.components().count() > 1 {
            return Ok(()); // a file that is named as such is shown
        }
        if let Some(seen) = on_path(program, system_files::SEARCH.as_ref()) {
            self.command.program = seen;
            return Ok(());
        }
        let Some(found) = locate(program, None) else { return Ok(()) }; // missing altogether: preparing it will tell
        if !self.command.reads.iter().any(|path| found.starts_with(path)) {
            let program = program.display().to_string();
            return Err(Missing::OutOfReach { name: name(), program, found });
        }
        self.command.program = found;
        Ok(())
    }
}
