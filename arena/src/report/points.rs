//! The columns of a table of points with its crosstable.

use leyden_format::competition::{PointsLine, StageTable};
use leyden_format::{Met, half_points};
use leyden_language::{Language, text::tournament as text};

use super::column::Column;

/// A line of a table of points, and what its bot met in each column of the crosstable.
pub type PointsRow<'a> = (&'a PointsLine<String>, Vec<Option<Met<'a, String>>>);

/// The columns of a table of points, from left to right.
pub struct PointsColumns<'a> {
    pub place: Column<'a, PointsRow<'a>>,
    pub bot: Column<'a, PointsRow<'a>>,
    pub points: Column<'a, PointsRow<'a>>,
    /// The columns of the crosstable.
    pub met: Vec<Column<'a, PointsRow<'a>>>,
    pub ties: Vec<Column<'a, PointsRow<'a>>>,
    pub goes_on: Column<'a, PointsRow<'a>>,
}

impl<'a> PointsColumns<'a> {
    /// Returns the columns for these lines of a stage. Names are shown by `name`.
    pub fn new(
        stage: &StageTable<String>,
        lines: &[PointsLine<String>],
        language: Language,
        name: impl Fn(&str) -> String + 'a,
    ) -> Self {
        let met = stage.columns(lines, language).into_iter().enumerate().map(|(at, title)| {
            Column::number(title, move |(_, met): &PointsRow<'a>| {
                let texts = met[at].as_ref().map(|met| [Some(met.result(language)), met.against(language)]);
                texts.into_iter().flatten().flatten().collect::<Vec<_>>().join(" ")
            })
        });
        let ties = stage.tie_breaks.iter().copied().enumerate().map(|(at, tie)| {
            Column::number(tie.heading(language), move |(line, _): &PointsRow<'a>| {
                line.ties[at].map_or_else(|| "–".to_owned(), |value| tie.written(value))
            })
        });
        Self {
            place: Column::number(language.say(text::Place), |(line, _): &PointsRow<'a>| {
                format!("{}{}", line.place, if line.shared { "=" } else { "" })
            }),
            bot: Column::words(language.say(text::Bot), move |(line, _): &PointsRow<'a>| name(&line.bot)),
            points: Column::number(language.say(text::Points), |(line, _): &PointsRow<'a>| {
                half_points(line.half_points)
            }),
            met: met.collect(),
            ties: ties.collect(),
            goes_on: Column::words("", move |(line, _): &PointsRow<'a>| {
                if line.advances { language.say(text::GoesOn) } else { String::new() }
            }),
        }
    }
}

/// Returns the rows of a table of points.
pub fn rows<'a>(stage: &'a StageTable<String>, lines: &'a [PointsLine<String>]) -> Vec<PointsRow<'a>> {
    lines.iter().map(|line| (line, stage.cells(lines, &line.bot))).collect()
}
