//! Lines out, lines in, and one deadline for each exchange. Generic over the pipes, so that time can be tested without
//! processes. Independent of the content of the lines.
//!
//! No matter what the other side does, a call ends at its deadline, and nothing that it sends makes a buffer grow beyond the
//! longest line. Nothing is read before it is needed: an exchange is one write, one wait and one read. With a quick bot,
//! this thread waits for the system itself; only if that takes long is a timer set, and the runtime waits.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use memchr::memchr;
use tokio::io::{AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use crate::pipes::DirectRead;

/// The initial size of a buffer: more than any sensible answer.
const FIRST_BUFFER: usize = 4_096;

/// How often a conversation checks the clock while it waits. A check that comes late shows that this process itself did
/// not get to run.
pub const CHECK_INTERVAL: Duration = Duration::from_millis(25);

/// A bot that answers within this time probably does so the next time, too.
const QUICK: Duration = Duration::from_millis(1);

/// How long this thread waits for a quick bot by itself. Longer than the tick of most kernels (4 ms): for an earlier timer,
/// the processor's own has to be set each time.
const BRIEFLY: Duration = Duration::from_millis(5);

/// Delays up to this are the timer's own granularity and do not count.
const COARSENESS: Duration = Duration::from_millis(5);

/// Why no line was read. All of these are the other side's doing, not an error on our side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadLineError {
    /// The deadline passed before a line was complete.
    TimedOut,
    /// The other side closed its end.
    Closed,
    /// More bytes than the longest line came without a line feed.
    TooLong,
    /// The watchdog stopped waiting before the deadline.
    GaveUp,
}

/// What the watchdog decides after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextCheck {
    /// Keep waiting, and check again after this time or, at the latest, at the deadline.
    After(Duration),
    /// Keep waiting, but until this deadline, and check again after this time or, at the latest, then.
    Until(Instant, Duration),
    /// Stop waiting.
    GiveUp,
}

/// A check that is made repeatedly while waiting for a line. Quick exchanges end before the first one.
pub struct Watchdog<'a> {
    /// How long after the start the first check is made.
    pub first_check: Duration,
    /// Checks, and says how to go on.
    pub check: &'a mut dyn FnMut() -> NextCheck,
}

/// A line that arrived, and how long it took.
#[derive(Debug)]
pub struct Line<'a> {
    /// Without the line feed.
    pub bytes: &'a [u8],
    /// From the call to the complete line.
    pub took: Duration,
}

/// Both directions of a conversation.
pub struct Conversation<R, W> {
    reader: R,
    writer: W,
    /// What is to be written; `..written` already is.
    out: Vec<u8>,
    written: usize,
    /// What was read; `consumed..filled` has not been returned yet.
    input: Vec<u8>,
    consumed: usize,
    filled: usize,
    longest: usize,
    /// Set for `due` once the runtime has to wait.
    alarm: Pin<Box<Sleep>>,
    is_set: bool,
    /// When to check next.
    due: Instant,
    deadline: Instant,
    ended_at: Instant,
    /// How late our own checks were in this exchange, in total.
    delay: Duration,
    /// Whether the last line came at once.
    quick: bool,
    /// How long this thread waits for the current one by itself.
    brief: Duration,
    /// Why waiting ends, once only a last read remains.
    last_read: Option<ReadLineError>,
}

impl<R: DirectRead, W: AsyncWrite + Unpin> Conversation<R, W> {
    /// Creates a conversation in which a line from the other side has at most `longest` bytes. Needs a tokio runtime.
    pub fn new(reader: R, writer: W, longest: usize) -> Self {
        Self {
            reader,
            writer,
            out: Vec::with_capacity(FIRST_BUFFER),
            written: 0,
            input: vec![0; FIRST_BUFFER.min(longest + 2)],
            consumed: 0,
            filled: 0,
            longest,
            alarm: Box::pin(tokio::time::sleep(Duration::ZERO)),
            is_set: false,
            due: Instant::now(),
            deadline: Instant::now(),
            ended_at: Instant::now(),
            delay: Duration::ZERO,
            quick: false,
            brief: Duration::ZERO,
            last_read: None,
        }
    }

    /// Returns the buffer for lines to send; they are sent by the next [`read_line`](Self::read_line) or
    /// [`flush`](Self::flush).
    pub fn queue(&mut self) -> &mut Vec<u8> {
        if self.written > FIRST_BUFFER {
            self.out.drain(..self.written);
            self.written = 0;
        }
        &mut self.out
    }

    /// Returns how many queued bytes the other side has not taken.
    pub fn backlog(&self) -> usize {
        self.out.len() - self.written
    }

    /// Returns when the last [`read_line`](Self::read_line) ended.
    pub fn ended_at(&self) -> Instant {
        self.ended_at
    }

    /// Returns how late our own checks were during the last [`read_line`](Self::read_line), in total: this process was
    /// stopped, or the machine had no time for it.
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// Reads some of what has arrived, without waiting, and returns the number of bytes; [`unread`](Self::unread) shows
    /// them. Never reads more than the longest line and its line feed.
    pub async fn read_available(&mut self) -> io::Result<usize> {
        if self.make_room() == self.input.len() {
            return Ok(0);
        }
        if let Some(count) = self.read_within(Duration::ZERO)? {
            return Ok(count);
        }
        if R::CONCLUSIVE {
            return Ok(0);
        }
        poll_fn(|cx| {
            Poll::Ready(match self.poll_receive(cx) {
                Poll::Ready(read) => read,
                Poll::Pending => Ok(0),
            })
        })
        .await
    }

    /// Returns the next complete line among what was read, without its line feed.
    pub fn take_line(&mut self) -> Option<&[u8]> {
        let from = self.consumed;
        let length = memchr(b'\n', &self.input[from..self.filled])?;
        self.consumed = from + length + 1;
        Some(&self.input[from..from + length])
    }

    /// Sends what is queued and waits for one line until the deadline. A line counts if it is complete when the pipe is
    /// read for the last time: at the deadline, or as soon after it as this process runs.
    ///
    /// The inner result is the other side's doing, the outer error the system's.
    pub async fn read_line(&mut self, deadline: Instant) -> io::Result<Result<Line<'_>, ReadLineError>> {
        let check = &mut || NextCheck::After(CHECK_INTERVAL);
        let watchdog = &mut Watchdog { first_check: CHECK_INTERVAL, check };
        self.read_line_watched(Instant::now(), deadline, watchdog).await
    }

    /// The same, with a watchdog that is called whenever the clock is checked. `start` is the current time: reading the
    /// clock has a cost, and the caller has just done it.
    pub async fn read_line_watched(
        &mut self,
        start: Instant,
        deadline: Instant,
        watchdog: &mut Watchdog<'_>,
    ) -> io::Result<Result<Line<'_>, ReadLineError>> {
        (self.deadline, self.delay, self.last_read) = (deadline, Duration::ZERO, None);
        (self.due, self.is_set) = (deadline.min(start + watchdog.first_check), false);
        self.brief = match self.quick {
            true if start + BRIEFLY <= self.due => BRIEFLY,
            true => self.due - start,
            false => Duration::ZERO,
        };
        let line = poll_fn(|cx| self.poll_line(cx, watchdog)).await?;
        self.ended_at = Instant::now();
        self.note_delay(self.ended_at);
        Ok(match line {
            Ok(end) => {
                let from = self.consumed;
                self.consumed = end + 1;
                let took = self.ended_at.saturating_duration_since(start);
                self.quick = took < QUICK;
                Ok(Line { bytes: &self.input[from..end], took })
            }
            Err(none) => Err(none),
        })
    }

    /// Writes what the other side takes without waiting. The rest stays queued.
    ///
    /// Returns false if the other side has closed its end.
    pub async fn flush(&mut self) -> io::Result<bool> {
        poll_fn(|cx| {
            Poll::Ready(match self.poll_send(cx) {
                Poll::Ready(Err(error)) if is_closed(&error) => Ok(false),
                Poll::Ready(Err(error)) => Err(error),
                Poll::Ready(Ok(())) | Poll::Pending => Ok(true),
            })
        })
        .await
    }

    /// Returns what came after the last returned line; `None` if that is nothing but blanks.
    pub fn unread(&self) -> Option<&[u8]> {
        let rest = &self.input[self.consumed..self.filled];
        let blank = rest.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        (!blank).then_some(rest)
    }

    /// Returns what has arrived of an incomplete line.
    pub fn partial_line(&self) -> &[u8] {
        &self.input[self.consumed..self.filled]
    }

    /// Discards everything received but not yet returned.
    pub fn discard_unread(&mut self) {
        self.consumed = self.filled;
    }

    /// Returns the pipes, to close them.
    pub fn into_pipes(self) -> (R, W) {
        (self.reader, self.writer)
    }

    /// Ready with the index of the line feed that ends the next line.
    fn poll_line(
        &mut self,
        cx: &mut Context<'_>,
        watchdog: &mut Watchdog<'_>,
    ) -> Poll<io::Result<Result<usize, ReadLineError>>> {
        let brief = std::mem::take(&mut self.brief);
        match self.poll_send(cx) {
            // A bot that has closed its input may have answered before, so that answer is read first.
            Poll::Ready(Err(error)) if !is_closed(&error) => return Poll::Ready(Err(error)),
            Poll::Ready(_) if !brief.is_zero() => {
                self.make_room();
                self.read_within(brief)?;
            }
            _ => {}
        }
        let mut searched = self.consumed;
        loop {
            let fresh = &self.input[searched..self.filled];
            if let Some(at) = memchr(b'\n', fresh) {
                let end = searched + at;
                let oversized = end - self.consumed > self.longest;
                return Poll::Ready(Ok(if oversized { Err(ReadLineError::TooLong) } else { Ok(end) }));
            }
            if self.filled - self.consumed > self.longest {
                return Poll::Ready(Ok(Err(ReadLineError::TooLong)));
            }
            searched = self.make_room();
            match self.poll_receive(cx) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Ok(Err(ReadLineError::Closed))),
                Poll::Ready(Ok(_)) => {}
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => break,
            }
        }
        self.poll_deadline(cx, watchdog).map(|why| Ok(Err(why)))
    }

    /// Ready with the reason when the time is up and the pipe has been read once more since.
    fn poll_deadline(&mut self, cx: &mut Context<'_>, watchdog: &mut Watchdog<'_>) -> Poll<ReadLineError> {
        if let Some(why) = self.last_read {
            return Poll::Ready(why);
        }
        if !self.is_set {
            self.is_set = true;
            self.alarm.as_mut().reset(self.due);
        }
        while self.alarm.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            self.note_delay(now);
            let next = (watchdog.check)();
            self.last_read = match next {
                NextCheck::GiveUp => Some(ReadLineError::GaveUp),
                NextCheck::After(_) | NextCheck::Until(..) => None,
            };
            let pause = match next {
                NextCheck::After(pause) => pause,
                NextCheck::Until(deadline, pause) => {
                    self.deadline = deadline;
                    pause
                }
                NextCheck::GiveUp => CHECK_INTERVAL,
            };
            if self.last_read.is_none() && now >= self.deadline {
                self.last_read = Some(ReadLineError::TimedOut);
            }
            self.due = self.deadline.min(Instant::now() + pause);
            self.alarm.as_mut().reset(self.due);
            if self.last_read.is_some() {
                // The runtime learns what arrived while this process did not run only after it has asked the system
                // again.
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
        }
        Poll::Pending
    }

    /// Adds how late it is after the time of the next check.
    fn note_delay(&mut self, now: Instant) {
        if now > self.due + COARSENESS && self.last_read.is_none() {
            self.delay += now - self.due;
        }
    }

    /// Moves unreturned bytes to the front, grows the buffer if it is full, and returns where to continue the search.
    fn make_room(&mut self) -> usize {
        if self.consumed > 0 {
            self.input.copy_within(self.consumed..self.filled, 0);
            self.filled -= self.consumed;
            self.consumed = 0;
        }
        if self.filled == self.input.len() {
            let larger = (self.input.len() * 2).min(self.longest + 2);
            self.input.resize(larger, 0);
        }
        self.filled
    }

    /// Waits on this thread, and reads what is there. There must be room.
    fn read_within(&mut self, time: Duration) -> io::Result<Option<usize>> {
        let count = self.reader.read_within(time, &mut self.input[self.filled..])?;
        self.filled += count.unwrap_or_default();
        Ok(count)
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

/// Whether a write error means that the other side has closed its end.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests;
