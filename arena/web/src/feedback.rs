//! The page that a student gets: points, what to fix, and matches to step through.

use leyden_arena::grade::{Grade, GradePart};
use maud::{Markup, html};

use crate::columns::{HtmlColumn, heads, row};
use crate::document::single_file;
use crate::replay::{printable, printable_lines};

const STYLE: &str = "main { display: grid; gap: 16px; max-width: 900px; margin: 0 auto; padding: 20px; }
h2 { margin: 0 0 8px; } ul { display: grid; gap: 8px; padding-left: 1.3em; } li { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 6px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
td { border-top: 1px solid var(--line); } pre { white-space: pre-wrap; }";

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
pub fn page(feedback: &Feedback<'_>) -> String {
    let Feedback { grade, most, matches, hint } = feedback;
    let name = printable(&grade.bot);
    let body = html! {
        h1 {
            (name) ": " (points(grade.points)) " of " (points(*most)) " points"
            @if let Some(grade) = &grade.grade { ", grade " (printable(grade)) }
        }
        section class="card" { (parts(grade)) (another_seed(grade)) }
        (fixes(grade))
        @if !matches.is_empty() {
            section class="card" {
                h2 { "Matches to step through, as your bot saw them" }
                ul { @for shown in *matches { li { a href=(shown.file) { (shown.file) } ": " (printable(&shown.why)) } } }
            }
        }
        p { (hint) }
    };
    single_file(&name, STYLE, &body)
}

fn parts(grade: &Grade) -> Markup {
    let plain = ["", ""];
    let columns: [HtmlColumn<'_, GradePart>; 5] = [
        HtmlColumn::new("Part", plain, |part: &GradePart| printable(&part.name)),
        HtmlColumn::new("Points", plain, |part: &GradePart| points(part.points)),
        HtmlColumn::new("Of", plain, |part: &GradePart| points(part.most)),
        HtmlColumn::new("Another seed (95 %)", plain, |part: &GradePart| {
            part.interval.map_or_else(String::new, range)
        }),
        HtmlColumn::new("Seen", plain, |part: &GradePart| printable(&part.told)),
    ];
    html! { table { (heads(&columns)) tbody { @for part in &grade.parts { (row(&columns, part)) } } } }
}

/// Says how much luck decides.
fn another_seed(grade: &Grade) -> Markup {
    html! {
        @if let Some(ends) = grade.interval {
            p class="muted" {
                "Another seed, with other deals, gives " (range(ends)) " points in all (95 %)"
                @if let Some(other) = grade.other_grade { ", and another grade in " (format!("{:.0}", 100.0 * other)) " % of cases" }
                "."
            }
        }
    }
}

fn range([low, high]: [f64; 2]) -> String {
    if low < high { format!("{} to {}", points(low), points(high)) } else { points(low) }
}

fn fixes(grade: &Grade) -> Markup {
    let all: Vec<&String> = grade.parts.iter().flat_map(|part| &part.fix).collect();
    html! {
        @if !all.is_empty() {
            section class="card" {
                h2 { "To correct" }
                ul { @for fix in all { li { pre { (printable_lines(fix)) } } } }
            }
        }
    }
}

fn points(points: f64) -> String {
    format!("{:.1}", points + 0.0)
}
