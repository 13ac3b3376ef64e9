//! The page of what bots have in common, for a teacher: one file, without scripts, the passages side by side.

use leyden_arena::likeness::{LikePair, Likeness, Lines, SampleCopy};
use leyden_language::{Language, numbers, text::likeness as text};
use maud::{Markup, html};

use crate::document::single_file;
use crate::replay::{printable, printable_lines};

const STYLE: &str = "main { display: grid; gap: 16px; max-width: 1500px; margin: 0 auto; padding: 20px; }
h2 { margin: 0 0 8px; } ul { padding-left: 1.3em; } summary { cursor: pointer; overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 12px; margin: 10px 0; }
.two pre { overflow-x: auto; } .two p { overflow-wrap: anywhere; }
@media (max-width: 700px) { .two { grid-template-columns: minmax(0, 1fr); } }";

/// Builds the page.
pub fn page(likeness: &Likeness, language: Language) -> String {
    let body = html! {
        h1 { (language.say(text::Headline)) }
        p { (language.say(text::Measure)) }
        (groups(likeness, language))
        (samples(likeness, language))
        section class="card" {
            h2 { (language.say(text::Pairs { pairs: likeness.pairs.len() })) }
            @if likeness.pairs.is_empty() { p class="muted" { (language.say(text::Nothing)) } }
            @for pair in &likeness.pairs { (pair_of(pair, language)) }
        }
    };
    single_file(&language.say(text::Title), STYLE, &body, language)
}

fn groups(likeness: &Likeness, language: Language) -> Markup {
    html! {
        section class="card" {
            h2 { (language.say(text::Groups)) }
            @if likeness.clusters.is_empty() { p class="muted" { (language.say(text::None)) } }
            ul { @for group in &likeness.clusters { li { (list(group)) } } }
            @if !likeness.unread.is_empty() {
                p class="muted" { (language.say(text::Unread { bots: list(&likeness.unread) })) }
            }
        }
    }
}

fn samples(likeness: &Likeness, language: Language) -> Markup {
    let summary = |of: &SampleCopy| {
        language.say(text::OfSample {
            bot: printable(&of.bot),
            percent: numbers::percent(of.share, 0),
            sample: printable(&of.sample),
            lines: of.own_lines,
        })
    };
    html! {
        @if !likeness.samples.is_empty() {
            section class="card" {
                h2 { (language.say(text::FromSamples)) }
                @for of in &likeness.samples {
                    details {
                        summary { (summary(of)) }
                        pre { (printable_lines(&of.own.join("\n"))) }
                        @if of.own_lines > of.own.len() as u64 { p class="muted" { (language.say(text::More)) } }
                    }
                }
            }
        }
    }
}

fn pair_of(pair: &LikePair, language: Language) -> Markup {
    let summary = language.say(text::Pair {
        percent: numbers::percent(pair.measure(), 0),
        first: printable(&pair.first),
        of_first: numbers::percent(pair.of_first, 0),
        second: printable(&pair.second),
        of_second: numbers::percent(pair.of_second, 0),
    });
    html! {
        details {
            summary { (summary) }
            @for passage in &pair.passages {
                div class="two" { (lines(&passage.first, language)) (lines(&passage.second, language)) }
            }
        }
    }
}

fn lines(lines: &Lines, language: Language) -> Markup {
    let Lines { file, from, to, text: source } = lines;
    html! {
        div {
            p class="muted" {
                (language.say(text::Lines { file: printable(file), from: from.to_string(), to: to.to_string() }))
            }
            pre { (printable_lines(source)) }
        }
    }
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use leyden_arena::likeness::Passage;

    use super::*;
    use crate::same_texts::{assert_nothing_is_kept, texts};

    #[test]
    fn source_text_is_text_on_the_page() {
        let lines =
            || Lines { file: "<b>.py".to_owned(), from: 3, to: 4, text: "<script>x</script>\ny".to_owned() };
        let pair = LikePair {
            first: "bot-a<i>".to_owned(),
            second: "bot-b".to_owned(),
            of_first: 0.5,
            of_second: 0.75,
            passages: vec![Passage { first: lines(), second: lines() }],
        };
        let likeness = Likeness {
            v: 1,
            bots: vec!["bot-a<i>".to_owned(), "bot-b".to_owned()],
            unread: Vec::new(),
            clusters: vec![vec!["bot-a<i>".to_owned(), "bot-b".to_owned()]],
            pairs: vec![pair],
            samples: Vec::new(),
        };
        let [english, german, french] = Language::ALL.map(|language| texts(&page(&likeness, language)));
        assert_nothing_is_kept(&english, &german, Language::German);
        assert_nothing_is_kept(&english, &french, Language::French);
        let page = page(&likeness, Language::English);
        assert!(!page.contains("<script>") && !page.contains("<i>") && !page.contains("<b>.py"), "{page}");
        assert!(
            page.contains("75 %") && page.contains("lines 3–4") && page.contains("bot-a&lt;i&gt;, bot-b"),
            "{page}"
        );
    }
}
