//! The protocol over a conversation: `hello` and `ready`, `turn` and `action`, and the verdict on everything else that
//! comes.

use std::io;
use std::time::Duration;

use leyden_host::{Conversation, DirectRead, ReadLineError, Watchdog};
use leyden_model::{AwaitedAnswer, Cause, Deviation, FaultFact, PartialLine, TimeAllowed, ValidAnswer};
use leyden_protocol::{
    Action, ClockKind, FaultCode, Hello, LONGEST_LINE, ToBot, Turn, push_line, push_round_end_with,
    push_turn_with,
};
use tokio::io::AsyncWrite;
use tokio::time::Instant;

use super::fault::Fault;
use super::limit::Limit;
use super::overload::{Lateness, OverloadError, is_too_late};
use super::player::{Decision, DecisionError, DecisionResult};
use super::sent_deal::SentDeal;
use answer_check::{Reply, check_answer, check_ready, late_answer, unasked};

mod answer_check;

/// How many bytes may wait for a bot that does not read. Beyond it nothing more is sent, and its next decision is its
/// last.
const LONGEST_BACKLOG: usize = 4 * LONGEST_LINE;

/// A field that no protocol version has.
const UNKNOWN_FIELD: &[u8] = br#""weather":{"wind":[3,null,"NE"],"type":"turn"},"#;

/// A line of a type that no protocol version has.
const UNKNOWN_LINE: &[u8] = b"{\"type\":\"weather\",\"wind\":[3,null,\"NE\"],\"id\":0}\n";

/// Returns a line with an additional first field.
pub(super) fn with_unknown_field(line: &[u8]) -> Vec<u8> {
    let (brace, rest) = line.split_at(line.len().min(1));
    [brace, UNKNOWN_FIELD, rest].concat()
}

/// A bot that speaks the protocol.
pub(super) struct Client<R, W> {
    conversation: Conversation<R, W>,
    /// Turns that got a strike before their answer came: one late answer to each is ignored.
    late: Vec<u64>,
    /// The last valid decision: the turn, the action, and how long it took.
    last: Option<(u64, Action, Duration)>,
    /// The types of the lines sent since that decision.
    since: Vec<&'static str>,
    /// Whether part of a line came before the turn was sent, which only a late answer may.
    early: bool,
    /// Whether something was not sent because the bot does not read.
    stopped_reading: bool,
    sent_deal: SentDeal,
    /// Everything sent so far, if lines contain unknown fields and types.
    with_unknown_words: Option<Vec<u8>>,
}

impl<R: DirectRead, W: AsyncWrite + Unpin> Client<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self {
            conversation: Conversation::new(reader, writer, LONGEST_LINE),
            late: Vec::new(),
            last: None,
            since: Vec::new(),
            early: false,
            stopped_reading: false,
            sent_deal: SentDeal::new(),
            with_unknown_words: None,
        }
    }

    /// Creates a client that tests whether the bot skips what it does not know: every line has an additional field, and
    /// before each but the first there is a line of an unknown type.
    pub(super) fn with_unknown_words(reader: R, writer: W) -> Self {
        Self { with_unknown_words: Some(Vec::new()), ..Self::new(reader, writer) }
    }

    pub(super) fn into_pipes(self) -> (R, W) {
        self.conversation.into_pipes()
    }

    pub(super) fn send(&mut self, message: &ToBot<'_>) {
        if let ToBot::MatchStart(start) = message {
            self.late.clear(); // ids start again
            self.last = None;
            self.sent_deal.begin(start.seat);
        }
        if self.conversation.backlog() > LONGEST_BACKLOG {
            self.stopped_reading = true;
            return;
        }
        self.since.extend(type_of(message));
        let start = self.conversation.queue().len();
        match message {
            ToBot::RoundEnd(end) => {
                push_round_end_with(self.conversation.queue(), end, self.sent_deal.up_to_end(end));
            }
            _ => push_line(self.conversation.queue(), message),
        }
        self.add_unknown_words(start, UNKNOWN_LINE);
    }

    /// Adds an unknown field to the line that starts at `start`, and an unknown line before it.
    fn add_unknown_words(&mut self, start: usize, before: &[u8]) {
        if let Some(sent) = &mut self.with_unknown_words {
            let queue = self.conversation.queue();
            let line = with_unknown_field(&queue.split_off(start));
            queue.extend_from_slice(before);
            queue.extend_from_slice(&line);
            sent.extend_from_slice(&queue[start..]);
        }
    }

    /// Returns what was sent so far, if this client sends unknown fields and types.
    pub(super) fn sent_with_unknown_words(&self) -> Option<&[u8]> {
        self.with_unknown_words.as_deref()
    }

    /// Sends what is queued, until the bot takes no more.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.conversation.flush().await.map(drop)
    }

    /// Sends `hello` and waits for a `ready` of this protocol.
    pub(super) async fn greet(
        &mut self,
        hello: &Hello<'_>,
        startup: Duration,
    ) -> io::Result<Result<(), DecisionError>> {
        let first = self.conversation.queue().len();
        push_line(self.conversation.queue(), &ToBot::Hello(hello.clone()));
        self.add_unknown_words(first, b"");
        let failure = match self.conversation.read_line(Instant::now() + startup).await? {
            Ok(heard) => return Ok(check_ready(heard.bytes).map_err(DecisionError::from)),
            Err(failure) => failure,
        };
        Ok(Err(match self.overload(failure, AwaitedAnswer::Hello, startup) {
            Some(overload) => DecisionError::HostOverloaded(overload),
            None => self.not_ready(failure, startup),
        }))
    }

    /// Returns the bot's fault for sending no `ready`.
    pub(super) fn not_ready(&self, failure: ReadLineError, startup: Duration) -> DecisionError {
        let limit = Limit::new(ClockKind::Wall, startup);
        let fault = self.silent(failure, AwaitedAnswer::Hello, limit).in_handshake();
        let hint = match failure {
            ReadLineError::TimedOut if !self.conversation.partial_line().is_empty() => {
                Cause::NoLineFeedAfterReady
            }
            ReadLineError::TimedOut | ReadLineError::GaveUp => Cause::NotReady,
            ReadLineError::Closed | ReadLineError::TooLong => Cause::PrintedBeforeReady,
        };
        fault.likely(hint).into()
    }

    /// Asks for a decision, from now on. The watchdog may report that the limit's clock has run out.
    pub(super) async fn ask(
        &mut self,
        turn: &Turn<'_>,
        limit: Limit,
        mut start: Instant,
        watchdog: &mut Watchdog<'_>,
    ) -> io::Result<DecisionResult> {
        if let Err(fault) = self.may_ask().await? {
            return Ok(Err(self.with_last(fault, None)));
        }
        let deadline = start + limit.real_time();
        let line = self.conversation.queue().len();
        push_turn_with(self.conversation.queue(), turn, self.sent_deal.up_to(turn));
        self.add_unknown_words(line, UNKNOWN_LINE);
        let (mut waited, mut delayed) = (Duration::ZERO, Duration::ZERO);
        loop {
            let (line, took) = match self.conversation.read_line_watched(start, deadline, watchdog).await? {
                Ok(heard) => (heard.bytes, heard.took),
                Err(failure) => return Ok(Err(self.unheard(failure, turn, limit))),
            };
            waited += took;
            let mut reply = check_answer(line, turn, &self.late);
            if std::mem::take(&mut self.early) && !matches!(reply, Ok(Reply::Late(_))) {
                reply = Err(unasked(line, Deviation::LineBeforeTurn));
            }
            delayed += self.conversation.delay();
            match reply {
                Ok(Reply::Late(id)) => {
                    self.late.retain(|&late| late != id);
                    start = self.conversation.ended_at();
                }
                Ok(Reply::Now(action, note)) => {
                    if let Err(fault) = self.nothing_more(Deviation::LineAfterAnswer) {
                        self.late.push(turn.id);
                        return Ok(Err(self.with_last(fault, Some(waited))));
                    }
                    self.last = Some((turn.id, action, waited));
                    self.since.clear();
                    let charged = waited.saturating_sub(delayed);
                    return Ok(Ok(Decision { action, note, took: waited, charged, late: delayed }));
                }
                Err(fault) => {
                    self.late.push(turn.id); // a wrong line may also be followed by a right one
                    self.conversation.discard_unread();
                    return Ok(Err(self.with_last(fault, Some(waited))));
                }
            }
        }
    }

    /// Returns when the last line arrived or was no longer waited for.
    pub(super) fn ended(&self) -> Instant {
        self.conversation.ended_at()
    }

    /// Checks whether the bot can be asked: it reads its input, and has sent nothing unasked.
    async fn may_ask(&mut self) -> io::Result<Result<(), Fault>> {
        if self.stopped_reading {
            let what = Deviation::StoppedReading { unread: self.conversation.backlog() };
            let fault = Fault::new(FaultCode::Timeout, what, b"").likely(Cause::StoppedReading);
            return Ok(Err(fault.last()));
        }
        self.early = false;
        while self.conversation.read_available().await? > 0 && !self.late.is_empty() {
            while let Some(line) = self.conversation.take_line() {
                let Some(id) = late_answer(line, &self.late) else {
                    let fault = unasked(line, Deviation::LineBeforeTurn);
                    self.conversation.discard_unread();
                    return Ok(Err(fault));
                };
                self.late.retain(|&late| late != id);
            }
        }
        if self.late.is_empty() {
            return Ok(self.nothing_more(Deviation::LineBeforeTurn));
        }
        self.early = self.conversation.unread().is_some();
        Ok(Ok(()))
    }

    /// Checks that nothing unasked has come, and discards it if it has.
    fn nothing_more(&mut self, what: Deviation) -> Result<(), Fault> {
        let Some(rest) = self.conversation.unread() else { return Ok(()) };
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let fault = unasked(line, what);
        self.conversation.discard_unread();
        Err(fault)
    }

    /// Returns who is to blame that no line came in answer to a turn.
    fn unheard(&mut self, failure: ReadLineError, turn: &Turn<'_>, limit: Limit) -> DecisionError {
        match self.overload(failure, AwaitedAnswer::Turn(turn.id), limit.real_time()) {
            Some(overload) => DecisionError::HostOverloaded(overload),
            None => self.blame(failure, turn, limit),
        }
    }

    /// Returns the bot's fault for not answering a turn.
    pub(super) fn blame(&mut self, failure: ReadLineError, turn: &Turn<'_>, limit: Limit) -> DecisionError {
        self.late.push(turn.id);
        let fault = self.silent(failure, AwaitedAnswer::Turn(turn.id), limit);
        self.with_last(fault, None)
    }

    /// Returns the fault of an answer that took more than the limit on the limit's own clock.
    pub(super) fn overdue(&self, turn: &Turn<'_>, limit: Limit, took: Duration) -> DecisionError {
        let what = Deviation::Overdue {
            awaited: AwaitedAnswer::Turn(turn.id),
            within: limit.allowed(),
            took_us: took.as_micros() as u64,
        };
        let fault = Fault::new(FaultCode::Timeout, what, b"").likely(Cause::ThinksTooLong);
        self.with_last(fault, Some(took))
    }

    /// Returns the host's fault instead of the bot's if the time was up and the arena itself was not awake.
    fn overload(
        &self,
        failure: ReadLineError,
        what: AwaitedAnswer,
        allowance: Duration,
    ) -> Option<OverloadError> {
        let late = self.conversation.delay();
        (failure == ReadLineError::TimedOut && is_too_late(late, allowance)).then_some(OverloadError {
            seat: None,
            what,
            allowance,
            late,
            by: Lateness::Arena,
        })
    }

    /// Adds the last valid exchange to a fault.
    fn with_last(&self, mut fault: Fault, took: Option<Duration>) -> DecisionError {
        let last = self.last.map(|(turn, action, took)| ValidAnswer {
            turn,
            action,
            took_us: took.as_micros() as u64,
        });
        fault.know(FaultFact::LastAnswer(last));
        DecisionError::Fault(fault, took)
    }

    /// Returns the fault of a bot that sent no line.
    fn silent(&self, failure: ReadLineError, awaited: AwaitedAnswer, limit: Limit) -> Fault {
        let came = self.conversation.partial_line();
        let fault = match failure {
            ReadLineError::TimedOut => silent_for(came, awaited, limit.real_time_allowed()),
            ReadLineError::GaveUp => silent_for(came, awaited, limit.allowed()).likely(Cause::ThinksTooLong),
            ReadLineError::Closed => {
                let mut fault = Fault::new(FaultCode::Exited, Deviation::Closed { awaited }, came);
                if !self.since.is_empty() {
                    let lines = self.since.iter().map(ToString::to_string).collect();
                    fault.know(FaultFact::SentBefore(lines));
                }
                fault
            }
            ReadLineError::TooLong => {
                let what = Deviation::TooLong { awaited, longest: LONGEST_LINE };
                Fault::new(FaultCode::Oversized, what, came).likely(Cause::LongDebugOutput)
            }
        };
        fault.silent(failure)
    }
}

/// Returns the type of a line that a bot must skip or learn from; `None` for `hello` and a turn, which are answered.
fn type_of(message: &ToBot<'_>) -> Option<&'static str> {
    match message {
        ToBot::Hello(_) | ToBot::Turn(_) => None,
        ToBot::MatchStart(_) => Some("match_start"),
        ToBot::RoundEnd(_) => Some("round_end"),
        ToBot::MatchEnd(_) => Some("match_end"),
        ToBot::Error(_) => Some("error"),
    }
}

fn silent_for(came: &[u8], awaited: AwaitedAnswer, within: TimeAllowed) -> Fault {
    let (so_far, likely) = match came.len() {
        0 => (PartialLine::Nothing, Cause::NotFlushed),
        // Blanks alone may still become an answer.
        bytes if came.trim_ascii_start().first().is_some_and(|&byte| byte != b'{') => {
            (PartialLine::NoAnswer { bytes }, Cause::Prompt)
        }
        bytes => (PartialLine::NoLineFeed { bytes }, Cause::NoLineFeed),
    };
    Fault::new(FaultCode::Timeout, Deviation::NoLine { awaited, within, so_far }, came).likely(likely)
}

#[cfg(test)]
pub(crate) mod tests;
