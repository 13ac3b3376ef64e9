//! Connections with limits: on their number, on the time to receive a request, on silence, and on the time that a response may stay
//! unread.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The most open connections; further ones are closed.
const CONNECTIONS: usize = 128;

/// The most time between the first and the last byte of a request.
const REQUEST: Duration = Duration::from_secs(10);

/// The most time for which the client may read nothing of a response.
const UNREAD: Duration = Duration::from_secs(10);

/// The most time without traffic in either direction. Keep-alive messages are more frequent.
const SILENT: Duration = Duration::from_secs(30);

/// Accepts connections.
pub(crate) struct LimitedListener {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl LimitedListener {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(CONNECTIONS)) }
    }
}

impl axum::serve::Listener for LimitedListener {
    type Io = TimedConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TimedConnection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                        return (TimedConnection::new(stream, place), from);
                    }
                }
                // No file descriptor is left, or the client is gone already.
                Err(error) => {
                    tracing::debug!("a connection failed: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// What a connection is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// Any traffic.
    Silent,
    /// The rest of a request.
    Request,
    /// The client to read the response.
    Unread,
}

/// A connection that fails when its time is up.
pub(crate) struct TimedConnection<S = TcpStream> {
    stream: S,
    wait: Wait,
    until: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl<S> TimedConnection<S> {
    fn new(stream: S, place: OwnedSemaphorePermit) -> Self {
        Self { stream, wait: Wait::Silent, until: Box::pin(sleep(SILENT)), _place: place }
    }

    fn wait_for(&mut self, wait: Wait) {
        self.wait = wait;
        let long = match wait {
            Wait::Silent => SILENT,
            Wait::Request => REQUEST,
            Wait::Unread => UNREAD,
        };
        self.until.as_mut().reset(Instant::now() + long);
    }

    fn overdue<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        ready!(self.until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Notes whether written data was accepted or has to wait.
    fn written<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_pending() {
            if self.wait != Wait::Unread {
                self.wait_for(Wait::Unread);
            }
            return self.overdue(context);
        }
        self.wait_for(Wait::Silent);
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedConnection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if read.is_pending() {
            return this.overdue(context);
        }
        if buffer.filled().len() > before && this.wait == Wait::Silent {
            this.wait_for(Wait::Request);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedConnection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    async fn pair() -> (TimedConnection<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(16);
        let place = Arc::new(Semaphore::new(1)).acquire_owned().await.unwrap();
        (TimedConnection::new(ours, place), theirs)
    }

    fn timed_out<T: std::fmt::Debug>(outcome: io::Result<T>) -> bool {
        outcome.unwrap_err().kind() == io::ErrorKind::TimedOut
    }

    #[tokio::test(start_paused = true)]
    async fn silence_and_dripping_requests_end() {
        let (mut connection, mut other) = pair().await;
        let start = Instant::now();
        assert!(timed_out(connection.read_u8().await));
        assert_eq!(start.elapsed().as_secs(), SILENT.as_secs());

        let mut connection = pair().await.0;
        let (mut dripping, mut drips) = pair().await;
        let drip = tokio::spawn(async move {
            while drips.write_u8(b'x').await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        });
        let start = Instant::now();
        let outcome = loop {
            if let Err(error) = dripping.read_u8().await {
                break Err::<(), _>(error);
            }
        };
        assert!(timed_out(outcome));
        assert_eq!(start.elapsed().as_secs(), REQUEST.as_secs());
        drop(dripping);
        drip.await.unwrap();
        // A connection with responses is not silent.
        let (mut answering, mut reader) = pair().await;
        for _ in 0..5 {
            sleep(SILENT / 2).await;
            answering.write_u8(b'y').await.unwrap();
            reader.read_u8().await.unwrap();
        }
        let _ = (connection.write_u8(1).await, other.write_u8(1).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_dropped() {
        let (mut connection, _unread) = pair().await;
        let start = Instant::now();
        let outcome = connection.write_all(&[0; 1_000]).await;
        assert!(timed_out(outcome));
        assert_eq!(start.elapsed().as_secs(), UNREAD.as_secs());
    }
}
