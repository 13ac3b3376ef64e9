//! A player that is a child process: started and greeted, asked, started again if it left between two matches.

use std::io;
use std::time::Duration;

use leyden_protocol::{FaultCode, Hello, MatchStart, ToBot, Turn, VERSION};
use leyden_rules::Rules;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;

use super::fault::Fault;
use super::overload::CROWD;
use super::player::{Answered, Failed, Player};
use super::speaker::Speaker;
use crate::bot::{Command, Ending, Failure, Launcher, Process};
use crate::settings::TimeLimits;

/// What the arena calls itself towards bots.
const ARENA: &str = concat!("leyden-arena ", env!("CARGO_PKG_VERSION"));

/// Everything needed to start one bot for one tournament.
#[derive(Clone, Debug)]
pub struct Launch {
    pub launcher: Launcher,
    pub command: Command,
    pub rules: Rules,
    pub limits: TimeLimits,
}

/// A bot's process that has said `ready`. Dropping it kills the process and all it started.
pub struct Live {
    launch: Launch,
    process: Process,
    speaker: Speaker<ChildStdout, ChildStdin>,
    /// How the current match began, while the process has not yet answered in it.
    beginning: Option<MatchStart<'static>>,
    /// Whether the process has played a match before this one.
    used: bool,
}

impl Live {
    /// Starts the process and shakes hands. The inner result is the bot's doing.
    pub async fn start(launch: &Launch) -> io::Result<Result<Self, Failed>> {
        let (process, stdout, stdin) = match launch.launcher.start(&launch.command) {
            Ok(started) => started,
            // A folder that is gone is as much the bot's fault as a program that is gone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Err(not_started(launch, &error.to_string()).into()));
            }
            Err(error) => return Err(error),
        };
        let mut live = Self {
            launch: launch.clone(),
            process,
            speaker: Speaker::new(stdout, stdin),
            beginning: None,
            used: false,
        };
        let hello = Hello {
            protocol: VERSION,
            arena: ARENA.into(),
            rules: *launch.rules,
            limits: launch.limits.told(),
        };
        let deadline = Instant::now() + launch.limits.startup();
        match live.speaker.greet(&hello, launch.limits.startup()).await? {
            Ok(()) => Ok(Ok(live)),
            Err(failed) => {
                let failed = live.explain(failed, deadline).await;
                live.kill().await?;
                Ok(Err(failed))
            }
        }
    }

    /// Lets the process leave in peace. May take half a second with a bot that does not want to.
    pub async fn end(self) -> io::Result<()> {
        self.process.end(self.speaker.into_pipes()).await
    }

    /// Kills the process and all it started.
    pub async fn kill(self) -> io::Result<()> {
        self.process.kill().await
    }

    /// Says who is to blame that there is no decision, and adds what is known of the process.
    async fn judge(
        &mut self,
        failed: Failed,
        turn: &Turn<'_>,
        allowance: Duration,
        deadline: Instant,
    ) -> Failed {
        let crowd = match failed {
            Failed::HostOverloaded(_) => self.process.crowd(),
            Failed::Fault(..) => 0,
        };
        if crowd <= CROWD {
            return self.explain(failed, deadline).await;
        }
        let mut failed = self.speaker.blame(Failure::Deadline, turn, allowance);
        if let Failed::Fault(fault, _) = &mut failed {
            fault.know(
                "the bot's threads",
                format!("{crowd} want to run at once, which kept the arena itself waiting"),
            );
        }
        self.explain(failed, deadline).await
    }

    /// Adds what is known of the process to a fault, which had time until `deadline`.
    async fn explain(&mut self, failed: Failed, deadline: Instant) -> Failed {
        let Failed::Fault(mut fault, took) = failed else { return failed };
        if fault.failure == Some(Failure::Closed) {
            let ending = self.process.ending(deadline).await;
            if let Some(Ending::NotStarted(reason)) = ending {
                return not_started(&self.launch, &reason).into();
            }
            fault.know_ending(ending);
        }
        self.process.read_stderr().await;
        fault.know_stderr(&self.process.stderr());
        Failed::Fault(fault, took)
    }

    /// Whether the process left after its last match, which is no fault.
    fn left_between(&self, failed: &Failed) -> bool {
        let Failed::Fault(fault, _) = failed else { return false };
        self.used && fault.code == FaultCode::Exited && fault.received.is_empty()
    }
}

fn not_started(launch: &Launch, reason: &str) -> Fault {
    let what =
        format!("the bot's program {} could not be started: {reason}", launch.command.program.display());
    Fault::new(FaultCode::Spawn, what, b"").likely(
        "the program is not there or not executable, or the interpreter in a script's first line (#!…) is missing",
    )
}

impl Player for Live {
    fn tell(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::MatchStart(start) => self.beginning = Some(start.clone().into_owned()),
            ToBot::MatchEnd(_) => self.used = true,
            _ => {}
        }
        self.speaker.tell(message);
    }

    async fn decide(&mut self, turn: &Turn<'_>, allowance: Duration) -> io::Result<Answered> {
        let mut deadline = Instant::now() + allowance;
        let answered = self.speaker.ask(turn, allowance).await?;
        let beginning = self.beginning.take();
        let failed = match answered {
            Ok(decision) => return Ok(Ok(decision)),
            Err(failed) => failed,
        };
        let Some(start) = beginning.filter(|_| self.left_between(&failed)) else {
            return Ok(Err(self.judge(failed, turn, allowance, deadline).await));
        };
        *self = match Self::start(&self.launch).await? {
            Ok(fresh) => fresh,
            Err(failed) => return Ok(Err(failed)),
        };
        self.speaker.tell(&ToBot::MatchStart(start));
        deadline = Instant::now() + allowance;
        Ok(match self.speaker.ask(turn, allowance).await? {
            Err(failed) => Err(self.judge(failed, turn, allowance, deadline).await),
            answered => answered,
        })
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.speaker.flush().await
    }

    fn stderr(&self) -> String {
        self.process.stderr()
    }
}
