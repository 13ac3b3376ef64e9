//! `--nats`, `leyden worker` and `leyden workers`: playing on other machines. Without the feature `nats` these say how to get it.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::CancellationToken;
use leyden_arena::league::Venue;
use leyden_arena::run::{Options, Plan, Run};
use leyden_model::event::RunEnd;

use crate::exit::{Code, CommandError};
use crate::options::Span;

/// What is shown below the help of `leyden worker`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden tournament class --nats nats://head:4222   schedules and stores; plays nothing itself
  leyden worker --nats nats://head:4222 --jobs 8    on each machine that plays
  leyden workers --nats nats://head:4222            which ones are there

Workers and runs start in any order. A password is read from a file (--nats-login) or from LEYDEN_NATS_LOGIN, as NAME:PASSWORD.";

/// How to reach a NATS server.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServerOptions {
    /// A file with the login for the NATS server, NAME:PASSWORD or a token, that nobody else can read [default: the variable
    /// `LEYDEN_NATS_LOGIN`]
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_login: Option<PathBuf>,
    /// Certificates of authorities (PEM) that the NATS server's certificate may come from, beside those of the system
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_ca: Option<PathBuf>,
}

/// The machines that play a run, if not this one.
#[derive(Args, Clone, Debug)]
pub(crate) struct RemoteRunOptions {
    /// Have matches played by workers (`leyden worker`) that take them from this NATS server, such as `nats://host:4222`;
    /// this machine then plays only as many at once as --jobs says, by default none
    #[arg(long, value_name = "URL")]
    pub(crate) nats: Option<String>,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    /// How long a worker may be silent before its matches are given to others [default: 30s]
    #[arg(long, value_name = "DUR", requires = "nats")]
    pub(crate) lease: Option<Span>,
    /// Treat all machines as equally fast: do not scale limits by the speed that a worker measures
    #[arg(long, requires = "nats")]
    pub(crate) equal_speed: bool,
}

impl RemoteRunOptions {
    /// Files that no bot may see.
    pub(crate) fn private(&self) -> Vec<PathBuf> {
        self.server.nats_login.iter().cloned().collect()
    }
}

/// The options of `leyden worker`.
#[derive(Args, Clone, Debug)]
pub(crate) struct WorkerArgs {
    /// The NATS server to take matches from, such as `nats://host:4222`
    #[arg(long, value_name = "URL")]
    #[cfg_attr(not(feature = "nats"), arg(default_value = "", hide_default_value = true))]
    pub(crate) nats: String,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    /// The worker's name: letters, digits, - and _ [default: its name on the server, or that of the machine]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// How many matches to play at once [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
}

/// The options of `leyden workers`.
#[derive(Args, Clone, Debug)]
pub(crate) struct WorkersArgs {
    /// The NATS server to ask, such as `nats://host:4222`
    #[arg(long, value_name = "URL")]
    #[cfg_attr(not(feature = "nats"), arg(default_value = "", hide_default_value = true))]
    pub(crate) nats: String,
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    /// How long to wait for answers [default: 1s]
    #[arg(long, value_name = "DUR")]
    pub(crate) wait: Option<Span>,
    /// Print one JSON object (`leyden schema workers`)
    #[arg(long)]
    pub(crate) json: bool,
}

/// The error of a build without the feature.
#[cfg(any(test, not(feature = "nats")))]
fn missing() -> CommandError {
    CommandError::usage(
        "this leyden was built without support for workers on other machines: build it with that, such as by \
        cargo install --path arena/cli --features nats",
    )
}

/// What the help of commands says in such a build.
#[cfg(not(feature = "nats"))]
pub(crate) const NOT_HERE: &str =
    "Not in this build: workers on other machines (cargo install --path arena/cli --features nats)";

#[cfg(not(feature = "nats"))]
mod without {
    use super::{
        CancellationToken, Code, CommandError, Options, Plan, RemoteRunOptions, Run, RunEnd, Venue,
        WorkerArgs, WorkersArgs, missing,
    };

    /// Where a run is played: here.
    pub(crate) enum RemoteRun {}

    pub(crate) fn remote_run(
        options: &RemoteRunOptions,
        _: &Options,
    ) -> Result<Option<RemoteRun>, CommandError> {
        if options.nats.is_some() { Err(missing()) } else { Ok(None) }
    }

    pub(crate) fn play(
        run: Run<'_>,
        _: &Plan,
        remote_run: Option<&RemoteRun>,
        _: &CancellationToken,
    ) -> Result<RunEnd, CommandError> {
        match remote_run {
            None => Ok(run.play()?),
            Some(never) => match *never {},
        }
    }

    pub(crate) fn venue(remote_run: &RemoteRun) -> (Venue, impl FnOnce() -> Option<CommandError> + use<>) {
        match *remote_run {}
        #[expect(unreachable_code, reason = "there is no such value")]
        (Venue::new(|run, _, _, _| run.play()), || None)
    }

    pub(crate) fn worker(_: &WorkerArgs) -> Result<Code, CommandError> {
        Err(missing())
    }

    pub(crate) fn workers(_: &WorkersArgs) -> Result<Code, CommandError> {
        Err(missing())
    }
}

#[cfg(not(feature = "nats"))]
pub(crate) use without::{RemoteRun, play, remote_run, venue, worker, workers};

#[cfg(feature = "nats")]
mod with {
    use leyden_model::words::counted;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::sync::{Arc, Mutex, PoisonError};
    use std::thread;
    use std::time::Duration;
    use std::{fs, io};

    use leyden_arena::report::{REPORT_VERSION, WorkerLine, WorkerState, WorkersReport};
    use leyden_arena::run::{Reports, RunError};
    use leyden_host::platform;
    use leyden_language::numbers::fixed;
    use leyden_model::words::duration;
    use leyden_nats::{Connection, Login, WorkerHello, WorkerList, WorkerName, list_workers};
    use leyden_remote::{BundleCache, Remote, RemoteError, RemoteOptions, WorkerCard, WorkerOptions};

    use super::{
        CancellationToken, Code, CommandError, Options, Plan, RemoteRunOptions, Run, RunEnd, ServerOptions,
        Span, Venue, WorkerArgs, WorkersArgs,
    };
    use crate::{out::print, out::print_document, out::say, play::signals, program::leyden};

    /// The variable with the login for the server.
    const LOGIN: &str = "LEYDEN_NATS_LOGIN";

    /// The default of `--lease`.
    const LEASE: Duration = Duration::from_secs(30);

    impl ServerOptions {
        fn connection_options(&self, url: &str) -> Result<leyden_nats::ConnectionOptions, CommandError> {
            let text = match &self.nats_login {
                Some(path) => Some(private_text(path)?),
                None => std::env::var(LOGIN).ok(),
            };
            if text.as_ref().is_some_and(|text| text.contains("BEGIN NATS USER JWT")) {
                return Err(CommandError::usage(
                    "this is a NATS credentials file (.creds), which leyden does not read: expected NAME:PASSWORD, \
                     or a token; give leyden a user of that kind (arena/nats/deploy/nats-server.conf shows one)",
                ));
            }
            let login = text.map_or(Login::Nobody, |text| match text.trim().split_once(':') {
                Some((name, password)) => {
                    Login::User { name: name.to_owned(), password: password.to_owned() }
                }
                None => Login::Token(text.trim().to_owned()),
            });
            let authorities = self.nats_ca.clone();
            Ok(leyden_nats::ConnectionOptions { url: url.to_owned(), login, authorities, certificate: None })
        }
    }

    /// Reads a file that nobody else can read.
    fn private_text(path: &Path) -> Result<String, CommandError> {
        let unreadable = |error: io::Error| CommandError::unreadable(path, &error);
        let mode = path.metadata().map_err(unreadable)?.permissions().mode();
        // systemd lets the service read a credential as a member of a group that nobody else is in.
        let is_credential =
            std::env::var_os("CREDENTIALS_DIRECTORY").is_some_and(|folder| path.starts_with(folder));
        let others = if is_credential { 0o037 } else { 0o077 };
        if mode & others != 0 {
            return Err(CommandError::usage(format!(
                "{0} can be read by others: chmod 600 {0}, and change the password if anyone could have read it",
                path.display()
            )));
        }
        fs::read_to_string(path).map_err(unreadable)
    }

    /// Where a run is played.
    pub(crate) struct RemoteRun(RemoteOptions);

    pub(crate) fn remote_run(
        options: &RemoteRunOptions,
        requested: &Options,
    ) -> Result<Option<RemoteRun>, CommandError> {
        let Some(url) = &options.nats else { return Ok(None) };
        Ok(Some(RemoteRun(RemoteOptions {
            connection: options.server.connection_options(url)?,
            lease: options.lease.map_or(LEASE, Span::duration),
            equal_speed: options.equal_speed,
            jobs_here: requested.jobs.unwrap_or(0),
            limits: requested.sandbox_limits(),
            build: requested.build_limits,
            allow_read: requested.allow_read.clone(),
            allow_network: requested.allow_network.clone(),
            carried: BundleCache::default(),
        })))
    }

    pub(crate) fn play(
        run: Run<'_>,
        plan: &Plan,
        remote_run: Option<&RemoteRun>,
        stop: &CancellationToken,
    ) -> Result<RunEnd, CommandError> {
        let Some(RemoteRun(options)) = remote_run else { return Ok(run.play()?) };
        let mut refused = None;
        let end = run.play_on(|reports| {
            start(plan, options, &reports, stop).map_err(|error| {
                let lost = RunError::Lost(error.to_string());
                refused = Some(CommandError::from(error));
                lost
            })
        });
        end.map_err(|error| refused.unwrap_or_else(|| error.into()))
    }

    fn start(
        plan: &Plan,
        options: &RemoteOptions,
        reports: &Reports,
        stop: &CancellationToken,
    ) -> Result<Remote, RemoteError> {
        Remote::start(plan, options, reports, stop, Box::new(|notice| say(format_args!("{notice}"))))
    }

    /// Where a league is played, and why that was refused, to be asked afterwards. What may pass is no refusal.
    pub(crate) fn venue(
        RemoteRun(options): &RemoteRun,
    ) -> (Venue, impl FnOnce() -> Option<CommandError> + use<>) {
        let options = options.clone();
        let refusal = Arc::new(Mutex::new(None));
        let refused = Arc::clone(&refusal);
        let venue = Venue::new(move |run, plan, jobs_here, stop| {
            let options = RemoteOptions { jobs_here, ..options.clone() };
            run.play_on(|reports| {
                start(plan, &options, &reports, stop).map_err(|error| {
                    if error.may_pass() {
                        return RunError::Unreachable(error.to_string());
                    }
                    let lost = RunError::Lost(error.to_string());
                    *refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(CommandError::from(error));
                    lost
                })
            })
        });
        (venue, move || refusal.lock().unwrap_or_else(PoisonError::into_inner).take())
    }

    pub(crate) fn worker(typed: &WorkerArgs) -> Result<Code, CommandError> {
        let connection = typed.server.connection_options(&typed.nats)?;
        let cores = platform::allowed_cores().len();
        let jobs = typed.jobs.unwrap_or(cores);
        if jobs == 0 {
            return Err(CommandError::usage("--jobs must be at least 1"));
        }
        let name = name_of(typed.name.as_deref(), &connection.login)?;
        let private = typed.server.nats_login.iter().cloned().collect();
        let options = WorkerOptions { leyden: leyden()?, connection, name, jobs, private };
        let mut signals = signals::listen()?;
        let leave_on_signals = move |leave: leyden_remote::LeaveHandle| {
            let wait = move || {
                signals.wait();
                leave.leave();
                signals.wait();
                std::process::exit(Code::Interrupted.number().into());
            };
            // Without it the worker ends at once, and its matches are given to others.
            drop(thread::Builder::new().name("signals".to_owned()).spawn(wait));
        };
        leyden_remote::work(&options, leave_on_signals, &mut |notice| say(format_args!("{notice}")))?;
        Ok(Code::Done)
    }

    /// Returns the worker's name: the typed one, or its name on the server, or that of the machine and the process.
    fn name_of(typed: Option<&str>, login: &Login) -> Result<WorkerName, CommandError> {
        let name = match (typed, login) {
            (Some(name), _) => name.to_owned(),
            (None, Login::User { name, .. }) => name.clone(),
            (None, Login::Nobody | Login::Token(_)) => {
                let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
                let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
                let machine: String = machine.chars().map(plain).take(40).collect();
                format!("{machine}-{}", std::process::id())
            }
        };
        name.parse().map_err(|error| CommandError::usage(format!("{error} (--name)")))
    }

    pub(crate) fn workers(typed: &WorkersArgs) -> Result<Code, CommandError> {
        let options = typed.server.connection_options(&typed.nats)?;
        let wait = typed.wait.map_or(Duration::from_secs(1), Span::duration);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let WorkerList { there, silent } = runtime.map_err(CommandError::from_system)?.block_on(async {
            let connection = Connection::open(&options, "organiser").await?;
            list_workers(&connection, wait).await
        })?;
        let silent = silent.into_iter().map(|(name, since)| WorkerLine {
            name: name.to_string(),
            leaving: false,
            silent_s: Some(since.as_secs()),
            state: None,
        });
        let lines = there.iter().map(|(name, hello)| line(name, hello)).chain(silent).collect();
        let report = WorkersReport { v: REPORT_VERSION, workers: lines };
        if typed.json {
            return print_document(&report).map(|()| Code::Done);
        }
        if there.is_empty() {
            say(format_args!("no worker is running; start one with: leyden worker --nats {}", typed.nats));
        }
        print(&report.workers.iter().map(text).collect::<String>())
    }

    fn line(name: &WorkerName, hello: &WorkerHello) -> WorkerLine {
        let state = serde_json::from_value::<WorkerCard>(hello.card.clone()).ok().map(|card| WorkerState {
            version: card.version,
            slots: card.slots,
            playing: card.playing,
            tournament: card.tournament,
            cores: card.cores,
            speed: card.speed,
            load: card.load,
            levels: card.levels.iter().map(|level| level.name().to_owned()).collect(),
            interpreters: card.interpreters,
        });
        WorkerLine { name: name.to_string(), leaving: hello.leaving, silent_s: None, state }
    }

    fn text(worker: &WorkerLine) -> String {
        let name = &worker.name;
        if let Some(seconds) = worker.silent_s {
            return format!("{name}\n  does not answer; last seen {} ago\n", duration(seconds as f64));
        }
        let Some(state) = &worker.state else {
            return format!("{name}\n  runs another version of leyden\n");
        };
        let WorkerState { version, slots, playing, cores, speed, load, .. } = state;
        let best = state.levels.first().map_or("none", String::as_str);
        let plays = state.tournament.as_deref().map_or("nothing".to_owned(), |id| format!("tournament {id}"));
        let leaving = if worker.leaving { ", leaving" } else { "" };
        let interpreters = state.interpreters.join(", ");
        let (cores, load) = (counted(*cores, "core", "cores"), fixed(f64::from(*load), 2));
        format!(
            "{name}{leaving}\n  leyden        {version}\n  plays         {playing} of {slots} at once, {plays}\n  \
             speed         {speed} · {cores} · load {load}\n  sandbox       {best}\n  \
             interpreters  {interpreters}\n"
        )
    }
}

#[cfg(feature = "nats")]
pub(crate) use with::{RemoteRun, play, remote_run, venue, worker, workers};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_without_worker_support_gives_install_command() {
        let CommandError { code, message } = missing();
        assert_eq!(code, Code::Usage);
        assert!(message.contains("built without support for workers"), "{message}");
        assert!(message.contains("cargo install --path arena/cli --features nats"), "{message}");
    }

    #[cfg(not(feature = "nats"))]
    #[test]
    fn each_command_says_that_workers_are_missing() {
        let server = || ServerOptions { nats_login: None, nats_ca: None };
        let url = || "nats://localhost".to_owned();
        let said = |failure: CommandError| assert_eq!(failure.message, missing().message);
        said(worker(&WorkerArgs { nats: url(), server: server(), name: None, jobs: None }).unwrap_err());
        said(workers(&WorkersArgs { nats: url(), server: server(), wait: None, json: false }).unwrap_err());
        let options = Options::new("/leyden", ["builtin:careful"]);
        let typed = |nats| RemoteRunOptions { nats, server: server(), lease: None, equal_speed: false };
        said(remote_run(&typed(Some(url())), &options).err().unwrap());
        assert!(remote_run(&typed(None), &options).unwrap().is_none());
    }
}
