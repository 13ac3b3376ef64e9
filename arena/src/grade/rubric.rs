//! The rubric: what a grade consists of, as a teacher writes it down.

use std::time::Duration;

use leyden_protocol::RulesName;
use leyden_stats::PointScale;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::roster::{PseudonymError, Pseudonyms};
use crate::toml_error::in_words;

/// The parts of a grade and their points (TOML).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A rubric (TOML)")]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rubric {
    /// Points for the findings of `leyden check`: the share of findings that do not fail.
    pub check: f64,
    /// The rule set of all matches.
    #[serde(default)]
    pub rules: RulesName,
    /// The text from which the deals of all matches follow. Without it, one is drawn for each grading, the same for all bots
    /// graded together.
    #[serde(default)]
    pub seed: Option<String>,
    /// Whether points are given for scores with the luck of deals and draws taken out: the same mean with less chance in it, so
    /// that fewer blocks give the same certainty.
    #[serde(default)]
    pub without_luck: bool,
    /// How many minutes a bot plays at most; what has been played by then counts.
    #[serde(default = "minutes")]
    pub minutes: f64,
    /// The bots that are played against.
    #[serde(default)]
    pub against: Vec<ReferenceBot>,
    /// The grades that are given for the sum of points, best first. Each bot's grade says how likely another seed gives another one.
    #[serde(default, rename = "grade", skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<GradeStep>,
    /// What bots are called where everybody looks, by their names, or the names of the folders or archives in which they were handed
    /// in. Students know their own from the feedback; `leyden report --pseudonyms` shows only these.
    #[serde(default, skip_serializing_if = "Pseudonyms::is_empty")]
    pub pseudonyms: Pseudonyms,
}

/// A grade, and the points from which it is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradeStep {
    /// Such as `B`.
    pub name: String,
    /// The fewest points for it.
    pub from: f64,
}

/// A reference bot, and the points for a score against it: none up to `none-at`, all from `full-at` on, and in proportion
/// between the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Against")]
pub struct ReferenceBot {
    /// As it is typed for a tournament, such as `builtin:random`.
    pub bot: String,
    /// The most points that it can give.
    pub points: f64,
    /// Scores are 0..=1 per match.
    pub none_at: f64,
    /// The score from which on all points are given.
    pub full_at: f64,
    /// The number of pairs of matches.
    #[serde(default = "blocks")]
    pub blocks: u32,
}

const fn blocks() -> u32 {
    20
}

const fn minutes() -> f64 {
    5.0
}

/// Why a rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricError {
    #[error("{}; `leyden grade --print-rubric` prints a complete one", .0.trim_end())]
    Toml(String),
    #[error("check = {0}: expected points of 0 or more, in tenths")]
    Check(f64),
    #[error("minutes = {0}: expected more than 0, and a day (1440) at most")]
    Minutes(f64),
    #[error("pseudonyms: {0}")]
    Pseudonym(#[from] PseudonymError),
    #[error("against {bot}: {what}")]
    Against { bot: String, what: &'static str },
    #[error(
        "grade {name:?} from {from}: expected points of 0 or more, in tenths, fewer than for the grade before it"
    )]
    Grade { name: String, from: f64 },
}

/// The rubric that is used by default.
pub const USUAL: &str = include_str!("usual.toml");

impl Rubric {
    /// Reads a rubric from TOML.
    pub fn read(text: &str) -> Result<Self, RubricError> {
        let rubric: Self = toml::from_str(text).map_err(|error| RubricError::Toml(in_words(text, &error)))?;
        // Points given in tenths add up in tenths.
        let is_points =
            |points: f64| points.is_finite() && points >= 0.0 && (10.0 * points).fract().abs() < 1e-9;
        if !is_points(rubric.check) {
            return Err(RubricError::Check(rubric.check));
        }
        if !(rubric.minutes > 0.0 && rubric.minutes <= 1440.0) {
            return Err(RubricError::Minutes(rubric.minutes));
        }
        for against in &rubric.against {
            let ReferenceBot { bot, points, none_at, full_at, blocks } = against;
            let what = match () {
                () if !is_points(*points) => "expected points of 0 or more, in tenths",
                () if !(0.0..=1.0).contains(none_at)
                    || !(0.0..=1.0).contains(full_at)
                    || none_at >= full_at =>
                {
                    "expected none-at below full-at, both scores of 0 to 1"
                }
                () if !(2..=10_000).contains(blocks) => "expected 2 to 10000 blocks: fewer prove nothing",
                () => continue,
            };
            return Err(RubricError::Against { bot: bot.clone(), what });
        }
        rubric.pseudonyms.check()?;
        let mut better = f64::INFINITY;
        for GradeStep { name, from } in &rubric.grades {
            if !is_points(*from) || *from >= better {
                return Err(RubricError::Grade { name: name.clone(), from: *from });
            }
            better = *from;
        }
        Ok(rubric)
    }

    /// The grade for these points, with the points from which it and the next better one are given; `None` below all grades and
    /// without any.
    pub(super) fn grade_of(&self, points: f64) -> Option<(&GradeStep, Option<f64>)> {
        let at = self.grades.iter().position(|grade| points >= grade.from - 1e-9)?;
        let better = at.checked_sub(1).map(|better| self.grades[better].from);
        Some((&self.grades[at], better))
    }

    /// How long a bot plays at most.
    pub(super) fn time(&self) -> Duration {
        Duration::from_secs_f64(60.0 * self.minutes)
    }
}

impl ReferenceBot {
    /// The name of the part of a grade that a score against this bot decides.
    pub(super) fn part_name(&self) -> String {
        format!("against {}", self.name())
    }

    /// The bot's name without `builtin:`.
    pub(super) fn name(&self) -> &str {
        self.bot.trim_start_matches("builtin:")
    }

    /// Its points by score.
    pub(super) const fn scale(&self) -> PointScale {
        PointScale { none_at: self.none_at, full_at: self.full_at, most: self.points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudonyms_are_found_by_name_or_folder() {
        let rubric = |table: &str| Rubric::read(&format!("check = 1\n[pseudonyms]\n{table}\n"));
        let known = rubric("ann = \"Red Panda\"\nbob_7 = \"Blue Heron\"").unwrap().pseudonyms;
        assert_eq!(known.find("ann", None), Some("Red Panda"));
        assert_eq!(known.find("starter#2", Some("class/bob_7.zip")), Some("Blue Heron"));
        assert_eq!(known.find("starter#2", Some("class/bob_7")), Some("Blue Heron"));
        assert_eq!(known.find("starter", Some("class/bob_8")), None);
        for (table, expected) in [
            ("a = \"X\"\nb = \"x \"", "expected another one for each bot, got \"x \" twice"),
            ("a = \" \"", "expected 1 to"),
            ("a = \"x\\u202e\"", "expected 1 to"),
        ] {
            let error = rubric(table).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn usual_rubric_is_worth_a_hundred_points() {
        let usual = Rubric::read(USUAL).unwrap();
        let all: f64 = usual.check + usual.against.iter().map(|against| against.points).sum::<f64>();
        assert!((all - 100.0).abs() < 1e-9, "{all}");
    }

    #[test]
    fn usual_rubric_holds_with_its_examples() {
        let uncommented = |line: &str| match line.strip_prefix("# ") {
            Some(line) if line.starts_with('[') || line.contains(" = ") => line.to_owned(),
            _ => line.to_owned(),
        };
        let text: String = USUAL.lines().map(|line| uncommented(line) + "\n").collect();
        let rubric = Rubric::read(&text).unwrap();
        assert_eq!((rubric.grades.len(), rubric.pseudonyms.find("ann", None)), (2, Some("Red Panda")));
    }

    #[test]
    fn grade_begins_at_its_points() {
        let rubric = Rubric::read(
            "check = 10\n[[grade]]\nname = \"A\"\nfrom = 8.5\n[[grade]]\nname = \"B\"\nfrom = 5\n",
        );
        let rubric = rubric.unwrap();
        let grade = |points| rubric.grade_of(points).map(|(grade, better)| (&*grade.name, better));
        assert_eq!(grade(8.5), Some(("A", None)));
        assert_eq!((grade(8.4), grade(5.0)), (Some(("B", Some(8.5))), Some(("B", Some(8.5)))));
        assert_eq!(grade(4.9), None);
    }

    #[test]
    fn nonsensical_rubric_is_refused_with_the_reason() {
        let with = |line: &str| format!("check = 1\n[[against]]\nbot = \"b\"\n{line}\n");
        for (text, says) in [
            ("check = -1".to_owned(), "0 or more"),
            ("check = 1.25".to_owned(), "in tenths"),
            ("check = 1\nminutes = 0".to_owned(), "more than 0"),
            ("check = 1\nminutes = nan".to_owned(), "more than 0"),
            ("chekc = 1".to_owned(), "chekc"),
            (with("points = nan\nnone-at = 0.1\nfull-at = 0.5"), "0 or more"),
            (with("points = 1\nnone-at = 0.5\nfull-at = 0.5"), "none-at below full-at"),
            (with("points = 1\nnone-at = 0.1\nfull-at = 1.5"), "none-at below full-at"),
            (with("points = 1\nnone-at = 0.1\nfull-at = 0.5\nblocks = 1"), "2 to 10000"),
            (
                "check = 1\n[[grade]]\nname = \"A\"\nfrom = 5\n[[grade]]\nname = \"B\"\nfrom = 6\n"
                    .to_owned(),
                "fewer than",
            ),
        ] {
            let said = Rubric::read(&text).unwrap_err().to_string();
            assert!(said.contains(says), "{text}: {said}");
        }
    }
}
