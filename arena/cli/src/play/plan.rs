//! `--plan`: what a gate or a match of two bots can be expected to show, and how long it takes, before it is played.

use std::fmt::Write;

use leyden_arena::record::store::Results;
use leyden_arena::report::column::Column;
use leyden_arena::report::{ObservedPairs, ObservedPairsError, PlannedGate, TestForecast};
use leyden_arena::run::{Plan, Timing};
use leyden_language::numbers::{fixed, signed};
use leyden_model::words::{counted, duration};
use leyden_stats::{GateChances, GateForecast, Interval, MatchForecast, MatchPower};

use crate::exit::{Code, CommandError};
use crate::options::{PlanPairs, PlanRequest};
use crate::report::grid::{grid, percent, plain};

/// The pairs of the file, read before anything is timed.
pub(crate) fn stored(request: &PlanRequest) -> Result<Option<ObservedPairs>, CommandError> {
    let PlanPairs::Stored(path) = &request.pairs else { return Ok(None) };
    let seen = ObservedPairs::stored(&Results::open(path)?).map_err(|why| match why {
        ObservedPairsError::Report(error) => error.into(),
        why @ ObservedPairsError::NotOfTwo => CommandError::usage(format!("{}: {why}", path.display())),
    })?;
    Ok(Some(seen))
}

/// Prints what follows from the timed matches.
pub(crate) fn print(
    plan: &Plan,
    timing: &Timing,
    stored: Option<ObservedPairs>,
    request: &PlanRequest,
) -> Result<Code, CommandError> {
    let planned = TestForecast::new(plan, timing, stored).ok_or_else(|| {
        CommandError::usage("--plan is for two bots: name two, or use --estimate for a tournament")
    })?;
    if request.json {
        return crate::out::print_document(&planned).map(|()| Code::Done);
    }
    crate::out::print(&plan_text(&planned))
}

fn plan_text(planned: &TestForecast) -> String {
    let pair = duration(planned.pair_us as f64 / 1e6);
    let [one, two] = planned.bots.each_ref().map(|bot| plain(bot));
    let mut text = format!(
        "{one} against {two}: a pair takes about {pair} with {} at once, and goes as in {} ([LL, LD, WL+DD, WD, WW] {:?}).\n\n",
        counted(planned.jobs, "match", "matches"),
        counted(planned.seen.pairs(), "pair", "pairs"),
        planned.seen.counts(),
    );
    if let Some(gate) = &planned.gate {
        text += &for_gate(gate, planned.pair_us);
    }
    if let Some(of_match) = &planned.of_match {
        text += &in_match(of_match, planned.pair_us);
    }
    text
}

fn for_gate(gate: &PlannedGate, pair_us: u64) -> String {
    let scale = gate.test.hypotheses().scale().as_str();
    let mut text = chances(&gate.plain, scale, pair_us);
    text += "Pairs: the mean, and what 95 % of such gates do not exceed.\n";
    let (Some(luck), Some(Interval { low, high })) = (&gate.without_luck, gate.luck_takes) else {
        return text
            + "What --luck would save is known from a file: play a match of 20 pairs or more, `leyden luck FILE`, then --plan=FILE.\n";
    };
    let _ = write!(text, "\nWith --luck\n{}", chances(luck, scale, pair_us)); // writing to a String cannot fail
    let pays = match (low < 1.0, high < 1.0) {
        (true, true) => "",
        (true, false) => ": it may not pay",
        (false, _) => ": it does not pay",
    };
    let _ =
        writeln!(text, "--luck takes {} to {} times the pairs (95 %){pays}.", fixed(low, 2), fixed(high, 2));
    text
}

fn chances(forecast: &GateForecast, scale: &str, pair_us: u64) -> String {
    let columns: [Column<'_, GateChances>; 8] = [
        Column::number(format!("true Elo, {scale}"), |at: &GateChances| signed(at.strength, 0)),
        Column::share("score", |at: &GateChances| percent(at.score)),
        Column::share("accepted", |at: &GateChances| percent(at.accepted)),
        Column::share("rejected", |at: &GateChances| percent(at.rejected)),
        Column::share("undecided", |at: &GateChances| percent(at.undecided)),
        Column::number("pairs", |at: &GateChances| fixed(at.mean_pairs, 0)),
        Column::number("95 %", |at: &GateChances| at.most_pairs.to_string()),
        Column::number("time", move |at: &GateChances| duration(at.mean_pairs * pair_us as f64 / 1e6)),
    ];
    grid(&columns, &forecast.strengths)
}

fn in_match(forecast: &MatchForecast, pair_us: u64) -> String {
    let columns: [Column<'_, MatchPower>; 2] = [
        Column::number("true Elo", |at: &MatchPower| fixed(at.elo, 0)),
        Column::share("told apart (p < 0.05)", |at: &MatchPower| percent(at.power)),
    ];
    format!(
        "{}, {}: the difference to ±{} Elo.\n{}",
        counted(forecast.pairs, "pair", "pairs"),
        duration(forecast.pairs as f64 * pair_us as f64 / 1e6),
        whole_range(forecast.half_width_elo.low, forecast.half_width_elo.high),
        grid(&columns, &forecast.differences)
    )
}

/// A range in whole numbers, or the number if both ends are.
pub(crate) fn whole_range(low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(|end| fixed(end, 0));
    if low == high { low } else { format!("{low} to {high}") }
}
