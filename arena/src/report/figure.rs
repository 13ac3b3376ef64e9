//! Values in tables with their units, and how tables for people show them.

use leyden_language::numbers::{self, fixed, percent, signed};
use leyden_language::{Language, text::tournament as text};
use leyden_model::words::{millis, rough_duration};
use leyden_stats::Interval;

/// A value in a table, with its unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Not known, or not yet.
    Unknown,
    Name(String),
    Count(u64),
    /// A sum of game points.
    Points(i64),
    /// Its place, and the best and the worst that it may hold.
    Place {
        place: u32,
        best: u32,
        worst: u32,
    },
    Elo(f64),
    /// Half the width of the interval of a rating.
    HalfWidth(f64),
    /// Of one.
    Share(f64),
    /// A difference of two shares.
    Excess(Interval),
    /// A mean of game points; positive is good.
    Margin(f64),
    /// A time in microseconds.
    Micros(u64),
}

impl Figure {
    /// Returns the value for a terminal or Markdown: in English, without the unit, which the heading has. Names are shown
    /// by `name`.
    pub fn bare(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            Self::Count(number) => number.to_string(),
            Self::Elo(elo) | Self::HalfWidth(elo) => fixed(*elo, 0),
            Self::Share(share) => percent(*share, 1),
            Self::Excess(range) => excess(*range, Language::English, |points| signed(points, 1)),
            Self::Margin(margin) => signed(*margin, 1),
            Self::Micros(us) => millis(*us),
            other => other.in_language(Language::English, name),
        }
    }

    /// Returns the value for a page, with its unit. Ratings have their sign there, as the scales beside them have.
    pub fn in_language(&self, language: Language, name: impl Fn(&str) -> String) -> String {
        match self {
            Self::Unknown => "–".to_owned(),
            Self::Name(text) => name(text),
            Self::Count(number) => numbers::count(*number),
            Self::Points(points) => points.to_string(),
            Self::Place { place, best, worst } if best < worst => format!("{place} ({best}–{worst})"),
            Self::Place { place, .. } => place.to_string(),
            Self::Elo(elo) => language.signed(*elo, 0),
            Self::HalfWidth(half) => language.decimal(*half, 0),
            Self::Share(share) => language.percent(*share, 1),
            Self::Excess(range) => excess(*range, language, |points| language.signed(points, 1)),
            Self::Margin(margin) => language.signed(*margin, 1),
            Self::Micros(us) => language.number(&rough_duration(*us)),
        }
    }
}

/// Says from which to which per cent a difference reaches.
fn excess(range: Interval, language: Language, points: impl Fn(f64) -> String) -> String {
    let [from, to] = [range.low, range.high].map(|share| points(100.0 * share));
    language.say(text::FromTo { from, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_their_unit_only_on_pages() {
        let figures = [
            Figure::Unknown,
            Figure::Place { place: 3, best: 2, worst: 5 },
            Figure::Elo(-0.3),
            Figure::Elo(12.4),
            Figure::Share(0.5832),
            Figure::Excess(Interval { low: -0.031, high: 0.02 }),
            Figure::Micros(3_140),
        ];
        let bare = figures.each_ref().map(|figure| figure.bare(str::to_owned));
        assert_eq!(bare, ["–", "3 (2–5)", "0", "12", "58.3", "-3.1 to +2.0", "3.14"]);
        let german = figures.each_ref().map(|figure| figure.in_language(Language::German, str::to_owned));
        assert_eq!(german, ["–", "3 (2–5)", "0", "+12", "58,3\u{a0}%", "−3,1 bis +2,0", "3,1 ms"]);
    }
}
