//! A bot in a tournament's settings and results: who it is, not how to run it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One bot of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BotEntry {
    /// Unique within the tournament.
    pub name: String,
    /// The words that start it, as its author or the organiser wrote them.
    pub command: Vec<String>,
    /// SHA-256, in hex, of the bot's content: its folder, its program or its command line.
    pub hash: String,
    pub author: Option<String>,
    pub language: Option<String>,
    /// The folder or archive that was named or handed in, or `git:REV:PATH` for a bot taken from git. For the
    /// organiser, not for pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// The name of the n-th bot of a name, counted from 1.
///
/// ```
/// use leyden_model::{numbered_name, shared_name};
///
/// assert_eq!([1, 2].map(|number| numbered_name("starter", number)), ["starter", "starter#2"]);
/// assert_eq!(shared_name("starter#2"), Some("starter"));
/// assert_eq!(["starter", "a#b", "a#0", "a#1", "a#02", "a#+2"].map(shared_name), [None; 6]);
/// ```
pub fn numbered_name(name: &str, number: u32) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}#{number}") }
}

/// The name that a bot with a number from [`numbered_name`] shares with others; `None` for any other name.
pub fn shared_name(name: &str) -> Option<&str> {
    let (shared, number) = name.rsplit_once('#')?;
    let number: u32 = number.parse().ok()?;
    (number >= 2 && numbered_name(shared, number) == name).then_some(shared)
}

/// The prefix of the `folder` of a bot that was taken from git: it has no folder that could be named.
pub const FROM_GIT: &str = "git:";

impl BotEntry {
    /// Whether both have the same start command and the same content. The hash does not cover what a single program or
    /// a command line reads in addition to what it names, so such a bot is the same only in the same folder.
    pub fn is_same_bot(&self, other: &Self) -> bool {
        (&self.hash, &self.command) == (&other.hash, &other.command)
    }

    /// Whether it was taken from git, so that there is no path to type for it.
    pub fn is_from_git(&self) -> bool {
        self.folder.as_deref().is_some_and(|folder| folder.starts_with(FROM_GIT))
    }
}

/// A bot that was named or handed in and does not play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The bot's name, or the path that was handed in.
    pub entry: String,
    /// Why it cannot play, and what to do about it, in sentences that name it. In a file of an older version, what its
    /// build printed stands in here.
    pub reason: String,
    /// The last lines that its build printed, if that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
}
