//! Why there is no decision: the bot's fault or the machine's, and what is known of the process that may explain it.

use std::io;
use std::time::Duration;

use leyden_host::{ExitStatus, ReadLineError, bad_program};
use leyden_model::{Cause, FaultFact, Pondering, SandboxLevel};
use leyden_protocol::{FaultCode, Turn};
use tokio::time::Instant;

use super::ProcessPlayer;
use crate::hidden_paths::{shown, without_folder};
use crate::limit::Limit;
use crate::mistakes::mistake_in;
use crate::overload::{CROWD, missed};
use crate::player::DecisionError;
use crate::sandbox_denials::out_of_reach;

impl ProcessPlayer {
    /// Decides who is to blame that there is no decision, and adds what is known of the process.
    pub(super) async fn blame(
        &mut self,
        failed: DecisionError,
        turn: &Turn<'_>,
        limit: Limit,
        deadline: Instant,
    ) -> io::Result<DecisionError> {
        let DecisionError::HostOverloaded(_) = failed else {
            return self.explain(failed, deadline, limit.real_time()).await;
        };
        let crowd = self.process.runnable_threads();
        let its_own_doing = if crowd > CROWD {
            Some(FaultFact::Threads(crowd))
        } else if let Some((late, own)) = self.kept_busy {
            Some(FaultFact::KeptBusy { late_us: late.as_micros() as u64, own_us: own.as_micros() as u64 })
        } else if self.had_its_time(crowd, limit.real_time()) {
            Some(FaultFact::BusyMachine)
        } else {
            None
        };
        let Some(fact) = its_own_doing else { return Ok(failed) };
        let mut failed = self.client.blame(ReadLineError::TimedOut, turn, limit);
        if let DecisionError::Fault(fault, _) = &mut failed {
            fault.know(fact);
        }
        self.explain(failed, deadline, limit.real_time()).await
    }

    /// Whether it computed in its last turn for all of its time, however busy the machine was: counting every thread
    /// that still want to run, if the table has cores for them.
    pub(super) fn had_its_time(&self, threads: usize, allowance: Duration) -> bool {
        let is_stopped = self.held || self.launch.pondering == Pondering::Never;
        let at_once = if is_stopped { self.launch.cores } else { threads.clamp(1, self.launch.cores) };
        let whole = allowance.saturating_mul(at_once as u32);
        self.computed.is_some_and(|used| used >= whole.saturating_sub(missed(whole)))
    }

    /// Adds what is known of the process to a fault whose time ended at `deadline`. A sandbox that could not be set up
    /// is not a fault: it is the arena's failure.
    pub(super) async fn explain(
        &mut self,
        failed: DecisionError,
        deadline: Instant,
        waited: Duration,
    ) -> io::Result<DecisionError> {
        let DecisionError::Fault(mut fault, took) = failed else { return Ok(failed) };
        let mut ending = None;
        if fault.failure == Some(ReadLineError::Closed) {
            ending = self.process.exit_status(deadline).await;
            if let Some(ExitStatus::NotStarted(reason)) = &ending {
                return Ok(self.launch.not_started(reason).into());
            }
            if let Some(ExitStatus::HostFailed(reason)) = &ending {
                self.process.read_stderr().await;
                let said = format!("{reason} {}", self.process.stderr());
                return Err(io::Error::other(format!("a bot could not be started: {}", said.trim())));
            }
            let failed = fault.code == FaultCode::Handshake && matches!(ending, Some(ExitStatus::Code(1..)));
            fault.know_ending(ending.as_ref());
            let command = &self.launch.command;
            if failed && let Some(why) = bad_program(&command.program, &|path| shown(path, command)) {
                fault = fault.likely(Cause::Unrunnable(why));
            }
        }
        if fault.failure == Some(ReadLineError::TimedOut) && !fault.has_received() {
            // A process that is stopped off turn does not want to run.
            let is_stopped = self.held || self.launch.pondering == Pondering::Never;
            let runs = (!is_stopped).then(|| self.process.runnable_threads() > 0);
            fault.know_computed(self.computed, runs, waited);
        }
        if self.interrupts && fault.failure == Some(ReadLineError::TimedOut) {
            self.process.interrupt().await;
        }
        self.process.read_stderr().await;
        let said = self.process.stderr();
        let stderr_text = without_folder(&said, &self.launch.command);
        if let (Some(ExitStatus::Code(1..)), Some(mistake)) = (&ending, mistake_in(&said)) {
            fault = fault.likely(Cause::Mistake(mistake));
        }
        self.memory.annotate(&mut fault, self.launch.launcher.memory_limit(), &said, ending.as_ref());
        if self.launch.launcher.level() != SandboxLevel::None
            && let Some(denial) = out_of_reach(&said, &self.launch.command)
        {
            fault.know(FaultFact::Sandbox(denial));
        }
        fault.hide(|received| without_folder(received, &self.launch.command));
        if self.launch.launcher.is_at_terminal() {
            fault.know_stderr_is_shown();
        } else {
            fault.know_stderr(&stderr_text);
        }
        Ok(DecisionError::Fault(fault, took))
    }
}
