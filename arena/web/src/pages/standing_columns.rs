//! The columns of standings on pages: those of the text, with links, colours and drawings.

use leyden_arena::report::BotStanding;
use leyden_arena::report::column::Column;
use leyden_arena::report::figure::Figure;
use leyden_arena::report::standing_columns::{ResultColumn, StandingColumn};
use leyden_language::{Language, text::pages as text};
use leyden_model::BotIndex;
use maud::html;

use super::parts::{faults, interval, interval_heading, places, rating, record, scale};
use crate::columns::HtmlColumn;
use crate::replay::printable;
use crate::snapshot::Snapshot;

/// A bot and its place among the others.
pub(super) type Row<'a> = (&'a BotStanding, BotIndex);

/// The columns of one page, each with a class for its head and one for its cells.
#[derive(Clone, Copy)]
pub(super) struct StandingColumns<'a>(pub(super) &'a Snapshot, pub(super) Language);

impl<'a> StandingColumns<'a> {
    /// A column of the text.
    pub(super) fn column(self, which: StandingColumn, classes: [&str; 2]) -> HtmlColumn<'a, Row<'a>> {
        let Self(snapshot, language) = self;
        let column = which.column(language).within(|(standing, _): &Row<'a>| *standing);
        let shown = move |_: &Row<'a>, figure: Figure| html! { (figure.in_language(language, printable)) };
        let column = match which {
            StandingColumn::Place => column.map(|(standing, _), _| places(standing)),
            StandingColumn::Rating => column.map(move |(standing, _), _| rating(standing, language)),
            // Pages also say which faults, and that is words.
            StandingColumn::Results(ResultColumn::Faults) => {
                Column::words(column.title, move |(_, bot): &Row<'a>| faults(snapshot.bot(*bot), language))
            }
            // Here no number of decisions stands before it.
            StandingColumn::Results(ResultColumn::Think99) => {
                column.titled(language.say(text::Decisions99)).map(shown)
            }
            _ => column.map(shown),
        };
        HtmlColumn::from_column(column, classes)
    }

    /// The intervals of the ratings as drawings.
    pub(super) fn intervals(self, classes: [&str; 2]) -> HtmlColumn<'a, Row<'a>> {
        let Self(snapshot, language) = self;
        let scale = scale(snapshot);
        let drawn = move |(standing, _): &Row<'a>| interval(scale, standing, language);
        HtmlColumn::from_column(Column::words(interval_heading(snapshot, language), drawn), classes)
    }

    /// What the bots won and lost, in one column.
    pub(super) fn won_and_lost(self, classes: [&str; 2]) -> HtmlColumn<'a, Row<'a>> {
        let Self(snapshot, language) = self;
        let record = move |(_, bot): &Row<'a>| record(snapshot.bot(*bot));
        HtmlColumn::from_column(Column::number(language.say(text::WonLost), record), classes)
    }
}
