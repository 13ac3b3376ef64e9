//! A bot's fault: its code, what is known of it, and whether it can be forgiven.

use std::fmt;
use std::time::Duration;

use leyden_host::{ExitStatus, ReadLineError};
use leyden_model::{
    Cause, Deviation, DisabledBot, EndCause, FaultDetails, FaultFact, ProcessEnding, StandardError,
};
use leyden_protocol::{FaultCode, printable};
use rustix::process::Signal;

use super::traceback::relevant_lines;

/// How many bytes of the input are shown to the author.
const SHOWN: usize = 200;

/// Below this, the processor time used means nothing: it is counted in ticks.
const LONG_ENOUGH: Duration = Duration::from_millis(100);

/// Something a bot did that costs it the match or a strike. A result, not an error of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its code in the protocol.
    pub code: FaultCode,
    details: Box<FaultDetails>,
    /// The kept excerpt of the bot's standard error.
    pub stderr: Box<str>,
    /// Why no line came, if none did.
    pub(super) failure: Option<ReadLineError>,
    /// Whether it cannot be forgiven, even if its code could be.
    last: bool,
}

impl Fault {
    /// Creates a fault from what was expected and what came, and the bytes that came.
    pub fn new(code: FaultCode, what: Deviation, received: &[u8]) -> Self {
        let received = printable(received, SHOWN);
        Self::with_details(code, FaultDetails { received, ..FaultDetails::new(what) })
    }

    fn with_details(code: FaultCode, details: FaultDetails) -> Self {
        Self { code, details: Box::new(details), stderr: Box::default(), failure: None, last: false }
    }

    /// Creates a fault that ended a match from its record. No strikes forgive it.
    pub fn recorded(code: FaultCode, details: FaultDetails) -> Self {
        Self::with_details(code, details).last()
    }

    /// The bot used this much processor time although it was stopped.
    pub(super) fn ran(time: Duration) -> Self {
        let what = Deviation::Ran { used_us: time.as_micros() as u64 };
        Self::new(FaultCode::Ran, what, b"").likely(Cause::Continued)
    }

    /// Creates the fault of a bot that is no longer started, from that of its last start.
    pub fn disabled(disabled: &DisabledBot) -> Self {
        let DisabledBot { failures, code, details, .. } = disabled;
        let disabled_after = Some(*failures);
        Self::with_details(*code, FaultDetails { disabled_after, ..details.clone() })
    }

    /// Returns what is known of it.
    pub fn details(&self) -> &FaultDetails {
        &self.details
    }

    /// Adds the likeliest cause.
    pub(super) fn likely(mut self, cause: Cause) -> Self {
        self.details.cause = Some(cause);
        self
    }

    /// Adds why no line came.
    pub(super) fn silent(self, failure: ReadLineError) -> Self {
        Self { failure: Some(failure), ..self }
    }

    /// Makes it a fault that no strikes forgive.
    pub(super) fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Adds a fact.
    pub(super) fn know(&mut self, fact: FaultFact) {
        self.details.known.push(fact);
    }

    /// Removes the last answer, which says nothing of a question that is asked alone.
    #[must_use]
    pub fn alone(mut self) -> Self {
        self.details.known.retain(|fact| !matches!(fact, FaultFact::LastAnswer(_)));
        self
    }

    /// Whether any of the bot's line is known.
    pub(super) fn has_received(&self) -> bool {
        !self.details.received.is_empty()
    }

    /// Removes something from the input and the excerpts of it.
    pub(super) fn hide(&mut self, without: impl Fn(&str) -> String) {
        let FaultDetails { what, received, .. } = &mut *self.details;
        for text in what.excerpt_mut().into_iter().chain([received]) {
            *text = without(text);
        }
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
            FaultCode::Handshake
            | FaultCode::Timeout
            | FaultCode::Illegal
            | FaultCode::Malformed
            | FaultCode::Unexpected
            | FaultCode::Exited
            | FaultCode::Oversized
            | FaultCode::Ran => Self { code: FaultCode::Handshake, ..self },
        }
    }

    /// Adds how the process ended, given that its output is closed.
    pub(super) fn know_ending(&mut self, ending: Option<&ExitStatus>) {
        let (how, cause) = match ending {
            None => (ProcessEnding::Unknown, EndCause::ClosedOutput),
            Some(&ExitStatus::Code(code)) => {
                let cause = match code {
                    0 => EndCause::ReachedEnd,
                    126 | 127 => EndCause::NotRunnable,
                    _ => EndCause::Exception,
                };
                (ProcessEnding::Code(code), cause)
            }
            Some(&ExitStatus::Signal(number)) => {
                (ProcessEnding::Signal { number, name: signal_name(number) }, signal_cause(number))
            }
            // It did not start, which has a fault of its own.
            Some(ExitStatus::NotStarted(_) | ExitStatus::HostFailed(_)) => return,
        };
        self.know(FaultFact::Process(how));
        self.details.cause = Some(Cause::Ended(cause));
    }

    /// Adds whether a silent bot computed or waited, which have different causes. `computed` is the processor time that
    /// it used and `runs` whether it wants to run at this moment, if known: on a busy machine a computing bot may have
    /// used little.
    pub(super) fn know_computed(&mut self, computed: Option<Duration>, runs: Option<bool>, waited: Duration) {
        let Some(computed) = computed.filter(|_| waited >= LONG_ENOUGH) else { return };
        let (is_computing, cause) = if computed >= waited / 2 || runs == Some(true) {
            (true, Cause::Computes)
        } else if computed <= waited / 10 || runs == Some(false) {
            (false, Cause::Waits)
        } else {
            return;
        };
        self.know(FaultFact::Processor { used_us: computed.as_micros() as u64, computed: is_computing });
        // A start has better hints.
        if self.code == FaultCode::Timeout {
            self.details.cause = Some(cause);
        }
    }

    /// Adds the most useful lines of standard error. If there are none, that is mentioned if an exit must be explained.
    pub(super) fn know_stderr(&mut self, said: &str) {
        self.stderr = said.into();
        if said.trim().is_empty() && self.failure == Some(ReadLineError::Closed) {
            self.know(FaultFact::StandardError(StandardError::Empty));
        }
        let (lines, is_known) = relevant_lines(said);
        let shown = |line: &str| printable(line.replace('\t', "    ").as_bytes(), SHOWN);
        let lines: Vec<String> = lines.into_iter().map(shown).collect();
        if !lines.is_empty() {
            self.know(FaultFact::StandardError(if is_known {
                StandardError::Says(lines)
            } else {
                StandardError::Ends(lines)
            }));
        }
    }

    /// The same if standard error is the arena's own.
    pub(super) fn know_stderr_is_shown(&mut self) {
        if self.failure == Some(ReadLineError::Closed) {
            self.know(FaultFact::StandardError(StandardError::AtTerminal));
        }
    }

    /// Returns what the bot itself is sent: the message without its standard error, which is for its author.
    pub fn for_bot(&self) -> String {
        self.details.clone().without_stderr().to_string()
    }

    /// Returns the message for the author: what was expected, what came and what to do, in a few lines.
    pub fn message(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.details.fmt(f)
    }
}

/// The name of a signal, if it is one of these.
macro_rules! name_among {
    ($signal:expr, $($name:ident)*) => {
        match $signal {
            $(Signal::$name => Some(stringify!($name)),)*
            _ => None,
        }
    };
}

fn signal_name(number: i32) -> Option<String> {
    let signal = Signal::from_named_raw(number)?;
    let name = name_among!(signal, HUP INT QUIT ILL TRAP ABORT BUS FPE KILL USR1 SEGV USR2 PIPE ALARM TERM
        CHILD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALARM PROF WINCH IO SYS);
    #[cfg(target_os = "linux")]
    let name = name.or(name_among!(signal, STKFLT POWER));
    name.map(str::to_owned)
}

fn signal_cause(signal: i32) -> EndCause {
    match Signal::from_named_raw(signal) {
        Some(Signal::ABORT) => EndCause::Aborted,
        Some(Signal::SEGV | Signal::BUS) => EndCause::BadMemoryAccess,
        Some(Signal::FPE) => EndCause::DividedByZero,
        Some(Signal::ILL) => EndCause::BadInstruction,
        Some(Signal::KILL) => EndCause::Killed,
        Some(Signal::PIPE) => EndCause::BrokenPipe,
        _ => EndCause::Signal,
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::MalformedLine;
    use leyden_protocol::VERSION;

    use super::*;

    #[test]
    fn excerpts_of_the_bots_line_are_hidden() {
        let got = || "/home/ana/bot".to_owned();
        let line = || MalformedLine { expected: None, got: got(), column: 1 };
        let illegal = || Deviation::Illegal { legal: Vec::new(), got: got() };
        for what in [
            illegal(),
            Deviation::NoVersion { got: got() },
            Deviation::Malformed { turn: 1, line: line() },
            Deviation::NoReady { arena: VERSION, line: line() },
            Deviation::UnknownWords { happened: Box::new(illegal()) },
            Deviation::Text(got()),
        ] {
            let mut fault = Fault::new(FaultCode::Malformed, what, b"in /home/ana/bot");
            fault.hide(|text| text.replace("/home/ana", "HIDDEN"));
            let said = fault.message();
            assert!(!said.contains("ana") && said.matches("HIDDEN/bot").count() == 2, "{said}");
        }
    }

    #[test]
    fn bot_gets_all_but_its_standard_error() {
        let text = |text: &str| Deviation::Text(text.to_owned());
        let closed = || Fault {
            failure: Some(ReadLineError::Closed),
            ..Fault::new(FaultCode::Exited, text("a line"), b"")
        };
        let what = text("expected one of \"legal\"");
        let mut fault = Fault::new(FaultCode::Illegal, what, b"standard error ends: not this");
        fault.know_stderr(
            "Traceback (most recent call last):\n  File \"bot.py\", line 3\nKeyError: 'secret'\n",
        );
        fault.know(FaultFact::LastAnswer(None));
        assert!(fault.message().contains("KeyError: 'secret'"), "{fault}");
        assert_eq!(
            fault.for_bot(),
            "expected one of \"legal\"\nwhat came: standard error ends: not this\nlast good answer: none in this match yet"
        );
        let mut silent = closed();
        silent.know_stderr("");
        assert!(silent.message().ends_with("standard error: the bot wrote nothing there"), "{silent}");
        assert_eq!(silent.for_bot(), "a line");
        let mut seen = closed();
        seen.know_stderr_is_shown();
        assert_eq!(seen.message(), "a line\nstandard error: it went to your terminal, above");
    }
}
