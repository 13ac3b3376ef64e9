//! Replays a recorded match to a bot: does it give the same answers?

use std::io;
use std::time::Duration;

use leyden_model::TurnRef;
use leyden_protocol::{Action, FaultCode, Seat, ToBot, Turn};
use leyden_referee::{Answered, Launch, NoDecision, Player, ProcessPlayer};
use schemars::JsonSchema;
use serde::Serialize;

use super::script::RecordedPlayer;
use super::{RecordedMatch, RerunError};

/// As good as no limit at all.
const UNLIMITED: Duration = Duration::from_hours(24);

/// The result of replaying a match to a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "A rerun")]
pub struct Rerun {
    #[serde(rename = "match")]
    pub id: String,
    pub seat: Seat,
    /// How many questions the bot was asked.
    pub asked: u64,
    /// The first answer that differs from the record; null if none does. The bot is asked nothing after it.
    pub difference: Option<Difference>,
    /// The first recorded fault that happened again; null if none did. The bot is asked nothing after a fault that ended the match.
    pub failed_again: Option<FailedAgain>,
    /// How the conditions were easier for the bot than in the match; while they are, a fault that did not happen again does not
    /// count as fixed. Empty if they were the same.
    pub unlike: Vec<String>,
    /// What the bot wrote to its standard error: its beginning and end. Empty for a bot that has the terminal.
    pub stderr: String,
}

impl Rerun {
    /// Whether the bot avoids the recorded fault here.
    pub fn passes(&self) -> bool {
        self.difference.as_ref().is_some_and(|difference| {
            matches!(difference.recorded, BotReply::Fault { .. })
                && !matches!(difference.now, BotReply::Fault { .. })
        })
    }

    /// Records that the bot was asked only one question. A fault may result from earlier turns: from what the bot remembers, keeps
    /// open or has written. Only an illegal action depends on its question alone, because a question contains the whole position,
    /// unless the bot is the same as in the match (`is_as_it_was`): then it would still play it there.
    #[must_use]
    pub fn asked_alone(mut self, is_as_it_was: bool) -> Self {
        let recorded = self.difference.as_ref().map(|difference| &difference.recorded);
        let is_answer = matches!(recorded, Some(BotReply::Fault { code: FaultCode::Illegal, .. }));
        if !is_answer || is_as_it_was {
            self.unlike.push(
                "it was asked only this question, without the turns before it, which may have caused the fault: leave \
                 out --turn to ask it all of them"
                    .to_owned(),
            );
        }
        self
    }

    /// Whether the bot would avoid the fault in the match, too.
    pub fn is_mended(&self) -> bool {
        self.passes() && self.unlike.is_empty()
    }

    /// Whether nothing is left to fix: no fault happened, and no answer differs except in place of a fault.
    pub fn is_good(&self) -> bool {
        self.failed_again.is_none() && (self.difference.is_none() || self.is_mended())
    }
}

/// An answer that differs from the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// Where; null if the bot could not be started, or could only be started now.
    pub place: Option<TurnRef>,
    pub recorded: BotReply,
    pub now: BotReply,
}

/// A recorded fault that happened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedAgain {
    /// Where; null if the bot could not be started.
    pub place: Option<TurnRef>,
    pub code: FaultCode,
    /// What happened this time.
    pub message: String,
}

/// What a bot answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BotReply {
    /// It was ready to play.
    Ready,
    Action(Action),
    Fault {
        code: FaultCode,
        message: String,
    },
}

impl BotReply {
    /// Returns the reply; `None` if there is none because of the host.
    pub(super) fn from_answered(answered: &Answered) -> Option<Self> {
        match answered {
            Ok(decision) => Some(Self::Action(decision.action)),
            Err(NoDecision::Fault(fault, _)) => {
                Some(Self::Fault { code: fault.code, message: fault.message() })
            }
            Err(NoDecision::HostOverloaded(_)) => None,
        }
    }

    /// Whether the replies are equal. Faults may differ in their messages.
    fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fault { code, .. }, Self::Fault { code: other, .. }) => code == other,
            _ => self == other,
        }
    }

    /// Returns the fault, if it is one, as one that happened again.
    fn failed_again(&self, place: Option<TurnRef>) -> Option<FailedAgain> {
        let Self::Fault { code, message } = self else { return None };
        Some(FailedAgain { place, code: *code, message: message.clone() })
    }
}

/// The question before which to pause; the bot then has unlimited time.
pub struct Pause<'a> {
    pub place: TurnRef,
    /// Called before the question is sent, with the process id of the bot if it is known.
    pub before: &'a mut dyn FnMut(Option<u32>) -> io::Result<()>,
}

/// Replays a match to a bot in place of the one that played it, up to the first answer that differs from the record. With `only`,
/// asks only the question at that place.
pub async fn rerun(
    recorded: &RecordedMatch,
    launch: &Launch,
    seat: Seat,
    only: Option<TurnRef>,
    pause: Option<Pause<'_>>,
) -> Result<Rerun, RerunError> {
    recorded.seated(seat)?;
    let script = recorded.script()?;
    for place in only.iter().chain(pause.iter().map(|pause| &pause.place)) {
        if let Some(why) = recorded.why_not_asked(seat, *place)? {
            return Err(RerunError::NotAsked { id: recorded.id(), seat, place: *place, why });
        }
    }
    let mut report = Rerun {
        id: recorded.id(),
        seat,
        asked: 0,
        difference: None,
        failed_again: None,
        unlike: Vec::new(),
        stderr: String::new(),
    };
    let failed_to_start =
        recorded.record().fault.as_ref().filter(|fault| fault.seat == seat && recorded.never_began());
    let expected = failed_to_start
        .map_or(BotReply::Ready, |fault| BotReply::Fault { code: fault.code, message: fault.message() });
    let (bot, now) = match ProcessPlayer::start(launch).await? {
        Ok(bot) => (Some(bot), BotReply::Ready),
        Err(NoDecision::Fault(fault, _)) => {
            report.stderr = fault.stderr.to_string();
            (None, BotReply::Fault { code: fault.code, message: fault.message() })
        }
        Err(NoDecision::HostOverloaded(overload)) => return Err(RerunError::Busy(overload)),
    };
    if now.is_as(&expected) {
        report.failed_again = now.failed_again(None);
    } else {
        report.difference = Some(Difference { place: None, recorded: expected, now });
    }
    let Some(mut bot) = bot else { return Ok(report) };
    bot.interrupt_when_late();
    if report.difference.is_some() || recorded.never_began() {
        report.stderr = bot.end_heard().await?;
        return Ok(report);
    }
    let script_player = RecordedPlayer::new(script.of_seat(seat));
    let mut tested = Tested { bot, recorded: script_player, only, pause, report, has_faulted: false };
    recorded.play(seat, &script, &mut tested, None).await?;
    if tested.has_faulted {
        tested.bot.kill().await?;
    } else {
        tested.report.stderr = tested.bot.end_heard().await?;
    }
    Ok(tested.report)
}

/// A bot in a match that continues as recorded, whatever the bot answers.
struct Tested<'a> {
    bot: ProcessPlayer,
    recorded: RecordedPlayer,
    only: Option<TurnRef>,
    pause: Option<Pause<'a>>,
    report: Rerun,
    has_faulted: bool,
}

impl Tested<'_> {
    /// Whether the bot gets no more questions and messages.
    fn is_over(&self) -> bool {
        let was_all = self.only.is_some() && self.report.asked > 0;
        was_all || self.has_faulted || self.report.difference.is_some()
    }
}

impl Player for Tested<'_> {
    fn send(&mut self, message: &ToBot<'_>) {
        if !self.is_over() {
            self.bot.send(message);
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<Answered> {
        let line = self.recorded.next()?;
        if self.is_over() || self.only.is_some_and(|only| only != line.place) {
            self.bot.flush().await?;
            return Ok(line.answered);
        }
        let allowance = if self.pause.is_some() { UNLIMITED } else { allowance };
        if let Some(pause) = self.pause.as_mut().filter(|pause| pause.place == line.place) {
            self.bot.flush().await?;
            (pause.before)(self.bot.pid())?;
        }
        let mut answered = self.bot.decide(turn, allowance, watch).await?;
        if self.only.is_some() {
            answered = answered.map_err(NoDecision::alone);
        }
        self.report.asked += 1;
        let (Some(now), Some(recorded)) =
            (BotReply::from_answered(&answered), BotReply::from_answered(&line.answered))
        else {
            return Ok(answered); // the host is to blame: the match has no result
        };
        if let Err(NoDecision::Fault(fault, _)) = &answered {
            self.has_faulted = !is_struck(&line.answered);
            self.report.stderr = fault.stderr.to_string();
        }
        if !now.is_as(&recorded) {
            self.report.difference = Some(Difference { place: Some(line.place), recorded, now });
        } else if self.report.failed_again.is_none() {
            self.report.failed_again = now.failed_again(Some(line.place));
        }
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        if self.is_over() { Ok(()) } else { self.bot.flush().await }
    }
}

/// Whether the answer was a fault that counted only as a strike: the match continued.
fn is_struck(answered: &Answered) -> bool {
    matches!(answered, Err(NoDecision::Fault(fault, _)) if fault.forgivable())
}
