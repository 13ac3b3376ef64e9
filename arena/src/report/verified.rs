//! What came of verifying records, as values. Checks nothing itself.

use leyden_model::TournamentChange;
use schemars::JsonSchema;
use serde::Serialize;

use super::REPORT_VERSION;
use crate::record::store::Mismatch;
use crate::record::verify::{RecordPart, Violation};

/// What `leyden verify --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "What came of verifying records")]
pub struct Verified {
    /// The version of this form: 1.
    pub v: u32,
    /// Whether nothing is wrong.
    pub verified: bool,
    /// How many matches were found right before that was known.
    pub matches: u64,
    /// How many matches are not there: of as many as were typed; else of those that the results file's plan has; in an export, which does not say how many blocks
    /// were planned, of those that make the blocks whole which were begun.
    pub missing: u64,
    /// How many matches there would be if none were missing.
    pub wanted: u64,
    /// Bots that joined or were replaced, and blocks that were changed, while it was played, as the results file tells it; null of an
    /// export, which does not.
    pub changes: Option<Vec<TournamentChange>>,
    /// The first thing that is wrong.
    pub wrong: Option<Discrepancy>,
    #[serde(flatten)]
    pub promised: Promised,
}

/// What is known of a tournament's seed, and what was compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Promised {
    /// The tournament's id: the first 16 hex digits of its seed commitment; `null` if no record was right.
    pub tournament: Option<String>,
    /// The commitment that was typed, or that the seed gives; `null` from an export without either.
    pub commitment: Option<String>,
    /// Whether a commitment was typed, so that the seed, or else the tournament's id, was compared with it.
    pub commitment_compared: bool,
    /// The seed's text if it was typed, or everything is played; `null` otherwise.
    pub seed: Option<String>,
    /// Whether every match's seed was compared with the one that follows from the seed's text, the bots' names and the block.
    pub seeds_compared: bool,
}

/// Something that does not follow from the seed and the rules, or of a results file from its own records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Discrepancy {
    /// Whose it is: `match` with its id, or `the sums of` a bot.
    pub of: String,
    /// The place in the record's `rounds`, from 0.
    pub round: Option<usize>,
    /// The place in that round's `actions`, from 0.
    pub action: Option<usize>,
    /// What was looked at.
    pub what: String,
    pub expected: String,
    pub found: String,
    /// All of it in a sentence.
    pub message: String,
}

impl Verified {
    /// Of so many matches that were found right, how many are not there, what was not right, and what it was held against.
    pub fn new(matches: u64, missing: u64, wrong: Option<Discrepancy>, promised: Promised) -> Self {
        let (verified, wanted) = (wrong.is_none(), matches + missing);
        Self { v: REPORT_VERSION, verified, matches, missing, wanted, changes: None, wrong, promised }
    }

    /// The same with the changes that a results file tells.
    #[must_use]
    pub fn with_changes(self, changes: Option<Vec<TournamentChange>>) -> Self {
        Self { changes, ..self }
    }
}

impl From<Violation> for Discrepancy {
    fn from(violation: Violation) -> Self {
        let message = violation.to_string();
        let Violation { id, place, what, expected, found } = violation;
        let (round, action) = match place {
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
    fn what_is_wrong_is_told_with_its_place() {
        let place = RecordPart::Action { index: 4, round: 3, redeal: 1, action: 7 };
        let (expected, found) = ("a legal action".to_owned(), "E:6-6".to_owned());
        let wrong =
            Discrepancy::from(Violation { id: "4f2a".to_owned(), place, what: "an action", expected, found });
        assert_eq!((wrong.of.as_str(), wrong.round, wrong.action), ("match 4f2a", Some(4), Some(7)));
        assert_eq!(
            wrong.message,
            "match 4f2a, round 3 dealt again (1) (rounds[4]), actions[7]: an action: expected a legal action, found E:6-6"
        );
        let verified = Verified::new(3, 0, Some(wrong), Promised::default());
        assert!(!verified.verified && Verified::new(3, 0, None, Promised::default()).verified);
    }
}
