//! What was expected of a bot, and what came instead.

use std::fmt;
use std::time::Duration;

use humantime::format_duration;
use leyden_protocol::{Action, MalformedLineError, Version, VersionError, worded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::{counted, plural, took};

worded! {
    /// What was expected of a bot, and what came instead. As text it is the first line of the message.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Deviation {
        /// Its program did not start, for the system's reason.
        NotStarted { program: String, reason: String } =>
            "the bot's program {program} could not be started: {reason}";
        /// No line came.
        NoLine { awaited: AwaitedAnswer, within: TimeAllowed, so_far: PartialLine } =>
            "expected {awaited} within {within}; {so_far}";
        /// An answer came too late.
        Overdue { awaited: AwaitedAnswer, within: TimeAllowed, took_us: u64 } =>
            "expected {awaited} within {within}; it took {}", took(*took_us);
        Closed { awaited: AwaitedAnswer } => "expected {awaited}; the bot closed its standard output";
        /// A line of more than `longest` bytes.
        TooLong { awaited: AwaitedAnswer, longest: usize } =>
            "expected {awaited}, a line of at most {longest} bytes, got a longer one";
        /// It leaves this many bytes of its input unread.
        StoppedReading { unread: usize } =>
            "expected the bot to read its input; {} unread", counted(*unread, "byte is", "bytes are");
        /// A line that was not asked for.
        LineBeforeTurn => "expected no line before the turn was sent, got one";
        LineAfterAnswer => "expected no line after the answer, got one";
        /// A `ready` of another protocol.
        OtherProtocol { arena: Version, bot: Version } =>
            "the arena speaks protocol {arena}, the bot {bot}: both must have the same major version";
        /// The text in `ready` that is not a version.
        NoVersion { got: String } => "{} in ready", VersionError(got.clone());
        ActionForReady => "expected ready in answer to hello, got an action";
        NoReady { arena: Version, line: MalformedLine } =>
            "expected {} in answer to hello; {line}", ready_line(*arena);
        SecondReady { turn: u64 } => "expected the answer to turn {turn}, got a second ready";
        /// The id as the bot wrote it.
        OtherId { turn: u64, got: String } => "expected the answer to turn {turn}, got one with the id {got}";
        Malformed { turn: u64, line: MalformedLine } =>
            "expected one JSON object, such as {{\"type\":\"action\",\"id\":{turn},\"action\":\"draw\"}}; {line}";
        /// What it chose instead, made printable.
        Illegal { legal: Vec<Action>, got: String } =>
            "expected one of the {} actions in legal ({}), got {got:?}", legal.len(), list(legal);
        /// It computed while it was stopped.
        Ran { used_us: u64 } => "the bot was stopped because it was not its turn, and used {} of processor time during \
            that time", took(*used_us);
        /// It did well without the unknown words, with which this happened.
        UnknownWords { happened: Box<Deviation> } => "the bot fails when a line has an unknown field or is of an \
            unknown type; without these it did well. What happened: {happened}";
        LeftAfterSignal =>
            "expected the bot to leave when its standard input ends; it left only after a signal (SIGTERM)";
        NeverLeft =>
            "expected the bot to leave when its standard input ends; it did not leave at all and had to be killed";
        /// The answer to a case is not one of the good ones.
        NotGood { good: Vec<Action>, got: Action } => "expected {}, got {got}", list(good);
        /// The answer to a case is one of the bad ones.
        Bad { bad: Vec<Action>, got: Action } => "expected anything but {}, got {got}", list(bad);
        NotRecorded => "details of a fault that was only a strike are not recorded";
        /// It is hidden from readers of this copy of the record. No results file has it.
        NotShown => "the message for its author is not shown here";
        /// A text in place of the values: the whole message in a record of an older version.
        #[serde(untagged)]
        Text(text: String) => "{text}";
    }
}

impl Default for Deviation {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Deviation {
    /// Returns the excerpt of the bot's line, which may contain anything that the bot knows, or a text that stands in
    /// place of the values.
    pub fn excerpt_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::NoReady { line, .. } | Self::Malformed { line, .. } => Some(&mut line.got),
            Self::NoVersion { got } | Self::Illegal { got, .. } => Some(got),
            Self::UnknownWords { happened } => happened.excerpt_mut(),
            Self::Text(text) => Some(text),
            Self::NotStarted { .. }
            | Self::NoLine { .. }
            | Self::Overdue { .. }
            | Self::Closed { .. }
            | Self::TooLong { .. }
            | Self::StoppedReading { .. }
            | Self::LineBeforeTurn
            | Self::LineAfterAnswer
            | Self::OtherProtocol { .. }
            | Self::ActionForReady
            | Self::SecondReady { .. }
            | Self::OtherId { .. }
            | Self::Ran { .. }
            | Self::LeftAfterSignal
            | Self::NeverLeft
            | Self::NotGood { .. }
            | Self::Bad { .. }
            | Self::NotRecorded
            | Self::NotShown => None,
        }
    }
}

worded! {
    /// What the arena waits for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum AwaitedAnswer {
        Hello => "the answer to hello";
        Turn(id: u64) => "the answer to turn {id}";
    }
}

worded! {
    /// How long an answer may take, in microseconds. As text it follows "within".
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum TimeAllowed {
        RealTime { us: u64 } => "{}", in_units(*us);
        ProcessorTime { us: u64 } => "{} of processor time", in_units(*us);
        /// The real time of a bot that has not used its processor time.
        MostRealTime { us: u64, processor_us: u64 } => "{} of real time (it had some of its {} of processor time \
            left, but real time is limited to ten times that plus {})",
            in_units(*us), in_units(*processor_us), in_units(us.saturating_sub(processor_us.saturating_mul(10)));
    }
}

worded! {
    /// The part of a line that came, without its end.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum PartialLine {
        Nothing => "nothing came";
        /// It is not the beginning of an answer.
        NoAnswer { bytes: usize } => "{} came that {} not an answer, and no line feed",
            counted(*bytes, "byte", "bytes"), plural(*bytes, "is", "are");
        NoLineFeed { bytes: usize } =>
            "{} came, but no line feed to end the line", counted(*bytes, "byte", "bytes");
    }
}

/// Where a line stops making sense.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MalformedLine {
    /// What was expected there, if it is more than any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What came instead.
    pub got: String,
    /// The column in characters, from 1.
    pub column: usize,
}

impl From<&MalformedLineError> for MalformedLine {
    fn from(error: &MalformedLineError) -> Self {
        let expected = error.expected().map(str::to_owned);
        Self { expected, got: error.got().to_owned(), column: error.column() }
    }
}

impl fmt::Display for MalformedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(expected) = &self.expected {
            write!(f, "expected {expected}, ")?;
        }
        write!(f, "got {} at column {}", self.got, self.column)
    }
}

/// An answer to `hello` in this version.
pub(super) fn ready_line(version: Version) -> String {
    format!("{{\"type\":\"ready\",\"protocol\":\"{version}\",\"name\":\"my-bot\"}}")
}

fn list(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A limit as it is typed, such as `1s 500ms`; what was measured is [`took`], rounded.
fn in_units(us: u64) -> humantime::FormattedDuration {
    format_duration(Duration::from_micros(us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviation_is_read_back_with_its_sentence() {
        let awaited = AwaitedAnswer::Turn(2);
        let within = TimeAllowed::RealTime { us: 1_500_000 };
        let most = TimeAllowed::MostRealTime { us: 2_000_000, processor_us: 100_000 };
        let line = MalformedLine { expected: None, got: "`x`".to_owned(), column: 1 };
        let draw: Action = "draw".parse().unwrap();
        let got = "a \"b\"".to_owned();
        let closed = Deviation::Closed { awaited: AwaitedAnswer::Hello };
        for (deviation, sentence) in [
            (
                Deviation::NoLine { awaited, within: most, so_far: PartialLine::NoAnswer { bytes: 1 } },
                "expected the answer to turn 2 within 2s of real time (it had some of its 100ms of processor time \
                 left, but real time is limited to ten times that plus 1s); 1 byte came that is not an answer, and no \
                 line feed",
            ),
            (
                Deviation::NoLine { awaited, within, so_far: PartialLine::NoLineFeed { bytes: 2 } },
                "expected the answer to turn 2 within 1s 500ms; 2 bytes came, but no line feed to end the line",
            ),
            (
                Deviation::Overdue { awaited, within, took_us: 2_500_000 },
                "expected the answer to turn 2 within 1s 500ms; it took 2.50 s",
            ),
            (
                Deviation::StoppedReading { unread: 2 },
                "expected the bot to read its input; 2 bytes are unread",
            ),
            (
                Deviation::NoReady { arena: Version { major: 1, minor: 2 }, line: line.clone() },
                "expected {\"type\":\"ready\",\"protocol\":\"1.2\",\"name\":\"my-bot\"} in answer to hello; got `x` at \
                 column 1",
            ),
            (
                Deviation::NoVersion { got: "one".to_owned() },
                "expected a protocol version such as \"1.0\", got \"one\" in ready",
            ),
            (
                Deviation::Malformed {
                    turn: 2,
                    line: MalformedLine { expected: Some("a colon".to_owned()), ..line },
                },
                "expected one JSON object, such as {\"type\":\"action\",\"id\":2,\"action\":\"draw\"}; expected a colon, \
                 got `x` at column 1",
            ),
            (
                Deviation::Illegal { legal: vec![draw, draw], got },
                "expected one of the 2 actions in legal (draw draw), got \"a \\\"b\\\"\"",
            ),
            (
                Deviation::UnknownWords { happened: Box::new(closed) },
                "the bot fails when a line has an unknown field or is of an unknown type; without these it did well. \
                 What happened: expected the answer to hello; the bot closed its standard output",
            ),
            (Deviation::Bad { bad: vec![draw], got: draw }, "expected anything but draw, got draw"),
            (Deviation::LineBeforeTurn, "expected no line before the turn was sent, got one"),
            (Deviation::Text("expected an answer".to_owned()), "expected an answer"),
        ] {
            assert_eq!(deviation.to_string(), sentence);
            let json = serde_json::to_string(&deviation).unwrap();
            assert_eq!(serde_json::from_str::<Deviation>(&json).unwrap(), deviation, "{json}");
        }
    }
}
