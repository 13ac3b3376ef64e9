//! Lines out, lines in, one deadline an exchange. Generic over the pipes, so that time can be tested without processes.
//!
//! Whatever the other side does, a call ends at its deadline, and nothing that the other side sends makes a buffer grow
//! beyond the longest line. Nothing is read ahead of need: an exchange is one write, one wait and one read,
//! and of a bot that answers at once it is mostly a write and a read.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::output::Ear;

/// How much is read at once to begin with: more than any sensible answer.
const FIRST_BUFFER: usize = 4_096;

/// How often the arena looks at its clock while it waits. That it looks late is how it knows that it did not run.
pub const LOOK: Duration = Duration::from_millis(25);

/// Who answers within this time may well have answered before we come to wait for it, the next time too. On another core
/// nobody does, and a look in vain costs a hundredth of the exchange.
const AT_ONCE: Duration = Duration::from_micros(20);

/// Delays up to this are the timer's own coarseness and do not count.
const COARSENESS: Duration = Duration::from_millis(5);

/// Why no line was heard. All of these are the bot's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The deadline passed before a line was complete.
    Deadline,
    /// The other side closed its end.
    Closed,
    /// More bytes than the longest line came without a line feed.
    Oversized,
    /// Whoever looked meanwhile said that the time is used up, before the deadline.
    Spent,
}

/// What is to happen after a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait on, and look again after this time or, at the latest, at the deadline.
    LookAfter(Duration),
    /// Give up waiting.
    GiveUp,
}

/// What is done whenever the arena looks at its clock while it waits. Quick exchanges end before the first look.
pub struct Lookout<'a> {
    /// When to look for the first time.
    pub first: Duration,
    pub look: &'a mut dyn FnMut() -> Next,
}

/// A line that came, and when.
#[derive(Debug)]
pub struct Heard<'a> {
    /// Without the line feed.
    pub line: &'a [u8],
    /// From the call to the complete line.
    pub took: Duration,
}

/// Both directions of a conversation.
pub struct Conversation<R, W> {
    reader: R,
    writer: W,
    /// What is to be written; `..written` of it is.
    out: Vec<u8>,
    written: usize,
    /// What came; `spoken..filled` of it was not yet handed out.
    input: Vec<u8>,
    spoken: usize,
    filled: usize,
    longest: usize,
    alarm: Pin<Box<Sleep>>,
    deadline: Instant,
    ended: Instant,
    /// By how much the arena looked later than it meant to, in this exchange.
    late: Duration,
    /// Whether the last line came at once.
    quick: bool,
    /// Why no more is waited for, once the pipe is to be looked into for the last time.
    last_look: Option<Failure>,
}

impl<R: Ear, W: AsyncWrite + Unpin> Conversation<R, W> {
    /// A conversation in which a line of the other side has at most `longest` bytes. Needs a tokio runtime.
    pub fn new(reader: R, writer: W, longest: usize) -> Self {
        Self {
            reader,
            writer,
            out: Vec::with_capacity(FIRST_BUFFER),
            written: 0,
            input: vec![0; FIRST_BUFFER.min(longest + 2)],
            spoken: 0,
            filled: 0,
            longest,
            alarm: Box::pin(tokio::time::sleep(Duration::ZERO)),
            deadline: Instant::now(),
            ended: Instant::now(),
            late: Duration::ZERO,
            quick: false,
            last_look: None,
        }
    }

    /// Where lines to be sent are appended; they leave with the next [`hear`](Self::hear) or [`flush`](Self::flush).
    pub fn queue(&mut self) -> &mut Vec<u8> {
        if self.written > FIRST_BUFFER {
            self.out.drain(..self.written);
            self.written = 0;
        }
        &mut self.out
    }

    /// How many bytes of what is queued the other side has not taken.
    pub fn backlog(&self) -> usize {
        self.out.len() - self.written
    }

    /// When the last [`hear`](Self::hear) ended.
    pub fn ended(&self) -> Instant {
        self.ended
    }

    /// By how much the arena itself looked late during the last [`hear`](Self::hear), all delays together: it was
    /// stopped, or the machine had no time for it.
    pub fn late(&self) -> Duration {
        self.late
    }

    /// Takes in what came unasked, as far as it is known without waiting; [`left_over`](Self::left_over) tells.
    pub async fn listen(&mut self) -> io::Result<()> {
        poll_fn(|cx| {
            self.make_room();
            Poll::Ready(match self.poll_receive(cx) {
                Poll::Ready(Err(error)) => Err(error),
                _ => Ok(()),
            })
        })
        .await
    }

    /// Sends what is queued and waits for one line until the deadline. A line that is complete when the arena looks for
    /// the last time, at the deadline or as soon after it as it runs, is heard.
    ///
    /// The inner result is the bot's doing, the outer error the system's.
    pub async fn hear(&mut self, deadline: Instant) -> io::Result<Result<Heard<'_>, Failure>> {
        let look = &mut || Next::LookAfter(LOOK);
        self.hear_watching(Instant::now(), deadline, &mut Lookout { first: LOOK, look }).await
    }

    /// The same, and looks at something else whenever it looks at the clock. `start` is now: reading the clock is a part
    /// of what an exchange costs, and whoever calls has just done so.
    pub async fn hear_watching(
        &mut self,
        start: Instant,
        deadline: Instant,
        lookout: &mut Lookout<'_>,
    ) -> io::Result<Result<Heard<'_>, Failure>> {
        (self.deadline, self.late, self.last_look) = (deadline, Duration::ZERO, None);
        self.alarm.as_mut().reset(deadline.min(start + lookout.first));
        if self.quick {
            self.reader.expect_at_once();
        }
        let heard = poll_fn(|cx| self.poll_line(cx, lookout)).await?;
        self.ended = Instant::now();
        self.note_delay(self.ended);
        Ok(match heard {
            Ok(end) => {
                let from = self.spoken;
                self.spoken = end + 1;
                let took = self.ended.saturating_duration_since(start);
                self.quick = took < AT_ONCE;
                Ok(Heard { line: &self.input[from..end], took })
            }
            Err(failure) => Err(failure),
        })
    }

    /// Writes what the other side takes without waiting for it. The rest stays queued.
    ///
    /// False if the other side no longer listens.
    pub async fn flush(&mut self) -> io::Result<bool> {
        poll_fn(|cx| {
            Poll::Ready(match self.poll_send(cx) {
                Poll::Ready(Err(error)) if gone(&error) => Ok(false),
                Poll::Ready(Err(error)) => Err(error),
                Poll::Ready(Ok(())) | Poll::Pending => Ok(true),
            })
        })
        .await
    }

    /// A line, or the beginning of one, that came behind the last line heard. Blanks alone do not count.
    pub fn left_over(&self) -> Option<&[u8]> {
        let rest = &self.input[self.spoken..self.filled];
        let silent = rest.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        (!silent).then_some(rest)
    }

    /// What came of a line that is not complete.
    pub fn partial(&self) -> &[u8] {
        &self.input[self.spoken..self.filled]
    }

    /// Forgets whatever came and was not yet heard.
    pub fn forget(&mut self) {
        self.spoken = self.filled;
    }

    /// Gives the pipes back, to close them.
    pub fn into_pipes(self) -> (R, W) {
        (self.reader, self.writer)
    }

    /// The place of the line feed that ends the next line.
    fn poll_line(
        &mut self,
        cx: &mut Context<'_>,
        lookout: &mut Lookout<'_>,
    ) -> Poll<io::Result<Result<usize, Failure>>> {
        match self.poll_send(cx) {
            // Who closes his input may still have answered: what he said is read before it is held against him.
            Poll::Ready(Err(error)) if !gone(&error) => return Poll::Ready(Err(error)),
            _ => {}
        }
        let mut searched = self.spoken;
        loop {
            let fresh = &self.input[searched..self.filled];
            if let Some(at) = fresh.iter().position(|&byte| byte == b'\n') {
                let end = searched + at;
                let oversized = end - self.spoken > self.longest;
                return Poll::Ready(Ok(if oversized { Err(Failure::Oversized) } else { Ok(end) }));
            }
            if self.filled - self.spoken > self.longest {
                return Poll::Ready(Ok(Err(Failure::Oversized)));
            }
            searched = self.make_room();
            match self.poll_receive(cx) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Ok(Err(Failure::Closed))),
                Poll::Ready(Ok(_)) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => break,
            }
        }
        self.poll_deadline(cx, lookout).map(|why| Ok(Err(why)))
    }

    /// Ready when the time is up and the pipe was looked into since; says why.
    fn poll_deadline(&mut self, cx: &mut Context<'_>, lookout: &mut Lookout<'_>) -> Poll<Failure> {
        if let Some(why) = self.last_look {
            return Poll::Ready(why);
        }
        while self.alarm.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            self.note_delay(now);
            let next = (lookout.look)();
            self.last_look = match next {
                Next::GiveUp => Some(Failure::Spent),
                Next::LookAfter(_) => (now >= self.deadline).then_some(Failure::Deadline),
            };
            let pause = if let Next::LookAfter(pause) = next { pause } else { LOOK };
            self.alarm.as_mut().reset(self.deadline.min(Instant::now() + pause));
            if self.last_look.is_some() {
                // What came while we did not run is known to the runtime only after it has asked the system again.
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        Poll::Pending
    }

    /// Counts by how much it is later than the alarm was set for.
    fn note_delay(&mut self, now: Instant) {
        let delay = now.saturating_duration_since(self.alarm.deadline());
        if delay > COARSENESS && self.last_look.is_none() {
            self.late += delay;
        }
    }

    /// Moves what was not handed out to the front, grows the buffer if it is full, and returns where to search on.
    fn make_room(&mut self) -> usize {
        self.input.copy_within(self.spoken..self.filled, 0);
        self.filled -= self.spoken;
        self.spoken = 0;
        if self.filled == self.input.len() {
            let larger = (self.input.len() * 2).min(self.longest + 2);
            self.input.resize(larger, 0);
        }
        self.filled
    }

    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(&mut self.input[self.filled..]);
        let polled = Pin::new(&mut self.reader).poll_read(cx, &mut buffer);
        let count = buffer.filled().len();
        polled.map_ok(|()| {
            self.filled += count;
            count
        })
    }

    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < self.out.len() {
            match Pin::new(&mut self.writer).poll_write(cx, &self.out[self.written..]) {
                Poll::Ready(Ok(count)) => self.written += count,
                Poll::Ready(Err(error)) => {
                    self.sent();
                    return Poll::Ready(Err(error));
                }
                Poll::Pending => return Poll::Pending,
            }
        }
        self.sent();
        Poll::Ready(Ok(()))
    }

    fn sent(&mut self) {
        self.out.clear();
        self.written = 0;
    }
}

/// Whether an error of writing says that the other side no longer listens.
fn gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests;
