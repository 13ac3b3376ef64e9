//! A bot's standard output, which can be read before the runtime knows that something arrived.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rustix::io::Errno;
use tokio::io::{AsyncRead, ReadBuf, ReadHalf};
use tokio::process::ChildStdout;

/// A reader whose next read can be made eager.
pub trait EagerRead: AsyncRead + Unpin {
    /// Makes the next read ask the system for data without waiting for a notification. The system often runs a bot as
    /// soon as it is written to: when the write returns, a quick bot on our core has answered.
    fn read_eagerly(&mut self) {}
}

/// A pipe in memory: there is no system to ask.
impl<T: AsyncRead + Unpin> EagerRead for ReadHalf<T> {}

/// A bot's standard output.
#[derive(Debug)]
pub struct BotOutput {
    pipe: ChildStdout,
    eager: bool,
}

impl BotOutput {
    pub(crate) fn new(pipe: ChildStdout) -> Self {
        Self { pipe, eager: false }
    }
}

impl EagerRead for BotOutput {
    fn read_eagerly(&mut self) {
        self.eager = true;
    }
}

impl AsyncRead for BotOutput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.eager) {
            // The runtime does not learn of this read: at worst it asks once more for what was read here.
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

    /// Returns a process that prints what it is asked to.
    fn echo() -> (ChildStdin, BotOutput, tokio::process::Child) {
        let mut command = Command::new("cat");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let output = BotOutput::new(child.stdout.take().unwrap());
        (child.stdin.take().unwrap(), output, child)
    }

    /// Waits until there is something to read, without informing the runtime.
    fn wait_for(output: &BotOutput) {
        let mut waited_for = [rustix::event::PollFd::new(&output.pipe, rustix::event::PollFlags::IN)];
        rustix::event::poll(&mut waited_for, None).unwrap();
    }

    #[tokio::test]
    async fn an_eager_read_gets_what_is_there_before_the_runtime_knows_of_it() {
        let (mut input, mut output, _child) = echo();
        for eager in [false, true] {
            input.write_all(b"answer\n").await.unwrap();
            wait_for(&output);
            if eager {
                output.read_eagerly();
            }
            let mut answer = [0; 20];
            let mut read = pin!(output.read(&mut answer));
            // The runtime has not looked since.
            let at_once = poll_fn(|cx| Poll::Ready(read.as_mut().poll(cx))).await;
            assert_eq!(at_once.is_ready(), eager);
            let count = if let Poll::Ready(count) = at_once { count } else { read.await };
            assert_eq!(count.unwrap(), 7);
        }
    }

    #[tokio::test]
    async fn an_eager_read_waits_for_what_is_not_there() {
        let (mut input, mut output, _child) = echo();
        let mut answer = [0; 20];
        for _ in 0..3 {
            output.read_eagerly();
            let (read, written) = tokio::join!(output.read(&mut answer), input.write_all(b"late\n"));
            assert_eq!((read.unwrap(), written.unwrap()), (5, ()));
        }
        drop(input);
        for _ in 0..2 {
            output.read_eagerly();
            assert_eq!(output.read(&mut answer).await.unwrap(), 0);
        }
    }
}
