//! Parts that several of these reports share.

use std::fmt::Write;

use leyden_arena::report::column::Column;
use leyden_arena::report::standing_columns::ResultColumn;
use leyden_arena::report::{BotResults, PairCounts, Side};
use leyden_language::Language;
use leyden_language::numbers::{fixed, signed};
use leyden_model::DisabledBot;
use leyden_model::RecordRules;
use leyden_protocol::WinningScore;
use leyden_stats::{Elo, EloInterval, Holds, Interval, Pentanomial};

use crate::report::figures::Figures;
use crate::report::grid::{grid, or_dash, plain, short};

/// Returns what was played, and which scores are good.
pub(super) fn heading(rules: RecordRules, better: WinningScore) -> String {
    let better = match better {
        WinningScore::Lower => "lower scores are better",
        WinningScore::Higher => "higher scores are better",
    };
    format!("{rules} · {better}\n")
}

/// Formats how many of how many, if the total is known.
pub(super) fn out_of(done: u64, planned: Option<u64>) -> String {
    planned.map_or_else(|| done.to_string(), |planned| format!("{done} of {planned}"))
}

/// Returns how many pairs are complete, and what happened to the others.
pub(super) fn pairs_done(pairs: &PairCounts) -> String {
    let incomplete = match pairs.incomplete {
        0 => String::new(),
        begun => format!(" ({begun} incomplete)"),
    };
    let voided = match pairs.voided {
        0 => String::new(),
        voided if pairs.played_again == 0 => format!(" · {voided} void"),
        voided => format!(" · {voided} void ({} of them played again)", pairs.played_again),
    };
    format!("{}{incomplete}{voided}", out_of(pairs.complete, pairs.planned))
}

/// A bot's name and its results.
type BotLine<'a> = (&'a str, &'a BotResults);

/// Returns the columns of a table of these results.
fn with_names<'a>(shown: &[ResultColumn]) -> Vec<Column<'a, BotLine<'a>>> {
    let results = shown.iter().map(|column| {
        let column = column.column(Language::English).within(|(_, results): &BotLine<'a>| *results);
        column.map(|_: &BotLine<'a>, figure| figure.bare(short))
    });
    [Column::words("bot", |(name, _): &BotLine<'a>| short(name))].into_iter().chain(results).collect()
}

/// Returns how bots behaved: their thinking times and their faults.
pub(super) fn conduct<'a>(bots: impl Iterator<Item = BotLine<'a>>) -> String {
    use ResultColumn::{Decisions, Strikes, Think99, ThinkMedian};
    let mut columns = with_names(&[Decisions, ThinkMedian, Think99, Strikes]);
    columns.push(Column::words("faults", |(_, results): &BotLine<'a>| {
        let faults: Vec<String> =
            results.faults.iter().map(|(code, count)| format!("{count} {}", code.as_str())).collect();
        if faults.is_empty() { "none".to_owned() } else { faults.join(", ") }
    }));
    let rows: Vec<BotLine<'a>> = bots.collect();
    let has_faults = rows.iter().any(|(_, results)| !results.faults.is_empty());
    let note =
        if has_faults { "\nPoints and margins count only matches that ended without a fault.\n" } else { "" };
    grid(&columns, &rows) + note
}

/// Explains decisions that took longer than the limit and were no faults, if there are some.
pub(crate) fn beyond_turn<'a>(
    mut bots: impl Iterator<Item = &'a BotResults>,
    turn_ms: Option<u64>,
) -> String {
    let Some(limit) = turn_ms else { return String::new() };
    if bots.all(|bot| bot.think_p99_us.is_none_or(|us| us <= 1_000 * limit)) {
        return String::new();
    }
    format!(
        "\nTimes are real time, and some exceed --turn ({limit} ms): the limit leaves out time in which other processes\n\
         had the processors. This happens less with fewer --jobs, or on a machine that does nothing else.\n"
    )
}

/// Formats a p-value.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        ..0.0005 => "<0.001".to_owned(),
        ..0.0995 => fixed(p, 3),
        _ => fixed(p, 2),
    }
}

/// Says when intervals hold, after "95 %".
pub(crate) const fn holding(holds: Holds) -> &'static str {
    match holds {
        Holds::AtPlannedEnd => "",
        Holds::AtAnyTime => ", at any time",
    }
}

pub(super) fn two(number: f64) -> String {
    fixed(number, 2)
}

/// Returns figures in two columns.
pub(super) fn listed(figures: &Figures) -> String {
    let width = figures.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    figures.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = writeln!(text, "{name:width$}  {value}");
        text
    })
}

/// Returns what two bots won and lost, and how they behaved.
pub(super) fn sides(bots: [&Side; 2]) -> String {
    use ResultColumn::{Drawn, Lost, Margin, PointsAgainst, PointsFor, Won};
    let lines = bots.map(|side| (side.name.as_str(), &side.results));
    let columns = with_names(&[Won, Drawn, Lost, PointsFor, PointsAgainst, Margin]);
    format!("{}\n{}", grid(&columns, &lines), conduct(lines.into_iter()))
}

pub(super) fn kinds(counts: &Pentanomial) -> String {
    let [ll, ld, even, wd, ww] = counts.counts();
    format!("LL {ll} · LD {ld} · WL+DD {even} · WD {wd} · WW {ww}")
}

pub(crate) fn range(interval: Interval, form: impl Fn(f64) -> String) -> String {
    format!("{} to {}", form(interval.low), form(interval.high))
}

pub(super) fn elo(elo: Option<Elo>) -> String {
    or_dash(elo, |elo| signed(elo.get(), 0))
}

pub(super) fn elo_range(interval: EloInterval) -> String {
    let low = interval.low.map_or_else(|| "no lower end".to_owned(), |low| signed(low.get(), 0));
    let high = interval.high.map_or_else(|| "no upper end".to_owned(), |high| signed(high.get(), 0));
    format!("{low} to {high}")
}

/// Returns which bots are no longer started.
pub(crate) fn disabled(bots: &[DisabledBot]) -> String {
    let mut text = String::new();
    for DisabledBot { bot, failures, code, .. } in bots {
        let name = plain(bot);
        let _ = writeln!(
            text,
            "\n{name} was no longer started after {failures} start failures in a row ({code}): its other matches \
             count as lost."
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use leyden_arena::record::store::BotSums;

    use super::*;

    #[test]
    fn sides_show_results_and_conduct_with_units() {
        let none = BotResults::from_sums(&BotSums::default());
        let some = BotResults {
            won: 3,
            drawn: 1,
            points_for: 120,
            points_against: 340,
            mean_margin: Some(12.5),
            strikes: 2,
            decisions: 200,
            think_median_us: Some(3_140),
            think_p99_us: Some(25_000),
            ..none.clone()
        };
        let side = |name: &str, results| Side { name: name.to_owned(), results };
        let text = sides([&side("ann", some), &side("bo", none)]);
        let lines: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let expected = [
            "bot won drawn lost for against margin",
            "ann 3 1 0 120 340 +12.5",
            "bo 0 0 0 0 0 –",
            "",
            "bot decisions median ms 99 % ms strikes faults",
            "ann 200 3.14 25.0 2 none",
            "bo 0 – – 0 none",
        ];
        assert_eq!(lines, expected);
    }
}
