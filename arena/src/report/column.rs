//! Columns of tables. A column is described once, with its title and its cells, so that no table can have a cell without a title or
//! the other way round: text, CSV, Markdown and HTML all go through [`Column`]. Pages add links, colours and bars.

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
    /// What stands behind the title where cells are numbers without a unit.
    unit: &'static str,
    pub align: Align,
    cell: Box<dyn Fn(&R) -> C + 'a>,
}

impl<'a, R: ?Sized, C> Column<'a, R, C> {
    /// A column of words.
    pub fn words(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { title: title.into(), unit: "", align: Align::Left, cell: Box::new(cell) }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { title: title.into(), unit: "", align: Align::Right, cell: Box::new(cell) }
    }

    /// A column of shares of one, which text shows in per cent.
    pub fn share(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { unit: " %", ..Self::number(title, cell) }
    }

    /// A column of times, which text shows in milliseconds.
    pub fn time(title: impl Into<Cow<'a, str>>, cell: impl Fn(&R) -> C + 'a) -> Self {
        Self { unit: " ms", ..Self::number(title, cell) }
    }

    /// Returns the same column with another title.
    #[must_use]
    pub fn titled(self, title: impl Into<Cow<'a, str>>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Returns the title with the unit, for a table that does not repeat it in each cell.
    pub fn heading(&self) -> String {
        format!("{}{}", self.title, self.unit)
    }

    /// Returns the cell of a row.
    pub fn cell(&self, row: &R) -> C {
        (self.cell)(row)
    }

    /// Returns the same column with its cells shown like this.
    pub fn map<D>(self, shown: impl Fn(&R, C) -> D + 'a) -> Column<'a, R, D>
    where
        R: 'a,
        C: 'a,
    {
        let Self { title, unit, align, cell } = self;
        Column { title, unit, align, cell: Box::new(move |row: &R| shown(row, cell(row))) }
    }

    /// Returns the same column of a table with wider rows, of which `part` returns what this one shows.
    pub fn within<S>(self, part: impl Fn(&S) -> &R + 'a) -> Column<'a, S, C>
    where
        R: 'a,
        C: 'a,
    {
        let Self { title, unit, align, cell } = self;
        Column { title, unit, align, cell: Box::new(move |row: &S| cell(part(row))) }
    }
}

/// Returns a table in Markdown. The cells must be escaped.
pub fn markdown<'r, R: 'r>(columns: &[Column<'_, R>], rows: impl IntoIterator<Item = &'r R>) -> String {
    let padded = |cell: String| if cell.is_empty() { " ".to_owned() } else { format!(" {cell} ") };
    let line =
        |cells: Vec<String>| format!("|{}|\n", cells.into_iter().map(padded).collect::<Vec<_>>().join("|"));
    let mut text = line(columns.iter().map(Column::heading).collect());
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
        let columns: [Column<'_, (&str, u32)>; 3] = [
            Column::words("bot", |row: &(&str, u32)| row.0.to_owned()),
            Column::share("won", |row: &(&str, u32)| row.1.to_string()),
            Column::time("99 %", |row: &(&str, u32)| (10 * row.1).to_string()).titled("longest"),
        ];
        let rows = [("ann", 3), ("", 12)];
        let table = "| bot | won % | longest ms |\n|:--|--:|--:|\n| ann | 3 | 30 |\n| | 12 | 120 |\n";
        assert_eq!(markdown(&columns, &rows), table);
        assert_eq!(csv(&columns, &rows), "bot,won,longest\nann,3,30\n,12,120\n");
    }
}
