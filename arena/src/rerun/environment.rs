//! The environment in which a recorded match was played, from what was recorded of it: a bot is run again in the same sandbox and sees
//! the same part of its folder.

use std::path::PathBuf;

use leyden_host::preflight::PreflightError;
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use leyden_protocol::Seat;

use super::RecordedMatch;
use super::bot::{BotEnvironment, ReadyBot, ReadyBotError};
use crate::roster::{self, Competitor, Sharing};

/// The environment in which a match was played.
#[derive(Clone, Debug, Default)]
pub struct MatchEnvironment {
    /// The sandbox level, if it was recorded.
    pub level: Option<SandboxLevel>,
    /// The memory of each bot in bytes, if it was recorded.
    pub memory: Option<u64>,
    /// All bots that took part: the folder of each was hidden from the others.
    pub bots: Vec<Participant>,
    /// The results file of the match, which was hidden, too.
    pub results: Option<PathBuf>,
    /// Who saw the folder of files that several command lines name.
    pub sharing: Sharing,
}

/// A bot that took part.
#[derive(Clone, Debug)]
pub struct Participant {
    pub name: String,
    /// What to type for it, if known: a folder, an archive, or a command line.
    pub typed: Option<String>,
    /// Its hash, if known.
    pub hash: Option<String>,
}

/// Options that replace those of the match.
#[derive(Clone, Copy, Debug, Default)]
pub struct SandboxChoice {
    pub sandbox: Option<SandboxLevelChoice>,
    /// Bytes of memory that a bot may use.
    pub memory: Option<u64>,
}

impl MatchEnvironment {
    /// Makes a bot ready to run in place of the one at `seat`, in the environment of the match, unless something else was `chosen`.
    /// Also returns how its conditions are easier than in the match.
    pub fn ready(
        &self,
        mut bot: Competitor,
        recorded: &RecordedMatch,
        seat: Seat,
        around: &BotEnvironment,
        chosen: SandboxChoice,
        building: &mut dyn FnMut(&str),
    ) -> Result<(ReadyBot, Vec<String>), ReadyBotError> {
        let bots = &recorded.record().bots;
        let sitter = bots.seats().has(seat).then(|| bots[seat].as_str());
        let original = self.bots.iter().find(|other| Some(other.name.as_str()) == sitter);
        if let Some(original) = original.filter(|original| original.hash.as_ref() == Some(&bot.hash)) {
            bot.name.clone_from(&original.name); // a second bot with the same command line has another name
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
        let beside = (&others[..], self.sharing);
        let ready = match ReadyBot::with_hidden(bot.clone(), &around, beside, private, building) {
            Err(ReadyBotError::Sandbox(PreflightError { level, reason, .. })) if chosen.sandbox.is_none() => {
                unlike.push(format!(
                    "the sandbox level {level}, at which it was played, does not hold here: {reason}"
                ));
                around.sandbox = SandboxLevelChoice::Auto;
                ReadyBot::with_hidden(bot, &around, beside, private, building)?
            }
            ready => ready?,
        };
        if !is_sandboxed {
            return Ok((ready, Vec::new()));
        }
        match self.level {
            None if chosen.sandbox.is_none() => unlike.push(
                "an export does not contain the sandbox level: name the results file instead, or add --sandbox LEVEL"
                    .to_owned(),
            ),
            Some(level) if ready.level < level && unlike.is_empty() => {
                unlike.push(format!("the match was played at the sandbox level {level}, this at {}", ready.level));
            }
            _ => {}
        }
        if let Some(memory) = self.memory.filter(|memory| ready.limits.memory > *memory) {
            let (then, now) = (memory >> 20, ready.limits.memory >> 20);
            unlike.push(format!("in the match it had {then} MB of memory, here {now} MB"));
        }
        if ready.level != SandboxLevel::None {
            unlike.extend(lost.iter().map(|name| {
                format!("the folder of {name} is not known, which this bot may not have been able to see")
            }));
        }
        Ok((ready, unlike))
    }

    /// Returns the other bots that took part, and the names of those that cannot be found.
    fn others(&self, sitter: Option<&str>, around: &BotEnvironment) -> (Vec<Competitor>, Vec<String>) {
        let (mut others, mut lost) = (Vec::new(), Vec::new());
        let strangers = self.bots.iter().filter(|other| Some(other.name.as_str()) != sitter);
        for other in strangers {
            let typed = other.typed.iter().cloned().collect::<Vec<_>>();
            let found = roster::find(&typed, &around.leyden).map(|found| found.bots).unwrap_or_default();
            let has_path = |found: &Competitor| {
                found.is_builtin() || found.has_path() || other.hash.as_ref() == Some(&found.hash)
            };
            match <[_; 1]>::try_from(found) {
                Ok([mut found]) if has_path(&found) => {
                    found.name.clone_from(&other.name);
                    others.push(found);
                }
                _ => lost.push(other.name.clone()),
            }
        }
        (others, lost)
    }
}
