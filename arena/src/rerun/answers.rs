//! Asks a bot every question of a recorded match, which goes on as recorded for any answer.

use leyden_model::TurnRef;
use leyden_protocol::{Action, Seat};
use leyden_referee::{DecisionError, Launch, ProcessPlayer};

use super::asked_bot::{AskedBot, GivenReply, Questions};
use super::script::RecordedPlayer;
use super::{BotReply, RecordedMatch, RerunError};

/// What a bot answered, and what the bot of the record had chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    pub turn_ref: TurnRef,
    /// `None` after a fault.
    pub recorded: Option<Action>,
    /// What the bot answers now.
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
        Err(DecisionError::Fault(fault, _)) => {
            let now = BotReply::from_fault(&fault);
            return Ok(vec![GivenAnswer { turn_ref: TurnRef { round: 0, action: 0 }, recorded: None, now }]);
        }
        Err(DecisionError::HostOverloaded(overload)) => return Err(RerunError::Busy(overload)),
    };
    let mut asked = AskedBot::new(bot, RecordedPlayer::new(script.of_seat(seat)), Questions::All);
    recorded.play(seat, &script, &mut asked, None).await?;
    let (given, _) = asked.end().await?;
    Ok(given.into_iter().map(GivenAnswer::from).collect())
}

impl From<GivenReply> for GivenAnswer {
    fn from(GivenReply { turn_ref, recorded, now, .. }: GivenReply) -> Self {
        let recorded = match recorded {
            BotReply::Action(action) => Some(action),
            BotReply::Ready | BotReply::Fault { .. } => None,
        };
        Self { turn_ref, recorded, now }
    }
}
