//! The versions of a bot of a league, with their ratings on one scale.

use leyden_arena::league::Version;
use leyden_arena::report::column::Column;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn};
use leyden_language::{Language, text::author as text};
use leyden_model::BotIndex;
use maud::{Markup, html};

use super::parts::bot_link;
use super::standing_columns::{Row, StandingColumns};
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

/// The versions of an author's bot, by the name that it has here.
pub(super) fn for_author(snapshot: &Snapshot, author: &str) -> Vec<BotIndex> {
    let called = snapshot.names.as_ref().map_or(Some(author), |names| names.pseudonym(author));
    called.map_or_else(Vec::new, |name| for_bot(snapshot, name))
}

/// Shows the versions of a bot beside each other, if there are several.
pub(super) fn compared(snapshot: &Snapshot, bot: BotIndex, root: &str, language: Language) -> Markup {
    let own = Version::parse(&snapshot.bot(bot).name).map(|version| for_bot(snapshot, &version.bot));
    let own = own.unwrap_or_default();
    html! { @if own.len() > 1 { (card(snapshot, &own, root, language)) } }
}

/// Shows these versions, in columns of the standings: `leyden league versions` is another table, with scores against an
/// even field and the versions that have left.
pub(super) fn card(snapshot: &Snapshot, versions: &[BotIndex], root: &str, language: Language) -> Markup {
    let row_of = |bot: &BotIndex| {
        let index = snapshot.ranking.iter().position(|each| each == bot)?;
        Some((snapshot.standings.bots.get(index)?, *bot))
    };
    let rows: Vec<Row<'_>> = versions.iter().filter_map(row_of).collect();
    let columns = StandingColumns(snapshot, language);
    let links =
        Column::words(language.say(text::Version), |(_, bot): &Row<'_>| bot_link(snapshot, root, *bot));
    let columns = [
        HtmlColumn::from_column(links, [""; 2]),
        columns.intervals(["wide"; 2]),
        columns.column(StandingColumn::Rating, ["", "rating"]),
        columns.won_and_lost([""; 2]),
        columns.column(StandingColumn::Results(ResultColumn::Score), [""; 2]),
    ];
    html! {
        section class="card flush" id="versions" {
            h2 class="pad" { (language.say(text::Versions)) }
            @if versions.is_empty() {
                p class="pad muted" { (language.say(text::NonePlays)) }
            } @else {
                div class="scroll" {
                    table { (heads(&columns)) tbody { @for version in &rows { (row(&columns, version)) } } }
                }
            }
        }
    }
}
