//! Resolves what was typed for a bot that plays: its name, or the folder or archive that it was handed in as.

use std::path::Path;

use crate::toml_error::closest_name;

/// A text that is neither the name nor the folder of any bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{named} names none of the bots that play{}", meant_or_all(named, bots))]
pub struct UnknownBotError {
    pub named: String,
    /// The names of the bots that play.
    pub bots: Vec<String>,
}

/// Returns the index of the bot that `named` refers to. `bots` are pairs of a name and the path that it was handed in as. A name
/// must match exactly; a path may have more or fewer leading folders than the known one, since it may be typed elsewhere, but must
/// match only one bot.
pub fn bot_index<'a>(
    named: &str,
    bots: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
) -> Result<usize, UnknownBotError> {
    let bots: Vec<(&str, Option<&str>)> = bots.into_iter().collect();
    if let Some(index) = bots.iter().position(|(name, _)| *name == named) {
        return Ok(index);
    }
    let without_dot = |path: &'a Path| path.strip_prefix(".").unwrap_or(path);
    let folder = Path::new(named).strip_prefix(".").unwrap_or(Path::new(named));
    let is_folder = |handed_in: &'a str| {
        let path = without_dot(Path::new(handed_in));
        let is_in = |path: &Path| path.components().next().is_some() && folder.ends_with(path);
        path.ends_with(folder) || path.with_extension("").ends_with(folder) || is_in(path)
    };
    let mut indices = (0..bots.len()).filter(|index| bots[*index].1.is_some_and(is_folder));
    match (indices.next(), indices.next()) {
        // The empty path is a suffix of every path.
        (Some(index), None) if folder.components().next().is_some() => Ok(index),
        _ => {
            let bots = bots.iter().map(|(name, _)| (*name).to_owned()).collect();
            Err(UnknownBotError { named: named.to_owned(), bots })
        }
    }
}

/// Lists a likely name and the bots that play, unless there are very many.
fn meant_or_all(named: &str, bots: &[String]) -> String {
    const LISTED: usize = 20;
    let known: Vec<&str> = bots.iter().map(String::as_str).collect();
    let meant =
        closest_name(named, &known).map_or_else(String::new, |meant| format!(": did you mean {meant}?"));
    let more = if bots.len() > LISTED { format!(" and {} more", bots.len() - LISTED) } else { String::new() };
    format!("{meant} (these are {}{more})", known[..known.len().min(LISTED)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_is_found_by_its_name_or_folder() {
        let bots = [
            ("Anna", Some("class/week2-anna")),
            ("bob", Some("./class/bob.zip")),
            ("cy", Some("old/same")),
            ("dee", Some("new/same")),
            ("eve", None),
        ];
        for (named, name) in [
            ("Anna", "Anna"),
            ("week2-anna", "Anna"),
            ("class/week2-anna", "Anna"),
            ("./class/week2-anna/", "Anna"),
            ("class/bob", "bob"),
            ("./class/bob.zip", "bob"),
            ("new/same", "dee"),
            ("night/class/bob.zip", "bob"),
            ("/home/me/class/week2-anna/", "Anna"),
            ("eve", "eve"),
        ] {
            assert_eq!(bot_index(named, bots).map(|index| bots[index].0), Ok(name), "{named}");
        }
        for (named, says) in [
            ("", "names none of the bots that play (these are Anna, bob, cy, dee, eve)"),
            (".", ". names none of the bots that play (these are"),
            ("./", "names none of the bots that play (these are"),
            ("same", "same names none of the bots that play (these are"),
            ("ana", "ana names none of the bots that play: did you mean Anna? (these are"),
            ("bbo", "(these are"),
        ] {
            let said = bot_index(named, bots).unwrap_err().to_string();
            assert!(said.contains(says), "{named}: {said}");
        }
    }
}
