//! Where bots lie, which a results file keeps as it was seen from the folder where the tournament was begun, and which is asked for from
//! others, too: a run goes on after a restart of the machine, or is looked at from elsewhere.

use std::env;
use std::path::{Path, absolute};

use super::stored_plan::StoredPlan;
use leyden_model::BotEntry;

impl StoredPlan {
    /// The bots with their folders as they are found from where this runs. What does not lie any more where it lay is looked for from
    /// here, as if the tournament had been begun here: then it was moved as a whole.
    pub fn bots_from_here(&self) -> Vec<BotEntry> {
        let mut bots = self.bots.clone();
        let Some(begun_in) = self.begun_elsewhere() else { return bots };
        for folder in bots.iter_mut().filter_map(|bot| bot.folder.as_mut()) {
            let there = begun_in.join(&*folder);
            if let Some(found) = there.to_str().filter(|_| there.exists()) {
                found.clone_into(folder);
            }
        }
        bots
    }

    /// The folder where it was begun, if that is known, is another one than this, and is there.
    pub fn begun_elsewhere(&self) -> Option<&Path> {
        let begun_in = self.begun_in.as_deref().filter(|folder| folder.is_dir())?;
        let is_here = env::current_dir().is_ok_and(|here| here == begun_in);
        Some(begun_in).filter(|_| !is_here)
    }

    /// Keeps the places of bots as they are seen from where `before` was begun, which goes on as this.
    pub(crate) fn keep_places(&mut self, before: &Self) {
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
    fn a_place_is_kept_from_where_it_was_begun_and_found_from_here() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        std::fs::create_dir_all(at.join("class/ann")).unwrap();
        let mut before = sample::stored_plan(4, 1);
        before.begun_in = Some(at.to_owned());
        let in_full = at.join("class/ann").to_str().unwrap().to_owned();
        let mut now = before.clone();
        now.begun_in = env::current_dir().ok();
        for (bot, place) in
            now.bots.iter_mut().zip([&*in_full, "class/gone", "git:v1:bot", at.to_str().unwrap()])
        {
            bot.folder = Some(place.to_owned());
        }
        now.keep_places(&before);
        let gone = absolute("class/gone").unwrap();
        let folders =
            |bots: &[BotEntry]| bots.iter().map(|bot| bot.folder.clone().unwrap()).collect::<Vec<_>>();
        assert_eq!(folders(&now.bots), ["class/ann", gone.to_str().unwrap(), "git:v1:bot", "."]);
        assert_eq!(now.begun_in.as_deref(), Some(at));
        assert_eq!(folders(&now.bots_from_here())[0], in_full);
        // What was moved as a whole is looked for from here, and so is what an older file has.
        for begun_in in [Some(at.join("moved")), None] {
            let now = StoredPlan { begun_in, ..now.clone() };
            assert_eq!(folders(&now.bots_from_here())[0], "class/ann");
        }
    }
}
