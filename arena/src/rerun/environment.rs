//! Where a recorded match was played, as far as that is kept: a bot is run there once more with the same sandbox around it, and
//! sees the same of its folder.

use std::path::PathBuf;

use leyden_host::preflight::NotHeld;
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use leyden_protocol::Seat;

use super::RecordedMatch;
use super::bot::{BotEnvironment, NoBot, ReadyBot};
use crate::roster::{self, Competitor};

/// Where a match was played.
#[derive(Clone, Debug, Default)]
pub struct MatchEnvironment {
    /// The level of its sandbox; `None` if that was not kept.
    pub level: Option<SandboxLevel>,
    /// Bytes of memory that each bot had, if that was kept.
    pub memory: Option<u64>,
    /// Everybody who played there: what one of them had in a folder was hidden from the others.
    pub bots: Vec<Participant>,
    /// The file that the match was written to, which was hidden, too.
    pub results: Option<PathBuf>,
}

/// One of those who played.
#[derive(Clone, Debug)]
pub struct Participant {
    pub name: String,
    /// What to type for it, if that is known: a folder or an archive, or a command line.
    pub typed: Option<String>,
    /// What it was made of, if that is known.
    pub hash: Option<String>,
}

/// What was chosen for one run of a bot, in the place of what the match had.
#[derive(Clone, Copy, Debug, Default)]
pub struct SandboxChoice {
    pub sandbox: Option<SandboxLevelChoice>,
    pub memory: Option<u64>,
}

impl MatchEnvironment {
    /// Makes a bot ready to run in the place of the one that sat at `seat`, with as much around it as in the match and no more
    /// than that to see, unless something else was `chosen`. Returns in what it does not run as it would have in the match, where
    /// that may be to its advantage.
    pub fn ready(
        &self,
        mut bot: Competitor,
        recorded: &RecordedMatch,
        seat: Seat,
        around: &BotEnvironment,
        chosen: SandboxChoice,
        building: &mut dyn FnMut(&str),
    ) -> Result<(ReadyBot, Vec<String>), NoBot> {
        let bots = &recorded.record().bots;
        let sitter = bots.seats().has(seat).then(|| bots[seat].as_str());
        let original = self.bots.iter().find(|other| Some(other.name.as_str()) == sitter);
        if let Some(original) = original.filter(|original| original.hash.as_ref() == Some(&bot.hash)) {
            bot.name.clone_from(&original.name); // the second one of a command line has another name than that
        }
        let mut around = around.clone();
        let mut unlike = Vec::new();
        if let (None, Some(memory)) = (chosen.memory, self.memory) {
            around.limits.memory = memory;
        }
        if let (None, Some(level)) = (chosen.sandbox, self.level) {
            around.sandbox = SandboxLevelChoice::Exactly(level);
        }
        let is_sandboxed = self.level != Some(SandboxLevel::None) && !bot.is_builtin();
        let (mut others, mut lost) = (Vec::new(), Vec::new());
        if is_sandboxed && bot.command.folder.is_none() {
            (others, lost) = self.others(sitter, &around);
        }
        let private = self.results.as_slice();
        let ready = match ReadyBot::beside(bot.clone(), &around, &others, private, building) {
            Err(NoBot::Sandbox(NotHeld { level, reason, .. })) if chosen.sandbox.is_none() => {
                unlike.push(format!(
                    "the sandbox level {level}, at which it was played, does not hold here: {reason}"
                ));
                around.sandbox = SandboxLevelChoice::Auto;
                ReadyBot::beside(bot, &around, &others, private, building)?
            }
            ready => ready?,
        };
        if !is_sandboxed {
            return Ok((ready, Vec::new()));
        }
        match self.level {
            None if chosen.sandbox.is_none() => unlike.push(
                "an export does not tell its sandbox: name the results file instead, or --sandbox LEVEL as it was".to_owned(),
            ),
            Some(level) if ready.level < level && unlike.is_empty() => {
                unlike.push(format!("it was played at the sandbox level {level}, and this at {}", ready.level));
            }
            _ => {}
        }
        if let Some(memory) = self.memory.filter(|memory| ready.limits.memory > *memory) {
            let (then, now) = (memory >> 20, ready.limits.memory >> 20);
            unlike.push(format!("there it had {then} MB of memory, and here {now} MB"));
        }
        if ready.level != SandboxLevel::None {
            unlike.extend(lost.iter().map(|name| {
                format!(
                    "where {name} lay is not known, from which the folder of this bot may have been hidden"
                )
            }));
        }
        Ok((ready, unlike))
    }

    /// The others who played, and the names of those whose place is not found.
    fn others(&self, sitter: Option<&str>, around: &BotEnvironment) -> (Vec<Competitor>, Vec<String>) {
        let (mut others, mut lost) = (Vec::new(), Vec::new());
        let strangers = self.bots.iter().filter(|other| Some(other.name.as_str()) != sitter);
        for other in strangers {
            let typed = other.typed.iter().cloned().collect::<Vec<_>>();
            let found = roster::find(&typed, &around.leyden).map(|found| found.bots).unwrap_or_default();
            let has_place = |found: &Competitor| {
                found.is_builtin() || found.has_place() || other.hash.as_ref() == Some(&found.hash)
            };
            match <[_; 1]>::try_from(found) {
                Ok([mut found]) if has_place(&found) => {
                    found.name.clone_from(&other.name);
                    others.push(found);
                }
                _ => lost.push(other.name.clone()),
            }
        }
        (others, lost)
    }
}
