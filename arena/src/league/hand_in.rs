//! The state of what an author has handed in.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::entrance::Verdict;
use super::timestamp;

/// The longest reason that is kept, in bytes.
const LONGEST: usize = 8_000;
const HOUR: Duration = Duration::from_hours(1);

/// The state of something that was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum HandInState {
    /// It will be judged.
    Received,
    /// It is a version, and plays.
    Accepted { version: String },
    /// It is a version that the league already has.
    Known { version: String },
    /// Another bot has the same files, which count once.
    Copy,
    /// It does not play, and the previous version plays on.
    Refused { why: String },
    /// It is judged again later.
    Waits { why: String },
    /// The same author has handed in another one before it was judged.
    Replaced,
    /// The arena stopped before the archive was complete.
    Lost,
    /// The author withdrew the version that played; nothing of the author plays.
    Withdrawn { version: String },
    /// The author has asked for the version that was withdrawn to play again.
    BroughtBack { version: String },
}

/// Something that was handed in, or another decision of its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandIn {
    /// Of this author, from 1.
    pub number: u32,
    /// When it was complete, in RFC 3339.
    pub at: String,
    /// `None` for a decision about a version that was there.
    #[serde(flatten)]
    pub archive: Option<ReceivedArchive>,
    pub outcome: HandInState,
}

/// An archive that was received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedArchive {
    /// Its size.
    pub bytes: u64,
    /// Of its content, in hex.
    pub sha256: String,
}

impl HandIn {
    /// Something that is not numbered yet.
    pub(super) fn new(archive: Option<ReceivedArchive>, outcome: HandInState) -> Self {
        Self { number: 0, at: timestamp::now(), archive, outcome }
    }

    pub(super) fn is_young(&self) -> bool {
        timestamp::is_younger(&self.at, HOUR)
    }
}

impl HandInState {
    pub(super) fn from_verdict(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Enters { version, .. } | Verdict::Returns(version) => {
                Self::Accepted { version: version.to_string() }
            }
            Verdict::Known(version) => Self::Known { version: version.to_string() },
            Verdict::Copy(_) => Self::Copy,
            Verdict::Refused(why) => Self::Refused { why: shortened(why) },
            Verdict::Waits(why) => Self::Waits { why: shortened(why) },
            Verdict::Withdrawn(version) => Self::Withdrawn { version: version.to_string() },
        }
    }

    /// Whether it is about a version that was there, so that there is no archive.
    pub fn is_decision(&self) -> bool {
        matches!(self, Self::Withdrawn { .. }) || self.is_coming_back()
    }

    pub(super) fn is_coming_back(&self) -> bool {
        matches!(self, Self::BroughtBack { .. })
    }

    /// Returns the sentence for the author.
    pub fn in_words(&self) -> String {
        match self {
            Self::Received => "is being checked".to_owned(),
            Self::Accepted { version } => format!("plays as {version}"),
            Self::Known { version } => format!("is {version}, which the league already has"),
            Self::Copy => "has the same files as another bot; the league counts them once".to_owned(),
            Self::Refused { why } => format!("is refused, and the previous version plays on: {why}"),
            Self::Waits { why } => format!("waits: {why}"),
            Self::Replaced => "was replaced by a later one".to_owned(),
            Self::Lost => "was lost when the arena stopped: hand it in again".to_owned(),
            Self::Withdrawn { version } => {
                format!("withdraws {version}, which no longer plays; its matches count")
            }
            Self::BroughtBack { version } => format!("brings back {version}"),
        }
    }
}

fn shortened(text: &str) -> String {
    text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default().to_owned()
}
