//! How much of their source text bots have in common, no matter how they name their variables and comment it: a measure
//! for a teacher who then reads the passages, never a verdict.
//!
//! Texts become tokens, and tokens fingerprints by winnowing (Schleimer, Wilkerson and Aiken, 2003, the method of MOSS). What comes
//! from a starter, from a sample bot, or is written by many is no likeness.

mod comparison;
mod tokens;
mod winnowing;

pub use comparison::{
    CLUSTER, LikePair, Likeness, Lines, Passage, SampleCopy, compare, sample_note, starter_copies,
};
