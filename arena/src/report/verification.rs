//! The result of verifying records, as values. Checks nothing itself.

use leyden_model::TournamentChange;
use schemars::JsonSchema;
use serde::Serialize;

use super::REPORT_VERSION;
use crate::record::store::Mismatch;
use crate::record::verify::{RecordError, RecordPart};

/// The output of `leyden verify --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "The result of verifying records")]
pub struct Verification {
    /// The version of this format: 1.
    pub v: u32,
    /// Whether everything is correct.
    pub verified: bool,
    /// How many matches were verified before the first error.
    pub matches: u64,
    /// The number of missing matches, compared with the number that was typed, or else with the results file's plan. An
    /// export does not say how many blocks were planned: there, the matches missing from the blocks that were started.
    pub missing: u64,
    /// How many matches there would be if none were missing.
    #[serde(rename = "wanted")]
    pub planned: u64,
    /// Whether seeding, pairings, byes and who goes on were recomputed from the results; null without stages.
    pub pairings: Option<bool>,
    /// Bots that joined or were replaced, and changes to the number of blocks, during the tournament, as noted in the results
    /// file; null for an export, which does not note them.
    pub changes: Option<Vec<TournamentChange>>,
    /// The first error.
    pub wrong: Option<Discrepancy>,
    #[serde(flatten)]
    pub promised: SeedCheck,
}

/// What is known about a tournament's seed, and what was compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeedCheck {
    /// The tournament's id: the first 16 hex digits of its seed commitment; `null` if no record was correct.
    pub tournament: Option<String>,
    /// The commitment that was typed, or that follows from the seed; `null` from an export with neither.
    pub commitment: Option<String>,
    /// Whether a commitment was typed and compared with the seed or, without one, with the tournament's id.
    pub commitment_compared: bool,
    /// The seed's text if it was typed, or if everything is played; `null` otherwise.
    pub seed: Option<String>,
    /// Whether every match's seed was compared with the one that follows from the seed's text, the bots' names and the block.
    pub seeds_compared: bool,
}

/// Something that does not follow from the seed and the rules or, in a results file, from its own records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Discrepancy {
    /// Where it is: `match` with its id, or `the sums of` a bot.
    pub of: String,
    /// The index in the record's `rounds`, from 0.
    pub round: Option<usize>,
    /// The index in that round's `actions`, from 0.
    pub action: Option<usize>,
    /// What was checked.
    pub what: String,
    pub expected: String,
    pub found: String,
    /// All of it in one sentence.
    pub message: String,
}

impl Verification {
    /// Creates the document from the number of correct matches, the number of missing ones, the first error, and what is
    /// known about the seed.
    pub fn new(matches: u64, missing: u64, wrong: Option<Discrepancy>, promised: SeedCheck) -> Self {
        let (verified, planned) = (wrong.is_none(), matches + missing);
        Self {
            v: REPORT_VERSION,
            verified,
            matches,
            missing,
            planned,
            pairings: None,
            changes: None,
            wrong,
            promised,
        }
    }

    /// Says whether pairings were recomputed.
    #[must_use]
    pub fn with_pairings(self, pairings: Option<bool>) -> Self {
        Self { pairings, ..self }
    }

    /// Adds the changes noted in a results file.
    #[must_use]
    pub fn with_changes(self, changes: Option<Vec<TournamentChange>>) -> Self {
        Self { changes, ..self }
    }
}

impl From<RecordError> for Discrepancy {
    fn from(error: RecordError) -> Self {
        let message = error.to_string();
        let RecordError { id, part, what, expected, found } = error;
        let (round, action) = match part {
            RecordPart::Match => (None, None),
            RecordPart::Round { index, .. } => (Some(index), None),
            RecordPart::Action { index, action, .. } => (Some(index), Some(action)),
        };
        Self { of: format!("match {id}"), round, action, what: what.to_owned(), expected, found, message }
    }
}

impl From<Mismatch> for Discrepancy {
    fn from(mismatch: Mismatch) -> Self {
        let message = mismatch.to_string();
        let Mismatch { of, what, expected, found } = mismatch;
        Self { of, round: None, action: None, what, expected, found, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discrepancy_names_its_part_of_the_record() {
        let part = RecordPart::Action { index: 4, round: 3, redeal: 1, action: 7 };
        let (expected, found) = ("a legal action".to_owned(), "E:6-6".to_owned());
        let wrong = Discrepancy::from(RecordError {
            id: "4f2a".to_owned(),
            part,
            what: "an action",
            expected,
            found,
        });
        assert_eq!((wrong.of.as_str(), wrong.round, wrong.action), ("match 4f2a", Some(4), Some(7)));
        assert_eq!(
            wrong.message,
            "match 4f2a, round 4 dealt again (1) (rounds[4]), actions[7]: an action: expected a legal action, found E:6-6"
        );
        let verified = Verification::new(3, 0, Some(wrong), SeedCheck::default());
        assert!(!verified.verified && Verification::new(3, 0, None, SeedCheck::default()).verified);
    }
}
