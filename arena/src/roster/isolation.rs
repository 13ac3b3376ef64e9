//! Keeps bots apart: none may read another's files or run another's program.

use std::path::{Path, PathBuf};

use leyden_host::BotCommand;
use leyden_host::sandbox::system_files;

use super::Competitor;

/// A bot could read files that it must not see.
#[derive(Debug, thiserror::Error)]
pub enum ExposedError {
    #[error(
        "{name} may read {path}, which contains {other}: keep each bot's folder separate from the other bots' folders and from the \
         results (--results)",
        path = .path.display(), other = .other.display()
    )]
    Inside { name: String, path: PathBuf, other: PathBuf },
    #[error(
        "the folder of {name}, {folder}, is among the system's programs, which every bot can read: move it elsewhere",
        folder = .folder.display()
    )]
    System { name: String, folder: PathBuf },
}

/// Checks that no bot may read the folder of another bot, or one of the paths in `others`. `found` holds the bots as they were
/// handed in: a bot that was built, or that plays from a copy, still has its original folder there.
pub fn keep_apart(bots: &[Competitor], found: &[Competitor], others: &[PathBuf]) -> Result<(), ExposedError> {
    let folder_of = |bot: &Competitor| bot.command.folder.clone();
    for bot in bots {
        let of_others = |all: &[Competitor]| {
            all.iter().filter(|other| other.name != bot.name).filter_map(folder_of).collect::<Vec<PathBuf>>()
        };
        let handed_in = of_others(found);
        let not_shown = [&handed_in, &of_others(bots), others].concat();
        let BotCommand { folder, reads, .. } = &bot.command;
        let original = found.iter().find(|original| original.name == bot.name).and_then(folder_of);
        // A bot may play from a copy; the copy contains what the original did.
        let shown = folder.iter().chain(reads).map(|path| (path, &not_shown));
        for (path, not_shown) in shown.chain(original.iter().map(|path| (path, &handed_in))) {
            let own = [folder.as_ref(), original.as_ref()];
            let inside = |other: &&PathBuf| other.starts_with(path) && !own.contains(&Some(*other));
            if let Some(other) = not_shown.iter().find(inside) {
                return Err(ExposedError::Inside {
                    name: bot.name.clone(),
                    path: path.clone(),
                    other: other.clone(),
                });
            }
        }
        if let Some(folder) = folder.as_ref().filter(|folder| system_files::is_part(folder)) {
            return Err(ExposedError::System { name: bot.name.clone(), folder: folder.clone() });
        }
    }
    Ok(())
}

/// Returns the other bot whose folder contains the program of `bot`, if there is one.
pub(super) fn owner_of_program<'a>(bot: &Competitor, bots: &'a [Competitor]) -> Option<&'a Competitor> {
    let own = bot.folders();
    let is_anothers = |folder: &&Path| {
        bot.command.program.starts_with(folder) && !own.iter().any(|own| own.starts_with(folder))
    };
    bots.iter().find(|other| !own.is_empty() && other.folders().iter().any(is_anothers))
}
