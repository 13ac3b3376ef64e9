//! The protocol over a conversation: `hello` and `ready`, `turn` and `action`, and the verdict on whatever else comes.

use std::io;
use std::time::Duration;

use leyden_host::{Conversation, EagerRead, NoLine, Watchdog};
use leyden_protocol::{
    Action, BotLine, ClockKind, FaultCode, Hello, LONGEST_LINE, Malformed, ToBot, Turn, VERSION, Version,
    cut_note, printable, push_line, push_turn_with, read_answer,
};
use tokio::io::AsyncWrite;
use tokio::time::Instant;

use super::fault::{Fault, LAST_ANSWER, in_words};
use super::limit::Limit;
use super::overload::{Lateness, Overload, is_too_late};
use super::player::{Answered, Decision, NoDecision};
use super::sent_history::SentHistory;

/// How much may wait for a bot that does not read. Beyond it nothing more is sent, and its next decision is its last.
const LONGEST_BACKLOG: usize = 4 * LONGEST_LINE;

/// A field that no protocol has yet.
const UNKNOWN_FIELD: &[u8] = br#""weather":{"wind":[3,null,"NE"],"type":"turn"},"#;

/// A line of a type that no protocol has yet.
const UNKNOWN_LINE: &[u8] = b"{\"type\":\"weather\",\"wind\":[3,null,\"NE\"],\"id\":0}\n";

/// A line with a field more, before all others.
pub(super) fn with_unknown_field(line: &[u8]) -> Vec<u8> {
    let (brace, rest) = line.split_at(line.len().min(1));
    [brace, UNKNOWN_FIELD, rest].concat()
}

/// A bot that is spoken with in the protocol.
pub(super) struct Client<R, W> {
    conversation: Conversation<R, W>,
    /// Turns that were struck before their answer came: one late answer to each is ignored.
    late: Vec<u64>,
    /// The last decision that was as it should be: the turn, the action, and how long it took.
    last: Option<(u64, Action, Duration)>,
    /// The lines that it was sent since that decision, by their types.
    since: Vec<&'static str>,
    /// Whether a line has begun to come before the turn was sent, which only a late answer may.
    early: bool,
    /// Whether something was not sent because the bot does not read.
    deaf: bool,
    told: SentHistory,
    /// If lines have words in them that no protocol has yet: all that was sent so far.
    with_unknown_words: Option<Vec<u8>>,
}

impl<R: EagerRead, W: AsyncWrite + Unpin> Client<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self {
            conversation: Conversation::new(reader, writer, LONGEST_LINE),
            late: Vec::new(),
            last: None,
            since: Vec::new(),
            early: false,
            deaf: false,
            told: SentHistory::nothing(),
            with_unknown_words: None,
        }
    }

    /// One that tries whether the bot passes over what it does not know: every line has a field more, and a line of a type
    /// of its own goes before each but the first.
    pub(super) fn with_unknown_words(reader: R, writer: W) -> Self {
        Self { with_unknown_words: Some(Vec::new()), ..Self::new(reader, writer) }
    }

    pub(super) fn into_pipes(self) -> (R, W) {
        self.conversation.into_pipes()
    }

    pub(super) fn tell(&mut self, message: &ToBot<'_>) {
        if let ToBot::MatchStart(_) = message {
            self.late.clear(); // ids begin again
            self.last = None;
            self.told.forget();
        }
        if self.conversation.backlog() > LONGEST_BACKLOG {
            self.deaf = true;
            return;
        }
        self.since.extend(type_of(message));
        let start = self.conversation.queue().len();
        push_line(self.conversation.queue(), message);
        self.add_unknown_words(start, UNKNOWN_LINE);
    }

    /// Puts words that no protocol has yet into the line that begins there, and a line before it.
    fn add_unknown_words(&mut self, start: usize, before: &[u8]) {
        if let Some(sent) = &mut self.with_unknown_words {
            let queue = self.conversation.queue();
            let line = with_unknown_field(&queue.split_off(start));
            queue.extend_from_slice(before);
            queue.extend_from_slice(&line);
            sent.extend_from_slice(&queue[start..]);
        }
    }

    /// What was sent so far, of a client that sends words which no protocol has yet.
    pub(super) fn sent_with_unknown_words(&self) -> Option<&[u8]> {
        self.with_unknown_words.as_deref()
    }

    /// Sends what is queued as far as the bot takes it.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.conversation.flush().await.map(drop)
    }

    /// Says `hello` and waits for a `ready` of this protocol.
    pub(super) async fn greet(
        &mut self,
        hello: &Hello<'_>,
        startup: Duration,
    ) -> io::Result<Result<(), NoDecision>> {
        let first = self.conversation.queue().len();
        push_line(self.conversation.queue(), &ToBot::Hello(hello.clone()));
        self.add_unknown_words(first, b"");
        let failure = match self.conversation.read_line(Instant::now() + startup).await? {
            Ok(heard) => return Ok(judge_ready(heard.bytes).map_err(NoDecision::from)),
            Err(failure) => failure,
        };
        Ok(Err(match self.overload(failure, READY, startup) {
            Some(overload) => NoDecision::HostOverloaded(overload),
            None => self.not_ready(failure, startup),
        }))
    }

    /// The bot is to blame that no `ready` was heard.
    pub(super) fn not_ready(&self, failure: NoLine, startup: Duration) -> NoDecision {
        let fault = self.silent(failure, READY, Limit::new(ClockKind::Wall, startup)).in_handshake();
        let hint = match failure {
            NoLine::TimedOut if !self.conversation.partial_line().is_empty() => {
                "ready was written without a line feed behind it"
            }
            NoLine::TimedOut | NoLine::GaveUp => {
                "ready was not sent or not flushed (python: print(…, flush=True)), or the bot waits for the end of its input instead \
                 of the next line, or it needs longer to start than it may (--startup)"
            }
            NoLine::Closed | NoLine::TooLong => READY_FIRST,
        };
        fault.likely(hint).into()
    }

    /// Asks for a decision, from now on. The watchdog may say that the limit's clock has run out.
    pub(super) async fn ask(
        &mut self,
        turn: &Turn<'_>,
        limit: Limit,
        mut start: Instant,
        watchdog: &mut Watchdog<'_>,
    ) -> io::Result<Answered> {
        if let Err(fault) = self.may_ask().await? {
            return Ok(Err(self.with_last(fault, None)));
        }
        let deadline = start + limit.real_time();
        let line = self.conversation.queue().len();
        push_turn_with(self.conversation.queue(), turn, self.told.up_to(turn));
        self.add_unknown_words(line, UNKNOWN_LINE);
        let (mut waited, mut delayed) = (Duration::ZERO, Duration::ZERO);
        loop {
            let (line, took) = match self.conversation.read_line_watched(start, deadline, watchdog).await? {
                Ok(heard) => (heard.bytes, heard.took),
                Err(failure) => return Ok(Err(self.unheard(failure, turn, limit))),
            };
            waited += took;
            let mut reply = judge_answer(line, turn, &self.late);
            if std::mem::take(&mut self.early) && !matches!(reply, Ok(Reply::Late(_))) {
                reply = Err(unasked(line, BEFORE_THE_TURN));
            }
            delayed += self.conversation.delay();
            match reply {
                Ok(Reply::Late(id)) => {
                    self.late.retain(|&late| late != id);
                    start = self.conversation.ended_at();
                }
                Ok(Reply::Now(action, note)) => {
                    if let Err(fault) = self.nothing_more("behind the answer") {
                        self.late.push(turn.id);
                        return Ok(Err(self.with_last(fault, Some(waited))));
                    }
                    self.last = Some((turn.id, action, waited));
                    self.since.clear();
                    let charged = waited.saturating_sub(delayed);
                    return Ok(Ok(Decision { action, note, took: waited, charged, late: delayed }));
                }
                Err(fault) => {
                    self.late.push(turn.id); // also a wrong line may be followed by a right one
                    self.conversation.discard_unread();
                    return Ok(Err(self.with_last(fault, Some(waited))));
                }
            }
        }
    }

    /// When the last line was heard, or no longer waited for.
    pub(super) fn ended(&self) -> Instant {
        self.conversation.ended_at()
    }

    /// Whether the bot can be asked: it reads what it is sent, and has said nothing that nobody asked for.
    async fn may_ask(&mut self) -> io::Result<Result<(), Fault>> {
        if self.deaf {
            let what = format!(
                "expected the bot to read what it is sent; {} bytes wait for it",
                self.conversation.backlog()
            );
            let fault = Fault::new(FaultCode::Timeout, what, b"")
                .likely("the bot has stopped reading its standard input: it has to read every line, also those that want no answer");
            return Ok(Err(fault.last()));
        }
        self.early = false;
        while self.conversation.read_available().await? > 0 && !self.late.is_empty() {
            while let Some(line) = self.conversation.take_line() {
                let Some(id) = late_answer(line, &self.late) else {
                    let fault = unasked(line, BEFORE_THE_TURN);
                    self.conversation.discard_unread();
                    return Ok(Err(fault));
                };
                self.late.retain(|&late| late != id);
            }
        }
        if self.late.is_empty() {
            return Ok(self.nothing_more(BEFORE_THE_TURN));
        }
        self.early = self.conversation.unread().is_some();
        Ok(Ok(()))
    }

    /// Nothing may have come that was not asked for. What did is forgotten.
    fn nothing_more(&mut self, when: &str) -> Result<(), Fault> {
        let Some(rest) = self.conversation.unread() else { return Ok(()) };
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let fault = unasked(line, when);
        self.conversation.discard_unread();
        Err(fault)
    }

    /// No line was heard in answer to a turn.
    fn unheard(&mut self, failure: NoLine, turn: &Turn<'_>, limit: Limit) -> NoDecision {
        match self.overload(failure, &answer_to(turn), limit.real_time()) {
            Some(overload) => NoDecision::HostOverloaded(overload),
            None => self.blame(failure, turn, limit),
        }
    }

    /// The bot is to blame that no line was heard in answer to a turn.
    pub(super) fn blame(&mut self, failure: NoLine, turn: &Turn<'_>, limit: Limit) -> NoDecision {
        self.late.push(turn.id);
        let fault = self.silent(failure, &answer_to(turn), limit);
        self.with_last(fault, None)
    }

    /// The answer to a turn came, but it took more than the limit on the limit's own clock.
    pub(super) fn overdue(&self, turn: &Turn<'_>, limit: Limit, took: Duration) -> NoDecision {
        let what =
            format!("expected {} within {}; it took {}", answer_to(turn), limit.in_words(), in_words(took));
        let fault = Fault::new(FaultCode::Timeout, what, b"").likely(THINKS_TOO_LONG);
        self.with_last(fault, Some(took))
    }

    /// The host's fault instead of the bot's, if the time was up and the arena itself was not awake.
    fn overload(&self, failure: NoLine, what: &str, allowance: Duration) -> Option<Overload> {
        let late = self.conversation.delay();
        (failure == NoLine::TimedOut && is_too_late(late, allowance)).then(|| Overload {
            seat: None,
            what: what.to_owned(),
            allowance,
            late,
            by: Lateness::Arena,
        })
    }

    /// A fault with the last exchange that was good.
    fn with_last(&self, mut fault: Fault, took: Option<Duration>) -> NoDecision {
        fault.know(
            LAST_ANSWER,
            self.last.map_or("none in this match yet".to_owned(), |(id, action, took)| {
                format!("turn {id}, \"{action}\", after {}", in_words(took))
            }),
        );
        NoDecision::Fault(fault, took)
    }

    /// The fault of a bot of which no line could be heard.
    fn silent(&self, failure: NoLine, expected: &str, limit: Limit) -> Fault {
        let came = self.conversation.partial_line();
        let fault = match failure {
            NoLine::TimedOut => silent_for(came, expected, &limit.real_time_in_words()),
            NoLine::GaveUp => silent_for(came, expected, &limit.in_words()).likely(THINKS_TOO_LONG),
            NoLine::Closed => {
                let what = format!("expected {expected}; the bot closed its standard output");
                let mut fault = Fault::new(FaultCode::Exited, what, came);
                if !self.since.is_empty() {
                    let others = self.since.join(", ");
                    fault.know("before that it was sent", format!("{others}; it may have ended at that already"));
                }
                fault
            }
            NoLine::TooLong => Fault::new(
                FaultCode::Oversized,
                format!("expected {expected}, a line of at most {LONGEST_LINE} bytes; a longer one came"),
                came,
            )
            .likely("debug output on standard output: write one short JSON object a line there, and the rest to standard error"),
        };
        fault.silent(failure)
    }
}

/// What a line is that a bot has to pass over or to learn from, if it is one: `hello` and a turn are answered.
fn type_of(message: &ToBot<'_>) -> Option<&'static str> {
    match message {
        ToBot::Hello(_) | ToBot::Turn(_) => None,
        ToBot::MatchStart(_) => Some("match_start"),
        ToBot::RoundEnd(_) => Some("round_end"),
        ToBot::MatchEnd(_) => Some("match_end"),
        ToBot::Error(_) => Some("error"),
    }
}

fn answer_to(turn: &Turn<'_>) -> String {
    format!("the answer to turn {}", turn.id)
}

/// What is waited for first.
const READY: &str = "the answer to hello";

/// What to do before anything else.
const READY_FIRST: &str = "something ran before the handshake: the first line on standard output must be ready, and \
                           everything else belongs on standard error";

/// Why time on the processors is used up.
const THINKS_TOO_LONG: &str = "the bot, or what it started, computes too long: processes and threads all count, and so does what they do meanwhile";

fn silent_for(came: &[u8], expected: &str, limit: &str) -> Fault {
    let (so_far, likely) = match came.len() {
        0 => (
            "nothing came".to_owned(),
            "the answer was not flushed (python: print(…, flush=True)), or the bot thinks too long or waits for something",
        ),
        // Blanks alone may still become an answer.
        n if came.trim_ascii_start().first().is_some_and(|&byte| byte != b'{') => (
            format!("{n} bytes came that are no answer, and no line feed"),
            "text was printed on standard output, such as the prompt of input(): print it to standard error, and read nothing but the \
             arena's lines",
        ),
        n => (
            format!("{n} bytes came, but no line feed that would end the line"),
            "the answer was written without a line feed behind it",
        ),
    };
    Fault::new(FaultCode::Timeout, format!("expected {expected} within {limit}; {so_far}"), came)
        .likely(likely)
}

/// When a line came that was not waited for.
const BEFORE_THE_TURN: &str = "before the turn was sent";

/// Which of these turns a line answers, if it does.
fn late_answer(line: &[u8], late: &[u64]) -> Option<u64> {
    match read_answer(line) {
        Ok(BotLine::Action { id, .. }) => id.whole().filter(|id| late.contains(id)),
        _ => None,
    }
}

/// The fault of a line that nobody asked for.
fn unasked(line: &[u8], when: &str) -> Fault {
    let fault = Fault::new(FaultCode::Unexpected, format!("a line came {when} that nobody asked for"), line);
    match read_answer(line) {
        Ok(BotLine::Ready { .. }) => fault.likely("ready is said once, in answer to hello, and not at each match"),
        Ok(BotLine::Action { .. }) => {
            fault.likely("the bot answered twice, or answered something else than a turn: answer each turn once, and nothing else")
        }
        Err(_) => fault.likely(printed(line)),
    }
}

/// What an answer line turned out to be.
enum Reply {
    Now(Action, Option<String>),
    /// The answer to an earlier, struck turn.
    Late(u64),
}

fn judge_ready(line: &[u8]) -> Result<(), Fault> {
    let fault = |what: String| Fault::new(FaultCode::Handshake, what, line);
    let example = format!("{{\"type\":\"ready\",\"protocol\":\"{VERSION}\",\"name\":\"my-bot\"}}");
    let answer = format!("the bot was written for something else: answer hello with {example}");
    Err(match read_answer(line) {
        Ok(BotLine::Ready { protocol, .. }) => match protocol.parse::<Version>() {
            Ok(version) if version.major == VERSION.major => return Ok(()),
            Ok(version) => fault(format!(
                "the arena speaks protocol {VERSION}, the bot {version}: both must have the same major version"
            ))
            .likely(format!("{answer}, or use an arena of protocol {}", version.major)),
            Err(error) => fault(format!("{error} in ready")).likely(answer),
        },
        Ok(BotLine::Action { .. }) => {
            fault("expected ready in answer to hello; an action came".to_owned()).likely(answer)
        }
        Err(error) => fault(format!("expected {example} in answer to hello; {}", without_hint(&error)))
            .likely(error.hint().filter(|_| line.trim_ascii_start().starts_with(b"{")).unwrap_or(READY_FIRST)),
    })
}

fn judge_answer(line: &[u8], turn: &Turn<'_>, late: &[u64]) -> Result<Reply, Fault> {
    let (id, action, note) = match read_answer(line) {
        Ok(BotLine::Action { id, action, note }) => (id, action, note),
        Ok(BotLine::Ready { .. }) => {
            let what = format!("expected the answer to turn {}; a second ready came", turn.id);
            let fault = Fault::new(FaultCode::Unexpected, what, line);
            return Err(fault.likely("ready is said once, in answer to hello, and not at each match"));
        }
        Err(error) => return Err(malformed(line, turn.id, &error)),
    };
    if !id.is(turn.id) {
        if let Some(id) = id.whole().filter(|id| late.contains(id)) {
            return Ok(Reply::Late(id));
        }
        let what = format!("expected the answer to turn {}; one with the id {id} came", turn.id);
        let fault = Fault::new(FaultCode::Unexpected, what, line);
        let earlier = id.whole().filter(|id| (1..turn.id).contains(id));
        return Err(fault.likely(match earlier {
            Some(id) => format!("turn {id} was answered twice or too late, or the bot answers with an old id: answer each turn once, with its own id"),
            None => "the bot makes up ids of its own, or answers what is no turn: answer each turn once, with its own id".to_owned(),
        }));
    }
    match action.parse::<Action>() {
        Ok(action) if turn.legal.contains(&action) => {
            Ok(Reply::Now(action, note.map(|note| cut_note(&note).to_owned())))
        }
        _ => Err(illegal(line, &action, turn)),
    }
}

/// What is wrong with a line, without what to do about it, and without what was said already.
fn without_hint(error: &Malformed) -> String {
    let said = error.to_string();
    let said = error.hint().and_then(|hint| said.strip_suffix(hint)).unwrap_or(&said);
    said.trim_end_matches([':', ' ']).trim_start_matches("expected a JSON object, ").to_owned()
}

/// Whether a line is what Python's debugger says when it stops: `> bot.py(12)choose()`.
fn is_of_debugger(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_stop =
        line.starts_with(b"> ") && line.ends_with(b")") && line.windows(4).any(|part| part == b".py(");
    is_stop || line.starts_with(b"(Pdb)") || line.starts_with(b"--Return--")
}

/// Where text comes from that is no answer.
fn printed(line: &[u8]) -> &'static str {
    if is_of_debugger(line) {
        "a debugger that was stopped at, as by breakpoint(), reads and writes where the arena does: `leyden help rerun` says how to \
         use one"
    } else {
        "a debug print on standard output: print it to standard error instead"
    }
}

fn malformed(line: &[u8], id: u64, error: &Malformed) -> Fault {
    let said = without_hint(error);
    let what = format!(
        "expected one JSON object, such as {{\"type\":\"action\",\"id\":{id},\"action\":\"draw\"}}; {said}"
    );
    let guess = if line.trim_ascii().is_empty() {
        "an empty line was printed: standard output is for answers only"
    } else if line.trim_ascii_start().starts_with(b"{") {
        "the answer was put together by hand: let a JSON library write it"
    } else {
        printed(line)
    };
    Fault::new(FaultCode::Malformed, what, line)
        .likely(error.hint().filter(|_| !is_of_debugger(line)).unwrap_or(guess))
}

fn illegal(line: &[u8], action: &str, turn: &Turn<'_>) -> Fault {
    let legal: Vec<_> = turn.legal.iter().map(ToString::to_string).collect();
    let what = format!(
        "expected one of the {} actions in legal ({}); {:?} came",
        legal.len(),
        legal.join(" "),
        printable(action.as_bytes(), 60)
    );
    let likely = match (action.parse::<Action>(), meant(action, &turn.legal)) {
        (_, Some(meant)) => format!(
            "the halves of the tile stand the wrong way round. {meant} is legal: in line (-) the half that touches stands first, \
             across (|) the lower one. Give back a text of the list legal as it stands there"
        ),
        (Ok(_), None) => "the bot worked out the move itself, or answered from an older turn: choose from the list legal of \
                          this turn"
            .to_owned(),
        (Err(_), None) => "this is no action: give back one text of the list legal as it stands there".to_owned(),
    };
    Fault::new(FaultCode::Illegal, what, line).likely(likely)
}

/// The legal action that has the same tile on the same arm with its halves the other way round.
fn meant(action: &str, legal: &[Action]) -> Option<Action> {
    let sign = action.find(['-', '|'])?;
    let colon = action.find(':').filter(|&colon| colon < sign)?;
    let (arm, first, second) = (&action[..colon], &action[colon + 1..sign], &action[sign + 1..]);
    let turned = format!("{arm}:{second}{}{first}", &action[sign..=sign]);
    turned.parse().ok().filter(|turned| legal.contains(turned))
}

#[cfg(test)]
mod tests;
