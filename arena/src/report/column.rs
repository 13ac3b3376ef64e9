//! Columns of tables. A column is described once, with its title and its cells, so that no table can have a cell without a title or
//! the other way round: text, CSV, Markdown and HTML all go through [`Column`].

use std::borrow::Cow;

/// On which side the cells of a column are aligned: words to the left, numbers to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A column of a table whose rows are `R`, with cells of `C`.
pub struct Column<'a, R: ?Sized, C = String> {
    pub title: Cow<'a, str>,
    pub align: Align,
    cell: Box<dyn Fn(&R) -> C + 'a>,
}

impl<'a, R: ?Sized, C> Column<'a, R, C> {
    /// A column of words.
    pub fn words(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { title: title.into(), align: Align::Left, cell: Box::new(cell) }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { title: title.into(), align: Align::Right, cell: Box::new(cell) }
    }

    /// Returns the cell of a row.
    pub fn cell(&self, row: &R) -> C {
        (self.cell)(row)
    }

    /// Returns the same column with its cells shown like this.
    pub fn map<D>(self, shown: impl Fn(&C) -> D + 'a) -> Column<'a, R, D>
    where
        R: 'a,
        C: 'a,
    {
        let Self { title, align, cell } = self;
        Column { title, align, cell: Box::new(move |row: &R| shown(&cell(row))) }
    }
}

/// Returns a table in Markdown. The cells must be escaped.
pub fn markdown<'r, R: 'r>(columns: &[Column<'_, R>], rows: impl IntoIterator<Item = &'r R>) -> String {
    let padded = |cell: String| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") };
    let line =
        |cells: Vec<String>| format!("|{}|\n", cells.into_iter().map(padded).collect::<Vec<_>>().join("|"));
    let mut text = line(columns.iter().map(|column| column.title.to_string()).collect());
    let sides = columns.iter().map(|column| match column.align {
        Align::Left => ":--",
        Align::Right => "--:",
    });
    text.extend(["|", &sides.collect::<Vec<_>>().join("|"), "|\n"]);
    for row in rows {
        text += &line(columns.iter().map(|column| column.cell(row)).collect());
    }
    text
}

/// Returns a table as comma-separated values. The cells must be quoted where they need it.
pub fn csv<'r, R: 'r>(columns: &[Column<'_, R>], rows: impl IntoIterator<Item = &'r R>) -> String {
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let mut text = line(columns.iter().map(|column| column.title.to_string()).collect());
    for row in rows {
        text += &line(columns.iter().map(|column| column.cell(row)).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_carry_titles_and_cells_into_every_form() {
        let columns: [Column<'_, (&str, u32)>; 2] = [
            Column::words("bot", |row: &(&str, u32)| row.0.to_owned()),
            Column::number("won", |row: &(&str, u32)| row.1.to_string()),
        ];
        let rows = [("ann", 3), ("", 12)];
        assert_eq!(markdown(&columns, &rows), "| bot | won |\n|:--|--:|\n| ann | 3 |\n| | 12 |\n");
        assert_eq!(csv(&columns, &rows), "bot,won\nann,3\n,12\n");
    }
}
