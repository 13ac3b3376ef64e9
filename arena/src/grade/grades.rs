//! Grades as a document: what was seen of each bot, and its points.

use std::path::PathBuf;

use leyden_language::{Language, text::grade as text, text::tournament};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part_result::PartResult;
use super::rubric::Rubric;
use crate::report::column::Column;
use crate::roster::SameFiles;

/// The output of `leyden grade --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Grades")]
pub struct Grades {
    /// The version of this format: 1.
    pub v: u32,
    /// The most points that all parts together can give.
    pub most: f64,
    /// The text from which the deals of all matches follow. A rubric with this seed grades on the same deals again.
    pub seed: String,
    /// What else grades depend on, apart from a bot's files: a SHA-256 of the rubric, its bots, the limits and the sandbox.
    pub terms: String,
    /// The rubric, without its seed, so that nobody has to name it to resume from these grades.
    #[serde(default)]
    pub rubric: Option<Rubric>,
    /// In the order in which they were named; the bots of a folder by the names of its entries.
    pub grades: Vec<Grade>,
    /// Bots without a grade, through no fault of their own: grade them again.
    pub ungraded: Vec<UngradedBot>,
    /// Bots that were handed in with the same files, or unchanged from the starter.
    pub same_files: Vec<SameFiles>,
    /// Files in a folder of submissions that are not submissions, each with the reason.
    pub left_out: Vec<String>,
}

/// A bot that could not be graded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UngradedBot {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    #[serde(rename = "place")]
    pub path: String,
    pub reason: String,
}

/// A bot's grade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grade {
    pub bot: String,
    /// Where it is, as it was named or handed in.
    #[serde(rename = "place")]
    pub path: String,
    pub author: Option<String>,
    /// The sum over its parts.
    pub points: f64,
    /// What it is called where everybody looks, if the rubric has a pseudonym for it.
    #[serde(default)]
    pub pseudonym: Option<String>,
    /// Which of the rubric's grades that is; `null` if it has none, and below all of them.
    #[serde(default)]
    pub grade: Option<String>,
    /// The sum of points that as many matches on other deals would give with 95 %, if known.
    #[serde(default)]
    pub interval: Option<[f64; 2]>,
    /// The probability that another seed would give another grade; `null` if the rubric has none.
    #[serde(default)]
    pub other_grade: Option<f64>,
    pub parts: Vec<GradePart>,
    /// The SHA-256 of its files. `null` if it could not be run.
    pub files: Option<String>,
    /// A note for the grader: whose files the bot has, or that it is the unchanged starter.
    pub note: Option<String>,
    /// The results files of its matches in this grading, if they are kept.
    #[serde(skip)]
    pub kept: Vec<PathBuf>,
}

/// One part of a grade. Points are given in tenths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GradePart {
    pub name: String,
    pub points: f64,
    /// The most points that it can give.
    pub most: f64,
    /// The points that as many matches on other deals would give with 95 %, if known. Wider than what is known of the bot's true
    /// score: another grading has its own chance.
    pub interval: Option<[f64; 2]>,
    /// The probability that another seed would give other points, in tenths.
    pub differs: Option<f64>,
    /// The bot that it was scored against; `null` for the check.
    pub against: Option<String>,
    pub seen: PartResult,
    /// What to fix, as the bot's author may read it; empty if nothing is wrong.
    pub fix: Vec<String>,
    /// The command that lists the matches lost by faults, if they are kept. For the organiser alone: it names a path, and the matches
    /// show the deals of the grading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub see: Option<String>,
}

impl GradePart {
    /// What to fix, each with how to see it.
    pub fn fixes(&self) -> impl Iterator<Item = String> {
        let see = self.see.as_ref().map_or_else(String::new, |command| format!("\nsee them: {command}"));
        self.fix.iter().map(move |fix| format!("{fix}{see}"))
    }

    /// The columns of a table of parts.
    pub fn columns(language: Language) -> [Column<'static, Self>; 5] {
        [
            Column::words(language.say(text::Part), move |part: &Self| part.called(language)),
            Column::number(language.say(text::Points), move |part: &Self| language.decimal(part.points, 1)),
            Column::number(language.say(text::Of), move |part: &Self| language.decimal(part.most, 1)),
            Column::number(language.say(text::AnotherSeedColumn), move |part: &Self| {
                part.interval.map_or_else(String::new, |ends| point_range(ends, language))
            }),
            Column::words(language.say(text::Seen), move |part: &Self| part.seen.in_words(language)),
        ]
    }

    /// Its name in this language.
    pub fn called(&self, language: Language) -> String {
        match &self.against {
            Some(bot) => language.say(text::Against { bot }),
            None => language.say(text::Check),
        }
    }
}

/// Says between which points another seed gives; one number if both ends are the same.
pub fn point_range(ends: [f64; 2], language: Language) -> String {
    let [from, to] = ends.map(|end| language.decimal(end, 1));
    if ends[0] < ends[1] { language.say(tournament::FromTo { from, to }) } else { from }
}

/// Rounds the points of the parts to tenths, and returns their sum, so that the parts shown add up to it.
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
            differs: None,
            against: None,
            seen: PartResult::CannotRun,
            fix: Vec::new(),
            see: None,
        };
        let mut parts = [16.24, 40.04].map(part);
        let shown = |points: f64| points.to_string();
        assert_eq!(shown(in_tenths(&mut parts)), "56.2", "not 56.28");
        assert_eq!(parts.map(|part| shown(part.points)), ["16.2", "40"]);
    }
}
