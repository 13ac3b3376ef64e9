//! A recorded match played to a bot: would it answer the same?

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

/// What came of playing a match to a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "A rerun")]
pub struct Rerun {
    #[serde(rename = "match")]
    pub id: String,
    pub seat: Seat,
    /// How many questions the bot was asked.
    pub asked: u64,
    /// The first answer that was another one than the record has; null if all are the same. Nothing is asked behind it.
    pub difference: Option<Difference>,
    /// The first fault that the record has and that came again; null if none did. Nothing is asked behind one that ended the match.
    pub failed_again: Option<FailedAgain>,
    /// In what the bot was not run as in the match, to its advantage: then no fault counts as mended because it did not come. Empty
    /// if it was run as it was then.
    pub unlike: Vec<String>,
    /// What the bot wrote to its standard error, the beginning and the end of it; empty of a bot that has the terminal.
    pub stderr: String,
}

impl Rerun {
    /// Whether the bot does not fail here where the record has a fault.
    pub fn passes(&self) -> bool {
        self.difference.as_ref().is_some_and(|difference| {
            matches!(difference.recorded, BotReply::Fault { .. })
                && !matches!(difference.now, BotReply::Fault { .. })
        })
    }

    /// Notes that nothing was asked but one question. A fault may follow from the turns before it: from what the bot remembers,
    /// keeps open or has written by then. Only an illegal action is an answer to its question, which holds everything, unless
    /// the bot `is_as_it_was`: then it still gives that answer in the match.
    #[must_use]
    pub fn asked_alone(mut self, is_as_it_was: bool) -> Self {
        let recorded = self.difference.as_ref().map(|difference| &difference.recorded);
        let is_answer = matches!(recorded, Some(BotReply::Fault { code: FaultCode::Illegal, .. }));
        if !is_answer || is_as_it_was {
            self.unlike.push(
                "it was asked this question alone, without the turns before it, from which the fault may have followed: leave \
                 out --turn to ask it all of them"
                    .to_owned(),
            );
        }
        self
    }

    /// Whether it would not fail in the match either.
    pub fn is_mended(&self) -> bool {
        self.passes() && self.unlike.is_empty()
    }

    /// Whether there is nothing left to mend: no fault came, and no answer is another one but in the place of a fault.
    pub fn is_good(&self) -> bool {
        self.failed_again.is_none() && (self.difference.is_none() || self.is_mended())
    }
}

/// An answer that is not the recorded one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// Where; null if the bot could not be started, or could when it was recorded.
    pub place: Option<TurnRef>,
    pub recorded: BotReply,
    pub now: BotReply,
}

/// A fault that came where the record has the same one.
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
    /// Of an answer; `None` if the host is to blame that there is none.
    fn of(answered: &Answered) -> Option<Self> {
        match answered {
            Ok(decision) => Some(Self::Action(decision.action)),
            Err(NoDecision::Fault(fault, _)) => {
                Some(Self::Fault { code: fault.code, message: fault.message() })
            }
            Err(NoDecision::HostOverloaded(_)) => None,
        }
    }

    /// Whether it is the same answer. Of faults the words may differ.
    fn is_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fault { code, .. }, Self::Fault { code: other, .. }) => code == other,
            _ => self == other,
        }
    }

    /// If it is a fault, as one that came again.
    fn failed_again(&self, place: Option<TurnRef>) -> Option<FailedAgain> {
        let Self::Fault { code, message } = self else { return None };
        Some(FailedAgain { place, code: *code, message: message.clone() })
    }
}

/// Where the bot is waited for, with as much time as anybody likes.
pub struct Pause<'a> {
    pub place: TurnRef,
    /// Called with the number of the bot's process, if it is known, before the question is sent.
    pub before: &'a mut dyn FnMut(Option<u32>) -> io::Result<()>,
}

/// Plays a match to a bot in the place of the one that played it, up to the first answer that is another one than the
/// record has. With `only`, nothing is asked but the question at that place.
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
    let mut told = Rerun {
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
        message: fault.message.clone(),
    });
    let (bot, now) = match ProcessPlayer::start(launch).await? {
        Ok(bot) => (Some(bot), BotReply::Ready),
        Err(NoDecision::Fault(fault, _)) => {
            told.stderr = fault.stderr.to_string();
            (None, BotReply::Fault { code: fault.code, message: fault.message() })
        }
        Err(NoDecision::HostOverloaded(overload)) => return Err(RerunError::Busy(overload)),
    };
    if now.is_as(&expected) {
        told.failed_again = now.failed_again(None);
    } else {
        told.difference = Some(Difference { place: None, recorded: expected, now });
    }
    let Some(mut bot) = bot else { return Ok(told) };
    bot.interrupt_when_late();
    if told.difference.is_some() || recorded.never_began() {
        told.stderr = bot.end_heard().await?;
        return Ok(told);
    }
    let reciter = RecordedPlayer::new(script.of_seat(seat));
    let mut tested = Tested { bot, reciter, only, pause, told, has_faulted: false };
    recorded.play(seat, &script, &mut tested, None).await?;
    if tested.has_faulted {
        tested.bot.kill().await?;
    } else {
        tested.told.stderr = tested.bot.end_heard().await?;
    }
    Ok(tested.told)
}

/// A bot in a seat of a match that goes on as it was recorded, whatever the bot says.
struct Tested<'a> {
    bot: ProcessPlayer,
    reciter: RecordedPlayer,
    only: Option<TurnRef>,
    pause: Option<Pause<'a>>,
    told: Rerun,
    has_faulted: bool,
}

impl Tested<'_> {
    /// Whether the bot is asked and told nothing more.
    fn is_over(&self) -> bool {
        let was_all = self.only.is_some() && self.told.asked > 0;
        was_all || self.has_faulted || self.told.difference.is_some()
    }
}

impl Player for Tested<'_> {
    fn tell(&mut self, message: &ToBot<'_>) {
        if !self.is_over() {
            self.bot.tell(message);
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<Answered> {
        let line = self.reciter.next()?;
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
        self.told.asked += 1;
        let (Some(now), Some(recorded)) = (BotReply::of(&answered), BotReply::of(&line.answered)) else {
            return Ok(answered); // the host is to blame, and the match comes to nothing
        };
        if let Err(NoDecision::Fault(fault, _)) = &answered {
            self.has_faulted = !is_struck(&line.answered);
            self.told.stderr = fault.stderr.to_string();
        }
        if !now.is_as(&recorded) {
            self.told.difference = Some(Difference { place: Some(line.place), recorded, now });
        } else if self.told.failed_again.is_none() {
            self.told.failed_again = now.failed_again(Some(line.place));
        }
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        if self.is_over() { Ok(()) } else { self.bot.flush().await }
    }
}

/// Whether it was a fault that was forgiven, so that the match went on.
fn is_struck(answered: &Answered) -> bool {
    matches!(answered, Err(NoDecision::Fault(fault, _)) if fault.forgivable())
}
