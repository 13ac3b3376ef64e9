//! Messages between a person and the table.

use std::io;
use std::path::PathBuf;

use leyden_model::MatchRecord;
use leyden_model::projection::ShownEvent;
use leyden_protocol::{Action, Turn};

use leyden_arena::tournament::OpenError;

/// A message to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromPerson {
    /// The answer to the turn with this number. Ignored if it is not legal, or meant for another turn.
    Act(u64, Action),
    /// Lets the bots make one decision, where they wait for it.
    Step,
    /// Takes back the person's last decision. From then on the match is practice.
    Undo,
    /// Gives up: nothing is stored.
    Resign,
}

/// Why a match is replayed from its beginning to where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartReason {
    /// A decision was taken back.
    Undo,
    /// The machine was too busy to continue.
    Busy,
}

/// A message from the table to the people at it.
#[derive(Debug)]
pub enum ToPerson {
    /// A match begins, or begins again.
    Begins {
        /// Whether it will be stored.
        rated: bool,
        /// Why it begins again, if it does.
        again: Option<RestartReason>,
    },
    /// An event, as the audience may see it.
    Shown(ShownEvent),
    /// It is the person's turn.
    Asked(Box<Turn<'static>>),
    /// The bots wait for [`FromPerson::Step`].
    Waits,
    /// There is nothing to take back.
    NoUndo,
    /// The last message.
    Over(SessionEnd),
}

/// How a session ended.
#[derive(Debug)]
pub enum SessionEnd {
    /// The match was finished and is stored in this file.
    Kept(PathBuf, Box<MatchRecord>),
    /// A practice match was finished.
    Practised(Box<MatchRecord>),
    /// The person gave up.
    Resigned,
    /// The match was finished, but could not be stored.
    NotKept(OpenError, Box<MatchRecord>),
    /// The arena or the operating system failed.
    Failed(io::Error),
}
