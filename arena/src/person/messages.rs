//! What is said between a person and the table.

use std::io;
use std::path::PathBuf;

use leyden_model::MatchRecord;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{Action, Turn};

use crate::tournament::OpenError;

/// What is said to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromPerson {
    /// The answer to a turn, by the turn's number. One that is not legal, or for another turn, is not taken.
    Act(u64, Action),
    /// Where bots wait for it: the next decision may be made.
    Step,
    /// Back to the person's last decision. From there on it is practice.
    Undo,
    /// Enough: nothing is stored.
    Resign,
}

/// Why a match is played again from its beginning, up to where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartReason {
    /// Somebody took a decision back.
    Undo,
    /// The machine was too busy to go on.
    Busy,
}

/// What people at a table are told.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one is told at a time")]
pub enum ToPerson {
    /// A match begins, or begins again; `rated` is whether it will be stored.
    Begins { rated: bool, again: Option<RestartReason> },
    /// Something happened, as it may be seen from there.
    Shown(ShownEvent),
    /// It is the person's turn.
    Asked(Box<Turn<'static>>),
    /// The bots wait for [`FromPerson::Step`].
    Waits,
    /// There is nothing to take back.
    NoUndo,
    /// Nothing more comes.
    Over(SessionEnd),
}

/// What came of it.
#[derive(Debug)]
pub enum SessionEnd {
    /// It was played to its end and is kept there.
    Kept(PathBuf, Box<MatchRecord>),
    /// It was practice to its end.
    Practised(Box<MatchRecord>),
    /// Somebody gave it up.
    Resigned,
    /// It was played to its end, and could not be kept.
    NotKept(OpenError, Box<MatchRecord>),
    /// The arena or the system below it failed.
    Failed(io::Error),
}
