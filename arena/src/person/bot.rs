//! A bot at a table with people: a process that may have to give answers again, and to wait until it is told to go on.

use std::collections::VecDeque;
use std::io;
use std::rc::Rc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use leyden_protocol::{ToBot, Turn};
use leyden_referee::{Answered, Decision, Player, PlayerProcess, ProcessPlayer};
use tokio::sync::Semaphore;

use super::messages::ToPerson;

/// A bot's process and what it has to keep to.
pub(super) struct SeatedBot {
    pub(super) process: ProcessPlayer,
    /// What it answered before. It is asked all the same, since it may remember, and these count.
    before: VecDeque<Decision>,
    pace: Option<StepGate>,
}

/// Lets one decision be made for each word to go on.
#[derive(Clone)]
pub(super) struct StepGate {
    pub(super) steps: Rc<Semaphore>,
    pub(super) told: Sender<ToPerson>,
}

impl StepGate {
    async fn wait(&self) {
        if self.steps.available_permits() == 0 {
            let _ = self.told.send(ToPerson::Waits); // nobody may look any more
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
    fn tell(&mut self, message: &ToBot<'_>) {
        self.process.tell(message);
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<Answered> {
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

    fn watch(&mut self) {
        self.process.watch();
    }

    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        self.process.process()
    }
}
