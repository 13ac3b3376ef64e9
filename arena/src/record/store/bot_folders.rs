//! The folders of bots. A results file stores them relative to the folder where the tournament started, but a run may be
//! resumed or looked at from elsewhere, or after a restart of the machine.

use std::env;
use std::path::{Path, absolute};

use super::stored_plan::StoredPlan;
use leyden_model::BotEntry;

impl StoredPlan {
    /// The bots with their folders as seen from the current folder. A folder that no longer exists is looked up from the
    /// current folder, as if the tournament had started here: then it was moved as a whole.
    pub fn bots_from_here(&self) -> Vec<BotEntry> {
        let mut bots = self.bots.clone();
        let Some(begun_in) = self.other_start_folder() else { return bots };
        for folder in bots.iter_mut().filter_map(|bot| bot.folder.as_mut()) {
            let there = begun_in.join(&*folder);
            if let Some(found) = there.to_str().filter(|_| there.exists()) {
                found.clone_into(folder);
            }
        }
        bots
    }

    /// The folder where the tournament started, if it is known, exists, and is not the current folder.
    pub fn other_start_folder(&self) -> Option<&Path> {
        let begun_in = self.begun_in.as_deref().filter(|folder| folder.is_dir())?;
        let is_here = env::current_dir().is_ok_and(|here| here == begun_in);
        Some(begun_in).filter(|_| !is_here)
    }

    /// A bot whose command line would no longer name the same file from the current folder, with the folder where the
    /// tournament started: a bot without a folder is identified by the words of its command, which do not change.
    pub fn misplaced_bot(&self) -> Option<(&BotEntry, &Path)> {
        let begun_in = self.other_start_folder()?;
        let is_lost = |word: &String| {
            Path::new(word).is_relative() && begun_in.join(word).is_file() && !Path::new(word).is_file()
        };
        let lost = self.bots.iter().find(|bot| bot.folder.is_none() && bot.command.iter().any(is_lost));
        lost.map(|bot| (bot, begun_in))
    }

    /// Stores the folders of bots relative to the folder where `before`, which this tournament resumes, started.
    pub(crate) fn keep_folders(&mut self, before: &Self) {
        self.begun_in.clone_from(&before.begun_in);
        let Some(begun_in) = &self.begun_in else { return };
        for bot in self.bots.iter_mut().filter(|bot| !bot.is_from_git()) {
            let Some(folder) = &mut bot.folder else { continue };
            let Ok(full) = absolute(&*folder) else { continue };
            let seen = match full.strip_prefix(begun_in) {
                Ok(itself) if itself.as_os_str().is_empty() => Path::new("."),
                Ok(inside) => inside,
                Err(_) => &full,
            };
            if let Some(seen) = seen.to_str() {
                seen.clone_into(folder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    #[test]
    fn bot_folders_resolve_from_where_the_tournament_began() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        std::fs::create_dir_all(at.join("class/ann")).unwrap();
        let mut before = sample::stored_plan(4, 1);
        before.begun_in = Some(at.to_owned());
        let in_full = at.join("class/ann").to_str().unwrap().to_owned();
        let mut now = before.clone();
        now.begun_in = env::current_dir().ok();
        for (bot, path) in
            now.bots.iter_mut().zip([&*in_full, "class/gone", "git:v1:bot", at.to_str().unwrap()])
        {
            bot.folder = Some(path.to_owned());
        }
        now.keep_folders(&before);
        let gone = absolute("class/gone").unwrap();
        let folders =
            |bots: &[BotEntry]| bots.iter().map(|bot| bot.folder.clone().unwrap()).collect::<Vec<_>>();
        assert_eq!(folders(&now.bots), ["class/ann", gone.to_str().unwrap(), "git:v1:bot", "."]);
        assert_eq!(now.begun_in.as_deref(), Some(at));
        assert_eq!(folders(&now.bots_from_here())[0], in_full);
        // If the whole tournament was moved, or the file is an older one, folders are looked up from the current folder.
        for begun_in in [Some(at.join("moved")), None] {
            let now = StoredPlan { begun_in, ..now.clone() };
            assert_eq!(folders(&now.bots_from_here())[0], "class/ann");
        }
    }
}
