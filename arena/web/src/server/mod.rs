//! Serves the pages of a running tournament, or of a results file, to viewers.
//!
//! It reads only the results file, on its own threads with a low priority. Until everything is played, it shows what a spectator
//! may see of complete pairs; with [`Delay::None`], it shows the tables as they are played. It never waits for a viewer: one that
//! does not read is dropped. No part of a request is ever used as a file name.

pub(super) mod access;
pub(super) mod answer;
mod author_answer;
mod challenges;
pub(super) mod connection;
mod connection_slots;
mod feed;
mod file_follower;
mod intake;
mod live_tables;
mod own_records;
mod routes;
mod served_event;
mod stage;
mod state;
mod table;
#[cfg(test)]
mod tests;
pub(super) mod tls;
mod view;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use leyden_language::Language;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

pub use crate::pages::Delay;
use crate::pages::Site;
use crate::snapshot::SnapshotReader;
pub use crate::stage::StageFileError;
use access::Access;
use feed::Feed;
use file_follower::FileFollower;
use leyden_arena::league::Intake;
use leyden_arena::report::ReportError;
use leyden_arena::run::Subscription;
pub use served_event::ServedEvent;
use stage::StageHost;
use state::ServerState;
pub use table::{FASTEST_PACE, PACE};
pub use tls::{Tls, TlsError, certificates};

/// The longest body of a request: the pages only answer, a stage is commanded, and an author types a token.
const NO_BODY: usize = 0;
const COMMAND: usize = 512;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The events. Several are listed at the root, and each has a folder of its own: `1/`, `2/` and so on.
    pub events: Vec<ServedEvent>,
    pub address: IpAddr,
    /// 0 means any free port.
    pub port: u16,
    /// Names by which others reach this machine. Its IP addresses and `localhost` need not be listed.
    pub names: Vec<String>,
    /// How long an action is shown on a table of a complete pair. Only the viewers wait.
    pub pace: Duration,
    /// The language of all pages; `None` is that which each browser likes best.
    pub language: Option<Language>,
    /// Whether an organiser reveals the results of the only event on a stage, with a [token](Server::stage_token).
    pub stage: bool,
    /// Receives what authors of a league hand in; each has a page of its own. Then the results file of the only event need not exist yet.
    pub intake: Option<Intake>,
    /// Encrypts all connections.
    pub tls: Option<Tls>,
}

impl ServerConfig {
    /// Serves on the loopback interface, at any free port.
    pub fn new(results: impl Into<PathBuf>) -> Self {
        let events = vec![ServedEvent { results: results.into(), title: None }];
        Self {
            events,
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            names: Vec::new(),
            pace: PACE,
            language: None,
            stage: false,
            intake: None,
            tls: None,
        }
    }
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("cannot listen on {0}: {1}. Name another port; without one any that is free is taken")]
    Listen(SocketAddr, io::Error),
    #[error(transparent)]
    Stage(#[from] StageFileError),
    #[error("a stage shows one results file, got {0}: serve the others without it")]
    SeveralOnStage(usize),
    #[error("names of this league are hidden, and a stage shows them: serve it without a stage")]
    HiddenOnStage,
    #[error("bots are handed in for one league, got {0} results files")]
    SeveralLeagues(usize),
    #[error("cannot start the threads that serve: {0}")]
    Threads(io::Error),
}

/// A running server. It stops when it is dropped.
///
/// ```no_run
/// use leyden_web::server::{ServeError, Server, ServerConfig};
///
/// let server = Server::start(&ServerConfig { port: 8080, ..ServerConfig::new("results.db") }, None)?;
/// println!("{}", server.url());
/// # Ok::<(), ServeError>(())
/// ```
pub struct Server {
    address: SocketAddr,
    scheme: &'static str,
    end: Option<oneshot::Sender<()>>,
    followers: Vec<mpsc::Sender<file_follower::FollowerCommand>>,
    threads: Vec<JoinHandle<()>>,
    stage_token: Option<String>,
}

impl Server {
    /// Starts to serve. With `moves`, the tables of the only event are shown as they are played.
    pub fn start(options: &ServerConfig, moves: Option<Subscription>) -> Result<Self, ServeError> {
        // A league has results once two bots were handed in.
        let may_come = |event: &ServedEvent| options.intake.is_some() && !event.results.exists();
        let open = |event: &ServedEvent| (!may_come(event)).then(|| event.open()).transpose();
        let readers = options.events.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if options.intake.is_some() && readers.len() != 1 {
            return Err(ServeError::SeveralLeagues(readers.len()));
        }
        if options.stage && readers.len() != 1 {
            return Err(ServeError::SeveralOnStage(readers.len()));
        }
        if options.stage && readers.iter().flatten().any(SnapshotReader::hides_names) {
            return Err(ServeError::HiddenOnStage);
        }
        let requested = SocketAddr::new(options.address, options.port);
        let listener =
            std::net::TcpListener::bind(requested).map_err(|error| ServeError::Listen(requested, error))?;
        listener.set_nonblocking(true).map_err(ServeError::Threads)?;
        let address = listener.local_addr().map_err(ServeError::Threads)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(2).build();
        let runtime = runtime.map_err(ServeError::Threads)?;
        let delay = if moves.is_some() { Delay::None } else { Delay::Pair };
        let has_stage = options.stage;
        let has_replays = !options.intake.as_ref().is_some_and(Intake::hides_replays);
        let site = Site::Server { delay, is_one_of_several: readers.len() > 1, has_stage, has_replays };
        let (end, ended) = oneshot::channel();
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let mut server = Self {
            address,
            scheme,
            end: Some(end),
            followers: Vec::new(),
            threads: Vec::new(),
            stage_token: None,
        };
        let mut events = Vec::with_capacity(readers.len());
        for (reader, event) in readers.into_iter().zip(&options.events) {
            let host = |reader: &SnapshotReader| {
                StageHost::open(event.results.clone(), reader.tournament(), options.language)
            };
            let stage = reader.as_ref().filter(|_| has_stage).map(host).transpose()?;
            server.stage_token = stage.as_ref().map(|stage| stage.token().to_owned());
            let shared =
                ServerState::new(Feed::new(), site.clone(), event.results.clone(), stage, options.language);
            events.push(shared.clone());
            let (words, heard) = mpsc::channel();
            server.followers.push(words);
            let event = event.clone();
            server.spawn("pages-read", move || {
                let reader = reader.or_else(|| file_follower::wait_for(&event, &heard));
                if let Some(reader) = reader {
                    FileFollower { reader, shared, delay, heard }.run();
                }
            })?;
        }
        let pace = options.pace.max(FASTEST_PACE);
        let shown = events.clone();
        let access = Access::new(address.port(), &options.names, options.tls.is_some());
        let service = routes::router(events, options.intake.clone(), access);
        let longest = if has_stage || options.intake.is_some() { COMMAND } else { NO_BODY };
        let limits = (longest, options.intake.as_ref().map(|_| intake::HAND_IN), options.tls.clone());
        server.spawn("pages", move || {
            runtime.block_on(serve(listener, (service, limits), (shown, moves, pace), ended));
            runtime.shutdown_background();
        })?;
        Ok(server)
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ServeError> {
        let work = move || {
            lower_priority();
            work();
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        self.threads.push(thread.map_err(ServeError::Threads)?);
        Ok(())
    }

    /// Returns the address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL for viewers.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => "127.0.0.1".to_owned(),
            ip if ip.is_unspecified() => "[::1]".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        format!("{}://{address}:{}/", self.scheme, self.address.port())
    }

    /// Returns what URLs begin with: `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Returns the secret with which the stage is commanded, if there is one. It is known nowhere else.
    pub fn stage_token(&self) -> Option<&str> {
        self.stage_token.as_deref()
    }

    /// Shows the end of a run to current viewers, then stops.
    pub fn finish(self) {
        self.command(file_follower::FollowerCommand::Finish);
    }

    /// Shows the end of a run, and goes on serving its pages.
    pub fn keep_serving(&self) {
        self.command(file_follower::FollowerCommand::Stay);
    }

    /// Commands the followers, and waits until they have done so.
    fn command(&self, command: fn(mpsc::Sender<()>) -> file_follower::FollowerCommand) {
        for follower in &self.followers {
            let (seen, is_seen) = mpsc::channel();
            if follower.send(command(seen)).is_ok() {
                let _ = is_seen.recv(); // the follower replies in time, or is gone
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.end.take());
        self.followers.clear();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

/// Serves until it is over: pages, and the tables of each event.
async fn serve(
    listener: std::net::TcpListener,
    (service, (longest, streamed, tls)): (axum::Router, (usize, Option<&'static str>, Option<Tls>)),
    (events, mut moves, pace): (Vec<ServerState>, Option<Subscription>, Duration),
    ended: oneshot::Receiver<()>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut tables = JoinSet::new();
    for event in events {
        let (moves, feed) = (moves.take(), event.feed.clone());
        if let Some(stage) = event.stage.clone() {
            tables.spawn(async move { match stage.play(move || event.view_now()).await {} });
        }
        tables.spawn(async move {
            match moves {
                Some(moves) => live_tables::follow(moves, &feed).await,
                None => table::play(&feed, pace).await,
            }
        });
    }
    tokio::select! {
        outcome = connection::serve(listener, service, longest, streamed, tls) => {
            if let Err(error) = outcome {
                tracing::warn!("serving pages ended: {error}");
            }
        }
        _ = ended => {}
    }
}

/// Lowers the priority of the calling thread: matches come first.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(15) {
        tracing::debug!("pages keep their priority: {error}");
    }
}
