//! Asks a bot every question of a recorded match, which goes on as recorded whatever the bot answers.

use std::io;
use std::time::Duration;

use leyden_model::TurnRef;
use leyden_protocol::{Action, Seat, ToBot, Turn};
use leyden_referee::{Answered, Launch, NoDecision, Player, ProcessPlayer};

use super::script::RecordedPlayer;
use super::{BotReply, RecordedMatch, RerunError};

/// What a bot answered, and what the bot of the record had chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    pub place: TurnRef,
    /// `None` after a fault.
    pub recorded: Option<Action>,
    pub now: BotReply,
}

/// Returns a bot's answers to the questions of a seat, in order. A bot that remembers earlier turns sees a match in which it did not do
/// what it answered. It is asked nothing after a fault, which is then the last answer.
pub async fn answers(
    recorded: &RecordedMatch,
    launch: &Launch,
    seat: Seat,
) -> Result<Vec<GivenAnswer>, RerunError> {
    recorded.seated(seat)?;
    if recorded.never_began() {
        return Ok(Vec::new());
    }
    let script = recorded.script()?;
    let bot = match ProcessPlayer::start(launch).await? {
        Ok(bot) => bot,
        Err(NoDecision::Fault(fault, _)) => {
            let now = BotReply::Fault { code: fault.code, message: fault.message() };
            return Ok(vec![GivenAnswer { place: TurnRef { round: 0, action: 0 }, recorded: None, now }]);
        }
        Err(NoDecision::HostOverloaded(overload)) => return Err(RerunError::Busy(overload)),
    };
    let recorded_player = RecordedPlayer::new(script.of_seat(seat));
    let mut asked = AskedBot { bot, recorded: recorded_player, given: Vec::new(), has_faulted: false };
    recorded.play(seat, &script, &mut asked, None).await?;
    if asked.has_faulted {
        asked.bot.kill().await?;
    } else {
        asked.bot.end().await?;
    }
    Ok(asked.given)
}

/// A seat that asks the bot, and plays what was recorded.
struct AskedBot {
    bot: ProcessPlayer,
    recorded: RecordedPlayer,
    given: Vec<GivenAnswer>,
    has_faulted: bool,
}

impl Player for AskedBot {
    fn send(&mut self, message: &ToBot<'_>) {
        if !self.has_faulted {
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
        if self.has_faulted {
            return Ok(line.answered);
        }
        let answered = self.bot.decide(turn, allowance, watch).await?;
        let Some(now) = BotReply::from_answered(&answered) else {
            return Ok(answered); // the host is to blame: the match has no result
        };
        self.has_faulted = answered.is_err();
        let recorded = line.answered.as_ref().ok().map(|decision| decision.action);
        self.given.push(GivenAnswer { place: line.place, recorded, now });
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        if self.has_faulted { Ok(()) } else { self.bot.flush().await }
    }
}
