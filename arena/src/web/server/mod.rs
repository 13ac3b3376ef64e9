//! Serves the pages of a tournament that is being played, or of a results file, to people who look on.
//!
//! It reads the results file and nothing else, from threads of its own with a low priority. What it shows before everything is
//! played is a spectator's projection of complete pairs; with [`Delay::None`] the tables are shown as they are played.
//! A viewer is never waited for: one that does not read is dropped. No part of a request ever names a file.

pub(super) mod access;
pub(super) mod answer;
pub(super) mod connection;
mod delay;
mod feed;
mod follow;
mod routes;
mod table;
#[cfg(test)]
mod tests;
mod undelayed;
mod view;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::report::ReportError;
use crate::run::Subscription;
use crate::web::snapshot::SnapshotReader;
use access::Access;
use connection::LimitedListener;
pub use delay::Delay;
use feed::Feed;
use follow::FileFollower;
use view::Shared;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The results file.
    pub results: PathBuf,
    pub address: IpAddr,
    /// 0: any that is free.
    pub port: u16,
    /// Names by which others reach this machine. Its addresses and `localhost` need not be among them.
    pub names: Vec<String>,
}

impl ServerConfig {
    /// On the loopback, at any free port.
    pub fn new(results: impl Into<PathBuf>) -> Self {
        Self { results: results.into(), address: Ipv4Addr::LOCALHOST.into(), port: 0, names: Vec::new() }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("cannot listen on {0}: {1}. Name another port; without one any that is free is taken")]
    Listen(SocketAddr, io::Error),
    #[error("cannot start the threads that serve: {0}")]
    Threads(io::Error),
}

/// A server that answers. It ends when it is dropped.
pub struct Server {
    address: SocketAddr,
    end: Option<oneshot::Sender<()>>,
    follower: Option<mpsc::Sender<follow::FollowerCommand>>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Begins to serve. With `moves` the tables are drawn as they are played.
    pub fn start(options: &ServerConfig, moves: Option<Subscription>) -> Result<Self, ServeError> {
        let archive = SnapshotReader::open(&options.results)?;
        let wanted = SocketAddr::new(options.address, options.port);
        let listener =
            std::net::TcpListener::bind(wanted).map_err(|error| ServeError::Listen(wanted, error))?;
        listener.set_nonblocking(true).map_err(ServeError::Threads)?;
        let address = listener.local_addr().map_err(ServeError::Threads)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(2).build();
        let runtime = runtime.map_err(ServeError::Threads)?;
        let delay = if moves.is_some() { Delay::None } else { Delay::Pair };
        let feed = Feed::new();
        let shared = Shared::new(feed.clone(), delay, options.results.clone());
        let (words, heard) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let mut server = Self { address, end: Some(end), follower: Some(words), threads: Vec::new() };
        let follower = FileFollower { archive, shared: shared.clone(), delay, heard };
        server.spawn("pages-read", move || follower.run())?;
        let service = routes::router(shared, Access::new(address.port(), &options.names));
        let serve = async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            let tables = tokio::spawn(async move {
                match moves {
                    Some(moves) => undelayed::follow(moves, &feed).await,
                    None => table::play(&feed).await,
                }
            });
            tokio::select! {
                outcome = axum::serve(LimitedListener::new(listener), service) => {
                    if let Err(error) = outcome {
                        tracing::warn!("serving pages ended: {error}");
                    }
                }
                _ = ended => {}
            }
            tables.abort();
        };
        server.spawn("pages", move || {
            runtime.block_on(serve);
            runtime.shutdown_background();
        })?;
        Ok(server)
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ServeError> {
        let work = move || {
            step_back();
            work();
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        self.threads.push(thread.map_err(ServeError::Threads)?);
        Ok(())
    }

    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where people find it.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            ip if ip.is_unspecified() && ip.is_ipv4() => "127.0.0.1".to_owned(),
            ip if ip.is_unspecified() => "[::1]".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        format!("http://{address}:{}/", self.address.port())
    }

    /// Shows the end of a run to whoever looks on, and ends. Nobody else is waited for.
    pub fn finish(self) {
        let (told, is_seen) = mpsc::channel();
        if let Some(follower) = &self.follower
            && follower.send(follow::FollowerCommand::Finish(told)).is_ok()
        {
            let _ = is_seen.recv(); // the follower answers in time, or is gone
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.end.take());
        drop(self.follower.take());
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

/// Lets the calling thread run when nobody else wants to: matches come first.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(15) {
        tracing::debug!("pages keep their priority: {error}");
    }
}
