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
    /// From the request to the complete answer.
    pub took: Duration,
    /// By how much the arena itself looked late meanwhile.
    pub late: Duration,
}

/// What a question came to.
pub type Answered = Result<Decision, Failed>;

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// The bot's fault, and how long it took if something came.
    #[error("{0}")]
    Fault(Fault, Option<Duration>),
    /// The time was up, but the arena itself was not awake long enough to say that the bot is to blame.
    #[error("{0}")]
    HostOverloaded(Overload),
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault, None)
    }
}

/// A seat's player. Errors are the arena's own; whatever the bot does is in [`Answered`].
#[allow(async_fn_in_trait, reason = "players live on the thread that asks them")]
pub trait Player {
    /// Tells something that is not answered. It may wait for the next question to be sent.
    fn tell(&mut self, message: &ToBot<'_>);

    /// Asks for a decision, to be made within the allowance.
    async fn decide(&mut self, turn: &Turn<'_>, allowance: Duration) -> io::Result<Answered>;

    /// Sends what is still to be told, without waiting for anybody to read it.
    async fn flush(&mut self) -> io::Result<()>;

    /// What is kept of the bot's standard error.
    fn stderr(&self) -> String {
        String::new()
    }
}
