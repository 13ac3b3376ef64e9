//! A player that is a child process: started and greeted, asked, and started again if it exited between two matches.

mod asking;
mod blame;
mod launch;
#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use leyden_host::{
    BotInput, BotOutput, BotProcess, CpuReading, ReadLineError, ShutdownStep, StartError, platform,
};
use leyden_model::{Pondering, TimeLimits};
use leyden_protocol::{FaultCode, Hello, MatchStart, ToBot, Turn, VERSION, push_line};
use leyden_rules::Rules;
use tokio::time::Instant;

use crate::client::{Client, with_unknown_field};
use crate::fault::Fault;
use crate::hidden_paths::without_folder;
use crate::limit::Limit;
use crate::memory_watch::MemoryWatch;
use crate::off_turn::{self, MOMENT, OffTurn};
use crate::player::{DecisionError, DecisionResult, OffTurnUse, Player, PlayerProcess};

pub use launch::Launch;

/// The name of the arena in `hello`.
const ARENA: &str = concat!("leyden-arena ", env!("CARGO_PKG_VERSION"));

/// How often to look whether a process stands still.
const STANDSTILL_LOOK: Duration = Duration::from_millis(1);

/// How long it may take until a process is gone after that.
const LATEST_DEATH: Duration = Duration::from_secs(35);

/// How long a process that hardly uses a processor may need until it stands still.
const LATEST_STANDSTILL: Duration = Duration::from_secs(5);

/// When the arena first looks at a bot that it waits for, at the latest.
const FIRST_LOOK: Duration = Duration::from_millis(10);

/// How long the measured memory of a process holds: measuring it takes as long as ten decisions, and a match of quick bots has a
/// hundred.
const MEASURED: Duration = Duration::from_millis(100);

/// A bot's process that has sent `ready`. Dropping it kills the process and everything it started.
pub struct ProcessPlayer {
    launch: Launch,
    process: BotProcess,
    client: Client<BotOutput, BotInput>,
    /// How the current match began, until the process has answered in it.
    beginning: Option<MatchStart<'static>>,
    /// Whether the process has played a match before this one.
    used: bool,
    off_turn: OffTurn,
    /// When its last turn ended, and when it was last looked at.
    rests_since: Instant,
    looked: Instant,
    /// What it used in its last turn, if that was long enough to be looked at; too high at most by what came before it.
    computed: Option<Duration>,
    /// Whether it is stopped while it is not its turn, because it has used too much time then.
    held: bool,
    memory: MemoryWatch,
    /// What it has used since it was last stopped.
    ran: Duration,
    /// The same once it is too much: a fault that is reported at its next turn.
    has_run: Option<Duration>,
    /// The time between two looks at the process in its turn.
    look: Duration,
    /// The memory that it kept when parked, in bytes, and when that was last measured.
    parked_memory: u64,
    measured: Option<Instant>,
    /// How late the arena was in its last turn, and how much of that was its doing, if that was most of it.
    kept_busy: Option<(Duration, Duration)>,
    /// How long the arena's thread had waited for a processor when it was last late.
    arena_waited: Duration,
    /// Whether it is interrupted when it is late, to print where it was.
    interrupts: bool,
}

impl ProcessPlayer {
    /// Starts the process and shakes hands. The inner result is the bot's doing.
    pub async fn start(launch: &Launch) -> io::Result<Result<Self, DecisionError>> {
        Self::start_with(launch, Client::new).await
    }

    /// The same with fields and types of lines that no protocol version has: the process should skip them. The first
    /// line is [`hello_with_unknown_words`]; [`sent_with_unknown_words`](Self::sent_with_unknown_words) returns all of
    /// them.
    pub async fn start_with_unknown_words(launch: &Launch) -> io::Result<Result<Self, DecisionError>> {
        Self::start_with(launch, Client::with_unknown_words).await
    }

    /// Returns all lines sent to a process that was started like that.
    pub fn sent_with_unknown_words(&self) -> String {
        String::from_utf8_lossy(self.client.sent_with_unknown_words().unwrap_or_default()).into_owned()
    }

    async fn start_with(
        launch: &Launch,
        client: fn(BotOutput, BotInput) -> Client<BotOutput, BotInput>,
    ) -> io::Result<Result<Self, DecisionError>> {
        let (process, stdout, stdin) = match launch.launcher.start(&launch.command) {
            Ok(started) => started,
            Err(StartError::Bot(reason)) => return Ok(Err(launch.not_started(&reason).into())),
            Err(StartError::Host(reason)) => {
                return Err(io::Error::other(format!("a bot could not be started: {reason}")));
            }
        };
        let mut player = Self {
            launch: launch.clone(),
            process,
            client: client(stdout, stdin),
            beginning: None,
            used: false,
            off_turn: OffTurn::default(),
            rests_since: Instant::now(),
            looked: Instant::now(),
            computed: None,
            held: false,
            memory: MemoryWatch::new(Instant::now()),
            ran: Duration::ZERO,
            has_run: None,
            look: launch.look(),
            parked_memory: 0,
            kept_busy: None,
            arena_waited: platform::own_wait().unwrap_or_default(),
            measured: None,
            interrupts: false,
        };
        let hello = hello(&launch.rules, &launch.limits);
        let deadline = Instant::now() + launch.limits.startup();
        match player.client.greet(&hello, launch.limits.startup()).await? {
            Ok(()) => {
                player.process.wait_until_running().await?;
                let used = player.process.cpu_time(CpuReading::Exact).unwrap_or_default();
                player.off_turn = OffTurn::begin(used);
                player.rest(Instant::now(), MOMENT);
                Ok(Ok(player))
            }
            Err(mut failed) => {
                let startup = launch.limits.startup();
                let is_late = match &failed {
                    DecisionError::Fault(fault, _) => fault.failure == Some(ReadLineError::TimedOut),
                    DecisionError::HostOverloaded(_) => true,
                };
                if is_late && player.process.wait_until_running().await.is_ok() {
                    player.computed = player.process.cpu_time(CpuReading::Exact);
                }
                if matches!(failed, DecisionError::HostOverloaded(_))
                    && player.had_its_time(player.process.runnable_threads(), startup)
                {
                    failed = player.client.not_ready(ReadLineError::TimedOut, startup);
                }
                let failed = player.explain(failed, deadline, startup).await;
                player.kill().await?;
                Ok(Err(failed?))
            }
        }
    }

    /// Lets the process exit. May take half a second with a bot that does not want to.
    pub async fn end(self) -> io::Result<()> {
        self.process.shut_down(self.client.into_pipes()).await.map(drop)
    }

    /// The same with this time for each step, and returns which was needed.
    pub async fn leave(self, grace: Duration) -> io::Result<ShutdownStep> {
        self.process.shut_down_within(grace, self.client.into_pipes()).await
    }

    /// Lets the process exit as well, and returns the whole of its standard error.
    pub async fn end_with_stderr(self) -> io::Result<String> {
        Ok(self.process.shut_down_with_stderr(self.client.into_pipes()).await?.1)
    }

    /// Kills the process and everything it started.
    pub async fn kill(self) -> io::Result<()> {
        drop(self.client);
        self.process.kill().await
    }

    /// From now on the process is stopped whenever it is not its turn.
    pub fn hold(&mut self) {
        self.held = true;
        self.stop();
    }

    /// Ends its match: it stays stopped until [`unpark`](Self::unpark), even if it may run between turns.
    pub fn park(&mut self) {
        let now = Instant::now();
        self.look_off_turn(now);
        if !self.process.is_paused() {
            self.stop();
        }
        if self.measured.is_none_or(|then| now.saturating_duration_since(then) >= MEASURED) {
            self.measured = Some(now);
            self.parked_memory = self.process.memory();
        }
    }

    /// Returns the bytes of memory that its processes kept when it was parked, as measured a moment ago at the latest.
    pub fn parked_memory(&self) -> u64 {
        self.parked_memory
    }

    /// Waits until nothing of it can run. One that runs on is killed: it loses its next match if that was its own doing.
    pub async fn stand_still(&mut self) -> io::Result<()> {
        let start = Instant::now();
        let mut is_struck = false;
        while !self.process.stands_still() {
            self.watch();
            let waited = start.elapsed();
            if waited > LATEST_STANDSTILL && !is_struck {
                self.process.kill_processes();
                is_struck = true;
            }
            if waited > LATEST_DEATH {
                return Err(io::Error::other(format!(
                    "a bot does not stand still, {waited:?} after it was stopped"
                )));
            }
            tokio::time::sleep(STANDSTILL_LOOK).await;
        }
        Ok(())
    }

    /// Continues it for another match.
    pub fn unpark(&mut self) {
        self.look_off_turn(Instant::now());
        if !self.held && self.launch.pondering != Pondering::Never {
            self.process.resume();
        }
    }

    /// From now on a late process is interrupted before its fault is described, so that it prints where it was. For
    /// debugging, never for a match that counts.
    pub fn interrupt_when_late(&mut self) {
        self.interrupts = true;
    }

    /// Stops it. It should use nothing from now on; what it has used until now, while the arena may have had to wait for a processor, is
    /// not held against it.
    fn stop(&mut self) {
        self.process.pause();
        let now = Instant::now();
        if self.is_time_to_look(now)
            && let Some(used) = self.process.cpu_time(CpuReading::Quick)
        {
            self.off_turn.look(used, Duration::ZERO);
            self.looked = now;
        }
        self.ran = Duration::ZERO;
    }

    /// Whether it is stopped.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Returns the number of its process, for other tools that inspect it.
    pub fn pid(&self) -> Option<u32> {
        self.process.pid()
    }

    /// Returns the most memory that its processes have used, in bytes, if the system reports it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.process.peak_memory()
    }

    /// Starts its turn now.
    fn attend(&mut self, now: Instant) {
        self.look_off_turn(now);
        self.process.resume();
    }

    /// Ends its turn now, after this time.
    fn rest(&mut self, now: Instant, took: Duration) {
        let at_most = took.saturating_mul(self.launch.cores as u32);
        self.computed = None;
        if took < MOMENT {
            self.off_turn.short_turn(at_most);
        } else if let Some(used) = self.process.cpu_time(CpuReading::Quick) {
            self.computed = Some(used.saturating_sub(self.off_turn.seen()));
            self.off_turn.look(used, at_most);
            self.looked = now;
        }
        self.rests_since = now;
        if self.held || self.launch.pondering == Pondering::Never {
            self.stop();
        }
    }

    /// Whether the last check of what it does off turn is long enough ago.
    fn is_time_to_look(&self, now: Instant) -> bool {
        now >= self.rests_since.max(self.looked) + MOMENT
    }

    /// Checks what it did since its last turn, if the last check is long enough ago.
    fn look_off_turn(&mut self, now: Instant) {
        if !self.is_time_to_look(now) {
            return;
        }
        let Some(used) = self.process.cpu_time(CpuReading::Quick) else { return };
        let before = self.off_turn.used();
        self.off_turn.look(used, Duration::ZERO);
        self.looked = now;
        if self.process.may_run_while_paused() {
            self.ran += self.off_turn.used().saturating_sub(before);
            let most = if self.process.is_frozen() { off_turn::LONGEST_CALL } else { off_turn::SETTLING };
            if self.ran > most {
                self.has_run = Some(self.ran);
                self.process.kill_processes(); // it has lost; it must not make others lose as well
            }
            self.process.stands_still(); // if so, it cannot run any more
        }
        self.memory.look(&mut self.process, now);
        let is_too_much = self.off_turn.used() > self.launch.off_turn_allowance();
        self.held |= is_too_much && self.launch.pondering == Pondering::Watched;
    }

    /// Whether it could run although it is stopped, so that it must be watched.
    pub fn may_run_while_parked(&self) -> bool {
        self.process.may_run_while_paused()
    }

    /// Whether the process exited after its last match, which is not a fault.
    fn left_between(&self, failed: &DecisionError) -> bool {
        let DecisionError::Fault(fault, _) = failed else { return false };
        self.used && fault.code == FaultCode::Exited && !fault.has_received()
    }
}

/// Returns the first line that every bot is sent.
pub fn hello(rules: &Rules, limits: &TimeLimits) -> Hello<'static> {
    Hello { protocol: VERSION, arena: ARENA.into(), rules: **rules, limits: limits.as_sent() }
}

/// Returns the same line with a field that no protocol version has.
pub fn hello_with_unknown_words(rules: &Rules, limits: &TimeLimits) -> String {
    let mut line = Vec::new();
    push_line(&mut line, &ToBot::Hello(hello(rules, limits)));
    String::from_utf8_lossy(&with_unknown_field(&line)).into_owned()
}

impl Player for ProcessPlayer {
    fn send(&mut self, message: &ToBot<'_>) {
        match message {
            ToBot::MatchStart(start) => {
                self.beginning = Some(start.clone().into_owned());
                if self.used {
                    // What it wrote before belongs to the previous match.
                    self.process.forget_stderr();
                }
            }
            ToBot::MatchEnd(_) => self.used = true,
            _ => {}
        }
        self.client.send(message);
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let limit = Limit::new(self.launch.limits.clock, allowance);
        let now = Instant::now();
        let failed = match self.ask(turn, limit, now, watch).await? {
            Ok(decision) => {
                self.beginning = None;
                return Ok(Ok(decision));
            }
            Err(failed) => failed,
        };
        let Some(start) = self.beginning.take().filter(|_| self.left_between(&failed)) else {
            return Ok(Err(self.blame(failed, turn, limit, now + limit.real_time()).await?));
        };
        let held = self.held;
        let client = match self.client.sent_with_unknown_words() {
            Some(_) => Client::with_unknown_words,
            None => Client::new,
        };
        *self = match Self::start_with(&self.launch, client).await? {
            Ok(fresh) => Self { held, ..fresh },
            Err(failed) => return Ok(Err(failed)),
        };
        self.client.send(&ToBot::MatchStart(start));
        let now = Instant::now();
        Ok(match self.ask(turn, limit, now, watch).await? {
            Err(failed) => Err(self.blame(failed, turn, limit, now + limit.real_time()).await?),
            answered => answered,
        })
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.client.flush().await
    }

    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        Some(self)
    }
}

impl PlayerProcess for ProcessPlayer {
    fn watch(&mut self) {
        if self.process.is_paused() {
            // Nothing that was seen to be frozen runs again; a process stopped by a signal is checked again.
            if self.process.may_run_while_paused() {
                self.look_off_turn(Instant::now());
            }
        } else if !self.held && self.launch.pondering == Pondering::Watched {
            self.look_off_turn(Instant::now());
            if self.held {
                self.stop();
            }
        }
    }

    fn off_turn(&mut self) -> Option<OffTurnUse> {
        self.look_off_turn(Instant::now());
        if self.held && !self.process.is_paused() {
            self.stop();
        }
        let used = self.off_turn.take();
        platform::counts_cpu_time().then_some(OffTurnUse { used, stopped: self.held })
    }

    fn ran(&mut self) -> Option<Fault> {
        self.watch();
        self.has_run.take().map(Fault::ran)
    }

    fn stderr(&self) -> String {
        without_folder(&self.process.stderr(), &self.launch.command)
    }
}
