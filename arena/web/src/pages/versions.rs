//! The versions of a bot of a league, with their ratings on one scale.

use leyden_arena::league::Version;
use leyden_language::{Language, text::author as text, text::pages};
use leyden_model::BotIndex;
use maud::{Markup, html};

use super::parts::{bot_link, interval, interval_heading, or_dash, rating, record, scale};
use crate::columns::{HtmlColumn, heads, row};
use crate::snapshot::Snapshot;

/// The versions of this bot, the oldest first; none unless it is a league.
fn for_bot(snapshot: &Snapshot, name: &str) -> Vec<BotIndex> {
    let number = |bot: &str| {
        let version =
            Version::parse(bot).filter(|version| version.bot == name && snapshot.progress.is_endless);
        version.map(|version| version.number)
    };
    let own = (0..).map(BotIndex).zip(&snapshot.bots);
    let mut own: Vec<(u32, BotIndex)> =
        own.filter_map(|(index, bot)| Some((number(&bot.name)?, index))).collect();
    own.sort_unstable();
    own.into_iter().map(|(_, index)| index).collect()
}

/// The versions of an author's bot, by whatever it is called here.
pub(super) fn for_author(snapshot: &Snapshot, author: &str) -> Vec<BotIndex> {
    let called = snapshot.names.as_ref().map_or(Some(author), |names| names.of_bot(author));
    called.map_or_else(Vec::new, |name| for_bot(snapshot, name))
}

/// Shows the versions of a bot beside each other, if there are several.
pub(super) fn beside(snapshot: &Snapshot, bot: BotIndex, root: &str, language: Language) -> Markup {
    let own = Version::parse(&snapshot.bot(bot).name).map(|version| for_bot(snapshot, &version.bot));
    let own = own.unwrap_or_default();
    html! { @if own.len() > 1 { (card(snapshot, &own, root, language)) } }
}

/// Shows these versions.
pub(super) fn card(snapshot: &Snapshot, versions: &[BotIndex], root: &str, language: Language) -> Markup {
    let scale = scale(snapshot);
    let standing = |bot: &BotIndex| {
        let index = snapshot.ranking.iter().position(|each| each == bot)?;
        snapshot.standings.bots.get(index)
    };
    let number = ["right", "right number"];
    let columns: [HtmlColumn<'_, BotIndex>; 5] = [
        HtmlColumn::new(language.say(text::Version), ["", ""], |bot: &BotIndex| {
            bot_link(snapshot, root, *bot)
        }),
        HtmlColumn::new(interval_heading(snapshot, language), ["wide", "wide"], |bot: &BotIndex| {
            standing(bot).map_or_else(|| html! {}, |standing| interval(scale, standing, snapshot.bot(*bot)))
        }),
        HtmlColumn::new(language.say(pages::Rating), number, |bot: &BotIndex| {
            standing(bot).map_or_else(|| html! {}, |standing| rating(standing, language))
        }),
        HtmlColumn::new(language.say(pages::WonLost), number, |bot: &BotIndex| {
            html! { (record(snapshot.bot(*bot))) }
        }),
        HtmlColumn::new(language.say(pages::Score), number, |bot: &BotIndex| {
            html! { (or_dash(snapshot.bot(*bot).results.score, |score| language.percent(score, 1))) }
        }),
    ];
    html! {
        section class="card flush" id="versions" {
            h2 class="pad" { (language.say(text::Versions)) }
            @if versions.is_empty() {
                p class="pad muted" { (language.say(text::NonePlays)) }
            } @else {
                div class="scroll" {
                    table { (heads(&columns)) tbody { @for bot in versions { (row(&columns, bot)) } } }
                }
            }
        }
    }
}
