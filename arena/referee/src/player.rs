//! The players at a table: they receive messages and answer questions.

use std::io;
use std::time::Duration;

use leyden_protocol::{Action, Note, ToBot, Turn};

use super::fault::Fault;
use super::overload::OverloadError;

/// An answer to a turn. The referee checks whether it is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What the seat does.
    pub action: Action,
    /// What its player wrote with it.
    pub note: Option<Note>,
    /// The recorded time: from the request to the complete answer, or the processor time in between.
    pub took: Duration,
    /// The charged time: without the arena's own delay.
    pub charged: Duration,
    /// How late the arena itself looked during that time.
    pub late: Duration,
}

/// What a player's process did off turn in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffTurnUse {
    /// The processor time that it certainly used.
    pub used: Duration,
    /// Whether that was too much, in this match or before: it is stopped while it is not its turn.
    pub stopped: bool,
}

/// The result of a question.
pub type DecisionResult = Result<Decision, DecisionError>;

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The bot's fault, and how long it took if something came.
    #[error("{0}")]
    Fault(Fault, Option<Duration>),
    /// The time was up, but the arena itself was not awake enough to blame the bot.
    #[error("{0}")]
    HostOverloaded(OverloadError),
}

impl DecisionError {
    /// Makes this the result of a question that stands alone ([`Fault::alone`]).
    #[must_use]
    pub fn alone(self) -> Self {
        match self {
            Self::Fault(fault, took) => Self::Fault(fault.alone(), took),
            other @ Self::HostOverloaded(_) => other,
        }
    }
}

impl From<Fault> for DecisionError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault, None)
    }
}

/// A seat's player. Errors are the arena's own; everything a bot does is in [`DecisionResult`].
///
/// ```
/// use std::{io, time::Duration};
/// use leyden_protocol::{ToBot, Turn};
/// use leyden_referee::{DecisionResult, Decision, Player, SeatedPlayer};
///
/// /// Plays the first legal action, at once.
/// struct FirstLegal;
///
/// impl Player for FirstLegal {
///     fn send(&mut self, _: &ToBot<'_>) {}
///
///     async fn decide(&mut self, turn: &Turn<'_>, _: Duration, _: &mut dyn FnMut()) -> io::Result<DecisionResult> {
///         let [took, charged, late] = [Duration::ZERO; 3];
///         Ok(Ok(Decision { action: turn.legal[0], note: None, took, charged, late }))
///     }
///
///     async fn flush(&mut self) -> io::Result<()> { Ok(()) }
/// }
///
/// let mut player = FirstLegal;
/// let seats = [SeatedPlayer::Other(&mut player)]; // the players of a `play_match`
/// # drop(seats);
/// ```
#[allow(async_fn_in_trait, reason = "players live on the thread that asks them")]
pub trait Player {
    /// Sends a message that is not answered. It may be delayed until the next question.
    fn send(&mut self, message: &ToBot<'_>);

    /// Asks for a decision within the allowance. `watch` is called repeatedly if it takes long.
    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult>;

    /// Sends delayed messages, without waiting for the player to read them.
    async fn flush(&mut self) -> io::Result<()>;

    /// Returns the process that plays; `None` for players without one, such as a person.
    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        None
    }
}

/// What belongs to a player that is a process, in addition to its answers.
pub trait PlayerProcess {
    /// Checks what it does while another player thinks.
    fn watch(&mut self);

    /// Returns its fault if it ran although it was stopped, unless that was returned before.
    fn ran(&mut self) -> Option<Fault>;

    /// Ends the match. Returns what was done off turn since the end of the last one, if the system reports it.
    fn off_turn(&mut self) -> Option<OffTurnUse>;

    /// Returns the kept excerpt of its standard error.
    fn stderr(&self) -> String;
}
