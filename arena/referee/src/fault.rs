//! A bot's fault as its author reads it: the code, what was expected, what came, the likeliest cause, and what else is
//! known.

use std::fmt::{self, Write as _};
use std::time::Duration;

use leyden_host::{ExitStatus, NoLine};
use leyden_protocol::{FaultCode, printable};

use leyden_model::event::Withdrawal;

use super::out_of_reach::ALONE;
use super::traceback::relevant_lines;

/// How many bytes of the input are shown to the author.
const SHOWN: usize = 200;

/// The words in a message before the beginning of the input.
const WHAT_CAME: &str = "\nwhat came: ";

/// Below this, the processor time used means nothing: it is counted in ticks.
const LONG_ENOUGH: Duration = Duration::from_millis(100);

/// Why a computing bot does not answer.
const COMPUTES: &str = "an endless loop, or a search that does not look at the clock: it must answer before clock.turn_ms is over";

/// Why a waiting bot does not answer.
const WAITS: &str = "the answer was written but not flushed (python: print(…, flush=True)), or the bot waits for something else: \
                     for the end of its input instead of the next line, for a second line, a lock or a sleep";

/// What is known of a bot that does not answer and does not compute.
const IT_WAITED: &str = "it waited";

/// The titles for the processor and for the last answer, and the prefix of those for standard error.
const PROCESSOR: &str = "the processor";
const STANDARD_ERROR: &str = "standard error";
pub(super) const LAST_ANSWER: &str = "last good answer";

/// Something a bot did that costs it the match or a strike. A result, not an error of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: FaultCode,
    /// What was expected and what came, in a sentence.
    what: String,
    /// The likeliest cause and what to do about it.
    likely: Option<String>,
    /// What else is known: pairs of a title and a text.
    known: Vec<(&'static str, String)>,
    /// The beginning of the input, made printable; empty if there was none.
    pub received: String,
    /// The kept excerpt of the bot's standard error.
    pub stderr: Box<str>,
    /// Why no line came, if none did.
    pub(super) failure: Option<NoLine>,
    /// Whether it cannot be forgiven, whatever its code.
    last: bool,
}

impl Fault {
    /// Creates a fault from a sentence with what was expected and what came, and the bytes that came.
    pub fn new(code: FaultCode, what: impl Into<String>, received: &[u8]) -> Self {
        Self {
            code,
            what: what.into(),
            likely: None,
            known: Vec::new(),
            received: printable(received, SHOWN),
            stderr: Box::default(),
            failure: None,
            last: false,
        }
    }

    /// Creates a fault that ended a match from its record: the input is extracted from the message. No strikes forgive
    /// it.
    pub fn recorded(code: FaultCode, message: &str) -> Self {
        let (what, rest) = message.split_once(WHAT_CAME).unwrap_or((message, ""));
        let (received, rest) = rest.split_once('\n').unwrap_or((rest, ""));
        let mut fault = Self::new(code, what, b"").last();
        received.clone_into(&mut fault.received);
        if !rest.is_empty() {
            fault.know("", rest);
        }
        fault
    }

    /// Creates the fault of a bot that is no longer started, from that of its last start.
    pub fn withdrawn(withdrawal: &Withdrawal) -> Self {
        let Withdrawal { failures, code, message, .. } = withdrawal;
        Self::new(*code, format!("withdrawn after {failures} start failures in a row: {message}"), b"")
    }

    /// Adds the likeliest cause, and what to do about it.
    pub(super) fn likely(self, cause: impl Into<String>) -> Self {
        Self { likely: Some(cause.into()), ..self }
    }

    /// Adds why no line came.
    pub(super) fn silent(self, failure: NoLine) -> Self {
        Self { failure: Some(failure), ..self }
    }

    /// Makes it a fault that no strikes forgive.
    pub(super) fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Adds a line to what is known.
    pub(super) fn know(&mut self, title: &'static str, text: impl Into<String>) {
        self.known.push((title, text.into()));
    }

    /// Removes the last answer, which says nothing of a question that is asked alone.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.known.retain(|(title, _)| *title != LAST_ANSWER);
        self
    }

    /// Whether a message is about a bot that did not answer and did not compute: its output may not have been flushed.
    pub fn is_of_waiting(message: &str) -> bool {
        let known = message.lines().filter_map(|line| line.strip_prefix(PROCESSOR)?.strip_prefix(": "));
        known.into_iter().any(|known| known.ends_with(IT_WAITED))
    }

    /// Whether a message is about a bot that saw less of its folder than it would without other bots.
    pub fn is_of_crowded_folder(message: &str) -> bool {
        message.lines().any(|line| line.starts_with("the sandbox: ") && line.contains(ALONE))
    }

    /// Removes something from the input, which the sentences may quote.
    pub(super) fn hide(&mut self, without: impl Fn(&str) -> String) {
        self.received = without(&self.received);
        self.what = without(&self.what);
        self.likely = self.likely.as_deref().map(&without);
    }

    /// Whether an organiser's strikes can forgive it: the bot still exists and can be asked again.
    pub fn forgivable(&self) -> bool {
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

    /// Returns the same fault as one of the handshake.
    pub(super) fn in_handshake(self) -> Self {
        match self.code {
            FaultCode::Spawn => self,
            _ => Self { code: FaultCode::Handshake, ..self },
        }
    }

    /// Adds how the process ended, given that its output is closed.
    pub(super) fn know_ending(&mut self, ending: Option<ExitStatus>) {
        let (how, likely) = match ending {
            None => (
                "is still running, or how it ended is not known".to_owned(),
                "the bot closed its standard output itself",
            ),
            Some(ExitStatus::Code(0)) => (
                "ended with exit code 0".to_owned(),
                "the program reached its end: it must read lines in a loop until its input ends",
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
                (format!("could not be started: {reason}"), "it is missing")
            }
        };
        self.know("the process", how);
        self.likely = Some(likely.to_owned());
    }

    /// Adds whether a silent bot computed or waited, which have different causes. `computed` is the processor time that
    /// it used and `runs` whether it wants to run at this moment, if known: on a busy machine a computing bot may have
    /// used little.
    pub(super) fn know_computed(&mut self, computed: Option<Duration>, runs: Option<bool>, waited: Duration) {
        let Some(computed) = computed.filter(|_| waited >= LONG_ENOUGH) else { return };
        let used = in_words(computed);
        let likely;
        if computed >= waited / 2 || runs == Some(true) {
            self.know(PROCESSOR, format!("the bot used {used} of it: it computed"));
            likely = COMPUTES;
        } else if computed <= waited / 10 || runs == Some(false) {
            self.know(PROCESSOR, format!("the bot used {used} of it: {IT_WAITED}"));
            likely = WAITS;
        } else {
            return;
        }
        // A start has better hints.
        if self.code == FaultCode::Timeout {
            self.likely = Some(likely.to_owned());
        }
    }

    /// Adds the most useful lines of standard error. If there are none, that is mentioned if an exit must be explained.
    pub(super) fn know_stderr(&mut self, said: &str) {
        self.stderr = said.into();
        if said.trim().is_empty() && self.failure == Some(NoLine::Closed) {
            self.know(STANDARD_ERROR, "the bot wrote nothing there");
        }
        let (lines, is_known) = relevant_lines(said);
        let mut text = String::new();
        for line in lines {
            let line = line.replace('\t', "    ");
            let _ = write!(text, "\n  | {}", printable(line.as_bytes(), SHOWN));
        }
        if !text.is_empty() {
            self.know(if is_known { "standard error says" } else { "standard error ends" }, text);
        }
    }

    /// The same if standard error is the arena's own.
    pub(super) fn know_stderr_is_shown(&mut self) {
        if self.failure == Some(NoLine::Closed) {
            self.know(STANDARD_ERROR, "it went to your terminal, above");
        }
    }

    /// Returns what the bot itself is sent: the message without its standard error, which is for its author.
    pub fn told(&self) -> String {
        let own = |title: &str| title.starts_with(STANDARD_ERROR);
        let known = self.known.iter().filter(|(title, _)| !own(title)).cloned().collect();
        Self { known, ..self.clone() }.message()
    }

    /// Returns the message for the author: what was expected, what came and what to do, in a few lines.
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
            write!(f, "{WHAT_CAME}{}", self.received)?;
        }
        for (title, text) in &self.known {
            if title.is_empty() {
                write!(f, "\n{text}")?; // lines that were written before
                continue;
            }
            let space = if text.starts_with('\n') { "" } else { " " };
            write!(f, "\n{title}:{space}{text}")?;
        }
        Ok(())
    }
}

/// Formats a duration for humans.
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
            "the program accessed memory that is not its own, or its stack overflowed: does a whole line fit where it is read \
             (some have thousands of bytes)? Compiled with -g -fsanitize=address, it says where"
        }
        Some(Signal::FPE) => "the program divided by zero",
        Some(Signal::ILL) => "the program was built for another processor, or trapped",
        Some(Signal::KILL) => {
            "it was killed from outside: it used too much memory, or the machine ran out of it"
        }
        Some(Signal::PIPE) => "the program wrote to a pipe that nobody reads",
        _ => "it was ended from outside or by itself",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_told_all_but_its_own_standard_error() {
        let mut fault =
            Fault::new(FaultCode::Illegal, "expected one of \"legal\"", b"standard error ends: not this");
        fault.know_stderr(
            "Traceback (most recent call last):\n  File \"bot.py\", line 3\nKeyError: 'secret'\n",
        );
        fault.know(LAST_ANSWER, "turn 4");
        assert!(fault.message().contains("KeyError: 'secret'"), "{fault}");
        assert_eq!(
            fault.told(),
            "expected one of \"legal\"\nwhat came: standard error ends: not this\nlast good answer: turn 4"
        );
        let mut closed =
            Fault { failure: Some(NoLine::Closed), ..Fault::new(FaultCode::Exited, "a line", b"") };
        closed.know_stderr("");
        assert!(closed.message().ends_with("standard error: the bot wrote nothing there"), "{closed}");
        assert_eq!(closed.told(), "a line");
        let mut seen =
            Fault { failure: Some(NoLine::Closed), ..Fault::new(FaultCode::Exited, "a line", b"") };
        seen.know_stderr_is_shown();
        assert_eq!(seen.message(), "a line\nstandard error: it went to your terminal, above");
    }
}
