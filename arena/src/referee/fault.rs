//! A bot's fault as its author reads it: the code, what was expected, what came, the likeliest cause, what else is known.

use std::fmt::{self, Write as _};
use std::time::Duration;

use leyden_host::{ExitStatus, NoLine};
use leyden_protocol::{FaultCode, printable};

use leyden_model::event::Withdrawal;
/// How much of what came is shown to the author.
const SHOWN: usize = 200;

/// How many of the last lines on standard error are shown.
const LAST_LINES: usize = 5;

/// Something a bot did that costs it the match or a strike. A result, never an error of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: FaultCode,
    /// What was expected and what came, in a sentence.
    what: String,
    /// The likeliest cause and what to do about it.
    likely: Option<String>,
    /// What else is known: lines of a title and a text.
    known: Vec<(&'static str, String)>,
    /// The beginning of what came, made printable; empty if nothing did.
    pub received: String,
    /// Why no line was heard, if none was.
    pub(super) failure: Option<NoLine>,
    /// Whether it cannot be forgiven, whatever its code.
    last: bool,
}

impl Fault {
    /// A fault with what was expected and what came, in a sentence, and the bytes that came.
    pub(crate) fn new(code: FaultCode, what: impl Into<String>, received: &[u8]) -> Self {
        Self {
            code,
            what: what.into(),
            likely: None,
            known: Vec::new(),
            received: printable(received, SHOWN),
            failure: None,
            last: false,
        }
    }

    /// Of a bot that is not started any more: the last one that it was started with.
    pub(crate) fn withdrawn(withdrawal: &Withdrawal) -> Self {
        let Withdrawal { failures, code, message, .. } = withdrawal;
        Self::new(*code, format!("withdrawn after {failures} start failures in a row: {message}"), b"")
    }

    /// With the likeliest cause, and what to do about it.
    pub(super) fn likely(self, cause: impl Into<String>) -> Self {
        Self { likely: Some(cause.into()), ..self }
    }

    /// Of a bot from which no line was heard.
    pub(super) fn silent(self, failure: NoLine) -> Self {
        Self { failure: Some(failure), ..self }
    }

    /// One that no strikes forgive.
    pub(super) fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Adds a line to what is known.
    pub(super) fn know(&mut self, title: &'static str, text: impl Into<String>) {
        self.known.push((title, text.into()));
    }

    /// Whether an organiser's strikes can forgive it: the bot is still there and can be asked again.
    pub(super) fn forgivable(&self) -> bool {
        match self.code {
            FaultCode::Timeout | FaultCode::Illegal | FaultCode::Malformed | FaultCode::Unexpected => {
                !self.last
            }
            FaultCode::Spawn
            | FaultCode::Handshake
            | FaultCode::Exited
            | FaultCode::Oversized
            | FaultCode::Ran => false,
        }
    }

    /// The same fault during the handshake.
    pub(super) fn in_handshake(self) -> Self {
        match self.code {
            FaultCode::Spawn => self,
            _ => Self { code: FaultCode::Handshake, ..self },
        }
    }

    /// Adds how the process ended whose output is closed.
    pub(super) fn know_ending(&mut self, ending: Option<ExitStatus>) {
        let (how, likely) = match ending {
            None => (
                "is still running, or its end is not known".to_owned(),
                "the bot closed its standard output itself",
            ),
            Some(ExitStatus::Code(0)) => (
                "ended with exit code 0".to_owned(),
                "the program came to its end: it has to read lines in a loop until its input ends",
            ),
            Some(ExitStatus::Code(code @ (126 | 127))) => (
                format!("ended with exit code {code}"),
                "a shell did not find the program or may not run it: is the interpreter installed?",
            ),
            Some(ExitStatus::Code(code)) => (
                format!("ended with exit code {code}"),
                "an error or an exception ended the program; its standard error may say where",
            ),
            Some(ExitStatus::Signal(signal)) => {
                (format!("was ended by {}", signal_name(signal)), signal_cause(signal))
            }
            Some(ExitStatus::NotStarted(reason) | ExitStatus::HostFailed(reason)) => {
                (format!("could not be started: {reason}"), "it is not there")
            }
        };
        self.know("the process", how);
        self.likely = Some(likely.to_owned());
    }

    /// Adds the last lines of standard error. That there are none is worth a word where an end has to be explained.
    pub(super) fn know_stderr(&mut self, said: &str) {
        if said.trim().is_empty() && self.failure == Some(NoLine::Closed) {
            self.know("standard error", "the bot wrote nothing there");
        }
        let mut lines: Vec<&str> =
            said.lines().rev().filter(|line| !line.trim().is_empty()).take(LAST_LINES).collect();
        lines.reverse();
        let mut text = String::new();
        for line in lines {
            let _ = write!(text, "\n  | {}", printable(line.trim_end().as_bytes(), SHOWN));
        }
        if !text.is_empty() {
            self.know("standard error ends", text);
        }
    }

    /// For the author: what was expected, what came and what to do, in a few lines.
    pub fn message(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(likely) = &self.likely {
            write!(f, "\nlikely cause: {likely}")?;
        }
        if !self.received.is_empty() {
            write!(f, "\nwhat came: {}", self.received)?;
        }
        for (title, text) in &self.known {
            let space = if text.starts_with('\n') { "" } else { " " };
            write!(f, "\n{title}:{space}{text}")?;
        }
        Ok(())
    }
}

/// A duration as a person would write it.
pub(super) fn in_words(duration: Duration) -> String {
    let micros = duration.as_micros();
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", duration.as_secs_f64()),
    }
}

fn signal_name(signal: i32) -> String {
    let named = rustix::process::Signal::from_named_raw(signal).map(|signal| format!("{signal:?}"));
    let name = named.as_deref().and_then(|name| name.trim_matches('"').strip_prefix("Signal::"));
    name.map_or_else(|| format!("signal {signal}"), |name| format!("signal {signal} (SIG{name})"))
}

fn signal_cause(signal: i32) -> &'static str {
    use rustix::process::Signal;
    match Signal::from_named_raw(signal) {
        Some(Signal::ABORT) => "the program aborted: a failed assertion, a panic, or memory freed twice",
        Some(Signal::SEGV | Signal::BUS) => {
            "the program touched memory that is not its own, or its stack was full"
        }
        Some(Signal::FPE) => "the program divided by zero",
        Some(Signal::ILL) => "the program was built for another processor, or trapped",
        Some(Signal::KILL) => "it was killed from outside: perhaps the machine ran out of memory",
        Some(Signal::PIPE) => "the program wrote to something that nobody reads",
        _ => "it was ended from outside, or by itself",
    }
}
