//! A bot at a table with people: a process that may have to repeat earlier answers, and may have to wait for a step.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use leyden_protocol::{ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, Player, PlayerProcess, ProcessPlayer};
use tokio::sync::Semaphore;

use super::messages::ToPerson;

/// A bot's process, its earlier answers and its pace.
pub(super) struct SeatedBot {
    pub(super) process: ProcessPlayer,
    /// Recorded answers to repeat. The bot is still asked, because it may keep state.
    before: VecDeque<Decision>,
    pace: Option<StepGate>,
}

/// Lets one decision through for each [`Step`](super::messages::FromPerson::Step).
#[derive(Clone)]
pub(super) struct StepGate {
    pub(super) steps: Rc<Semaphore>,
    pub(super) sender: Sender<ToPerson>,
}

impl StepGate {
    async fn wait(&self) {
        if self.steps.available_permits() == 0 {
            let _ = self.sender.send(ToPerson::Waits); // the receiver may be gone
        }
        if let Ok(step) = self.steps.acquire().await {
            step.forget();
        }
    }
}

impl SeatedBot {
    pub(super) fn new(process: ProcessPlayer, before: VecDeque<Decision>, pace: Option<StepGate>) -> Self {
        Self { process, before, pace }
    }
}

impl Player for SeatedBot {
    fn send(&mut self, message: &ToBot<'_>) {
        self.process.send(message);
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let before = self.before.pop_front();
        if let (None, Some(pace)) = (&before, &self.pace) {
            pace.wait().await;
        }
        let answered = self.process.decide(turn, allowance, watch).await?;
        Ok(match before {
            Some(before) => answered.map(|_| before),
            None => answered,
        })
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.process.flush().await
    }

    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        self.process.process()
    }
}
