//! What is played outside of a run is played to its end by the thread that asks for it.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Plays what no player waits in, without a runtime.
pub(crate) fn at_once<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    match pin!(playing).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(played) => Ok(played),
        Poll::Pending => Err(io::Error::other("a player waited that has nothing to wait for")),
    }
}

/// Runs to its end what is played on this thread. A bot lives as long as the thread that started it.
pub fn block_on<T>(playing: impl Future<Output = T>) -> io::Result<T> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(playing))
}
