//! The page of what bots have in common, for a teacher: one file, without scripts, the passages side by side.

use leyden_arena::likeness::{LikePair, Likeness, Lines};
use leyden_language::Language;
use leyden_model::words::counted;
use maud::{Markup, html};

use crate::document::single_file;
use crate::replay::{printable, printable_lines};

const STYLE: &str = "main { display: grid; gap: 16px; max-width: 1500px; margin: 0 auto; padding: 20px; }
h2 { margin: 0 0 8px; } ul { padding-left: 1.3em; } summary { cursor: pointer; overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 12px; margin: 10px 0; }
.two pre { overflow-x: auto; } .two p { overflow-wrap: anywhere; }
@media (max-width: 700px) { .two { grid-template-columns: minmax(0, 1fr); } }";

/// Builds the page.
pub fn page(likeness: &Likeness) -> String {
    let body = html! {
        h1 { "What these bots have in common" }
        p {
            "A measure, not a verdict: read the passages. Names, numbers, texts, comments and layout make no difference. \
             What comes from a starter or from a sample bot, and what many have, is not counted. For the teacher alone: \
             the page shows everybody's source text."
        }
        (groups(likeness))
        (samples(likeness))
        section class="card" {
            h2 { (counted(likeness.pairs.len() as u64, "pair", "pairs")) }
            @if likeness.pairs.is_empty() { p class="muted" { "Nothing in common." } }
            @for pair in &likeness.pairs { (pair_of(pair)) }
        }
    };
    single_file("Likeness", STYLE, &body, Language::English)
}

fn groups(likeness: &Likeness) -> Markup {
    html! {
        section class="card" {
            h2 { "Groups: half or more of the shorter text in common" }
            @if likeness.clusters.is_empty() { p class="muted" { "None." } }
            ul { @for group in &likeness.clusters { li { (list(group)) } } }
            @if !likeness.unread.is_empty() {
                p class="muted" { "Too little text of their own to compare: " (list(&likeness.unread)) }
            }
        }
    }
}

fn samples(likeness: &Likeness) -> Markup {
    html! {
        @if !likeness.samples.is_empty() {
            section class="card" {
                h2 { "Made from a sample bot" }
                @for of in &likeness.samples {
                    details {
                        summary {
                            b { (printable(&of.bot)) } ": " (percent(of.share)) " % of it is the sample bot " (of.sample) "; "
                            (counted(of.own_lines, "line is", "lines are")) " its own"
                        }
                        pre { (printable_lines(&of.own.join("\n"))) }
                        @if of.own_lines > of.own.len() as u64 { p class="muted" { "and more" } }
                    }
                }
            }
        }
    }
}

fn pair_of(pair: &LikePair) -> Markup {
    html! {
        details {
            summary {
                b { (percent(pair.measure())) " %" } " · " b { (printable(&pair.first)) } " (" (percent(pair.of_first)) " % of it) and "
                b { (printable(&pair.second)) } " (" (percent(pair.of_second)) " % of it)"
            }
            @for passage in &pair.passages { div class="two" { (lines(&passage.first)) (lines(&passage.second)) } }
        }
    }
}

fn lines(lines: &Lines) -> Markup {
    html! {
        div {
            p class="muted" { (printable(&lines.file)) ", lines " (lines.from) "–" (lines.to) }
            pre { (printable_lines(&lines.text)) }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use leyden_arena::likeness::Passage;

    use super::*;

    #[test]
    fn source_text_is_text_on_the_page() {
        let lines =
            || Lines { file: "<b>.py".to_owned(), from: 3, to: 4, text: "<script>x</script>\ny".to_owned() };
        let pair = LikePair {
            first: "ann<i>".to_owned(),
            second: "bob".to_owned(),
            of_first: 0.5,
            of_second: 0.75,
            passages: vec![Passage { first: lines(), second: lines() }],
        };
        let likeness = Likeness {
            v: 1,
            bots: vec!["ann<i>".to_owned(), "bob".to_owned()],
            unread: Vec::new(),
            clusters: vec![vec!["ann<i>".to_owned(), "bob".to_owned()]],
            pairs: vec![pair],
            samples: Vec::new(),
        };
        let page = page(&likeness);
        assert!(!page.contains("<script>") && !page.contains("<i>") && !page.contains("<b>.py"), "{page}");
        assert!(
            page.contains("75 %") && page.contains("lines 3–4") && page.contains("ann&lt;i&gt;, bob"),
            "{page}"
        );
    }
}
