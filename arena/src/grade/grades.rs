//! Grades as a document: what was seen of each bot, and the points for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::roster::SameFiles;

/// What `leyden grade --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Grades")]
pub struct Grades {
    /// The version of this form: 1.
    pub v: u32,
    /// What all parts together are worth.
    pub most: f64,
    /// The text that the deals of all matches followed from. In the rubric it grades by the same deals once more.
    pub seed: String,
    /// What grades follow from besides a bot's files: a SHA-256 of the rubric, its bots, the limits and the sandbox.
    pub terms: String,
    /// In the order in which they were named; of a folder by the names of its entries.
    pub grades: Vec<Grade>,
    /// Bots that have no grade, through no fault of their own: grade them again.
    pub ungraded: Vec<Ungraded>,
    /// Bots that were handed in with the same files, or as they were given out.
    pub same_files: Vec<SameFiles>,
    /// Files of a folder of submissions that are nobody's work, each with the reason.
    pub left_out: Vec<String>,
}

/// A bot that could not be graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ungraded {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    pub place: String,
    pub reason: String,
}

/// A bot's grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grade {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    pub place: String,
    pub author: Option<String>,
    pub points: f64,
    pub parts: Vec<GradePart>,
    /// What its files were: their SHA-256. `null` if it could not be run.
    pub files: Option<String>,
    /// For who grades: whose files the bot has, or that nobody has changed the starter.
    pub note: Option<String>,
}

/// One part of a grade. Points are given in tenths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradePart {
    pub name: String,
    pub points: f64,
    pub most: f64,
    /// What 95 % of other deals would have given, where that is known.
    pub interval: Option<[f64; 2]>,
    /// What was seen, in a line.
    pub told: String,
    /// What to fix; empty if nothing is wrong.
    pub fix: Vec<String>,
}

/// Gives the points of parts in tenths, and returns their sum: what is shown adds up, whoever adds it.
pub(super) fn in_tenths(parts: &mut [GradePart]) -> f64 {
    let tenths = |points: f64| (points * 10.0).round() / 10.0;
    for part in &mut *parts {
        part.points = tenths(part.points);
    }
    tenths(parts.iter().map(|part| part.points).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_add_up_as_they_are_shown() {
        let part = |points| GradePart {
            name: String::new(),
            points,
            most: 50.0,
            interval: None,
            told: String::new(),
            fix: Vec::new(),
        };
        let mut parts = [16.24, 40.04].map(part);
        let shown = |points: f64| points.to_string();
        assert_eq!(shown(in_tenths(&mut parts)), "56.2", "and not 56.28");
        assert_eq!(parts.map(|part| shown(part.points)), ["16.2", "40"]);
    }
}
