//! Players of the program that uses this library: they sit at the tables of a run, and have no process.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use leyden_referee::AnyPlayer;

use crate::roster::{Competitor, IN_PROCESS};

/// Makes a player for one match, on the thread that plays it.
type MakePlayer = Arc<dyn Fn() -> Box<dyn AnyPlayer> + Send + Sync>;

/// The players of this program, by name. A player is named among the bots as `in-process:NAME`.
///
/// It receives and answers what a bot does. Nothing enforces its time, and no sandbox surrounds it. Results do not say what it
/// consists of: a tournament that is resumed takes it for the same player.
#[derive(Clone, Default)]
pub struct InProcessPlayers(BTreeMap<String, MakePlayer>);

impl InProcessPlayers {
    /// Adds a player, and returns the text that names it among the bots.
    pub fn add(
        &mut self,
        name: &str,
        make: impl Fn() -> Box<dyn AnyPlayer> + Send + Sync + 'static,
    ) -> String {
        let text = format!("{IN_PROCESS}{name}");
        self.0.insert(text.clone(), Arc::new(make));
        text
    }

    /// Whether a bot can be seated: it has a process, or is one of these players.
    pub(super) fn can_seat(&self, bot: &Competitor) -> bool {
        !bot.is_in_process() || bot.words.first().is_some_and(|text| self.0.contains_key(text))
    }

    /// Makes the player of a bot; `None` for a bot that is a process.
    pub(super) fn player(&self, bot: &Competitor) -> Option<Box<dyn AnyPlayer>> {
        self.0.get(bot.words.first()?).map(|make| make())
    }
}

impl fmt::Debug for InProcessPlayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
