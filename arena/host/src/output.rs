//! A bot's standard output, which can be waited for and read without the runtime.

use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use tokio::io::{AsyncRead, ReadBuf, ReadHalf};
use tokio::process::ChildStdout;

/// A reader that this thread can wait for itself. The runtime's way costs more than the system's: a quick answer is worth
/// the shorter one.
pub trait DirectRead: AsyncRead + Unpin {
    /// Waits for up to this time, in which the thread does nothing else, and reads what is there. `None` if nothing came,
    /// if something else came that the runtime has to attend to, or if only the runtime can tell.
    fn read_within(&mut self, _time: Duration, _buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(None)
    }
}

/// A pipe in memory: there is no system to ask.
impl<T: AsyncRead + Unpin> DirectRead for ReadHalf<T> {}

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
    fn read_within(&mut self, time: Duration, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        if !time.is_zero() {
            self.wait(time);
        }
        // The runtime does not learn of this read: at worst it asks once more for what was read here.
        match rustix::io::read(&self.pipe, buffer) {
            Ok(count) => Ok(Some(count)),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
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
    async fn a_direct_read_waits_for_the_answer() {
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
    async fn a_direct_read_ends_when_the_bot_complains() {
        let (_input, mut output, _child) = shell("echo complaint >&2; exec sleep 60");
        assert_eq!(output.read_within(LONG, &mut [0; 20]).unwrap(), None);
    }

    #[tokio::test]
    async fn the_runtime_reads_what_no_direct_read_has_read() {
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
