//! Bots that were made ready before, so that a run that is resumed in the same process builds them only once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Competitor;

/// Bots that are built and copied, by path and content. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct ReadyBots(Arc<Mutex<BTreeMap<Key, Competitor>>>);

type Key = (String, Option<String>, String);

impl ReadyBots {
    /// Keeps a bot that is ready.
    pub fn note(&self, bot: Competitor) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key(&bot), bot);
    }

    /// Removes what was made ready of a bot, as soon as nothing plays from it.
    pub fn forget(&self, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(of, _, _), _| of != name);
    }

    /// The same bot, made ready before.
    pub fn get(&self, found: &Competitor) -> Option<Competitor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key(found)).cloned()
    }
}

fn key(bot: &Competitor) -> Key {
    (bot.name.clone(), bot.handed_in.clone(), bot.hash.clone())
}
