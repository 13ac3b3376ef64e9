//! Bundles: files that must reach a worker before it can play. Each is named by its SHA-256, stored in pieces, and hashed
//! again on arrival.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::context::PublishError;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::connection::Connection;
use crate::subjects::{self, BUNDLES};

/// The maximum size of a bundle in bytes.
const MAX_BYTES: usize = 1 << 30;

/// The maximum size of a piece in bytes: one piece is one message.
const MAX_PIECE: usize = 512 << 10;

/// How often and at what interval a server that does not answer is retried.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// The name of the message that holds the number of pieces. It is stored after all of them.
const COUNT: &str = "count";

/// Why a bundle cannot be stored or fetched.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error("the bundle {0} is not on the server")]
    Missing(String),
    #[error("the bundle {0} on the server does not match its SHA-256")]
    Changed(String),
    #[error("a bundle of {0} bytes is too large: the limit is {MAX_BYTES}")]
    Large(usize),
    #[error("the server cannot store a bundle: {0}")]
    NotStored(#[from] PublishError),
    #[error("the server does not answer: {0}")]
    Silent(String),
    #[error("cannot store the bundle here: {0}")]
    Io(#[from] io::Error),
}

impl BundleError {
    /// Whether the server answered but does not have this bundle intact.
    pub fn is_of_content(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Changed(_) | Self::Large(_))
    }
}

/// A bundle that a run needs, kept here for a server that lacks or loses it.
#[derive(Clone, Debug)]
pub struct Bundle {
    name: String,
    kept: Arc<File>,
}

impl Bundle {
    /// Keeps these bytes in a file without a name.
    pub fn new(bytes: &[u8]) -> io::Result<Self> {
        let mut kept = tempfile::tempfile()?;
        kept.write_all(bytes)?;
        Ok(Self { name: name_of(bytes), kept: Arc::new(kept) })
    }

    /// Returns the name under which the server keeps it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn whole(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.kept.metadata()?.len() as usize];
        self.kept.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }
}

/// The bundles on a server.
#[derive(Clone, Debug)]
pub struct Bundles(Connection);

impl Bundles {
    /// Uses the server of this connection.
    pub fn new(connection: &Connection) -> Self {
        Self(connection.clone())
    }

    /// Stores a bundle and returns its name.
    pub async fn put(&self, bytes: &[u8]) -> Result<String, BundleError> {
        if bytes.len() > MAX_BYTES {
            return Err(BundleError::Large(bytes.len()));
        }
        let name = name_of(bytes);
        let piece = MAX_PIECE.min(self.0.most_bytes() / 2);
        let mut count = 0;
        for piece in bytes.chunks(piece) {
            self.store(&subjects::bundle(&name, &count.to_string()), piece.to_vec()).await?;
            count += 1;
        }
        self.store(&subjects::bundle(&name, COUNT), count.to_string().into_bytes()).await?;
        Ok(name)
    }

    /// Stores a bundle unless the server has it.
    pub(crate) async fn put_missing(&self, bundle: &Bundle) -> Result<(), BundleError> {
        if self.piece(&bundle.name, COUNT).await?.is_some() {
            return Ok(());
        }
        self.put(&bundle.whole()?).await.map(drop)
    }

    /// Stores a bundle again unless the server has it intact. Returns whether it was stored.
    pub(crate) async fn mend(&self, bundle: &Bundle) -> Result<bool, BundleError> {
        match self.get(&bundle.name).await {
            Ok(_) => Ok(false),
            Err(error) if error.is_of_content() => self.put(&bundle.whole()?).await.map(|_| true),
            Err(error) => Err(error),
        }
    }

    async fn store(&self, subject: &str, bytes: Vec<u8>) -> Result<(), BundleError> {
        let stored = self.0.jetstream.publish(subject.to_owned(), bytes.into()).await?;
        stored.await?;
        Ok(())
    }

    /// Fetches the bundle of this name. Retries for a while if the server does not answer.
    pub async fn get(&self, name: &str) -> Result<Vec<u8>, BundleError> {
        let missing = || BundleError::Missing(name.to_owned());
        let count = self.piece(name, COUNT).await?.ok_or_else(missing)?;
        let count: usize = std::str::from_utf8(&count)
            .ok()
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| BundleError::Changed(name.to_owned()))?;
        let mut bytes = Vec::new();
        for number in 0..count {
            bytes.extend(self.piece(name, &number.to_string()).await?.ok_or_else(missing)?);
            if bytes.len() > MAX_BYTES {
                return Err(BundleError::Large(bytes.len()));
            }
        }
        if name_of(&bytes) == name { Ok(bytes) } else { Err(BundleError::Changed(name.to_owned())) }
    }

    /// Fetches one message by its subject alone, so that permissions can name it.
    async fn piece(&self, name: &str, piece: &str) -> Result<Option<Vec<u8>>, BundleError> {
        let subject = format!("$JS.API.DIRECT.GET.{BUNDLES}.{}", subjects::bundle(name, piece));
        let mut last = String::new();
        for _ in 0..TRIES {
            match self.0.client.request(subject.clone(), Vec::new().into()).await {
                // A server without this message answers with a status.
                Ok(answer) => return Ok(answer.status.is_none().then(|| answer.payload.to_vec())),
                Err(error) => last = error.to_string(),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(BundleError::Silent(last))
    }
}

/// The SHA-256 in hex.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
