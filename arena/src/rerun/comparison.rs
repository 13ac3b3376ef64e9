//! Replays a recorded match to a bot: does it give the same answers?

use leyden_model::{FaultDetails, TurnRef};
use leyden_protocol::{FaultCode, Seat};
use leyden_referee::{DecisionError, Launch, ProcessPlayer};
use schemars::JsonSchema;
use serde::Serialize;

use super::asked_bot::{AskedBot, GivenReply, Pause, Questions};
use super::script::RecordedPlayer;
use super::{BotReply, RecordedMatch, RerunError};

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
    #[serde(rename = "place")]
    pub turn_ref: Option<TurnRef>,
    pub recorded: BotReply,
    pub now: BotReply,
}

/// A recorded fault that happened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedAgain {
    /// Where; null if the bot could not be started.
    #[serde(rename = "place")]
    pub turn_ref: Option<TurnRef>,
    pub code: FaultCode,
    /// What happened this time.
    #[serde(rename = "message", serialize_with = "FaultDetails::as_text")]
    #[schemars(with = "String")]
    pub details: FaultDetails,
}

impl FailedAgain {
    /// Returns what a reply is if it is a fault that happened again.
    fn from_reply(reply: &BotReply, turn_ref: Option<TurnRef>) -> Option<Self> {
        let BotReply::Fault { code, details } = reply else { return None };
        Some(Self { turn_ref, code: *code, details: FaultDetails::clone(details) })
    }
}

/// Replays a match to a bot in place of the one that played it, up to the first answer that differs from the record. With `only`,
/// asks only that question.
///
/// ```no_run
/// use leyden_arena::record::source::RecordSource;
/// use leyden_arena::rerun::{BotEnvironment, ReadyBot, RecordedMatch, block_on, rerun};
/// use leyden_protocol::Seat;
///
/// # fn example(around: &BotEnvironment) -> Result<(), Box<dyn std::error::Error>> {
/// let recorded = RecordedMatch::new(RecordSource::open("results.db".as_ref())?.find(None)?, None);
/// let ready = ReadyBot::make("bots/new", around, &mut |_| ())?;
/// let launch = ready.launch(recorded.record().rules.rules()?, *recorded.limits());
/// let report = block_on(rerun(&recorded, &launch, Seat::FIRST, None, None))??;
/// println!("{} questions, the first difference: {:?}", report.asked, report.difference);
/// # Ok(())
/// # }
/// ```
pub async fn rerun(
    recorded: &RecordedMatch,
    launch: &Launch,
    seat: Seat,
    only: Option<TurnRef>,
    pause: Option<Pause<'_>>,
) -> Result<Rerun, RerunError> {
    recorded.seated(seat)?;
    let script = recorded.script()?;
    for turn_ref in only.iter().chain(pause.iter().map(|pause| &pause.turn_ref)) {
        if let Some(why) = recorded.why_not_asked(seat, *turn_ref)? {
            return Err(RerunError::NotAsked { id: recorded.id(), seat, turn_ref: *turn_ref, why });
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
    let expected = failed_to_start.map_or(BotReply::Ready, |fault| BotReply::Fault {
        code: fault.code,
        details: Box::new(fault.details.clone()),
    });
    let (bot, now) = match ProcessPlayer::start(launch).await? {
        Ok(bot) => (Some(bot), BotReply::Ready),
        Err(DecisionError::Fault(fault, _)) => {
            report.stderr = fault.stderr.to_string();
            (None, BotReply::from_fault(&fault))
        }
        Err(DecisionError::HostOverloaded(overload)) => return Err(RerunError::Busy(overload)),
    };
    if now.is_as(&expected) {
        report.failed_again = FailedAgain::from_reply(&now, None);
    } else {
        report.difference = Some(Difference { turn_ref: None, recorded: expected, now });
    }
    let Some(mut bot) = bot else { return Ok(report) };
    bot.interrupt_when_late();
    if report.difference.is_some() || recorded.never_began() {
        report.stderr = bot.end_with_stderr().await?;
        return Ok(report);
    }
    let questions = Questions::UntilItDiffers { only, pause };
    let mut asked = AskedBot::new(bot, RecordedPlayer::new(script.of_seat(seat)), questions);
    recorded.play(seat, &script, &mut asked, None).await?;
    let (given, stderr) = asked.end().await?;
    report.stderr = stderr;
    report.asked = given.len() as u64;
    for GivenReply { turn_ref, recorded, now, .. } in given {
        if !now.is_as(&recorded) {
            report.difference = Some(Difference { turn_ref: Some(turn_ref), recorded, now });
        } else if report.failed_again.is_none() {
            report.failed_again = FailedAgain::from_reply(&now, Some(turn_ref));
        }
    }
    Ok(report)
}
