//! Bots that were handed in twice: the same files, whatever their manifests say. Reads files and judges nobody.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Competitor, content};

/// Two bots that were handed in with the same files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Twins {
    /// The one that was found first.
    pub first: String,
    pub second: String,
    /// Whether their manifests are the same, too.
    pub whole: bool,
}

impl std::fmt::Display for Twins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let but = if self.whole { "" } else { " but for bot.toml" };
        write!(f, "{} has the same files as {}{but}", self.second, self.first)
    }
}

/// Each bot that was handed in with the files of one before it. Of a bot whose files cannot be read nothing is said: it does not play.
pub fn twins(bots: &[Competitor]) -> Vec<Twins> {
    let handed_in: Vec<_> = bots.iter().filter(|bot| bot.handed_in.is_some()).collect();
    if handed_in.len() < 2 {
        return Vec::new();
    }
    let mut seen: BTreeMap<String, &Competitor> = BTreeMap::new();
    let mut found = Vec::new();
    for bot in handed_in {
        let Some(folder) = &bot.command.folder else { continue };
        let Ok(Some(hash)) = content::without_manifest(folder, bot.has_build()) else { continue };
        match seen.get(&hash) {
            None => drop(seen.insert(hash, bot)),
            Some(first) => found.push(Twins {
                first: first.name.clone(),
                second: bot.name.clone(),
                whole: first.hash == bot.hash,
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::roster::find;

    #[test]
    fn the_same_files_under_another_name_are_seen() {
        let place = tempfile::tempdir().unwrap();
        let hand_in = |entry: &str, name: &str, program: &str| {
            let folder = place.path().join(entry);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("bot.toml"), format!("name = {name:?}\ncommand = [\"sh\"]\n")).unwrap();
            if !program.is_empty() {
                fs::write(folder.join("bot.py"), program).unwrap();
            }
        };
        hand_in("ann", "ann", "print(1)");
        hand_in("bob", "bob", "print(2)");
        hand_in("kim", "kim", "print(1)");
        hand_in("lea", "ann", "print(1)");
        // What has nothing but a manifest is like nobody.
        hand_in("max", "max", "");
        hand_in("ned", "ned", "");
        fs::write(place.path().join("kim/.DS_Store"), "x").unwrap();
        let typed = [place.path().display().to_string(), "builtin:random".to_owned()];
        let bots = find(&typed, Path::new("/leyden")).unwrap().bots;
        let said: Vec<String> = twins(&bots).iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["kim has the same files as ann but for bot.toml", "ann#2 has the same files as ann"]
        );
    }
}
