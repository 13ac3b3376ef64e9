//! A connection to a suitable server, with credentials that never appear on a command line.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};

use crate::subjects;

/// The oldest version of `nats-server` with all that is needed: major, minor and patch.
pub const OLDEST_SERVER: (i64, i64, i64) = (2, 10, 23);

/// How long to wait for an answer from the server.
pub(crate) const ANSWER: Duration = Duration::from_secs(5);

/// How long an attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(10);

/// The longest pause between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// How a client identifies itself to the server.
#[derive(Clone, Default)]
pub enum Login {
    /// For servers without authentication.
    #[default]
    Nobody,
    User {
        name: String,
        password: String,
    },
    Token(String),
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "Nobody",
            Self::User { .. } => "User(…)",
            Self::Token(_) => "Token(…)",
        })
    }
}

/// Where the server is and how to talk to it.
#[derive(Clone, Debug, Default)]
pub struct ConnectionOptions {
    /// Its address, such as `nats://host:4222` or `tls://…`; or several of one cluster, separated by commas.
    pub url: String,
    pub login: Login,
    /// Certificates of authorities (PEM), trusted in addition to those of the system.
    pub authorities: Option<PathBuf>,
    /// A client certificate (PEM) and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("{0:?} is not the address of a NATS server: expected something like nats://host:4222")]
    Address(String),
    #[error(
        "an address must not hold a password, because others can read the command line: put it in a file"
    )]
    PasswordInAddress,
    #[error("the NATS server at {url} does not accept these credentials: {reason}")]
    Credentials { url: String, reason: String },
    #[error("cannot connect securely to the NATS server at {url}: {reason}")]
    Tls { url: String, reason: String },
    #[error("cannot reach a NATS server at {url}: {reason}")]
    Unreachable { url: String, reason: String },
    #[error(
        "the NATS server at {url} is version {found}; {}.{}.{} or newer is needed",
        OLDEST_SERVER.0, OLDEST_SERVER.1, OLDEST_SERVER.2
    )]
    Old { url: String, found: String },
    #[error(
        "the NATS server at {url} runs without JetStream: start it with a store (nats-server -js -sd FOLDER)"
    )]
    NoJetStream { url: String },
}

impl ConnectError {
    /// Whether trying again may help, because the server may not have started yet.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Address(_)
            | Self::PasswordInAddress
            | Self::Credentials { .. }
            | Self::Tls { .. }
            | Self::Old { .. }
            | Self::NoJetStream { .. } => false,
        }
    }
}

/// A connection that reconnects by itself.
#[derive(Clone, Debug)]
pub struct Connection {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    url: String,
    feedback: Arc<Feedback>,
}

/// What the client's event callback recorded.
#[derive(Debug, Default)]
struct Feedback {
    refused: Mutex<Option<String>>,
    /// How often the connection was established.
    made: AtomicU64,
}

impl Connection {
    /// Connects under a name that the server's permissions may know: answers go to an inbox that only this client can read.
    pub async fn open(options: &ConnectionOptions, name: &str) -> Result<Self, ConnectError> {
        let url = options.url.clone();
        let addresses = addresses(&url)?;
        let feedback = Arc::new(Feedback::default());
        let connecting = connect_options(options, name, &feedback).connect(addresses);
        let client = match tokio::time::timeout(ATTEMPT, connecting).await {
            Ok(connected) => connected.map_err(|error| why_not(&url, &error))?,
            Err(_) => return Err(ConnectError::Unreachable { url, reason: "it does not answer".to_owned() }),
        };
        let (major, minor, patch) = OLDEST_SERVER;
        let server = client.server_info();
        if !client.is_server_compatible(major, minor, patch) {
            return Err(ConnectError::Old { url, found: server.version });
        }
        if !server.jetstream {
            return Err(ConnectError::NoJetStream { url });
        }
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(ANSWER);
        Ok(Self { client, jetstream, url, feedback })
    }

    /// Like [`open`](Self::open), but waits for a server that has not started yet, and reports the wait once.
    pub async fn wait(
        options: &ConnectionOptions,
        name: &str,
        notify: &mut (dyn FnMut(String) + Send),
    ) -> Result<Self, ConnectError> {
        let mut pause = Duration::from_millis(100);
        let mut notified = false;
        loop {
            match Self::open(options, name).await {
                Err(error) if error.may_pass() => {
                    if !notified {
                        notify(format!("{error}; waiting for it"));
                        notified = true;
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSE);
                }
                done => return done,
            }
        }
    }

    /// Whether the connection is up at this moment.
    pub fn is_up(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// How often the connection was established: a change means that the server was gone in between, however briefly.
    pub(crate) fn times_made(&self) -> u64 {
        self.feedback.made.load(Ordering::SeqCst)
    }

    /// Why the server no longer accepts the credentials. Without this check the client would retry forever.
    pub(crate) fn refused(&self) -> Option<ConnectError> {
        let refused = self.feedback.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        Some(ConnectError::Credentials { url: self.url.clone(), reason: refused })
    }

    /// The maximum size of a message in bytes.
    pub fn most_bytes(&self) -> usize {
        self.client.max_payload()
    }

    /// Sends what is still queued, if the connection is up.
    pub async fn close(self) {
        drop(tokio::time::timeout(ANSWER, self.client.flush()).await);
    }
}

fn connect_options(options: &ConnectionOptions, name: &str, feedback: &Arc<Feedback>) -> ConnectOptions {
    let feedback = Arc::clone(feedback);
    let mut connect = ConnectOptions::new()
        .name(format!("leyden {name}"))
        .custom_inbox_prefix(subjects::inbox(name))
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(10))
        .reconnect_delay_callback(|attempt| (Duration::from_millis(50) * attempt.min(20) as u32).min(PAUSE))
        .event_callback(move |event| {
            match event {
                Event::Connected => {
                    feedback.made.fetch_add(1, Ordering::SeqCst);
                }
                Event::ServerError(error) => {
                    // async-nats has a value for the bare text alone, and servers add reasons to it.
                    let said = error.to_string();
                    if said.to_lowercase().contains("authorization violation") {
                        *feedback.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
                    }
                }
                _ => {}
            }
            async {}
        });
    connect = match &options.login {
        Login::Nobody => connect,
        Login::User { name, password } => connect.user_and_password(name.clone(), password.clone()),
        Login::Token(token) => connect.token(token.clone()),
    };
    if let Some(authorities) = &options.authorities {
        connect = connect.add_root_certificates(authorities.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.certificate {
        connect = connect.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    connect
}

/// Parses each address by itself: as one list they would lose what precedes an `@`.
fn addresses(url: &str) -> Result<Vec<ServerAddr>, ConnectError> {
    let parse = |text: &str| {
        let address: ServerAddr =
            text.trim().parse().map_err(|_| ConnectError::Address(text.trim().to_owned()))?;
        if address.has_user_pass() { Err(ConnectError::PasswordInAddress) } else { Ok(address) }
    };
    url.split(',').map(parse).collect()
}

fn why_not(url: &str, error: &async_nats::ConnectError) -> ConnectError {
    let (url, reason) = (url.to_owned(), error.to_string());
    let io_error = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    match error.kind() {
        ConnectErrorKind::ServerParse => ConnectError::Address(url),
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            ConnectError::Credentials { url, reason }
        }
        ConnectErrorKind::Tls => ConnectError::Tls { url, reason },
        // tokio-rustls reports what TLS refuses, such as a certificate, as an I/O error of this kind; nothing else here does.
        ConnectErrorKind::Io if io_error.is_some_and(|error| error.kind() == io::ErrorKind::InvalidData) => {
            ConnectError::Tls { url, reason }
        }
        ConnectErrorKind::Dns
        | ConnectErrorKind::TimedOut
        | ConnectErrorKind::Io
        | ConnectErrorKind::MaxReconnects => ConnectError::Unreachable { url, reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_no_passwords() {
        assert_eq!(addresses("nats://a:4222, tls://b").unwrap().len(), 2);
        assert_eq!(addresses("localhost").unwrap().len(), 1);
        for bad in ["nats://u:p@a", "a,nats://token@b"] {
            assert!(matches!(addresses(bad), Err(ConnectError::PasswordInAddress)), "{bad}");
        }
        assert!(matches!(addresses("nats://a:port"), Err(ConnectError::Address(_))));
    }

    #[test]
    fn login_is_not_printed() {
        let login = Login::User { name: "ann".into(), password: "hunter2".into() };
        assert!(!format!("{login:?}").contains("hunter2"));
    }
}
