//! What belongs to one bot is neither read nor run by another.

use std::path::{Path, PathBuf};

use leyden_host::BotCommand;
use leyden_host::sandbox::system_files;

use super::Competitor;

/// A bot could read what belongs to another.
#[derive(Debug, thiserror::Error)]
pub enum Exposed {
    #[error(
        "{name} may read {path}, and {other} is in it: keep the folder of each bot apart from those of the others and from the \
         results (--results)",
        path = .path.display(), other = .other.display()
    )]
    Inside { name: String, path: PathBuf, other: PathBuf },
    #[error(
        "{folder}, the folder of {name}, is among the system's programs, which every bot can read: move it elsewhere",
        folder = .folder.display()
    )]
    System { name: String, folder: PathBuf },
}

/// Sees to it that no bot may read another's folder, or one of these other places. `found` are the bots as they were handed
/// in: one that was built, or plays from a copy, has its folder there, too.
pub fn keep_apart(bots: &[Competitor], found: &[Competitor], others: &[PathBuf]) -> Result<(), Exposed> {
    let folder_of = |bot: &Competitor| bot.command.folder.clone();
    for bot in bots {
        let of_others = |all: &[Competitor]| {
            all.iter().filter(|other| other.name != bot.name).filter_map(folder_of).collect::<Vec<PathBuf>>()
        };
        let handed_in = of_others(found);
        let not_shown = [&handed_in, &of_others(bots), others].concat();
        let BotCommand { folder, reads, .. } = &bot.command;
        let original = found.iter().find(|original| original.name == bot.name).and_then(folder_of);
        // What plays may be a copy, and that has in it what was in the original.
        let shown = folder.iter().chain(reads).map(|path| (path, &not_shown));
        for (path, not_shown) in shown.chain(original.iter().map(|path| (path, &handed_in))) {
            let own = [folder.as_ref(), original.as_ref()];
            let inside = |other: &&PathBuf| other.starts_with(path) && !own.contains(&Some(*other));
            if let Some(other) = not_shown.iter().find(inside) {
                return Err(Exposed::Inside {
                    name: bot.name.clone(),
                    path: path.clone(),
                    other: other.clone(),
                });
            }
        }
        if let Some(folder) = folder.as_ref().filter(|folder| system_files::is_part(folder)) {
            return Err(Exposed::System { name: bot.name.clone(), folder: folder.clone() });
        }
    }
    Ok(())
}

/// Whose folder the program of a bot that was handed in lies in, if that is another one's.
pub(super) fn owner_of_program<'a>(bot: &Competitor, bots: &'a [Competitor]) -> Option<&'a Competitor> {
    let own = bot.folders();
    let is_anothers = |folder: &&Path| {
        bot.command.program.starts_with(folder) && !own.iter().any(|own| own.starts_with(folder))
    };
    bots.iter().find(|other| !own.is_empty() && other.folders().iter().any(is_anothers))
}
