//! The person's seat: asks over a channel, and waits for as long as it takes.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use leyden_protocol::{Action, ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, Player};
use tokio::sync::mpsc::Receiver;
use tokio::time::sleep;

use super::messages::ToPerson;

/// How often the other bots are checked while a person thinks.
const LOOK: Duration = Duration::from_millis(100);

/// A player whose answers come from outside.
pub(super) struct Person {
    sender: Sender<ToPerson>,
    /// Each answer with the number of its turn.
    answers: Receiver<(u64, Action)>,
    /// Recorded decisions to repeat.
    before: VecDeque<Decision>,
}

impl Person {
    pub(super) fn new(
        sender: Sender<ToPerson>,
        answers: Receiver<(u64, Action)>,
        before: VecDeque<Decision>,
    ) -> Self {
        Self { sender, answers, before }
    }
}

impl Player for Person {
    /// The person sees events through the projection instead.
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        if let Some(before) = self.before.pop_front() {
            return Ok(Ok(before));
        }
        let asked = Instant::now();
        let _ = self.sender.send(ToPerson::Asked(Box::new(turn.clone().into_owned()))); // the receiver may be gone
        loop {
            tokio::select! {
                answer = self.answers.recv() => match answer {
                    // Ignores illegal actions and those for another turn, such as a second click.
                    Some((id, action)) if id == turn.id && turn.legal.contains(&action) => {
                        let (took, nothing) = (asked.elapsed(), Duration::ZERO);
                        return Ok(Ok(Decision { action, note: None, took, charged: nothing, late: nothing }));
                    }
                    Some(_) => {}
                    None => return Err(io::Error::other("nobody sits at this seat any more")),
                },
                () = sleep(LOOK) => watch(),
            }
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
