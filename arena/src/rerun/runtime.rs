//! Runs futures to completion on the calling thread, for matches outside of a run.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Runs a future that never waits, without a runtime.
pub(crate) fn at_once<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    match pin!(playing).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(played) => Ok(played),
        Poll::Pending => Err(io::Error::other("a player waited although it has nothing to wait for")),
    }
}

/// Runs a future to completion on this thread. A bot lives as long as the thread that started it.
pub fn block_on<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(playing))
}
