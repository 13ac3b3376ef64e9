//! The protocol over a conversation: `hello` and `ready`, `turn` and `action`, and the verdict on whatever else comes.

use std::io;
use std::time::Duration;

use leyden_protocol::{
    Action, BotLine, FaultCode, Hello, LONGEST_LINE, Malformed, ToBot, Turn, VERSION, Version, cut_note,
    printable, push_line, push_turn, read_answer,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::fault::Fault;
use super::player::{Answered, Decision};
use crate::bot::{Conversation, Failure};

/// A bot that is spoken with in the protocol.
pub(super) struct Speaker<R, W> {
    conversation: Conversation<R, W>,
    /// Turns that were struck before their answer came: one late answer to each is overheard.
    late: Vec<u64>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Speaker<R, W> {
    pub(super) fn new(reader: R, writer: W) -> Self {
        Self { conversation: Conversation::new(reader, writer, LONGEST_LINE), late: Vec::new() }
    }

    pub(super) fn into_pipes(self) -> (R, W) {
        self.conversation.into_pipes()
    }

    pub(super) fn tell(&mut self, message: &ToBot<'_>) {
        if let ToBot::MatchStart(_) = message {
            self.late.clear(); // ids begin again
        }
        push_line(self.conversation.queue(), message);
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
    ) -> io::Result<Result<(), Fault>> {
        push_line(self.conversation.queue(), &ToBot::Hello(hello.clone()));
        let line = match self.conversation.hear(Instant::now() + startup).await? {
            Ok(heard) => heard.line,
            Err(failure) => {
                let expected = format!(
                    "a line {{\"type\":\"ready\",\"protocol\":\"{VERSION}\",\"name\":\"…\"}} in answer to hello"
                );
                return Ok(Err(self.silent(failure, &expected, startup).in_handshake()));
            }
        };
        let verdict = judge_ready(line);
        Ok(verdict.and_then(|()| self.nothing_more("behind ready").map_err(Fault::in_handshake)))
    }

    /// Asks for a decision.
    pub(super) async fn ask(&mut self, turn: &Turn<'_>, allowance: Duration) -> io::Result<Answered> {
        let deadline = Instant::now() + allowance;
        if self.late.is_empty()
            && let Err(fault) = self.nothing_more("before the turn was sent")
        {
            return Ok(Err((fault, None)));
        }
        push_turn(self.conversation.queue(), turn);
        let mut waited = Duration::ZERO;
        loop {
            let heard = match self.conversation.hear(deadline).await? {
                Ok(heard) => heard,
                Err(failure) => {
                    let expected = format!("the answer to turn {}", turn.id);
                    self.late.push(turn.id);
                    return Ok(Err((self.silent(failure, &expected, allowance), None)));
                }
            };
            waited += heard.took;
            match judge_answer(heard.line, turn, &self.late) {
                Ok(Reply::Late(id)) => self.late.retain(|&late| late != id),
                Ok(Reply::Now(action, note)) => {
                    let alone = self.nothing_more("behind the answer");
                    let decision = Decision { action, note, took: waited };
                    return Ok(alone.map(|()| decision).map_err(|fault| (fault, Some(waited))));
                }
                Err(fault) => {
                    if fault.code == FaultCode::Unexpected {
                        self.late.push(turn.id);
                    }
                    self.conversation.forget();
                    return Ok(Err((fault, Some(waited))));
                }
            }
        }
    }

    /// Nothing may have come that was not asked for. What did is forgotten.
    fn nothing_more(&mut self, when: &str) -> Result<(), Fault> {
        let Some(rest) = self.conversation.left_over() else { return Ok(()) };
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let message = format!(
            "a line came {when} that nobody asked for. Write one line in answer to each turn, and no other."
        );
        let fault = Fault::new(FaultCode::Unexpected, message, line);
        self.conversation.forget();
        Err(fault)
    }

    /// The fault of a bot of which no line could be heard.
    fn silent(&self, failure: Failure, expected: &str, allowance: Duration) -> Fault {
        let came = self.conversation.partial();
        match failure {
            Failure::Deadline => {
                let came_so_far = match came.len() {
                    0 => "nothing came".to_owned(),
                    n => format!("{n} bytes came, but no line feed that would end the line"),
                };
                let limit = humantime::format_duration(allowance);
                let hint = "If the bot did answer, it may not have flushed its output (python: print(…, flush=True)), \
                            or not have ended the line";
                Fault::new(
                    FaultCode::Timeout,
                    format!("expected {expected} within {limit}; {came_so_far}. {hint}."),
                    came,
                )
            }
            Failure::Closed => Fault::new(
                FaultCode::Exited,
                format!("expected {expected}; the bot closed its standard output"),
                came,
            ),
            Failure::Oversized => Fault::new(
                FaultCode::Oversized,
                format!(
                    "expected {expected}, a line of at most {LONGEST_LINE} bytes; a longer one came. Write one short \
                     JSON object a line and everything else to standard error."
                ),
                came,
            ),
        }
    }
}

/// What an answer line turned out to be.
enum Reply {
    Now(Action, Option<String>),
    /// The answer to an earlier, struck turn.
    Late(u64),
}

fn judge_ready(line: &[u8]) -> Result<(), Fault> {
    let fault = |message: String| Err(Fault::new(FaultCode::Handshake, message, line));
    let example = format!("{{\"type\":\"ready\",\"protocol\":\"{VERSION}\",\"name\":\"…\"}}");
    match read_answer(line) {
        Ok(BotLine::Ready { protocol, .. }) => match protocol.parse::<Version>() {
            Ok(version) if version.major == VERSION.major => Ok(()),
            Ok(version) => fault(format!(
                "the arena speaks protocol {VERSION}, the bot {version}: both must have the same major version, so \
                 answer hello with {example} or use an arena of protocol {}",
                version.major
            )),
            Err(error) => fault(format!("{error} in ready: answer hello with {example}")),
        },
        Ok(BotLine::Action { .. }) => fault(format!(
            "expected {example} in answer to hello; an action came, which nobody asked for yet"
        )),
        Err(error) => fault(format!("expected {example} in answer to hello: {error}")),
    }
}

fn judge_answer(line: &[u8], turn: &Turn<'_>, late: &[u64]) -> Result<Reply, Fault> {
    let (id, action, note) = match read_answer(line) {
        Ok(BotLine::Action { id, action, note }) => (id, action, note),
        Ok(BotLine::Ready { .. }) => {
            let message = format!(
                "expected the answer to turn {}; a second ready came. ready is said once, after hello.",
                turn.id
            );
            return Err(Fault::new(FaultCode::Unexpected, message, line));
        }
        Err(error) => return Err(malformed(line, turn.id, &error)),
    };
    if !id.is(turn.id) {
        if let Some(id) = id.whole().filter(|id| late.contains(id)) {
            return Ok(Reply::Late(id));
        }
        let message = format!(
            "expected the answer to turn {}, came one with id {id}. Answer each turn once, with the id of that turn.",
            turn.id
        );
        return Err(Fault::new(FaultCode::Unexpected, message, line));
    }
    match action.parse::<Action>() {
        Ok(action) if turn.legal.contains(&action) => {
            Ok(Reply::Now(action, note.map(|note| cut_note(&note).to_owned())))
        }
        _ => Err(illegal(line, &action, turn)),
    }
}

fn malformed(line: &[u8], id: u64, error: &Malformed) -> Fault {
    let message = format!(
        "expected one JSON object, such as {{\"type\":\"action\",\"id\":{id},\"action\":\"draw\"}}: {error}. Standard \
         output is for answers only; print anything else to standard error."
    );
    Fault::new(FaultCode::Malformed, message, line)
}

fn illegal(line: &[u8], action: &str, turn: &Turn<'_>) -> Fault {
    let legal: Vec<_> = turn.legal.iter().map(ToString::to_string).collect();
    let message = format!(
        "expected one of the {} actions in legal ({}), came {:?}. Copy the text of an action from legal as it stands.",
        legal.len(),
        legal.join(" "),
        printable(action.as_bytes(), 60)
    );
    Fault::new(FaultCode::Illegal, message, line)
}
