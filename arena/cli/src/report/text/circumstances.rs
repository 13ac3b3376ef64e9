//! Where a bot strays from its rating, as text.

use leyden_arena::report::column::Column;
use leyden_arena::report::figure::Figure;
use leyden_arena::report::{CircumstanceLine, Standings};
use leyden_language::Language;
use leyden_stats::Strays;

use super::holding;
use crate::report::grid::{grid, plain, short};

/// Returns the results of a bot in its circumstances as a table.
pub(crate) fn circumstances(standings: &Standings) -> String {
    let Some(found) = &standings.circumstances else {
        return "Nothing is known of this yet: it needs ratings of a complete block, and tables of two.\n"
            .to_owned();
    };
    let columns = CircumstanceLine::columns(Language::English);
    let bare = |column: Column<'static, CircumstanceLine, Figure>| column.map(|_, figure| figure.bare(plain));
    let mut columns: Vec<_> = columns.into_iter().map(bare).collect();
    columns.push(Column::words("", |line: &CircumstanceLine| match line.strays {
        Some(Strays::Worse) => "worse than its rating".to_owned(),
        Some(Strays::Better) => "better than its rating".to_owned(),
        None => String::new(),
    }));
    format!(
        "{}: where its results stray from its rating{}\n\n{}\nThe 95 % hold for all lines at once; \
         intervals are shown from 10 blocks on. The score by its rating\nincludes what a seat and the lead are worth to all bots.\n",
        short(&found.bot),
        holding(standings.holds),
        grid(&columns, &found.results)
    )
}
