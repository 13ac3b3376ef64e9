//! The follower of a run that judges its pairs, and ends it once the gate is decided.

use leyden_model::RunEvent;
use leyden_stats::{Gate, GateReport};
use tokio::sync::watch;

use crate::report::RunningGate;
use crate::run::{Flow, FollowError, Follower};

/// Judges pairs in schedule order, and publishes the state of the gate.
pub(super) struct GateFollower {
    pub(super) gate: RunningGate,
    /// Whether the run was interrupted.
    pub(super) is_interrupted: bool,
    published: watch::Sender<Gate>,
}

/// The state of a gate while it is played, as last published. Reading it never delays the run.
#[derive(Clone, Debug)]
pub struct GateProgress(watch::Receiver<Gate>);

impl GateProgress {
    /// Returns the report on the pairs judged so far.
    pub fn report(&self) -> GateReport {
        let state = self.0.borrow().clone();
        state.report()
    }
}

impl GateFollower {
    pub(super) fn new(gate: RunningGate) -> Self {
        let published = watch::Sender::new(gate.state().clone());
        Self { gate, is_interrupted: false, published }
    }

    pub(super) fn progress(&self) -> GateProgress {
        GateProgress(self.published.subscribe())
    }
}

impl Follower for GateFollower {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let judged = match event {
            RunEvent::Match { rank, key, record } => self.gate.take(*rank, key, (**record).clone()),
            RunEvent::Void(void) => self.gate.void(&void.key),
            RunEvent::End(end) => {
                self.is_interrupted = end.interrupted;
                return Ok(Flow::GoOn);
            }
            RunEvent::Start(_) | RunEvent::Stage(_) | RunEvent::Move { .. } | RunEvent::Disabled(_) => {
                return Ok(Flow::GoOn);
            }
        };
        let is_over = judged.map_err(FollowError::new)?;
        if self.published.receiver_count() > 0 {
            self.published.send_replace(self.gate.state().clone());
        }
        Ok(if is_over { Flow::Stop } else { Flow::GoOn })
    }
}
