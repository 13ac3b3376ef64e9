//! What else is known of a fault, a line of the message each.

use std::fmt;

use leyden_protocol::{Action, worded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sandbox_denial::SandboxDenial;
use crate::words::took;

worded! {
    /// Something that is known of a fault. As text it is a line of the message.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum FaultFact {
        /// What its process did, or how it ended.
        Process(ending: ProcessEnding) => "the process: {ending}";
        /// The processor time that a silent bot used while it was waited for, in microseconds, and whether that was
        /// most of the time.
        Processor { used_us: u64, computed: bool } => "the processor: the bot computed for {}{}{}",
            if *computed { "" } else { "only " },
            took(*used_us),
            if *computed { "" } else { ", and waited for the rest of the time" };
        /// How many of its threads wanted to run at once.
        Threads(threads: usize) =>
            "the bot's threads: {threads} wanted to run at once and kept the arena itself waiting";
        /// How late the arena itself was, and how much of that was the doing of the bot's threads, in microseconds.
        KeptBusy { late_us: u64, own_us: u64 } =>
            "the bot's threads: the arena was {} late, and they caused {} of that", took(*late_us), took(*own_us);
        /// The machine was busy, but the bot had its whole time.
        BusyMachine => "the machine: it was busy, but this bot had its processors all the time";
        /// The time for which others had the processors, in microseconds.
        NotCounted { us: u64 } => "not counted: {} while other processes had the processors", took(*us);
        /// The types of the lines that it was sent before its output was found closed.
        SentBefore(lines: Vec<String>) =>
            "before that the arena sent: {}; the bot may already have exited by then", lines.join(", ");
        /// Its last valid answer in this match, if there was one.
        LastAnswer(last: Option<ValidAnswer>) => "last good answer: {}",
            last.map_or_else(|| "none in this match yet".to_owned(), |last| last.to_string());
        Memory(shortage: MemoryShortage) => "memory: {shortage}";
        Sandbox(denial: SandboxDenial) => "the sandbox: {denial}";
        StandardError(said: StandardError) => "{said}";
    }
}

/// A valid answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValidAnswer {
    pub turn: u64,
    pub action: Action,
    /// How long it took, in microseconds.
    pub took_us: u64,
}

impl fmt::Display for ValidAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}, \"{}\", after {}", self.turn, self.action, took(self.took_us))
    }
}

worded! {
    /// How a bot's process ended.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ProcessEnding {
        /// It still runs, or how it ended is not known.
        Unknown => "is still running, or the arena does not know how it ended";
        Code(code: i32) => "ended with exit code {code}";
        /// A signal ended it; its name, if it has one.
        Signal { number: i32, name: Option<String> } => "was ended by signal {number}{}",
            name.as_ref().map_or_else(String::new, |name| format!(" (SIG{name})"));
    }
}

worded! {
    /// How a bot came to lack memory. All sizes are in MB.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum MemoryShortage {
        /// One of its processes had more than its limit.
        Had { had: u64, limit: u64 } =>
            "one of its processes had {had} MB, more than the {limit} MB it may have (--memory), and was killed";
        /// It asked for more, by its own account.
        Asked { limit: u64 } => "a bot may have {limit} MB here (--memory), and it asked for more";
        /// Something killed it, and it has a limit.
        Killed { limit: u64 } => "a bot may have {limit} MB here (--memory): one that takes more is killed";
    }
}

/// What is known of a bot's standard error. The lines are made printable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StandardError {
    Empty,
    /// It went to the terminal of the arena.
    AtTerminal,
    /// The lines of an error of a known form.
    Says(Vec<String>),
    /// The last lines.
    Ends(Vec<String>),
}

impl StandardError {
    pub(super) fn last_line(&self) -> Option<&str> {
        match self {
            Self::Says(lines) | Self::Ends(lines) => lines.last().map(String::as_str),
            Self::Empty | Self::AtTerminal => None,
        }
    }
}

impl fmt::Display for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, lines) = match self {
            Self::Empty => return f.write_str("standard error: the bot wrote nothing there"),
            Self::AtTerminal => return f.write_str("standard error: it went to your terminal, above"),
            Self::Says(lines) => ("says", lines),
            Self::Ends(lines) => ("ends", lines),
        };
        write!(f, "standard error {title}:")?;
        lines.iter().try_for_each(|line| write!(f, "\n  | {line}"))
    }
}
