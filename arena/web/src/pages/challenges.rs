//! The challenges of an author of a league: the form, the outcome of each, and its replays as the author's bot saw them.

use std::path::Path;

use leyden_arena::league::{Challenge, ChallengeMatch, ChallengeState, PublicNames};
use leyden_arena::narrate::ReplayError;
use leyden_arena::record::store::Results;
use leyden_language::{Language, text::author as text};
use leyden_stats::Comparison;
use maud::{Markup, html};

use super::author_state::AuthorState;
use crate::columns::{HtmlColumn, heads, row};
use crate::replay::{self, printable};
use crate::snapshot::own_record;

/// How many are shown.
const SHOWN: usize = 10;

/// A sentence about a challenge.
pub(crate) fn challenge_sentence(author: &str, one: &Challenge) -> String {
    let Challenge { number, at, opponent, .. } = one;
    format!("{author}, challenge {number} of {opponent} ({at}): {}", one.in_words())
}

/// Offers to challenge another bot, and shows the outcomes of the latest challenges.
pub(super) fn card(intake: &AuthorState, language: Language) -> Markup {
    let (opponents, all) = (&intake.opponents, &intake.challenges);
    let may_ask =
        intake.plays.is_some() && !intake.rests && !opponents.is_empty() && intake.challenges_left > 0;
    html! {
        @if may_ask || !all.is_empty() {
            section class="card flush" id="challenge" {
                h2 class="pad" { (language.say(text::Challenge)) }
                @if may_ask {
                    p class="pad muted" {
                        (language.say(text::CountsForNothing)) " "
                        (language.say(text::ChallengesLeft { left: intake.challenges_left }))
                    }
                    form class="pad row" method="post" action="/challenge" {
                        label for="opponent" { (language.say(text::Opponent)) " " }
                        select id="opponent" name="opponent" {
                            @for name in opponents { option value=(name) { (printable(name)) } }
                        }
                        " " button { (language.say(text::PlayNow)) }
                    }
                }
                @if !all.is_empty() { (played(all, language)) }
            }
        }
    }
}

fn played(all: &[Challenge], language: Language) -> Markup {
    let columns: [HtmlColumn<'_, Challenge>; 3] = [
        HtmlColumn::new(language.say(text::When), ["wide", "wide"], |one: &Challenge| html! { (one.at) }),
        HtmlColumn::new(language.say(text::Opponent), ["", ""], |one: &Challenge| {
            let version = one.versions.as_ref().map_or(&one.opponent, |[_, other]| other);
            html! { (printable(version)) }
        }),
        HtmlColumn::new(language.say(text::Result), ["", ""], |one: &Challenge| result(one, language)),
    ];
    html! {
        div class="scroll" {
            table { (heads(&columns)) tbody { @for one in all.iter().take(SHOWN) { (row(&columns, one)) } } }
        }
    }
}

fn result(one: &Challenge, language: Language) -> Markup {
    match &one.outcome {
        ChallengeState::Waits => html! { span class="tag" { (language.say(text::Waits)) } },
        ChallengeState::Failed { why } => html! {
            span class="tag bad" { (language.say(text::NotPlayed)) } " " (printable(why))
        },
        ChallengeState::Played { matches } => html! {
            @for ChallengeMatch { id, end, scores: [own, other], fault, .. } in matches {
                @let (class, end) = match end {
                    Comparison::Won => ("tag good", "won"),
                    Comparison::Drawn => ("tag", "drawn"),
                    Comparison::Lost => ("tag bad", "lost"),
                };
                a class="replay" href={ "/author/challenges/" (one.number) "/" (id) ".html" } {
                    span class=(class) { (language.say(text::End { end })) }
                    " " span class="number" { (own) " : " (other) }
                }
                @if let Some(fault) = fault { " " (fault.code()) }
                " "
            }
        },
    }
}

/// Builds the replay of a match of a challenge, as the author's bot saw it; `None` if there is no such match.
pub(crate) fn challenge_replay(
    results: &Path,
    (own, names): (&str, Option<&PublicNames>),
    id: &str,
    language: Language,
) -> Option<Result<String, ReplayError>> {
    let found = |results: &Results| results.records().flatten().find(|(_, record)| record.id == id);
    let (_, record) = Results::inspect(results, found).ok()??;
    let seat = record.bots.iter().find(|(_, name)| *name == own)?.0;
    let record = match names.map(|names| record.bots.map(|bot| names.public_name(bot))) {
        Some(bots) => own_record(record, seat, bots),
        None => record,
    };
    Some(replay::document(&record, Some(seat), Some("/author"), language))
}
