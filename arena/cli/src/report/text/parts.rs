//! Parts that several of these reports share.

use std::fmt::Write;

use leyden_arena::report::column::Column;
use leyden_arena::report::{BotResults, PairCounts, Side};
use leyden_language::numbers::{fixed, signed};
use leyden_model::RecordRules;
use leyden_model::Withdrawal;
use leyden_protocol::WinningScore;
use leyden_stats::{Elo, EloInterval, Holds, Interval, Pentanomial};

use crate::report::figures::Figures;
use crate::report::grid::{grid, millis, or_dash, plain, short};

/// Returns what was played, and which scores are good.
pub(super) fn heading(rules: RecordRules, better: WinningScore) -> String {
    let better = match better {
        WinningScore::Lower => "lower scores are better",
        WinningScore::Higher => "higher scores are better",
    };
    let RecordRules { name, seats, set, target } = rules;
    format!("{name} to {target} with {set}, {seats} seats · {better}\n")
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
    format!("{}{incomplete}{voided}", out_of(pairs.complete, pairs.wanted))
}

/// Returns how bots behaved: their thinking times and their faults.
pub(super) fn conduct<'a>(bots: impl Iterator<Item = (&'a str, &'a BotResults)>) -> String {
    let columns: [Column<'_, (&str, &BotResults)>; 6] = [
        Column::words("bot", |(name, _): &(&str, &BotResults)| short(name)),
        Column::number("decisions", |(_, results): &(&str, &BotResults)| results.decisions.to_string()),
        Column::number("median ms", |(_, results): &(&str, &BotResults)| {
            or_dash(results.think_median_us, millis)
        }),
        Column::number("99 % ms", |(_, results): &(&str, &BotResults)| or_dash(results.think_p99_us, millis)),
        Column::number("strikes", |(_, results): &(&str, &BotResults)| results.strikes.to_string()),
        Column::words("faults", |(_, results): &(&str, &BotResults)| {
            let faults: Vec<String> =
                results.faults.iter().map(|(code, count)| format!("{count} {}", code.as_str())).collect();
            if faults.is_empty() { "none".to_owned() } else { faults.join(", ") }
        }),
    ];
    let rows: Vec<_> = bots.collect();
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
    let columns: [Column<'_, &Side>; 7] = [
        Column::words("bot", |side: &&Side| short(&side.name)),
        Column::number("won", |side: &&Side| side.results.won.to_string()),
        Column::number("drawn", |side: &&Side| side.results.drawn.to_string()),
        Column::number("lost", |side: &&Side| side.results.lost.to_string()),
        Column::number("for", |side: &&Side| side.results.points_for.to_string()),
        Column::number("against", |side: &&Side| side.results.points_against.to_string()),
        Column::number("margin", |side: &&Side| {
            or_dash(side.results.mean_margin, |margin| signed(margin, 1))
        }),
    ];
    let lines = bots.iter().map(|side| (side.name.as_str(), &side.results));
    format!("{}\n{}", grid(&columns, &bots), conduct(lines))
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
pub(crate) fn withdrawn(bots: &[Withdrawal]) -> String {
    let mut text = String::new();
    for Withdrawal { bot, failures, code, .. } in bots {
        let name = plain(bot);
        let _ = writeln!(
            text,
            "\n{name} was withdrawn after {failures} start failures in a row ({code}): its other matches were not \
             started and count as lost."
        );
    }
    text
}
