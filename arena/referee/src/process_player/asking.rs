//! Asks a process for a decision, and charges it: by the real time that the process could use, or by processor
//! time.

use std::io;
use std::time::Duration;

use leyden_host::{BotProcess, CpuReading, NextCheck, ReadLineError, Watchdog, platform};
use leyden_model::{AwaitedAnswer, FaultFact};
use leyden_protocol::{ClockKind, Turn};
use tokio::time::Instant;

use super::{FIRST_LOOK, ProcessPlayer};
use crate::fair_clock::FairClock;
use crate::fault::Fault;
use crate::lateness::LateLooks;
use crate::limit::Limit;
use crate::overload::{Lateness, OverloadError};
use crate::player::{Decision, DecisionError, DecisionResult};

impl ProcessPlayer {
    /// Asks the process for a decision, from now on.
    pub(super) async fn ask(
        &mut self,
        turn: &Turn<'_>,
        limit: Limit,
        start: Instant,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        self.attend(start);
        if let Some(ran) = self.has_run.take() {
            self.rest(start, Duration::ZERO);
            return Ok(Err(Fault::ran(ran).into()));
        }
        let answered = match self.launch.limits.clock {
            ClockKind::Wall => self.ask_by_real_time(turn, limit, start, watch).await,
            ClockKind::Cpu => self.ask_by_cpu_time(turn, limit, start, watch).await,
        };
        let end = self.client.ended().max(start); // a bot that cannot be asked sends nothing
        self.rest(end, end - start);
        answered
    }

    /// Asks, charging the real time that the bot could use.
    async fn ask_by_real_time(
        &mut self,
        turn: &Turn<'_>,
        limit: Limit,
        start: Instant,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let pause = self.look;
        let mut clock = FairClock::new(start, limit.real_time(), self.launch.cores);
        let first_check = pause.min(FIRST_LOOK);
        let mut looks = LateLooks::begin(start, self.off_turn.seen(), first_check, self.launch.cores);
        let (process, memory, waited) = (&mut self.process, &mut self.memory, &mut self.arena_waited);
        let check = &mut || {
            note_look(&mut looks, process, waited, pause);
            watch();
            let now = Instant::now();
            memory.look(process, now);
            clock.look(process, now).map_or(NextCheck::After(pause), |due| NextCheck::Until(due, pause))
        };
        let answered = self.client.ask(turn, limit, start, &mut Watchdog { first_check, check }).await?;
        self.kept_busy = looks.blame();
        Ok(match answered {
            // It came late, and so did the arena, which the bot kept from the processors.
            Ok(decision) if decision.took > limit.real_time() + clock.taken() && self.kept_busy.is_some() => {
                Err(self.client.overdue(turn, limit, decision.took))
            }
            Ok(decision) => {
                let own = self.kept_busy.map_or(Duration::ZERO, |(_, own)| own);
                let charged = (decision.charged + own).min(decision.took).saturating_sub(clock.taken());
                Ok(Decision { charged, ..decision })
            }
            Err(DecisionError::Fault(fault, _))
                if fault.failure == Some(ReadLineError::TimedOut) && clock.is_spoilt() =>
            {
                Err(DecisionError::HostOverloaded(OverloadError {
                    seat: None,
                    what: AwaitedAnswer::Turn(turn.id),
                    allowance: limit.allowance(),
                    late: clock.taken(),
                    by: Lateness::Processors,
                }))
            }
            Err(mut failed) => {
                if let DecisionError::Fault(fault, _) = &mut failed
                    && clock.taken() > Duration::ZERO
                {
                    fault.know(FaultFact::NotCounted { us: clock.taken().as_micros() as u64 });
                }
                Err(failed)
            }
        })
    }

    /// Asks, charging the processor time that the bot uses.
    async fn ask_by_cpu_time(
        &mut self,
        turn: &Turn<'_>,
        limit: Limit,
        start: Instant,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let (pause, cores) = (self.look, self.launch.cores);
        let Some(before) = self.process.cpu_time(CpuReading::Exact) else {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "this system does not report a bot's processor time",
            ));
        };
        let first = match limit.next_look(Duration::ZERO, cores) {
            NextCheck::After(first) => first.min(pause),
            NextCheck::GiveUp | NextCheck::Until(..) => pause,
        };
        let mut looks = LateLooks::begin(start, before, first, cores);
        let (process, memory, waited) = (&mut self.process, &mut self.memory, &mut self.arena_waited);
        let spent = |process: &mut BotProcess| {
            process.cpu_time(CpuReading::Exact).map_or(Duration::ZERO, |now| now.saturating_sub(before))
        };
        let check = &mut || {
            note_look(&mut looks, process, waited, pause);
            watch();
            memory.look(process, Instant::now());
            match limit.next_look(spent(process), cores) {
                NextCheck::After(next) => NextCheck::After(next.min(pause)),
                other => other,
            }
        };
        let answered =
            self.client.ask(turn, limit, start, &mut Watchdog { first_check: first, check }).await?;
        self.kept_busy = looks.blame();
        let took = spent(&mut self.process);
        Ok(match answered {
            Ok(_) if took > limit.allowance() => Err(self.client.overdue(turn, limit, took)),
            Ok(decision) => Ok(Decision { took, charged: took, ..decision }),
            Err(DecisionError::Fault(fault, heard)) => Err(DecisionError::Fault(fault, heard.map(|_| took))),
            Err(overloaded) => Err(overloaded),
        })
    }
}

/// Notes a look of the arena at its clock; the next one comes `pause` later at the latest.
fn note_look(looks: &mut LateLooks, process: &mut BotProcess, before: &mut Duration, pause: Duration) {
    let now = Instant::now();
    if looks.is_late(now)
        && let Some(used) = process.cpu_time(CpuReading::Quick)
    {
        let waited = platform::own_wait().unwrap_or_default();
        looks.late(now, used, waited.saturating_sub(*before));
        *before = waited;
    }
    looks.plan(Instant::now() + pause);
}
