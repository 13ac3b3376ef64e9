//! Tables of pages: each column with its head and its cells in one place.

use maud::{Markup, Render, html};

/// A column of a table whose rows are `R`.
pub(crate) struct HtmlColumn<'a, R: ?Sized> {
    /// The class of its head.
    class: &'static str,
    head: Markup,
    /// Builds the whole element of a cell.
    cell: Box<dyn Fn(&R) -> Markup + 'a>,
}

impl<'a, R: ?Sized> HtmlColumn<'a, R> {
    /// A column with this head, and classes for the head and for the cells.
    pub(crate) fn new<M: Render>(
        head: impl Render,
        [class, of_cells]: [&'static str; 2],
        cell: impl Fn(&R) -> M + 'a,
    ) -> Self {
        Self::from_elements(head, class, move |row: &R| {
            html! { td class=[(!of_cells.is_empty()).then_some(of_cells)] { (cell(row).render()) } }
        })
    }

    /// A column whose cells are elements of their own: heads of rows, or cells with other attributes.
    pub(crate) fn from_elements(
        head: impl Render,
        class: &'static str,
        element: impl Fn(&R) -> Markup + 'a,
    ) -> Self {
        Self { class, head: head.render(), cell: Box::new(element) }
    }
}

/// The heads of the columns.
pub(crate) fn heads<R: ?Sized>(columns: &[HtmlColumn<'_, R>]) -> Markup {
    html! {
        thead {
            tr {
                @for HtmlColumn { class, head, .. } in columns {
                    th class=[(!class.is_empty()).then_some(class)] scope="col" { (head) }
                }
            }
        }
    }
}

/// The cells of a row.
pub(crate) fn cells<R: ?Sized>(columns: &[HtmlColumn<'_, R>], row: &R) -> Markup {
    html! { @for column in columns { ((column.cell)(row)) } }
}

/// A row of cells.
pub(crate) fn row<R: ?Sized>(columns: &[HtmlColumn<'_, R>], row: &R) -> Markup {
    html! { tr { (cells(columns, row)) } }
}
