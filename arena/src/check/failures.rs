//! Describes what was wrong: the rule that was broken, and what to do.

use std::time::Duration;

use leyden_model::words::rough_duration;
use leyden_model::{Cause, Deviation, FaultDetails, TimeLimits};
use leyden_protocol::{FaultCode, ToBot, push_line};
use leyden_referee::{Fault, hello};
use leyden_rules::Rules;

use super::report::Failure;

pub(super) fn words(duration: Duration) -> String {
    rough_duration(duration.as_micros() as u64)
}

pub(super) fn failure(table: &str, fault: &Fault, lines: Vec<String>) -> Failure {
    Failure {
        code: Some(fault.code),
        details: fault.details().clone(),
        rule: rule(fault.code),
        table: table.to_owned(),
        lines,
        again: 0,
    }
}

/// The line that each process is sent first.
pub(super) fn hello_text(rules: &Rules, limits: &TimeLimits) -> String {
    let mut line = Vec::new();
    push_line(&mut line, &ToBot::Hello(hello(rules, limits)));
    String::from_utf8_lossy(line.trim_ascii_end()).into_owned()
}

/// A failure caused by unknown words, because the bot did well without them. `sent` are the lines it got. The usual guess at
/// the cause is dropped.
pub(super) fn unknown(failure: Failure, sent: &str) -> Failure {
    let rule = "unknown fields, and types of lines that a bot does not know, are ignored (protocol: What you can rely on)";
    let what = Deviation::UnknownWords { happened: Box::new(failure.details.what) };
    let details = FaultDetails { what, cause: Some(Cause::UnknownWords), ..failure.details };
    let lines = sent.lines().map(str::to_owned).collect();
    Failure { rule: rule.to_owned(), details, lines, ..failure }
}

pub(super) fn stays(asked: bool) -> Failure {
    let what = if asked { Deviation::LeftAfterSignal } else { Deviation::NeverLeft };
    Failure {
        code: None,
        details: FaultDetails { cause: Some(Cause::EndUnnoticed), ..FaultDetails::new(what) },
        rule: "the end of standard input means: leave now (protocol: The life of a process)".to_owned(),
        table: String::new(),
        lines: Vec::new(),
        again: 0,
    }
}

/// The rule that each fault breaks.
pub(super) fn rule(code: FaultCode) -> String {
    let rule = match code {
        FaultCode::Spawn => "the command of bot.toml starts the bot",
        FaultCode::Handshake => "hello is answered in time by one line of type ready, and by nothing else",
        FaultCode::Timeout => "each turn is answered in time by one whole line, with a line feed, flushed",
        FaultCode::Exited => "a bot stays until its standard input ends",
        FaultCode::Malformed => {
            "a line is one JSON object with the fields of its type, and nothing else is printed"
        }
        FaultCode::Oversized => "a line has at most 65,536 bytes",
        FaultCode::Ran => {
            "a process that is stopped while it is not its turn computes nothing until it is continued"
        }
        FaultCode::Illegal => "the action is one of the list legal of that turn, character for character",
        FaultCode::Unexpected => "each turn is answered once, with its own id, and nothing else is printed",
    };
    format!("{rule} (protocol: Faults, {code})")
}
