//! How much of a tournament has been played.

use schemars::JsonSchema;
use serde::Serialize;

/// How many matches there are, and how many of them have been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchCounts {
    pub played: u64,
    /// Of the matches known so far that the format asks for, like all that is planned.
    #[serde(rename = "wanted")]
    pub planned: Option<u64>,
}

/// A block is the n-th pair of every pairing; ratings count it once it is complete, without pairs that are void. In a format of several rounds it is the
/// n-th block of each of them, without a round that is not complete yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockCounts {
    pub complete: u64,
    /// Started.
    pub incomplete: u64,
    /// How many there will be; null if that is not known.
    #[serde(rename = "wanted")]
    pub planned: Option<u64>,
}

/// A pair is one deal played once in every seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairCounts {
    pub complete: u64,
    /// Started.
    pub incomplete: u64,
    /// How many there will be; null if that is not known.
    #[serde(rename = "wanted")]
    pub planned: Option<u64>,
    /// Pairs that the host disturbed: their matches do not count, and a resumed run plays them again.
    pub voided: u64,
    /// How many of those are complete by now.
    pub played_again: u64,
}
