//! TLS: a certificate and its key from files, and connections that are encrypted by them or plain.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// A certificate with its private key.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

/// Why files are not a certificate and its key.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("cannot read {}: {source}", .file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("{} has no certificate: expected PEM, with -----BEGIN CERTIFICATE-----", .0.display())]
    NoCertificate(PathBuf),
    #[error(
        "{} has no private key: expected PEM without a passphrase, such as -----BEGIN PRIVATE KEY-----", .0.display()
    )]
    NoKey(PathBuf),
    #[error("{} is not PEM: {why}", .file.display())]
    NotPem { file: PathBuf, why: pem::Error },
    #[error("the certificate in {} and the key in {} cannot be used together: {why}", .files[0].display(), .files[1].display())]
    Unusable { files: [PathBuf; 2], why: rustls::Error },
}

impl Tls {
    /// Reads a certificate, with those between it and a known authority behind it, and its key.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let files = [certificate, key].map(Path::to_owned);
        let chain = certificates(certificate)?;
        let secret = PrivateKeyDer::from_pem_slice(&content(key)?).map_err(|why| match why {
            pem::Error::NoItemsFound => TlsError::NoKey(key.to_owned()),
            why => TlsError::NotPem { file: key.to_owned(), why },
        })?;
        let unusable = |why| TlsError::Unusable { files, why };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret))
            .map_err(unusable)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(config).into()))
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

/// The certificates in a PEM file: at least one.
pub fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&content(file)?).collect();
    let all = all.map_err(|why| TlsError::NotPem { file: file.to_owned(), why })?;
    if all.is_empty() { Err(TlsError::NoCertificate(file.to_owned())) } else { Ok(all) }
}

fn content(file: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(file).map_err(|source| TlsError::Read { file: file.to_owned(), source })
}

/// A connection that may be encrypted. The handshake is made while the first bytes are read, so it has their time limit.
pub(super) enum ServerConnection<S> {
    Plain(S),
    Handshake(Box<Accept<S>>),
    Encrypted(Box<TlsStream<S>>),
    Failed,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ServerConnection<S> {
    pub(super) fn new(stream: S, tls: Option<&Tls>) -> Self {
        match tls {
            Some(tls) => Self::Handshake(Box::new(tls.0.accept(stream))),
            None => Self::Plain(stream),
        }
    }

    /// The stream, once the handshake is made.
    fn open(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Pin<&mut (dyn Both + Unpin + '_)>>> {
        if let Self::Handshake(accept) = self {
            match ready!(Pin::new(accept).poll(context)) {
                Ok(stream) => *self = Self::Encrypted(Box::new(stream)),
                Err(error) => {
                    *self = Self::Failed;
                    return Poll::Ready(Err(error));
                }
            }
        }
        match self {
            Self::Plain(stream) => Poll::Ready(Ok(Pin::new(stream))),
            Self::Encrypted(stream) => Poll::Ready(Ok(Pin::new(&mut **stream))),
            Self::Handshake(_) | Self::Failed => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }

    /// Whether nothing can have been written yet, so that there is nothing to flush.
    fn is_blank(&self) -> bool {
        matches!(self, Self::Handshake(_) | Self::Failed)
    }
}

/// A stream in both directions.
trait Both: AsyncRead + AsyncWrite {}

impl<S: AsyncRead + AsyncWrite> Both for S {}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for ServerConnection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.open(context))?.poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ServerConnection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.open(context))?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.open(context))?.poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        true // as TCP and TLS are
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_blank() {
            return Poll::Ready(Ok(()));
        }
        ready!(self.open(context))?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_blank() {
            return Poll::Ready(Ok(()));
        }
        ready!(self.open(context))?.poll_shutdown(context)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A certificate for localhost, and its key, which are used nowhere else.
    const CERTIFICATE: &str = include_str!("../../tests/tls/certificate.pem");
    const KEY: &str = include_str!("../../tests/tls/key.pem");

    pub(in crate::server) fn tls() -> Tls {
        let folder = tempfile::tempdir().unwrap();
        read(folder.path(), CERTIFICATE, KEY).unwrap()
    }

    fn read(at: &Path, certificate: &str, key: &str) -> Result<Tls, TlsError> {
        fs::write(at.join("c.pem"), certificate).unwrap();
        fs::write(at.join("k.pem"), key).unwrap();
        Tls::read(&at.join("c.pem"), &at.join("k.pem"))
    }

    #[test]
    fn unusable_certificate_or_key_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let why = |certificate, key| read(folder.path(), certificate, key).unwrap_err().to_string();
        assert!(why("", KEY).contains("c.pem has no certificate"));
        assert!(why(KEY, KEY).contains("c.pem has no certificate"));
        assert!(why(CERTIFICATE, CERTIFICATE).contains("k.pem has no private key"));
        assert!(
            why(CERTIFICATE, include_str!("../../tests/tls/other-key.pem"))
                .contains("cannot be used together")
        );
        let damaged = CERTIFICATE.replace("MII", "!!!");
        assert!(why(&damaged, KEY).contains("is not PEM"));
        let cut = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert!(why(cut, KEY).contains("cannot be used together"));
        assert!(
            Tls::read(Path::new("/none"), Path::new("/none"))
                .unwrap_err()
                .to_string()
                .contains("cannot read /none")
        );
    }
}
