//! The organiser's page: the stage as the audience sees it, buttons, and the matches of a round with their results. The document holds
//! nothing secret; the rest is the answer to a request with the token.

use leyden_language::{Language, text::replay, text::stage as text};
use maud::{Markup, html};
use serde_json::json;

use super::page::{StageScene, frame, page};
use super::programme::{ListedMatch, Programme, StagedRound};
use super::state::{Shown, Stage};
use crate::tile;

/// How many matches are offered at most.
const OFFERED: usize = 60;

/// How long a moment may be shown.
const PACES: [(u64, &str); 5] =
    [(500, "½ s"), (1_000, "1 s"), (2_000, "2 s"), (4_000, "4 s"), (8_000, "8 s")];

/// How long before a round begins.
const COUNTDOWNS: [(u64, &str); 4] = [(60, "1 min"), (300, "5 min"), (600, "10 min"), (1_800, "30 min")];

/// What the buttons are made from.
pub(crate) struct ControlPage<'a> {
    pub(crate) stage: &'a Stage,
    /// The names of the seats of the match that is shown.
    pub(crate) names: Vec<String>,
    /// All rounds that are known.
    pub(crate) rounds: &'a [StagedRound],
    /// The listed round.
    pub(crate) programme: Option<&'a Programme>,
    /// Whether everything that was played is revealed on all pages.
    pub(crate) is_over: bool,
    pub(crate) language: Language,
    /// What went wrong, if anything.
    pub(crate) trouble: Option<&'a str>,
}

/// Builds the document.
pub(crate) fn control_document(scene: &StageScene, name: &str, language: Language) -> Markup {
    let body = html! {
        main class="control" {
            h1 class="visually-hidden" { (language.say(text::ForOrganiser { name })) }
            div class="on-stage" data-kind=(scene.kind) data-events="events" { (frame(scene, language)) }
            p id="trouble" class="card" role="alert" hidden data-no-server=(language.say(text::NoServer)) {}
            form id="key" class="card" {
                label for="token" { (language.say(text::TheToken)) }
                input id="token" type="password" autocomplete="off" required;
                button class="primary" { (language.say(text::Open)) }
            }
            div id="desk" {}
        }
    };
    let title = format!("{} · {name}", language.say(text::Organiser));
    page((&title, "../"), "control-page", &["stage.js", "control.js"], &body, language)
}

/// A button that sends a command.
fn button(text: &str, command: &serde_json::Value, is_pressed: bool, can: bool) -> Markup {
    html! { button type="button" data-command=(command) aria-pressed=[is_pressed.then_some("true")] disabled[!can] { (text) } }
}

impl ControlPage<'_> {
    /// Builds the buttons and the list.
    pub(crate) fn desk(&self) -> Markup {
        html! {
            @if let Some(trouble) = self.trouble { p class="card alert" { (trouble) } }
            (self.transport())
            (self.screens())
            @if let Some(programme) = self.programme { (self.programme(programme)) }
        }
    }

    /// Steps through the match that is shown.
    fn transport(&self) -> Markup {
        let Shown::Match(shown) = &self.stage.shown else { return html! {} };
        let (at, last) = (shown.at, shown.of.last);
        let before = shown.of.ends.range(..at).next_back().map_or(0, |end| end + 1).min(at.saturating_sub(1));
        let after = shown.of.ends.range(at + 1..).next().copied().unwrap_or(last);
        let language = self.language;
        let go = |text: &str, label: &str, to: usize, can: bool| {
            let command = json!({ "say": "moment", "at": to });
            html! { button type="button" data-command=(command) aria-label=(label) title=(label) disabled[!can] { (text) } }
        };
        let step = language.say(text::Step);
        let pause = format!("❚❚ {}", language.say(replay::Pause));
        let play = format!("▶ {}", language.say(replay::Play));
        let moment = match shown.then.len() {
            0 => language.say(text::MomentOf { at, last }),
            count => language.say(text::MomentOfThen { at, last, count }),
        };
        html! {
            div class="transport" role="group" aria-label=(language.say(text::TheMatch)) {
                (go("⇤", &language.say(text::RoundBeginning), before, at > 0))
                (go("←", &language.say(replay::StepBack), at.saturating_sub(1), at > 0))
                @if shown.next_ms.is_some() { (button(&pause, &json!({ "say": "pause" }), true, true)) }
                @else { (button(&play, &json!({ "say": "play" }), false, true)) }
                (go(&format!("{step} →"), &step, (at + 1).min(last), at < last))
                (go("⇥", &language.say(text::RoundOver), after, at < last))
                span class="muted" { (moment) }
            }
            div class="row" role="group" aria-label=(language.say(text::HowShown)) {
                span { (language.say(text::Hands)) }
                (button(&language.say(text::AllHands), &json!({ "say": "view", "seat": null }), shown.view.is_none(), true))
                @for (seat, name) in self.names.iter().enumerate() {
                    (button(name, &json!({ "say": "view", "seat": seat }), shown.view.map(leyden_protocol::Seat::index) == Some(seat), true))
                }
                span { (language.say(text::MomentTakes)) }
                @for (ms, text) in PACES { (button(text, &json!({ "say": "pace", "ms": ms }), self.stage.pace_ms == ms, true)) }
            }
        }
    }

    fn screens(&self) -> Markup {
        let shown = &self.stage.shown;
        let say = |what: &str| json!({ "say": what });
        let (next, language) = (self.next(), self.language);
        html! {
            div class="row" role="group" aria-label=(language.say(text::WhatIsShown)) {
                span { (language.say(text::Show)) }
                (button(&language.say(text::Name), &say("title"), matches!(shown, Shown::Title), true))
                (button(&language.say(text::Standings), &say("standings"), matches!(shown, Shown::Standings), true))
                (button(&language.say(text::Winner), &say("winner"), matches!(shown, Shown::Winner), self.is_over))
                span { (language.say(text::Countdown)) }
                @for (seconds, text) in COUNTDOWNS { (button(text, &json!({ "say": "countdown", "seconds": seconds }), false, true)) }
            }
            div class="row" role="group" aria-label=(language.say(text::WhatIsRevealed)) {
                @match next {
                    Some(next) => {
                        @let round = next.name.in_words(language);
                        (button(&language.say(text::Reveal { round }), &json!({ "say": "reveal", "block": next.blocks.start }), false, true))
                    }
                    None => span { (language.say(text::AllRevealed)) },
                }
            }
        }
    }

    /// The round that is revealed next.
    fn next(&self) -> Option<&StagedRound> {
        self.rounds.iter().find(|round| round.blocks.start >= self.stage.revealed.blocks)
    }

    fn programme(&self, programme: &Programme) -> Markup {
        let at = self.rounds.iter().position(|round| *round == programme.round).unwrap_or(0);
        let is_revealed = programme.round.blocks.end <= self.stage.revealed.blocks;
        let beside = |round: Option<&StagedRound>, text: &str| {
            html! {
                button type="button" data-listed=[round.map(|round| round.blocks.start)] disabled[round.is_none()] { (text) }
            }
        };
        let next = self.rounds.get(at + 1).filter(|_| is_revealed);
        let language = self.language;
        let state = match (is_revealed, programme.is_played) {
            (true, _) => "revealed",
            (false, true) => "played",
            (false, false) => "unplayed",
        };
        html! {
            section class="card" aria-label=(language.say(text::Matches)) {
                div class="row" {
                    (beside(at.checked_sub(1).and_then(|at| self.rounds.get(at)), "←"))
                    h2 { (programme.round.name.in_words(language)) }
                    (beside(next, "→"))
                    span class="muted" { (language.say(text::RoundState { state })) }
                }
                div class="row" {
                    (button(&language.say(text::Closest), &json!({ "say": "closest" }), false, !programme.matches.is_empty()))
                    (button(&language.say(text::Latest), &json!({ "say": "latest" }), false, !programme.matches.is_empty()))
                }
                ul class="listed" { @for listed in programme.matches.iter().take(OFFERED) { (self.line(listed, programme)) } }
                @if programme.matches.len() > OFFERED { p class="muted" { (language.say(text::AndMore { more: programme.matches.len() - OFFERED })) } }
            }
        }
    }

    fn line(&self, listed: &ListedMatch, programme: &Programme) -> Markup {
        let (seen, language) = (&listed.seen, self.language);
        let following = programme.meeting(&seen.key).filter(|other| other.seen.key > seen.key).count();
        html! {
            li {
                span class="what" {
                    @for (seat, name) in seen.bots.iter().map(|(seat, _)| seat).zip(&listed.names) {
                        span class=[(seen.winner == Some(seat)).then_some("won")] { (tile::mark(seat)) " " bdi { (name) } " " b { (seen.scores[seat]) } } " "
                    }
                    span class="muted" {
                        @if let Some(fault) = seen.fault { (fault.code) }
                        @else if let Some((since, rounds)) = listed.ahead_since { (language.say(text::AheadSince { since, of: rounds })) }
                        @if self.stage.revealed.has(&seen.key) { " · " (language.say(text::Revealed)) }
                    }
                }
                (button(&language.say(text::Show), &json!({ "say": "match", "id": seen.id }), false, true))
                @if following > 0 {
                    (button(&language.say(text::MoreOfMeeting { more: following }), &json!({ "say": "meeting", "id": seen.id }), false, true))
                }
            }
        }
    }
}
