//! What else is known of a fault, a line of the message each.

use std::fmt;

use leyden_protocol::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::took;

/// Something that is known of a fault. As text it is a line of the message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultFact {
    /// What its process did, or how it ended.
    Process(ProcessEnding),
    /// The processor time that a silent bot used while it was waited for, in microseconds, and whether that was most of the
    /// time.
    Processor {
        used_us: u64,
        computed: bool,
    },
    /// How many of its threads wanted to run at once.
    Threads(usize),
    /// How late the arena itself was, and how much of that was the doing of the bot's threads, in microseconds.
    KeptBusy {
        late_us: u64,
        own_us: u64,
    },
    /// The machine was busy, but the bot had its whole time.
    BusyMachine,
    /// The time for which others had the processors, in microseconds.
    NotCounted {
        us: u64,
    },
    /// The types of the lines that it was sent before its output was found closed.
    SentBefore(Vec<String>),
    /// Its last valid answer in this match, if there was one.
    LastAnswer(Option<ValidAnswer>),
    Memory(MemoryShortage),
    /// What the sandbox keeps from it, and whether that is only because other bots are in its folder.
    Sandbox {
        reason: String,
        is_crowded: bool,
    },
    StandardError(StandardError),
}

/// A valid answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValidAnswer {
    pub turn: u64,
    pub action: Action,
    /// How long it took, in microseconds.
    pub took_us: u64,
}

/// How a bot's process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEnding {
    /// It still runs, or how it ended is not known.
    Unknown,
    Code(i32),
    /// A signal ended it; its name, if it has one.
    Signal {
        number: i32,
        name: Option<String>,
    },
    /// It was not started, for this reason.
    NotStarted(String),
}

/// How a bot came to lack memory. All sizes are in MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryShortage {
    /// One of its processes had more than its limit.
    Had { had: u64, limit: u64 },
    /// It asked for more, by its own account.
    Asked { limit: u64 },
    /// Something killed it, and it has a limit.
    Killed { limit: u64 },
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

impl fmt::Display for FaultFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(ending) => write!(f, "the process: {ending}"),
            Self::Processor { used_us, computed } => {
                let used = took(*used_us);
                if *computed {
                    write!(f, "the processor: the bot computed for {used}")
                } else {
                    write!(
                        f,
                        "the processor: the bot computed for only {used}, and waited for the rest of the time"
                    )
                }
            }
            Self::Threads(threads) => write!(
                f,
                "the bot's threads: {threads} wanted to run at once and kept the arena itself waiting"
            ),
            Self::KeptBusy { late_us, own_us } => write!(
                f,
                "the bot's threads: they kept the arena itself waiting for {} of the {} by which it was late",
                took(*own_us),
                took(*late_us)
            ),
            Self::BusyMachine => {
                f.write_str("the machine: it was busy, but this bot had its processors all the time")
            }
            Self::NotCounted { us } => {
                write!(f, "not counted: {} while other processes had the processors", took(*us))
            }
            Self::SentBefore(lines) => {
                write!(
                    f,
                    "before that the arena sent: {}; the bot may already have exited by then",
                    lines.join(", ")
                )
            }
            Self::LastAnswer(None) => f.write_str("last good answer: none in this match yet"),
            Self::LastAnswer(Some(ValidAnswer { turn, action, took_us })) => {
                write!(f, "last good answer: turn {turn}, \"{action}\", after {}", took(*took_us))
            }
            Self::Memory(shortage) => write!(f, "memory: {shortage}"),
            Self::Sandbox { reason, .. } => write!(f, "the sandbox: {reason}"),
            Self::StandardError(said) => write!(f, "{said}"),
        }
    }
}

impl fmt::Display for ProcessEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("is still running, or the arena does not know how it ended"),
            Self::Code(code) => write!(f, "ended with exit code {code}"),
            Self::Signal { number, name: Some(name) } => {
                write!(f, "was ended by signal {number} (SIG{name})")
            }
            Self::Signal { number, name: None } => write!(f, "was ended by signal {number}"),
            Self::NotStarted(reason) => write!(f, "could not be started: {reason}"),
        }
    }
}

impl fmt::Display for MemoryShortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Had { had, limit } => write!(
                f,
                "one of its processes had {had} MB, more than the {limit} MB it may have (--memory), and was killed"
            ),
            Self::Asked { limit } => {
                write!(f, "a bot may have {limit} MB here (--memory), and it asked for more")
            }
            Self::Killed { limit } => {
                write!(f, "a bot may have {limit} MB here (--memory): one that takes more is killed")
            }
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
