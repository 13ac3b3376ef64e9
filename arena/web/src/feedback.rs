//! The page that a student gets: points, what to fix, and matches to step through.

use leyden_arena::grade::{Grade, GradePart, point_range};
use leyden_language::{Language, numbers, text::grade as text};
use maud::{Markup, html};

use crate::columns::{HtmlColumn, heads, row};
use crate::document::single_file;
use crate::replay::{printable, printable_lines};

const STYLE: &str = "main { display: grid; gap: 16px; max-width: 900px; margin: 0 auto; padding: 20px; }
h2 { margin: 0 0 8px; } ul { display: grid; gap: 8px; padding-left: 1.3em; } li { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 6px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
td { border-top: 1px solid var(--line); } th.right, td.right { text-align: right; } pre { white-space: pre-wrap; }";

/// A match to step through: the file of its page, beside this one, and why it is shown.
pub struct ShownMatch {
    pub file: String,
    pub why: String,
}

/// What a student reads.
pub struct Feedback<'a> {
    pub grade: &'a Grade,
    /// The most points that all parts together can give.
    pub most: f64,
    pub matches: &'a [ShownMatch],
    pub hint: &'a str,
}

/// Builds the page.
pub fn page(feedback: &Feedback<'_>, language: Language) -> String {
    let Feedback { grade, most, matches, hint } = feedback;
    let name = printable(&grade.bot);
    let title = text::Title {
        bot: &name,
        points: language.decimal(grade.points, 1),
        most: language.decimal(*most, 1),
        graded: grade.grade.is_some(),
        grade: grade.grade.as_deref().map_or_else(String::new, printable),
    };
    let body = html! {
        h1 { (language.say(title)) }
        section class="card" { (parts(grade, language)) (another_seed(grade, language)) }
        (fixes(grade, language))
        @if !matches.is_empty() {
            section class="card" {
                h2 { (language.say(text::MatchesToSee)) }
                ul { @for shown in *matches { li { a href=(shown.file) { (shown.file) } ": " (printable(&shown.why)) } } }
            }
        }
        p { (hint) }
    };
    single_file(&name, STYLE, &body, language)
}

fn parts(grade: &Grade, language: Language) -> Markup {
    let columns = GradePart::columns(language)
        .map(|column| HtmlColumn::from_column(column.map(|_, text| printable(&text)), [""; 2]));
    html! { table { (heads(&columns)) tbody { @for part in &grade.parts { (row(&columns, part)) } } } }
}

/// Says how much luck decides.
fn another_seed(grade: &Grade, language: Language) -> Markup {
    let share = grade.other_grade.map_or_else(String::new, |other| numbers::percent(other, 0));
    let graded = grade.other_grade.is_some();
    html! {
        @if let Some(ends) = grade.interval {
            p class="muted" { (language.say(text::OtherDeals { graded, points: point_range(ends, language), share })) }
        }
    }
}

fn fixes(grade: &Grade, language: Language) -> Markup {
    let all: Vec<&String> = grade.parts.iter().flat_map(|part| &part.fix).collect();
    html! {
        @if !all.is_empty() {
            section class="card" {
                h2 { (language.say(text::ToCorrect)) }
                ul { @for fix in all { li { pre { (printable_lines(fix)) } } } }
            }
        }
    }
}
