//! Aligned text in columns, without lines and colours: words to the left, numbers to the right.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use leyden_arena::report::column::{Align, Column};
use leyden_language::numbers;
use leyden_protocol::is_hidden;

/// The longest name that a table shows in full; a longer one loses its middle.
const LONGEST_NAME: usize = 24;

/// Returns a row of cells for each of these under the titles of the columns.
pub(crate) fn grid<'r, R: 'r>(columns: &[Column<'_, R>], rows: impl IntoIterator<Item = &'r R>) -> String {
    spaced(columns, rows, 2)
}

/// Does the same with this much space between columns.
pub(crate) fn spaced<'r, R: 'r>(
    columns: &[Column<'_, R>],
    rows: impl IntoIterator<Item = &'r R>,
    gap: u16,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(Column::heading));
    for row in rows {
        table.add_row(columns.iter().map(|column| column.cell(row)));
    }
    for (column, described) in table.column_iter_mut().zip(columns) {
        column.set_cell_alignment(match described.align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        });
        column.set_padding((0, gap));
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns a bot's name as a table shows it: on one line, and not too long.
pub(crate) fn short(name: &str) -> String {
    cut(name, LONGEST_NAME)
}

/// Returns a name in at most this many characters.
pub(crate) fn cut(name: &str, longest: usize) -> String {
    let name = plain(name);
    let length = name.chars().count();
    if length <= longest {
        return name;
    }
    let (head, tail) = (longest / 2, longest - longest / 2 - 1);
    let before: String = name.chars().take(head).collect();
    let after: String = name.chars().skip(length - tail).collect();
    format!("{before}…{after}")
}

/// Returns a text on one line, without anything that moves the cursor or changes the text direction.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}

/// Formats a number that may be missing.
pub(crate) fn or_dash<T>(value: Option<T>, form: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), form)
}

/// Formats a share of one in per cent, with one decimal.
pub(crate) fn percent(share: f64) -> String {
    numbers::percent(share, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_names_keep_both_ends_on_one_line() {
        assert_eq!(short("careful --blunder 25"), "careful --blunder 25");
        assert_eq!(short("python3 /home/somebody/bots/best.py"), "python3 /hom…ots/best.py");
        assert_eq!(short("a\u{1b}[2Jb\n\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}c");
    }

    #[test]
    fn words_stand_left_and_numbers_right() {
        let columns: [Column<'_, (&str, u32)>; 2] = [
            Column::words("bot", |row: &(&str, u32)| row.0.to_owned()),
            Column::number("won", |row: &(&str, u32)| row.1.to_string()),
        ];
        assert_eq!(grid(&columns, &[("a", 7), ("bcd", 1234)]), "bot   won\na       7\nbcd  1234\n");
    }
}
