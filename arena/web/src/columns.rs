//! Tables of pages: each column with its head and its cells in one place. Those of standings and grades, which are text
//! as well, are the [`Column`]s of that text, with links, colours and bars.

use leyden_arena::report::column::{Align, Column};
use maud::{Markup, Render, html};

/// A column of a table whose rows are `R`.
pub(crate) struct HtmlColumn<'a, R: ?Sized> {
    /// The class of its head.
    class: String,
    head: Markup,
    /// Builds the whole element of a cell.
    cell: Box<dyn Fn(&R) -> Markup + 'a>,
}

impl<'a, R: ?Sized> HtmlColumn<'a, R> {
    /// Shows a column with more classes for the head and for the cells. Its title begins with a capital.
    pub(crate) fn from_column<C: Render + 'a>(column: Column<'a, R, C>, [class, of_cells]: [&str; 2]) -> Self
    where
        R: 'a,
    {
        let [side, side_of_cells] = match column.align {
            Align::Left => ["", ""],
            Align::Right => ["right", "right number"],
        };
        let joined = |one: &str, other: &str| format!("{one} {other}").trim().to_owned();
        let of_cells = joined(side_of_cells, of_cells);
        Self {
            class: joined(side, class),
            head: capitalised(&column.title).render(),
            cell: Box::new(move |row: &R| {
                html! { td class=[(!of_cells.is_empty()).then_some(&of_cells)] { (column.cell(row).render()) } }
            }),
        }
    }

    /// The same column, explained to those who point at its head.
    pub(crate) fn explained(self, why: &str) -> Self {
        Self { head: html! { span title=(why) { (self.head) } }, ..self }
    }

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
        Self { class: class.to_owned(), head: head.render(), cell: Box::new(element) }
    }
}

/// Begins with a capital, as heads of columns do on pages.
fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_title_alignment_and_value() {
        let columns: [HtmlColumn<'_, (&str, u32)>; 2] = [
            HtmlColumn::from_column(Column::words("bot", |row: &(&str, u32)| row.0.to_owned()), ["", "bot"]),
            HtmlColumn::from_column(Column::share("won", |row: &(&str, u32)| row.1), ["wide"; 2])
                .explained("why"),
        ];
        let won = "<th class=\"right wide\" scope=\"col\"><span title=\"why\">Won</span></th>";
        let head = format!("<thead><tr><th scope=\"col\">Bot</th>{won}</tr></thead>");
        assert_eq!(heads(&columns).into_string(), head);
        let cells = "<td class=\"bot\">&lt;ann&gt;</td><td class=\"right number wide\">3</td>";
        assert_eq!(row(&columns, &("<ann>", 3)).into_string(), format!("<tr>{cells}</tr>"));
    }
}
