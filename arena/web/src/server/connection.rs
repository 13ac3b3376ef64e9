//! Connections with limits: on their number ([`connection_slots`](super::connection_slots)), on the time to receive a request, on
//! silence, and on the time that a response may stay unread.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{self, Body};
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::serve::IncomingStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

use super::answer::text;
use super::connection_slots::{ConnectionSlot, Connections};
use super::tls::{ServerConnection, Tls};

/// The most time between the first and the last byte of a request. How long the response takes to make does not count.
const REQUEST: Duration = Duration::from_secs(10);

/// The most time for which the client may read nothing of a response.
const UNREAD: Duration = Duration::from_secs(10);

/// The most time without traffic in either direction. Keep-alive messages are more frequent.
const SILENT: Duration = Duration::from_secs(30);

/// Serves pages until it is dropped, encrypted if there is a certificate. The body of a request may have up to `longest` bytes; one
/// that is posted to `streamed` is left to its route, with a [`Streaming`].
pub(crate) async fn serve(
    listener: TcpListener,
    pages: Router,
    longest: usize,
    streamed: Option<&'static str>,
    tls: Option<Tls>,
) -> io::Result<()> {
    let pages = pages.layer(middleware::from_fn(move |answering, request, next| {
        receive(answering, request, next, (longest, streamed))
    }));
    let service = pages.into_make_service_with_connect_info::<Answering>();
    axum::serve(LimitedListener { listener, connections: Connections::default(), tls }, service).await
}

/// Receives the rest of a request. From then on the client waits for the server, however long a page takes to make.
async fn receive(
    ConnectInfo(answering): ConnectInfo<Answering>,
    request: Request,
    next: Next,
    (longest, streamed): (usize, Option<&'static str>),
) -> Response {
    let (mut head, body) = request.into_parts();
    if head.method == Method::POST && Some(head.uri.path()) == streamed {
        head.extensions.insert(Streaming(answering));
        return next.run(Request::from_parts(head, body)).await;
    }
    match body::to_bytes(body, longest).await {
        Ok(bytes) => {
            answering.set(ANSWERING);
            next.run(Request::from_parts(head, Body::from(bytes))).await
        }
        Err(_) => text(StatusCode::PAYLOAD_TOO_LARGE, &format!("a request may have {longest} bytes")),
    }
}

/// What a connection's request is at: its time depends on that.
#[derive(Clone, Debug, Default)]
struct Answering(Arc<AtomicU8>);

/// It is not complete.
const RECEIVING: u8 = 0;
/// It is complete and its response has not begun.
const ANSWERING: u8 = 1;
/// Its body is received by a route that limits the time itself.
const STREAMING: u8 = 2;

impl Answering {
    fn set(&self, state: u8) {
        self.0.store(state, Ordering::Relaxed);
    }

    fn is(&self, state: u8) -> bool {
        self.0.load(Ordering::Relaxed) == state
    }

    /// What is written while a body is received is no response.
    fn has_written(&self) {
        let _ = self.0.compare_exchange(ANSWERING, RECEIVING, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Lets a route receive the body of its request for as long as something comes. Dropped, it says that the body was received.
#[derive(Clone, Debug)]
pub(crate) struct Streaming(Answering);

impl Streaming {
    /// From now on the connection only ends when nothing comes.
    pub(crate) fn begin(self) -> StreamingNow {
        self.0.set(STREAMING);
        StreamingNow(self.0)
    }
}

/// A body that is being received.
#[derive(Debug)]
pub(crate) struct StreamingNow(Answering);

impl Drop for StreamingNow {
    fn drop(&mut self) {
        self.0.set(ANSWERING);
    }
}

impl Connected<IncomingStream<'_, LimitedListener>> for Answering {
    fn connect_info(stream: IncomingStream<'_, LimitedListener>) -> Self {
        stream.io().answering.clone()
    }
}

/// Accepts connections.
struct LimitedListener {
    listener: TcpListener,
    connections: Connections,
    tls: Option<Tls>,
}

impl axum::serve::Listener for LimitedListener {
    type Io = TimedConnection<ServerConnection<TcpStream>>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    if let Some(slot) = self.connections.take(from.ip()) {
                        let stream = ServerConnection::new(stream, self.tls.as_ref());
                        return (TimedConnection::new(stream, slot), from);
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
pub(super) struct TimedConnection<S> {
    stream: S,
    wait: Wait,
    until: Pin<Box<Sleep>>,
    answering: Answering,
    _slot: ConnectionSlot,
}

impl<S> TimedConnection<S> {
    fn new(stream: S, slot: ConnectionSlot) -> Self {
        Self {
            stream,
            wait: Wait::Silent,
            until: Box::pin(sleep(SILENT)),
            answering: Answering::default(),
            _slot: slot,
        }
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
        if self.wait == Wait::Request && self.answering.is(ANSWERING) {
            return Poll::Pending;
        }
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
        self.answering.has_written();
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
        let is_more = this.wait == Wait::Silent || this.answering.is(STREAMING);
        if buffer.filled().len() > before && is_more {
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
        let this = &mut *self;
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        match (flushed.is_pending(), this.wait == Wait::Unread) {
            (true, false) => this.wait_for(Wait::Unread),
            (false, true) => this.wait_for(Wait::Silent),
            _ => {}
        }
        if flushed.is_pending() { this.overdue(context) } else { flushed }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    fn pair() -> (TimedConnection<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(16);
        let slot = Connections::default().take([127, 0, 0, 1].into()).unwrap();
        (TimedConnection::new(ours, slot), theirs)
    }

    fn timed_out<T: std::fmt::Debug>(outcome: io::Result<T>) -> bool {
        outcome.unwrap_err().kind() == io::ErrorKind::TimedOut
    }

    #[tokio::test(start_paused = true)]
    async fn silence_and_dripping_requests_end() {
        let (mut connection, mut other) = pair();
        let start = Instant::now();
        assert!(timed_out(connection.read_u8().await));
        assert_eq!(start.elapsed().as_secs(), SILENT.as_secs());

        let mut connection = pair().0;
        let (mut dripping, mut drips) = pair();
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
        let (mut answering, mut reader) = pair();
        for _ in 0..5 {
            sleep(SILENT / 2).await;
            answering.write_u8(b'y').await.unwrap();
            reader.read_u8().await.unwrap();
        }
        let _ = (connection.write_u8(1).await, other.write_u8(1).await);
    }

    #[tokio::test(start_paused = true)]
    async fn page_that_takes_long_is_waited_for() {
        let (mut connection, mut client) = pair();
        client.write_u8(b'x').await.unwrap();
        connection.read_u8().await.unwrap();
        connection.answering.set(ANSWERING);
        let rest = tokio::time::timeout(10 * REQUEST, connection.read_u8()).await;
        assert!(rest.is_err(), "the connection waits for the server, which has not answered");
        connection.write_u8(b'y').await.unwrap();
        client.read_u8().await.unwrap();
        assert!(timed_out(connection.read_u8().await), "the next request may not keep it waiting");
    }

    #[tokio::test]
    async fn connection_is_answering_while_a_page_is_made() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let seen = async |info: ConnectInfo<Answering>| info.0.is(ANSWERING).to_string();
        let pages = Router::new().route("/", axum::routing::post(seen));
        let server = tokio::spawn(serve(listener, pages, 4, None, None));
        let request = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody";
        client.write_all(request).await.unwrap();
        let mut response = String::new();
        client.read_to_string(&mut response).await.unwrap();
        assert!(response.ends_with("\r\n\r\ntrue"), "{response}");
        server.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn body_may_take_long_but_not_stall() {
        let (mut connection, mut client) = pair();
        client.write_u8(b'x').await.unwrap();
        connection.read_u8().await.unwrap();
        let streaming = Streaming(connection.answering.clone()).begin();
        connection.write_all(b"100").await.unwrap(); // `100 Continue` is no answer
        for _ in 0..10 {
            sleep(REQUEST * 9 / 10).await;
            client.write_u8(b'y').await.unwrap();
            connection.read_u8().await.unwrap();
        }
        let start = Instant::now();
        assert!(timed_out(connection.read_u8().await));
        assert_eq!(start.elapsed().as_secs(), REQUEST.as_secs());
        drop(streaming);
        let rest = tokio::time::timeout(10 * REQUEST, connection.read_u8()).await;
        assert!(rest.is_err(), "the connection waits for the server");
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_does_not_read_is_dropped() {
        let (mut connection, _unread) = pair();
        let start = Instant::now();
        let outcome = connection.write_all(&[0; 1_000]).await;
        assert!(timed_out(outcome));
        assert_eq!(start.elapsed().as_secs(), UNREAD.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn handshake_times_out_and_counts_as_no_traffic() {
        let slot = Connections::default().take([127, 0, 0, 1].into()).unwrap();
        let (ours, mut theirs) = duplex(1 << 10);
        let tls = crate::server::tls::tests::tls();
        let mut connection = TimedConnection::new(ServerConnection::new(ours, Some(&tls)), slot);
        let drip = tokio::spawn(async move {
            // A record that would have 16 KB.
            theirs.write_all(&[22, 3, 1, 64, 0]).await.unwrap();
            while theirs.write_u8(1).await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        });
        let start = Instant::now();
        assert!(timed_out(connection.read_u8().await));
        assert_eq!(start.elapsed().as_secs(), SILENT.as_secs());
        drop(connection);
        drip.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn client_not_reading_flushed_data_is_dropped() {
        let (mut connection, _unread) = pair();
        let start = Instant::now();
        let mut buffered = tokio::io::BufWriter::with_capacity(1_000, &mut connection.stream);
        buffered.write_all(&[0; 900]).await.unwrap();
        let slot = Connections::default().take([127, 0, 0, 1].into()).unwrap();
        let mut flushing = TimedConnection::new(tokio::io::join(tokio::io::empty(), buffered), slot);
        assert!(timed_out(flushing.flush().await));
        assert_eq!(start.elapsed().as_secs(), UNREAD.as_secs());
    }
}
