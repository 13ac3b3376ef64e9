//! What comes up while a plan is made and carried out, reported on standard error.

use leyden_arena::roster::SameName;
use leyden_arena::run::{Notice, Plan};
use leyden_model::SandboxLevel;
use leyden_model::words::counted;

use crate::machines::sandbox;
use crate::report::github::{self, Severity};
use crate::report::grid::plain;

/// The note on a seed that the user typed.
pub(crate) const TYPED_SEED: &str = "note: a bot could guess a typed seed: type one for tests only";

/// Reports a notice that came up while a plan was made.
pub(crate) fn print_notice(notice: &Notice, quiet: bool) {
    match notice {
        Notice::Sandbox { level, missing, foreign_bots } => {
            let level_text = sandbox::description(*level, missing.as_ref(), *foreign_bots);
            // Nobody chose this, and nobody reads the log of a run that passes.
            if *level == SandboxLevel::None && missing.is_some() && *foreign_bots > 0 {
                github::annotate(
                    Severity::Warning,
                    "leyden",
                    &format!("bots play unprotected (if that is intended, say --sandbox none); {level_text}"),
                );
            }
            if !quiet {
                crate::out::say(format_args!("{level_text}"));
            }
        }
        Notice::SharedCores(seats) => crate::out::say(format_args!(
            "warning: with --ponder, bots that share a core slow each other down: --cores-per-match {seats} gives each its own"
        )),
        Notice::CrowdedCores { jobs, cores_per_match, cores } => crate::out::say(format_args!(
            "{} at once, on {} each, need more than the {} available: they slow each other down (--jobs)",
            counted(*jobs as u64, "match", "matches"),
            counted(*cores_per_match as u64, "core", "cores"),
            counted(*cores as u64, "core", "cores"),
        )),
        Notice::Building(name) => crate::out::say(format_args!("building {name}")),
        // Playing the same builtin bot twice is intended.
        Notice::SameName(SameName { paths: [one, two], .. }) if one == two => {}
        Notice::SameName(SameName { name, called, paths: [one, two] }) => crate::out::say(format_args!(
            "two bots are called {name}: the one in {one}, and the one in {two}, which is shown as {called}"
        )),
        Notice::SameFiles(same) => crate::out::say(format_args!("note: {}", plain(&same.to_string()))),
        Notice::LeftOut(reason) => crate::out::say(format_args!("left out: {reason}")),
        Notice::Replaced { bot, matches } => crate::out::say(format_args!(
            "{} has changed: {} that it played in will be removed and played again on the same deals; the others stay. \
             Anyone who saw those matches on pages (--serve) or in records knows these deals: make sure that this is fair",
            plain(bot),
            counted(*matches, "match", "matches"),
        )),
        Notice::SeedRevealed { changes } => crate::out::say(format_args!(
            "note: all matches were over, so the seed is public, and the new deals follow from it: somebody could make a \
            bot that wins them. Results and pages will show this change: {}",
            plain(&changes.join("; "))
        )),
        Notice::Joins { bot, folder, round } => {
            let in_folder =
                folder.as_ref().map_or_else(String::new, |folder| format!(" ({})", plain(folder)));
            let bot = plain(bot);
            let when = round.map_or(": its matches are added to every block".to_owned(), |round| {
                format!(" before round {}", round + 1)
            });
            crate::out::say(format_args!("{bot}{in_folder} joins{when}"));
        }
        Notice::Withdrawn(bot) => {
            crate::out::say(format_args!("{} was withdrawn, so it does not play", plain(bot)));
        }
        Notice::Unchanged(bot) => {
            crate::out::say(format_args!("{} has not changed: its matches stay", plain(bot)));
        }
        Notice::OnlyNamedFilesCompared { bots } => crate::out::say(format_args!(
            "note: leyden compared only those files of {} that the command line names with the earlier ones; if another file \
             that it uses has changed, add --replace {}",
            plain(&bots.join(", ")),
            bots.first().map(|bot| crate::out::quoted(bot.as_ref())).unwrap_or_default(),
        )),
        Notice::OnlyNamedFiles { bot, folder, why } => crate::out::say(format_args!(
            "in the sandbox, {bot} sees no files in {} except those that it names: {why}. A bot in a folder of its \
            own with a bot.toml (leyden new creates one) sees all of that folder",
            folder.display()
        )),
    }
}

/// Warns of bots without a folder whose files changed during play, and of bots that wrote into the copy they played from.
pub(crate) fn print_changed(plan: &Plan) {
    for bot in plan.bots.iter().filter(|bot| bot.has_changed()) {
        crate::out::say(format_args!(
            "warning: {}: its files have changed since it began to play, so its matches may be of several versions: give it a \
             folder with a bot.toml, and it plays from a copy",
            plain(&bot.name)
        ));
    }
    let is_open = plan.settings.sandbox == SandboxLevel::None;
    for bot in plan.bots.iter().filter(|bot| is_open && bot.has_written()) {
        crate::out::say(format_args!(
            "warning: {} has written into its folder: it played from a copy, which is now removed. Write to standard error \
            instead (leyden match --stderr shows it), or to a path outside of the folder",
            plain(&bot.name)
        ));
    }
}
