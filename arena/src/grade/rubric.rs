//! The rubric: what a grade consists of, as a teacher writes it down.

use std::time::Duration;

use leyden_protocol::RulesName;
use leyden_stats::Repeat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
}

/// A reference bot, and the points for a score against it: none up to `none-at`, all from `full-at` on, and in proportion
/// between the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Against")]
pub struct ReferenceBot {
    /// As it is typed for a tournament, such as `builtin:random`.
    pub bot: String,
    pub points: f64,
    /// Scores are 0..=1 per match.
    pub none_at: f64,
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
pub enum BadRubric {
    #[error("{}; `leyden grade --print-rubric` prints a complete one", .0.trim_end())]
    Toml(String),
    #[error("check = {0}: expected points of 0 or more, in tenths")]
    Check(f64),
    #[error("minutes = {0}: expected more than 0, and a day (1440) at most")]
    Minutes(f64),
    #[error("against {bot}: {what}")]
    Against { bot: String, what: &'static str },
}

/// The rubric that is used by default.
pub const USUAL: &str = include_str!("usual.toml");

impl Rubric {
    /// Reads a rubric from TOML.
    pub fn read(text: &str) -> Result<Self, BadRubric> {
        let rubric: Self = toml::from_str(text).map_err(|error| BadRubric::Toml(in_words(text, &error)))?;
        // Points given in tenths add up in tenths.
        let is_points =
            |points: f64| points.is_finite() && points >= 0.0 && (10.0 * points).fract().abs() < 1e-9;
        if !is_points(rubric.check) {
            return Err(BadRubric::Check(rubric.check));
        }
        if !(rubric.minutes > 0.0 && rubric.minutes <= 1440.0) {
            return Err(BadRubric::Minutes(rubric.minutes));
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
            return Err(BadRubric::Against { bot: bot.clone(), what });
        }
        Ok(rubric)
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

    /// The probability that the points of another score, which `repeat` foretells, differ from its own in tenths.
    pub(super) fn differs(&self, repeat: &Repeat) -> f64 {
        let tenths = (10.0 * self.points_of(repeat.score())).round();
        let score_of =
            |tenths: f64| self.none_at + tenths / (10.0 * self.points) * (self.full_at - self.none_at);
        let lower = if tenths <= 0.0 { 0.0 } else { repeat.at_most(score_of(tenths - 0.5)) };
        let upper =
            if tenths >= (10.0 * self.points).round() { 1.0 } else { repeat.at_most(score_of(tenths + 0.5)) };
        (1.0 - (upper - lower)).clamp(0.0, 1.0)
    }

    /// The points for a score.
    pub(super) fn points_of(&self, score: f64) -> f64 {
        self.points * ((score - self.none_at) / (self.full_at - self.none_at)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_rubric_is_worth_a_hundred_points() {
        let usual = Rubric::read(USUAL).unwrap();
        let all: f64 = usual.check + usual.against.iter().map(|against| against.points).sum::<f64>();
        assert!((all - 100.0).abs() < 1e-9, "{all}");
    }

    #[test]
    fn points_are_given_in_proportion() {
        let against =
            ReferenceBot { bot: "b".to_owned(), points: 30.0, none_at: 0.2, full_at: 0.6, blocks: 9 };
        for (score, points) in [(0.0, 0.0), (0.2, 0.0), (0.4, 15.0), (0.6, 30.0), (1.0, 30.0)] {
            assert!((against.points_of(score) - points).abs() < 1e-9, "{score}");
        }
    }

    #[test]
    fn only_scores_beyond_the_thresholds_keep_their_points() {
        let against =
            ReferenceBot { bot: "b".to_owned(), points: 30.0, none_at: 0.2, full_at: 0.6, blocks: 9 };
        let differs = |score| against.differs(&Repeat::of_mean(score, 0.03, 100).unwrap());
        assert!(differs(0.4) > 0.97, "{}", differs(0.4));
        assert!((differs(0.6) - 0.5).abs() < 0.02, "at the threshold it is a toss: {}", differs(0.6));
        assert!(differs(0.9) < 1e-6 && differs(0.0) < 1e-3);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
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
        ] {
            let said = Rubric::read(&text).unwrap_err().to_string();
            assert!(said.contains(says), "{text}: {said}");
        }
    }
}
