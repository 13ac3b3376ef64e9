//! Tables of pages: each column with its head and its cells in one place.

use maud::{Markup, Render, html};

/// A column of a table whose rows are `R`.
pub(crate) struct HtmlColumn<'a, R: ?Sized> {
    /// The classes of its head and of its cells.
    classes: [&'static str; 2],
    head: Markup,
    cell: Box<dyn Fn(&R) -> Markup + 'a>,
}

impl<'a, R: ?Sized> HtmlColumn<'a, R> {
    /// A column with this head, and classes for the head and for the cells.
    pub(crate) fn new<M: Render>(
        head: impl Render,
        classes: [&'static str; 2],
        cell: impl Fn(&R) -> M + 'a,
    ) -> Self {
        Self { classes, head: head.render(), cell: Box::new(move |row| cell(row).render()) }
    }
}

/// The heads of the columns.
pub(crate) fn heads<R: ?Sized>(columns: &[HtmlColumn<'_, R>]) -> Markup {
    html! {
        thead {
            tr {
                @for HtmlColumn { classes: [class, _], head, .. } in columns {
                    th class=[(!class.is_empty()).then_some(class)] scope="col" { (head) }
                }
            }
        }
    }
}

/// A row of cells.
pub(crate) fn row<R: ?Sized>(columns: &[HtmlColumn<'_, R>], row: &R) -> Markup {
    html! {
        tr {
            @for HtmlColumn { classes: [_, class], cell, .. } in columns {
                td class=[(!class.is_empty()).then_some(class)] { (cell(row)) }
            }
        }
    }
}
