//! What bots are called where everybody looks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plain_names::LONGEST_NAME;

/// Why bots cannot have these names.
#[derive(Debug, thiserror::Error)]
pub enum PseudonymError {
    #[error("expected another one for each bot, got {0:?} twice")]
    Same(String),
    #[error("expected 1 to {LONGEST_NAME} visible characters for {bot}, got {pseudonym:?}")]
    Unfit { bot: String, pseudonym: String },
}

/// Pseudonyms by the names of bots, or of the folders or archives in which they were handed in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Pseudonyms(BTreeMap<String, String>);

impl Pseudonyms {
    /// Whether no bot has a pseudonym.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls a bot by a pseudonym.
    pub fn add(&mut self, bot: &str, pseudonym: String) {
        self.0.insert(bot.to_owned(), pseudonym);
    }

    /// Whether a bot is called so, or has this name.
    pub fn knows(&self, name: &str) -> bool {
        self.0.iter().any(|(bot, pseudonym)| bot == name || pseudonym == name)
    }

    /// Returns the name of the bot that is called so.
    pub fn bot(&self, pseudonym: &str) -> Option<&str> {
        self.0.iter().find(|(_, known)| *known == pseudonym).map(|(bot, _)| bot.as_str())
    }

    /// Returns the pseudonym of a bot, by its name or by where it was handed in.
    pub fn find(&self, name: &str, handed_in: Option<&str>) -> Option<&str> {
        let path = handed_in.map(Path::new);
        let names = [path.and_then(Path::file_name), path.and_then(Path::file_stem)];
        let of_folder = names.into_iter().flatten().filter_map(|name| self.0.get(name.to_str()?));
        self.0.get(name).into_iter().chain(of_folder).next().map(String::as_str)
    }

    /// Refuses pseudonyms that nobody could tell apart or read.
    pub fn check(&self) -> Result<(), PseudonymError> {
        let mut known = BTreeSet::new();
        for (bot, pseudonym) in &self.0 {
            let is_visible = !pseudonym.trim().is_empty() && !pseudonym.contains(leyden_protocol::is_hidden);
            if !is_visible || pseudonym.len() > LONGEST_NAME {
                return Err(PseudonymError::Unfit { bot: bot.clone(), pseudonym: pseudonym.clone() });
            }
            if !known.insert(pseudonym.trim().to_lowercase()) {
                return Err(PseudonymError::Same(pseudonym.clone()));
            }
        }
        Ok(())
    }
}
