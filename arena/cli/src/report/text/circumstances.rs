//! Where a bot strays from its rating, as text.

use leyden_arena::report::column::Column;
use leyden_arena::report::{CircumstanceLine, Standings};
use leyden_language::Language;
use leyden_language::numbers::signed;
use leyden_stats::{Interval, Strays};

use super::holding;
use crate::report::grid::{grid, or_dash, percent, plain, short};

/// Returns the results of a bot in its circumstances as a table.
pub(crate) fn circumstances(standings: &Standings) -> String {
    let Some(found) = &standings.circumstances else {
        return "Nothing is known of this yet: it needs ratings of a complete block, and tables of two.\n"
            .to_owned();
    };
    let columns: [Column<'_, CircumstanceLine>; 6] = [
        Column::words("", |line: &CircumstanceLine| plain(&line.in_words(Language::English))),
        Column::number("matches", |line: &CircumstanceLine| line.matches.to_string()),
        Column::number("score %", |line: &CircumstanceLine| percent(line.score)),
        Column::number("by its rating", |line: &CircumstanceLine| percent(line.expected)),
        Column::number("difference, 95 %", |line: &CircumstanceLine| {
            or_dash(line.excess, |Interval { low, high }| {
                format!("{} to {}", signed(100.0 * low, 1), signed(100.0 * high, 1))
            })
        }),
        Column::words("", |line: &CircumstanceLine| match line.strays {
            Some(Strays::Worse) => "worse than its rating".to_owned(),
            Some(Strays::Better) => "better than its rating".to_owned(),
            None => String::new(),
        }),
    ];
    format!(
        "{}: where its results stray from its rating{}\n\n{}\nThe 95 % are for all lines together. What a seat and the lead are worth to \
         all bots is part of what\nthe rating says; intervals are known from 10 blocks on.\n",
        short(&found.bot),
        holding(standings.holds),
        grid(&columns, &found.results)
    )
}
