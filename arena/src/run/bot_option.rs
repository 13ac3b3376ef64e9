//! Finds the bots that an option names among those that play.

use super::options::Options;
use crate::roster::{self, Competitor, UnknownBotError, bot_index};

/// An option names none of the bots that play.
#[derive(Debug, thiserror::Error)]
#[error("{option} {unknown}")]
pub struct BotOptionError {
    pub option: &'static str,
    pub unknown: UnknownBotError,
}

/// Returns the names of the bots that an option names by name, by folder or archive, or by the words they were given as.
pub(super) fn names_of(
    option: &'static str,
    all: &[String],
    found: &[Competitor],
    options: &Options,
) -> Result<Vec<String>, BotOptionError> {
    let mut names = Vec::new();
    for named in all {
        let known = found.iter().map(|bot| (bot.name.as_str(), bot.handed_in.as_deref()));
        match bot_index(named, known) {
            Ok(index) => names.push(found[index].name.clone()),
            Err(unknown) => match typed_as(named, found, options) {
                same if same.is_empty() => return Err(BotOptionError { option, unknown }),
                same => names.extend(same),
            },
        }
    }
    Ok(names)
}

/// The names of the bots that were given by the same words, such as builtin:careful.
fn typed_as(named: &str, found: &[Competitor], options: &Options) -> Vec<String> {
    let Ok(mut typed) = roster::find(&[named.to_owned()], &options.leyden) else { return Vec::new() };
    if options.no_build {
        typed.leave_unbuilt();
    }
    let is_same = |bot: &&Competitor| {
        typed.bots.iter().any(|typed| (&typed.words, &typed.hash) == (&bot.words, &bot.hash))
    };
    found.iter().filter(is_same).map(|bot| bot.name.clone()).collect()
}
