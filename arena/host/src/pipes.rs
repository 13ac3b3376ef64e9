//! A bot's pipes, which can be written, waited for and read without the runtime.

use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::{Errno, retry_on_intr};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, ReadHalf};
use tokio::process::{ChildStdin, ChildStdout};

/// A reader that this thread can wait for itself. The runtime's way costs more than the system's: a quick answer is worth
/// the shorter one. A reader without such a way, such as one in memory, keeps the defaults:
///
/// ```
/// use std::io;
/// use std::pin::Pin;
/// use std::task::{Context, Poll};
///
/// use leyden_host::DirectRead;
/// use tokio::io::{AsyncRead, ReadBuf};
///
/// struct InMemory(&'static [u8]);
///
/// impl AsyncRead for InMemory {
///     fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
///         Pin::new(&mut self.0).poll_read(cx, buffer)
///     }
/// }
///
/// impl DirectRead for InMemory {}
/// ```
pub trait DirectRead: AsyncRead + Unpin {
    /// Whether nothing is there if a direct read finds nothing. Otherwise only the runtime knows.
    const CONCLUSIVE: bool = false;

    /// Waits for up to this time, in which the thread does nothing else, and reads what is there. `None` if nothing came,
    /// if something else came that the runtime has to attend to, or if only the runtime knows.
    fn read_within(&mut self, _time: Duration, _buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(None)
    }
}

/// A pipe in memory: there is no system to ask.
impl<T: AsyncRead + Unpin> DirectRead for ReadHalf<T> {}

/// A bot's standard input. The runtime is asked only if the pipe is full.
#[derive(Debug)]
pub struct BotInput(pub(crate) ChildStdin);

impl AsyncWrite for BotInput {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match retry_on_intr(|| rustix::io::write(&self.0, bytes)) {
            Ok(count) => Poll::Ready(Ok(count)),
            Err(Errno::AGAIN) => Pin::new(&mut self.0).poll_write(cx, bytes),
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// A bot's standard output.
#[derive(Debug)]
pub struct BotOutput {
    pipe: ChildStdout,
    /// Its standard error, which a task of the runtime reads: a bot that fills it must not wait for us.
    stderr: Option<OwnedFd>,
}

impl BotOutput {
    pub(crate) fn new(pipe: ChildStdout, stderr: Option<OwnedFd>) -> Self {
        Self { pipe, stderr }
    }

    /// Reads what is there. The runtime does not learn of this: at worst it asks once more for what was read here.
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match retry_on_intr(|| rustix::io::read(&self.pipe, &mut *buffer)) {
            Ok(count) => Ok(Some(count)),
            Err(Errno::AGAIN) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until there is something to read, here or at standard error, for up to this time.
    fn wait(&self, time: Duration) {
        let Ok(time) = Timespec::try_from(time) else { return };
        let ours = PollFd::new(&self.pipe, PollFlags::IN);
        // A wait that fails or is interrupted finds nothing to read.
        let _ = match &self.stderr {
            Some(stderr) => rustix::event::poll(&mut [ours, PollFd::new(stderr, PollFlags::IN)], Some(&time)),
            None => rustix::event::poll(&mut [ours], Some(&time)),
        };
    }
}

impl DirectRead for BotOutput {
    const CONCLUSIVE: bool = true;

    fn read_within(&mut self, time: Duration, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        // A bot on the same processor has often answered by the time that the turn is written: reading then saves the wait.
        let read = self.read_now(buffer)?;
        if read.is_some() || time.is_zero() {
            return Ok(read);
        }
        self.wait(time);
        self.read_now(buffer)
    }
}

impl AsyncRead for BotOutput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::process::{Child, ChildStdin, Command};

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    /// Returns a process that runs a shell script, with its standard error in view.
    fn shell(script: &str) -> (ChildStdin, BotOutput, Child) {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let stderr = child.stderr.take().unwrap().into_owned_fd().unwrap();
        let output = BotOutput::new(child.stdout.take().unwrap(), Some(stderr));
        (child.stdin.take().unwrap(), output, child)
    }

    #[tokio::test]
    async fn direct_read_waits_for_the_answer() {
        let (mut input, mut output, _child) = shell("exec cat");
        let mut answer = [0; 20];
        assert_eq!(output.read_within(Duration::ZERO, &mut answer).unwrap(), None);
        for _ in 0..3 {
            input.write_all(b"answer\n").await.unwrap();
            assert_eq!(output.read_within(LONG, &mut answer).unwrap(), Some(7));
        }
        drop(input);
        assert_eq!(output.read_within(LONG, &mut answer).unwrap(), Some(0));
    }

    #[tokio::test]
    async fn write_to_a_full_pipe_waits_for_room() {
        let (input, mut output, _child) = shell("exec wc -c");
        let mut input = BotInput(input);
        input.write_all(&vec![b'a'; 1 << 20]).await.unwrap(); // more than any pipe holds
        drop(input);
        let mut counted = String::new();
        output.read_to_string(&mut counted).await.unwrap();
        assert_eq!(counted.trim(), "1048576");
    }

    #[tokio::test]
    async fn direct_read_ends_when_the_bot_complains() {
        let (_input, mut output, _child) = shell("echo complaint >&2; exec sleep 60");
        assert_eq!(output.read_within(LONG, &mut [0; 20]).unwrap(), None);
    }

    #[tokio::test]
    async fn runtime_reads_bytes_left_by_a_direct_read() {
        let (mut input, mut output, _child) = shell("exec cat");
        let mut answer = [0; 4];
        for _ in 0..3 {
            input.write_all(b"answer\n").await.unwrap();
            assert_eq!(output.read_within(LONG, &mut answer).unwrap(), Some(4));
            assert_eq!(output.read(&mut answer).await.unwrap(), 3);
            let (read, written) = tokio::join!(output.read(&mut answer), input.write_all(b"late"));
            assert_eq!((read.unwrap(), written.unwrap()), (4, ()));
        }
    }
}
