//! The page that a student gets: points, what to fix, and matches to step through.

use leyden_arena::grade::{Grade, GradePart};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::LOOK;
use crate::columns::{HtmlColumn, heads, row};
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
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (name) " · Leyden Arena" }
                style { (PreEscaped(LOOK)) (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (name) ": " (points(grade.points)) " of " (points(*most)) " points" }
                    section class="card" { (parts(grade)) }
                    (fixes(grade))
                    @if !matches.is_empty() {
                        section class="card" {
                            h2 { "Matches to step through, as your bot saw them" }
                            ul { @for shown in *matches { li { a href=(shown.file) { (shown.file) } ": " (printable(&shown.why)) } } }
                        }
                    }
                    p { (hint) }
                }
            }
        }
    };
    page.into_string()
}

fn parts(grade: &Grade) -> Markup {
    let plain = ["", ""];
    let columns: [HtmlColumn<'_, GradePart>; 4] = [
        HtmlColumn::new("Part", plain, |part: &GradePart| printable(&part.name)),
        HtmlColumn::new("Points", plain, |part: &GradePart| points(part.points)),
        HtmlColumn::new("Of", plain, |part: &GradePart| points(part.most)),
        HtmlColumn::new("Seen", plain, |part: &GradePart| printable(&part.told)),
    ];
    html! { table { (heads(&columns)) tbody { @for part in &grade.parts { (row(&columns, part)) } } } }
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
