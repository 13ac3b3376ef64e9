//! Standings as comma-separated values: a header and a line for each bot, best first. No field can be read as a formula by a
//! spreadsheet.

use leyden_protocol::is_hidden;
use leyden_stats::Interval;

use super::Standings;
use super::column::{Column, csv};
use super::figure::Figure;
use super::luck::{LuckPairing, LuckReport};
use super::standing_columns::{for_programs, holding};

/// What the columns mean; an unknown number is an empty field.
pub const COLUMNS: &str = "\
Columns of --csv: place (from the first complete block on, or pair by pair with stages or one block; of a competition of stages as its rules give it); bot; author (from its bot.toml; empty if not given, and from \
an export); folder (or archive, in which it was named or handed in; empty for a bot without one, and from an export); \
elo, elo_half_width (95 % is elo ± this, for this bot by itself), rank_best, rank_worst (the places it may hold; with 95 % none \
of the table is wrong) and rated_score (0 to 1), all from complete blocks or pairs; matches, won, drawn, lost, score (0 to 1), points_for, \
points_against, mean_margin (positive is good) from every match; a column for each kind of fault; strikes; decisions; \
think_median_us and think_p99_us in microseconds; blocks_for_ten_elo_low, blocks_for_ten_elo_high (blocks in all until its bar is ±10, \
95 %); uniform_score (mean score with the same weight for each rival), pairings_won (share of rivals that it beats), lottery (its share of the \
maximal lottery) and lottery_score (against that), 0 to 1; holds (when ranks and half-widths do: at_planned_end, or at_any_time \
before it). An unknown number is left empty. \
A text that a spreadsheet would take for a formula gets an apostrophe before it.";

/// The whole table.
pub fn text(standings: &Standings) -> String {
    csv(&for_programs(standings.holds, field), &standings.bots)
}

/// Returns a figure as a field: numbers in full, and nothing for an unknown one.
fn field(figure: &Figure) -> String {
    match figure {
        Figure::Unknown => String::new(),
        Figure::Name(name) => quoted(name),
        Figure::Count(number) | Figure::Micros(number) => number.to_string(),
        Figure::Points(points) => points.to_string(),
        Figure::Place { place, .. } => place.to_string(),
        Figure::Elo(number) | Figure::HalfWidth(number) | Figure::Share(number) | Figure::Margin(number) => {
            number.to_string()
        }
        Figure::Excess(Interval { low, high }) => format!("{low} to {high}"),
    }
}

/// Scores without luck: a header and a line for each pairing. The table for people (`cli/src/report/luck.rs`)
/// has columns of its own: it hides what few pairs do not show, and has a gain in place of ratios and standard errors.
pub fn luck(report: &LuckReport) -> String {
    let columns: [Column<'_, LuckPairing>; 13] = [
        Column::words("first", |pairing: &LuckPairing| quoted(&pairing.bots[0])),
        Column::words("second", |pairing: &LuckPairing| quoted(&pairing.bots[1])),
        Column::number("pairs", |pairing: &LuckPairing| pairing.pairs.to_string()),
        Column::number("raw_score", |pairing: &LuckPairing| pairing.raw.score.to_string()),
        Column::number("raw_se", |pairing: &LuckPairing| pairing.raw.se.to_string()),
        Column::number("raw_half_width", |pairing: &LuckPairing| known(pairing.raw.half_width)),
        Column::number("adjusted_score", |pairing: &LuckPairing| pairing.adjusted.score.to_string()),
        Column::number("adjusted_se", |pairing: &LuckPairing| pairing.adjusted.se.to_string()),
        Column::number("adjusted_half_width", |pairing: &LuckPairing| known(pairing.adjusted.half_width)),
        Column::number("variance_ratio", |pairing: &LuckPairing| known(pairing.variance_ratio)),
        Column::number("variance_ratio_low", |pairing: &LuckPairing| {
            known(pairing.variance_ratio_interval.map(|ratio| ratio.low))
        }),
        Column::number("variance_ratio_high", |pairing: &LuckPairing| {
            known(pairing.variance_ratio_interval.map(|ratio| ratio.high))
        }),
        Column::words("holds", |_: &LuckPairing| holding(report.holds).to_owned()),
    ];
    csv(&columns, &report.pairings)
}

fn known(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The characters that start a formula in a spreadsheet, including their full-width forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A text that is no formula. Where a spreadsheet separates cells at semicolons, one may begin after each of them.
fn harmless(text: &str) -> String {
    let text = text.replace(is_hidden, "\u{fffd}");
    let part = |(number, part): (usize, &str)| {
        let begins = if number == 0 { part } else { part.trim_start_matches([' ', '"']) };
        if begins.starts_with(FORMULA) { format!("'{part}") } else { part.to_owned() }
    };
    text.split(';').enumerate().map(part).collect::<Vec<_>>().join(";")
}

/// Quotes a one-line text as RFC 4180 requires. An apostrophe keeps spreadsheets from running a text that looks like a
/// formula. Invisible characters, such as marks that reverse other text, are replaced.
pub fn quoted(text: &str) -> String {
    let text = harmless(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Several texts as one cell, a line for each. No line can be taken for a formula or for a row of the table.
pub fn quoted_lines<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<String> = texts.into_iter().map(harmless).collect();
    match &lines[..] {
        [] => String::new(),
        [one] => quoted(one),
        _ => format!("\"{}\"", lines.join("\n").replace('"', "\"\"")),
    }
}

/// The columns that a help text lists after its first colon, without what it says of them.
#[cfg(test)]
pub(crate) fn named_in(help: &str) -> Vec<String> {
    let list = help.split_once(": ").unwrap().1;
    let list: String =
        list.split('(').map(|part| part.split_once(')').map_or(part, |(_, after)| after)).collect();
    let list = list.split(". ").next().unwrap();
    let parts = list.split(';').filter_map(|part| part.split(':').next());
    let names = parts.flat_map(|part| part.split(',')).flat_map(|names| names.split(" and "));
    let first = names.filter_map(|name| name.split_whitespace().next());
    // These begin remarks.
    first.filter(|word| !["a", "all", "0"].contains(word)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use leyden_protocol::FaultCode;
    use leyden_stats::Holds;

    use super::*;

    #[test]
    fn help_names_every_column_of_standings() {
        let faults = FaultCode::ALL.map(FaultCode::as_str);
        let columns = for_programs(Holds::AtPlannedEnd, field);
        let titles = columns.iter().map(|column| &*column.title);
        assert_eq!(named_in(COLUMNS), titles.filter(|title| !faults.contains(title)).collect::<Vec<_>>());
    }

    #[test]
    fn names_that_look_like_columns_are_quoted() {
        assert_eq!(quoted("careful --blunder 5"), "careful --blunder 5");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }

    #[test]
    fn texts_in_one_cell_stand_on_separate_lines() {
        assert_eq!(quoted_lines([]), "");
        assert_eq!(quoted_lines(["a, b"]), quoted("a, b"));
        assert_eq!(quoted_lines(["=1", "say \"b\"\nc"]), "\"'=1\nsay \"\"b\"\"\u{fffd}c\"");
        assert_eq!(quoted_lines(["a", "=1"]), "\"a\n'=1\"");
    }

    #[test]
    fn name_is_never_a_formula() {
        for name in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "=HYPERLINK(\"x\",\"y\")"] {
            let cell = quoted(name);
            assert!(cell.trim_start_matches('"').starts_with('\''), "{cell}");
        }
        assert_eq!(quoted("a-b"), "a-b");
        assert_eq!(quoted(";=X"), ";'=X");
        assert_eq!(quoted("a; =1;b;\"+2\""), "\"a;' =1;b;'\"\"+2\"\"\"");
        for hidden in ["\t=1", "\r=1", "\n@a", "\u{202e}=1"] {
            assert_eq!(
                quoted(hidden),
                hidden.replace(is_hidden, "\u{fffd}"),
                "it begins with what is no formula"
            );
        }
    }
}
