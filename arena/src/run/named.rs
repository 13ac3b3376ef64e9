//! Bots that an option names: who is meant among those that play.

use std::path::Path;

use super::options::Options;
use crate::roster::{self, Competitor};

/// An option that names none of the bots that play.
#[derive(Debug, thiserror::Error)]
#[error("{option} {named} names none of the bots that play{}", meant_or_all(named, bots))]
pub struct NoSuchBot {
    pub option: &'static str,
    pub named: String,
    /// Those that play.
    pub bots: Vec<String>,
}

/// What may be meant, and who plays, unless that is a crowd.
fn meant_or_all(named: &str, bots: &[String]) -> String {
    const LISTED: usize = 20;
    let known: Vec<&str> = bots.iter().map(String::as_str).collect();
    let meant =
        roster::likely(named, &known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"));
    let more = if bots.len() > LISTED { format!(" and {} more", bots.len() - LISTED) } else { String::new() };
    format!("{meant} (these are {}{more})", known[..known.len().min(LISTED)].join(", "))
}

/// The names of bots that an option names as they are called, by their folder or archive, or as they stand among the bots.
pub(super) fn names_of(
    option: &'static str,
    all: &[String],
    found: &[Competitor],
    options: &Options,
) -> Result<Vec<String>, NoSuchBot> {
    let mut names = Vec::new();
    for named in all {
        let before = names.len();
        names.extend(found.iter().filter(|bot| bot.name == *named).map(|bot| bot.name.clone()));
        if names.len() == before {
            names.extend(handed_in_as(named, found).map(|bot| bot.name.clone()));
        }
        if names.len() == before
            && let Ok(mut meant) = roster::find(std::slice::from_ref(named), &options.leyden)
        {
            if options.no_build {
                meant.leave_unbuilt();
            }
            let is_meant = |bot: &&Competitor| {
                meant.bots.iter().any(|meant| (&meant.words, &meant.hash) == (&bot.words, &bot.hash))
            };
            names.extend(found.iter().filter(is_meant).map(|bot| bot.name.clone()));
        }
        if names.len() == before {
            let bots = found.iter().map(|bot| bot.name.clone()).collect();
            return Err(NoSuchBot { option, named: named.clone(), bots });
        }
    }
    Ok(names)
}

/// The one bot whose folder or archive has this name, with or without those around it.
fn handed_in_as<'a>(named: &str, found: &'a [Competitor]) -> Option<&'a Competitor> {
    let is_named = |entry: &str| {
        let (path, named) = (Path::new(entry), Path::new(named));
        path.ends_with(named) || path.with_extension("").ends_with(named)
    };
    let mut meant = found.iter().filter(|bot| bot.handed_in.as_deref().is_some_and(is_named));
    meant.next().filter(|_| !named.is_empty() && meant.next().is_none())
}
