//! A bot's standard output, as it is heard.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rustix::io::Errno;
use tokio::io::{AsyncRead, ReadBuf, ReadHalf};
use tokio::process::ChildStdout;

/// An end of a pipe that lines are heard from.
pub trait Ear: AsyncRead + Unpin {
    /// The next read asks the system for what came, without waiting to be told that something did. The system often lets a
    /// bot that was written to run at once: when the write returns, a quick bot on our core has answered.
    fn expect_at_once(&mut self) {}
}

/// Half of a stream in memory or of a socket: the runtime is asked as ever.
impl<T: AsyncRead + Unpin> Ear for ReadHalf<T> {}

/// A bot's standard output.
#[derive(Debug)]
pub struct Output {
    pipe: ChildStdout,
    expected: bool,
}

impl Output {
    pub(super) fn new(pipe: ChildStdout) -> Self {
        Self { pipe, expected: false }
    }
}

impl Ear for Output {
    fn expect_at_once(&mut self) {
        self.expected = true;
    }
}

impl AsyncRead for Output {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.expected) {
            // What the runtime knows of the pipe stays as it is: at worst it asks once for what was read here.
            match rustix::io::read(&self.pipe, buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
        Pin::new(&mut self.pipe).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{Future, poll_fn};
    use std::pin::pin;
    use std::process::Stdio;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::process::{ChildStdin, Command};

    use super::*;

    /// A process that says what it is told.
    fn echo() -> (ChildStdin, Output, tokio::process::Child) {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let output = Output::new(child.stdout.take().unwrap());
        (child.stdin.take().unwrap(), output, child)
    }

    /// Waits until something is there to be read, without telling the runtime.
    fn wait_for(output: &Output) {
        let mut waited_for = [rustix::event::PollFd::new(&output.pipe, rustix::event::PollFlags::IN)];
        rustix::event::poll(&mut waited_for, None).unwrap();
    }

    #[tokio::test]
    async fn what_is_expected_and_there_is_read_before_the_runtime_knows_of_it() {
        let (mut input, mut output, _child) = echo();
        for expected in [false, true] {
            input.write_all(b"answer\n").await.unwrap();
            wait_for(&output);
            if expected {
                output.expect_at_once();
            }
            let mut answer = [0; 20];
            let mut read = pin!(output.read(&mut answer));
            // The runtime has not looked since.
            let at_once = poll_fn(|cx| Poll::Ready(read.as_mut().poll(cx))).await;
            assert_eq!(at_once.is_ready(), expected);
            let count = if let Poll::Ready(count) = at_once { count } else { read.await };
            assert_eq!(count.unwrap(), 7);
        }
    }

    #[tokio::test]
    async fn what_is_expected_and_not_there_is_waited_for() {
        let (mut input, mut output, _child) = echo();
        let mut answer = [0; 20];
        for _ in 0..3 {
            output.expect_at_once();
            let (read, written) = tokio::join!(output.read(&mut answer), input.write_all(b"late\n"));
            assert_eq!((read.unwrap(), written.unwrap()), (5, ()));
        }
        drop(input);
        for _ in 0..2 {
            output.expect_at_once();
            assert_eq!(output.read(&mut answer).await.unwrap(), 0);
        }
    }
}
