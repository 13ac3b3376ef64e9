//! The page of one match: its replay; or, before everything is played, what a spectator may see: every action, and the layout at
//! the end of each round.
//!
//! The latter is built only from events as an audience may see them, so nothing else can leak into it.

use leyden_language::{Language, text::matches as text, text::narrate};
use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{Layout, MatchRecord, RecordedEnding, UnplayableError, replayed};
use leyden_protocol::{HistoryEntry, PerSeat, Seat};
use leyden_rules::Rules;
use maud::{Markup, html};

use super::Site;
use super::frame::{Page, Section, framed};
use super::words::time;
use crate::drawing::{Window, draw};
use crate::replay;
use crate::slots::{SLOTS, filled};
use crate::snapshot::Snapshot;
use crate::tile::{self, DrawnTile};
use leyden_arena::analyse::AnalysedMatch;
use leyden_arena::narrate::words::ending;
use leyden_arena::narrate::{Narrator, ReplayError, rules_of};

/// A deal, as it was seen.
#[derive(Default)]
struct SeenDeal {
    round: u32,
    actions: Vec<(HistoryEntry, Option<u64>)>,
    end: Option<(RecordedEnding, PerSeat<u32>, PerSeat<u32>)>,
}

/// Builds the page of a match: its replay in this language once everything is played, with what decisions were worth if the match was
/// analysed, and until then what a spectator may see.
pub fn single(
    snapshot: &Snapshot,
    site: &Site,
    record: &MatchRecord,
    analysed: Option<&AnalysedMatch>,
    language: Language,
) -> Result<String, ReplayError> {
    if snapshot.progress.is_over {
        return replay::analysed_document(record, None, Some("../index.html"), analysed, language);
    }
    rules_of(record)?;
    let markup = as_spectator(snapshot, site, record, language).map(Markup::into_string);
    markup.map_err(|UnplayableError { round, action }| ReplayError::Unplayable {
        id: record.id.clone(),
        round,
        action,
    })
}

fn as_spectator(
    snapshot: &Snapshot,
    site: &Site,
    record: &MatchRecord,
    language: Language,
) -> Result<Markup, UnplayableError> {
    let mut projection = Projection::new(Audience::Spectator);
    let events = replayed(record)?;
    let shown: Vec<ShownEvent> = events.iter().filter_map(|event| projection.show(event)).collect();
    let rules = record.rules.rules().ok();
    let deals = deals(&shown);
    let bots = record.bots.map(|name| replay::printable(name));
    let title = language.say(text::MatchTitle { id: &record.id });
    let facts = text::MatchFacts { id: SLOTS[0], block: record.block, leg: record.leg };
    let indices: Vec<u32> = snapshot
        .matches
        .iter()
        .find(|seen| seen.id == record.id)
        .map_or_else(Vec::new, |seen| seen.bots.as_slice().iter().map(|bot| bot.0).collect());
    let body = html! {
        div class="headline" {
            div {
                h1 {
                    @for (seat, name) in bots.iter() {
                        @if seat != Seat::FIRST { span class="muted plain" { " " (language.say(text::Against)) " " } }
                        (tile::mark(seat)) " "
                        @match indices.get(seat.index()) {
                            Some(index) => { a href={ "../bots/" (index) ".html" } { (name) } },
                            None => { (name) },
                        }
                    }
                }
                p class="facts" { (filled(&language.say(facts), &[html! { span class="mono" { (record.id) } }])) }
            }
        }
        (match_result(&bots, &shown, language))
        @for (index, deal) in deals.iter().enumerate() {
            section class="card deal" id={ "r" (index) } {
                div class="line" {
                    h2 {
                        (language.say(narrate::Round { round: deal.round + 1 }))
                        @if let Some(end) = &deal.end { span class="muted plain" { " — " (ending(language, end.0)) } }
                    }
                    @if let Some((_, points, scores)) = &deal.end {
                        @let said = language.say(text::PointsAndScore { points: numbers(points), scores: SLOTS[0] });
                        p class="number muted" { (filled(&said, &[html! { b { (numbers(scores)) } }])) }
                    }
                }
                div class="columns" {
                    @if let Some(rules) = &rules { (layout(deal, rules, language)) }
                    (actions(index, deal, &bots, language))
                }
            }
        }
    };
    Ok(framed(&Page {
        snapshot,
        site,
        section: Section::Matches,
        title: &title,
        root: "../",
        body,
        language,
    }))
}

fn match_result(bots: &PerSeat<String>, shown: &[ShownEvent], language: Language) -> Markup {
    let narrator = Narrator::new(bots.clone(), None, language);
    let Some(over) = shown.last().and_then(|last| narrator.match_over(last)) else { return html! {} };
    let is_by_fault = matches!(shown.last(), Some(ShownEvent::Ended { fault: Some(_), .. }));
    html! {
        section class="card" id="end" {
            p { @if is_by_fault { span class="tag bad" { "✖" } " " } (over) }
        }
    }
}

fn deals(shown: &[ShownEvent]) -> Vec<SeenDeal> {
    let mut deals: Vec<SeenDeal> = Vec::new();
    for event in shown {
        match (event, deals.last_mut()) {
            (ShownEvent::Dealt { round, .. }, _) => {
                deals.push(SeenDeal { round: *round, ..SeenDeal::default() });
            }
            (ShownEvent::Acted { entry, took_us, .. }, Some(deal)) => {
                deal.actions.push((*entry, *took_us));
            }
            (ShownEvent::Settled { end, points, scores, .. }, Some(deal)) => {
                deal.end = Some((*end, *points, *scores));
            }
            (
                ShownEvent::Started { .. }
                | ShownEvent::Asked { .. }
                | ShownEvent::Struck { .. }
                | ShownEvent::Acted { .. }
                | ShownEvent::Settled { .. }
                | ShownEvent::Ended { .. },
                _,
            ) => {}
        }
    }
    deals
}

fn layout(deal: &SeenDeal, rules: &Rules, language: Language) -> Markup {
    let history: Vec<HistoryEntry> = deal.actions.iter().map(|(entry, _)| *entry).collect();
    let Some(layout) = Layout::from_history(rules, &history) else {
        return html! { p class="muted" { (language.say(text::NothingWasLaid)) } };
    };
    let drawing = draw(rules.layout, rules.set, layout.lead, &layout.plays, Window::WIDE);
    let [left, top, width, height] = drawing.view;
    html! {
        svg class="felt" viewBox={ (left) " " (top) " " (width) " " (height) } role="img"
            aria-label=(language.say(text::LayoutAtEnd { round: deal.round + 1 })) {
            @for (placed, seat) in drawing.tiles.iter().zip(&layout.by) {
                (tile::tile(&DrawnTile::placed(placed, Some(*seat), rules.set)))
            }
        }
    }
}

fn actions(index: usize, deal: &SeenDeal, bots: &PerSeat<String>, language: Language) -> Markup {
    html! {
        ol class="actions-list" tabindex="0" aria-label=(language.say(text::ActionsOfRound { round: deal.round + 1 })) {
            @for (number, (entry, took_us)) in deal.actions.iter().enumerate() {
                li id={ "r" (index) ".t" (number) } {
                    span class="visually-hidden" { (bots[entry.seat]) ": " }
                    (tile::mark(entry.seat)) " " span class="mono" { (replay::short(language, entry.event)) }
                    @if let Some(us) = took_us { span class="muted number took" { (time(language, *us)) } }
                }
            }
            // A match that was ended by a fault ended here.
            li id={ "r" (index) ".t" (deal.actions.len()) } class="end" {}
        }
    }
}

fn numbers(numbers: &PerSeat<u32>) -> String {
    numbers.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join("–")
}
