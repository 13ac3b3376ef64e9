//! Head-to-head scores, for a field of any size.

use leyden_language::{Language, numbers, text::pages as text};
use maud::{Markup, html};

use super::frame::{Page, Section, framed};
use super::overview::legend;
use super::{Site, luck};
use crate::chart::{HeatMap, heat_map, texture};
use crate::snapshot::Snapshot;

/// The largest field with a number in each cell.
const WITH_NUMBERS: usize = 60;

/// Builds the page.
pub fn pairings(snapshot: &Snapshot, site: &Site, language: Language) -> Markup {
    let title = language.say(text::Pairings);
    let names: Vec<&str> = snapshot.ranking.iter().map(|bot| snapshot.bot(*bot).name.as_str()).collect();
    let links: Vec<String> = snapshot.ranking.iter().map(|bot| format!("bots/{}.html", bot.0)).collect();
    let each =
        snapshot.ranking.iter().flat_map(|row| snapshot.ranking.iter().map(move |column| (row, column)));
    let scores: Vec<Option<f64>> =
        each.map(|(row, column)| snapshot.meeting(*row, *column).score.mean()).collect();
    let map = HeatMap { names: &names, scores: &scores, links: &links };
    let body = html! {
        div class="headline" { h1 { (title) } }
        section class="card" id="map" {
            div class="line" {
                h2 { (language.say(text::HeadToHead)) span class="muted plain" { " — " (language.say(text::RowShare)) } }
                p class="legend" { (legend(language)) }
            }
            @if names.len() <= WITH_NUMBERS {
                div class="scroll" { (heat_map(&map, language)) }
            } @else {
                p class="muted" { (language.say(text::BotsBothWays { number: numbers::count(names.len() as u64) })) }
                p class="pointed number" id="pointed" aria-live="polite" { "\u{a0}" }
                div class="texture-frame" data-names=(serde_json::json!(names)) { (texture(&map, language)) }
            }
        }
        (luck::card(snapshot.standings.luck.as_ref(), usize::MAX, language))
        @if names.len() > WITH_NUMBERS {
            section class="card" { ol class="names" {
                @for (name, link) in names.iter().zip(&links) { li { a href=(link) { (name) } } }
            } }
        }
    };
    framed(&Page { snapshot, site, section: Section::Pairings, title: &title, root: "", body, language })
}
