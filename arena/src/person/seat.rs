//! The seat of a person: asks by a channel, and waits as long as it takes.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use leyden_protocol::{Action, ToBot, Turn};
use leyden_referee::{Answered, Decision, Player};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;

use super::messages::ToPerson;

/// How often the others are looked at while a person thinks.
const LOOK: Duration = Duration::from_millis(100);

/// Somebody who answers from outside.
pub(super) struct Person {
    told: Sender<ToPerson>,
    /// For which turn, and what.
    answers: UnboundedReceiver<(u64, Action)>,
    /// What was answered before and counts again.
    before: VecDeque<Decision>,
}

impl Person {
    pub(super) fn new(
        told: Sender<ToPerson>,
        answers: UnboundedReceiver<(u64, Action)>,
        before: VecDeque<Decision>,
    ) -> Self {
        Self { told, answers, before }
    }
}

impl Player for Person {
    /// What happens is shown as the seat's projection.
    fn tell(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<Answered> {
        if let Some(before) = self.before.pop_front() {
            return Ok(Ok(before));
        }
        let asked = Instant::now();
        let _ = self.told.send(ToPerson::Asked(Box::new(turn.clone().into_owned()))); // nobody may look any more
        loop {
            tokio::select! {
                answer = self.answers.recv() => match answer {
                    // Pressing twice answers once: what is for another turn, or not possible, is not taken.
                    Some((id, action)) if id == turn.id && turn.legal.contains(&action) => {
                        let (took, nothing) = (asked.elapsed(), Duration::ZERO);
                        return Ok(Ok(Decision { action, note: None, took, charged: nothing, late: nothing }));
                    }
                    Some(_) => {}
                    None => return Err(io::Error::other("nobody sits there any more")),
                },
                () = sleep(LOOK) => watch(),
            }
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
