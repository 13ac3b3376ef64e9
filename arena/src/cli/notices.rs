//! What comes up while a plan is made and carried out, told to people on standard error.

use leyden_arena::roster::SameName;
use leyden_arena::run::{Notice, Plan};
use leyden_arena::words::counted;
use leyden_model::SandboxLevel;

use super::report::github::{self, Severity};
use super::report::grid::plain;
use super::sandbox;

/// Tells what came up while a plan was made.
pub(super) fn tell_notice(notice: &Notice, quiet: bool) {
    match notice {
        Notice::Sandbox { level, missing, strangers } => {
            let told = sandbox::told(*level, missing.as_ref(), *strangers);
            // Nobody has chosen it, nor looks at the log of a run that passes.
            if *level == SandboxLevel::None && missing.is_some() && *strangers > 0 {
                github::annotate(
                    Severity::Warning,
                    "leyden",
                    &format!("bots play unprotected (--sandbox none says that this is meant); {told}"),
                );
            }
            if !quiet {
                super::say(format_args!("{told}"));
            }
        }
        Notice::SharedCores(seats) => super::say(format_args!(
            "warning: with --ponder, bots that share a core take each other's time: --cores-per-match {seats} gives each its own"
        )),
        Notice::CrowdedCores { jobs, cores_per_match, cores } => super::say(format_args!(
            "{jobs} matches at once on {cores_per_match} cores each are more than the {cores} cores there are: they take \
             one another's time (--jobs)"
        )),
        Notice::Building(name) => super::say(format_args!("building {name}")),
        // The same builtin bot twice is meant.
        Notice::SameName(SameName { places: [one, two], .. }) if one == two => {}
        Notice::SameName(SameName { name, called, places: [one, two] }) => super::say(format_args!(
            "two bots are called {name}: the one in {one}, and the one in {two}, which is {called} here"
        )),
        Notice::SameFiles(same) => super::say(format_args!("note: {}", plain(&same.to_string()))),
        Notice::LeftOut(reason) => super::say(format_args!("left out: {reason}")),
        Notice::Replaced { bot, matches } => super::say(format_args!(
            "{} has changed: {} that it played in will be taken out and played again, on the same deals; the others stay. Is it fair? \
             Whoever saw those matches on pages (--serve) or in records knows these deals",
            plain(bot),
            counted(*matches, "match", "matches"),
        )),
        Notice::SeedTold { changes } => super::say(format_args!(
            "note: everything was played before, and the seed was told then, from which the deals of what is new follow, too: a bot can \
             be made to win them. Results and pages will tell of it: {}",
            plain(&changes.join("; "))
        )),
        Notice::Joins { bot, folder } => {
            let place = folder.as_ref().map_or_else(String::new, |folder| format!(" ({})", plain(folder)));
            super::say(format_args!("{}{place} joins: its matches are added to every block", plain(bot)));
        }
        Notice::Withdrawn(bot) => {
            super::say(format_args!("{} was withdrawn, and does not play", plain(bot)));
        }
        Notice::Unchanged(bot) => {
            super::say(format_args!("{} is as it was: what it played in stays", plain(bot)));
        }
        Notice::OnlyNamedFilesCompared { bots } => super::say(format_args!(
            "note: of {} only the files that the command line names were compared with those that played before; if another file that \
             it uses has changed, say --replace {}",
            plain(&bots.join(", ")),
            bots.first().map(|bot| super::out::quoted(bot.as_ref())).unwrap_or_default(),
        )),
        Notice::OnlyNamedFiles { bot, folder, why } => super::say(format_args!(
            "in the sandbox, {bot} sees no files in {} but those that it names: {why}. A bot in a folder of its \
             own with a bot.toml (leyden new makes one) sees all of that",
            folder.display()
        )),
    }
}

/// Tells of bots that were changed while they played, which those in a folder are not, and of those that wrote what nobody reads.
pub(super) fn tell_changed(plan: &Plan) {
    for bot in plan.bots.iter().filter(|bot| bot.has_changed()) {
        super::say(format_args!(
            "warning: {}: its files are not those that began to play, so its matches may be of several versions: give it a folder \
             with a bot.toml, and it plays from a copy",
            plain(&bot.name)
        ));
    }
    let is_open = plan.settings.sandbox == SandboxLevel::None;
    for bot in plan.bots.iter().filter(|bot| is_open && bot.has_written()) {
        super::say(format_args!(
            "warning: {} has written into its folder, of which it plays a copy that goes away now: have it write to standard error \
             (leyden match --stderr shows that), or to a path of its own",
            plain(&bot.name)
        ));
    }
}
