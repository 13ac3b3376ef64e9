//! A player that is a child process: started and greeted, asked, started again if it left between two matches.

use std::io;
use std::time::Duration;

use leyden_protocol::{FaultCode, Hello, MatchStart, ToBot, Turn, VERSION};
use leyden_rules::Rules;
use tokio::process::{ChildStdin, ChildStdout};

use super::fault::Fault;
use super::player::{Answered, Player};
use super::speaker::Speaker;
use crate::bot::{Command, Ending, Launcher, Process};
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
    pub async fn start(launch: &Launch) -> io::Result<Result<Self, Fault>> {
        let (process, stdout, stdin) = match launch.launcher.start(&launch.command) {
            Ok(started) => started,
            // A folder that is gone is as much the bot's fault as a program that is gone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Err(not_started(launch, &error.to_string())));
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
        match live.speaker.greet(&hello, launch.limits.startup()).await? {
            Ok(()) => Ok(Ok(live)),
            Err(fault) => {
                let fault = live.explain(fault).await;
                live.kill().await?;
                Ok(Err(fault))
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

    /// Adds what is known of the process to a fault.
    async fn explain(&mut self, fault: Fault) -> Fault {
        let ending = match fault.code {
            FaultCode::Exited | FaultCode::Handshake => self.process.ending().await,
            _ => None,
        };
        let closed = fault.code == FaultCode::Exited || fault.message.contains("closed its standard output");
        let (code, more) = match ending {
            Some(Ending::NotStarted(reason)) => return not_started(&self.launch, &reason),
            Some(Ending::Code(code)) => (fault.code, format!(". The process ended with exit code {code}")),
            Some(Ending::Signal(signal)) => {
                (fault.code, format!(". The process was ended by {}", signal_name(signal)))
            }
            None if closed => (fault.code, ". The process is still running".to_owned()),
            None => (fault.code, String::new()),
        };
        let said = self.process.stderr();
        let last = said.lines().rfind(|line| !line.trim().is_empty());
        let last = last.map_or(String::new(), |line| {
            format!(
                " Its last line on standard error: {}",
                leyden_protocol::printable(line.trim().as_bytes(), 200)
            )
        });
        let stop = if more.is_empty() { "" } else { "." };
        Fault { code, message: format!("{}{more}{stop}{last}", fault.message.trim_end_matches('.')), ..fault }
    }

    /// Whether the process left after its last match, which is no fault.
    fn left_between(&self, fault: &Fault) -> bool {
        self.used && fault.code == FaultCode::Exited && fault.received.is_empty()
    }
}

fn not_started(launch: &Launch, reason: &str) -> Fault {
    let message = format!(
        "the bot's program {} could not be started: {reason}. Check that it is there, that it is executable, and that \
         a script names its interpreter in the first line.",
        launch.command.program.display()
    );
    Fault::new(FaultCode::Spawn, message, b"")
}

fn signal_name(signal: i32) -> String {
    let name = rustix::process::Signal::from_named_raw(signal).map(|signal| format!(" ({signal:?})"));
    format!("signal {signal}{}", name.unwrap_or_default())
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
        let answered = self.speaker.ask(turn, allowance).await?;
        let beginning = self.beginning.take();
        let (fault, took) = match answered {
            Ok(decision) => return Ok(Ok(decision)),
            Err(failed) => failed,
        };
        if let Some(start) = beginning.filter(|_| self.left_between(&fault)) {
            *self = match Self::start(&self.launch).await? {
                Ok(fresh) => fresh,
                Err(fault) => return Ok(Err((fault, None))),
            };
            self.speaker.tell(&ToBot::MatchStart(start));
            return Ok(match self.speaker.ask(turn, allowance).await? {
                Err((fault, took)) => Err((self.explain(fault).await, took)),
                answered => answered,
            });
        }
        Ok(Err((self.explain(fault).await, took)))
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.speaker.flush().await
    }

    fn stderr(&self) -> String {
        self.process.stderr()
    }
}
