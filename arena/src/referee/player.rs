//! Who sits at a table: somebody who is told what happens and answers when asked.

use std::io;
use std::time::Duration;

use leyden_protocol::{Action, ToBot, Turn};

use super::fault::Fault;

/// An answer to a turn. Whether it is legal is for the referee to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub action: Action,
    pub note: Option<String>,
    /// From the request to the complete answer.
    pub took: Duration,
}

/// What a question came to: a decision, or the bot's fault and how long it took.
pub type Answered = Result<Decision, (Fault, Option<Duration>)>;

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
