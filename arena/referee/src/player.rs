//! Who sits at a table: somebody who is told what happens and answers when asked.

use std::io;
use std::time::Duration;

use leyden_protocol::{Action, ToBot, Turn};

use super::fault::Fault;
use super::overload::Overload;

/// An answer to a turn. Whether it is legal is for the referee to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub action: Action,
    pub note: Option<String>,
    /// What is recorded: from the request to the complete answer, or the time on the processors meanwhile.
    pub took: Duration,
    /// What it is charged: not what the arena itself was late.
    pub charged: Duration,
    /// By how much the arena itself looked late meanwhile.
    pub late: Duration,
}

/// What a player's process did in a match while it was not its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffTurnUse {
    /// The time on the processors that it used for certain.
    pub used: Duration,
    /// Whether that was too much, in this match or before: it is stopped while it is not its turn.
    pub stopped: bool,
}

/// What a question came to.
pub type Answered = Result<Decision, NoDecision>;

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDecision {
    /// The bot's fault, and how long it took if something came.
    #[error("{0}")]
    Fault(Fault, Option<Duration>),
    /// The time was up, but the arena itself was not awake long enough to say that the bot is to blame.
    #[error("{0}")]
    HostOverloaded(Overload),
}

impl NoDecision {
    /// The same of a question that stands alone ([`Fault::alone`]).
    #[must_use]
    pub fn alone(self) -> Self {
        match self {
            Self::Fault(fault, took) => Self::Fault(fault.alone(), took),
            other @ Self::HostOverloaded(_) => other,
        }
    }
}

impl From<Fault> for NoDecision {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault, None)
    }
}

/// A seat's player. Errors are the arena's own; whatever a bot does is in [`Answered`].
#[allow(async_fn_in_trait, reason = "players live on the thread that asks them")]
pub trait Player {
    /// Tells something that is not answered. It may wait for the next question to be sent.
    fn tell(&mut self, message: &ToBot<'_>);

    /// Asks for a decision, to be made within the allowance. `watch` is called now and then while it takes long.
    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<Answered>;

    /// Sends what is still to be told, without waiting for anybody to read it.
    async fn flush(&mut self) -> io::Result<()>;

    /// Somebody else thinks: a look at what this one does meanwhile.
    fn watch(&mut self) {}

    /// The process that plays; `None` for a person and whoever else is none.
    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        None
    }
}

/// What is known of a player's process beside its answers.
pub trait PlayerProcess {
    /// The match is over: what was done off turn since the end of the last one, where the system tells.
    fn off_turn(&mut self) -> Option<OffTurnUse>;

    /// What is kept of its standard error.
    fn stderr(&self) -> String;
}
