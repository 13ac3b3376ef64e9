//! A seat that asks its bot the questions of a recorded match, which goes on as recorded for any answer.

use std::io;
use std::time::Duration;

use leyden_model::TurnRef;
use leyden_protocol::{ToBot, Turn};
use leyden_referee::{DecisionError, DecisionResult, Player, ProcessPlayer};

use super::BotReply;
use super::script::RecordedPlayer;

/// As good as no limit at all.
const UNLIMITED: Duration = Duration::from_hours(24);

/// The question before which to pause; the bot then has unlimited time.
pub struct Pause<'a> {
    pub turn_ref: TurnRef,
    /// Called before the question is sent, with the process id of the bot if it is known.
    pub before: &'a mut dyn FnMut(Option<u32>) -> io::Result<()>,
}

/// How much a bot is asked.
pub(super) enum Questions<'a> {
    /// All up to its first fault, even those that it answers differently.
    All,
    /// The questions up to the first answer that differs from the record, or only this one.
    UntilItDiffers { only: Option<TurnRef>, pause: Option<Pause<'a>> },
}

/// An answer, and the recorded one.
pub(super) struct GivenReply {
    pub(super) turn_ref: TurnRef,
    pub(super) recorded: BotReply,
    pub(super) now: BotReply,
    /// What the bot had written to its standard error, if it faulted.
    pub(super) stderr: String,
}

pub(super) struct AskedBot<'a> {
    bot: ProcessPlayer,
    recorded: RecordedPlayer,
    questions: Questions<'a>,
    given: Vec<GivenReply>,
    /// Whether the bot gets no more questions and messages.
    is_over: bool,
    has_faulted: bool,
}

impl<'a> AskedBot<'a> {
    pub(super) fn new(bot: ProcessPlayer, recorded: RecordedPlayer, questions: Questions<'a>) -> Self {
        Self { bot, recorded, questions, given: Vec::new(), is_over: false, has_faulted: false }
    }

    /// Ends the bot. Returns its answers, and what it wrote to its standard error.
    pub(super) async fn end(self) -> io::Result<(Vec<GivenReply>, String)> {
        if self.has_faulted {
            self.bot.kill().await?;
            let stderr = self.given.last().map_or_else(String::new, |reply| reply.stderr.clone());
            return Ok((self.given, stderr));
        }
        Ok((self.given, self.bot.end_with_stderr().await?))
    }

    /// Whether a question is put to the bot; first calls what waits for it.
    async fn asks(&mut self, turn_ref: TurnRef) -> io::Result<bool> {
        let Questions::UntilItDiffers { only, pause } = &mut self.questions else { return Ok(true) };
        if only.is_some_and(|only| only != turn_ref) {
            self.bot.flush().await?;
            return Ok(false);
        }
        if let Some(pause) = pause.as_mut().filter(|pause| pause.turn_ref == turn_ref) {
            self.bot.flush().await?;
            (pause.before)(self.bot.pid())?;
        }
        Ok(true)
    }
}

impl Player for AskedBot<'_> {
    fn send(&mut self, message: &ToBot<'_>) {
        if !self.is_over {
            self.bot.send(message);
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let line = self.recorded.next()?;
        if self.is_over || !self.asks(line.turn_ref).await? {
            return Ok(line.answered);
        }
        let (is_alone, is_paused, goes_on) = match &self.questions {
            Questions::All => (false, false, true),
            Questions::UntilItDiffers { only, pause } => (only.is_some(), pause.is_some(), false),
        };
        let allowance = if is_paused { UNLIMITED } else { allowance };
        let mut answered = self.bot.decide(turn, allowance, watch).await?;
        if is_alone {
            answered = answered.map_err(DecisionError::alone);
        }
        let (Some(now), Some(recorded)) =
            (BotReply::from_answered(&answered), BotReply::from_answered(&line.answered))
        else {
            return Ok(answered); // the host is to blame: the match has no result
        };
        let mut stderr = String::new();
        if let Err(DecisionError::Fault(fault, _)) = &answered {
            self.has_faulted = goes_on || !is_struck(&line.answered);
            stderr = fault.stderr.to_string();
        }
        self.is_over = self.has_faulted || is_alone || !goes_on && !now.is_as(&recorded);
        self.given.push(GivenReply { turn_ref: line.turn_ref, recorded, now, stderr });
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        if self.is_over { Ok(()) } else { self.bot.flush().await }
    }
}

/// Whether the answer was a fault that counted only as a strike: the match continued.
fn is_struck(answered: &DecisionResult) -> bool {
    matches!(answered, Err(DecisionError::Fault(fault, _)) if fault.forgivable())
}
