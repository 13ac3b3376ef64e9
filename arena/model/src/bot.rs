//! A bot as it stands in a tournament's settings and results: who it is, not how to run it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One bot of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BotEntry {
    /// Unique within the tournament.
    pub name: String,
    /// The words that start it, as its author or the organiser wrote them.
    pub command: Vec<String>,
    /// SHA-256 of what the bot is made of, in hex: its folder, its program or its command line.
    pub hash: String,
    pub author: Option<String>,
    pub language: Option<String>,
    /// The folder or archive in which it was named or handed in, or `git:REV:PATH` of one that was taken out of git. For the
    /// organiser, not for pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// What the place of a bot begins with that was taken out of git: it lies in no folder that anybody could name.
pub const FROM_GIT: &str = "git:";

impl BotEntry {
    /// Whether both are started alike and made of the same. What a single program or a command line reads beside what it names is in no
    /// hash, so it is the same bot only at the same place.
    pub fn is_same_bot(&self, other: &Self) -> bool {
        (&self.hash, &self.command) == (&other.hash, &other.command)
    }

    /// Whether it was taken out of git, so that there is nothing to type for it.
    pub fn is_from_git(&self) -> bool {
        self.folder.as_deref().is_some_and(|folder| folder.starts_with(FROM_GIT))
    }
}

/// What was named as a bot, or handed in, and does not play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The bot's name, or the path of what was handed in.
    pub entry: String,
    /// What kept it from playing, and what to do about it.
    pub reason: String,
}
