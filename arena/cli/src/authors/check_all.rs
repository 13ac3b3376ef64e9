//! `leyden check FOLDER`: all entries of a class, in one table.

use leyden_arena::check::{self, CheckReport, CheckRequest, FindingOutcome};
use leyden_arena::halt::Halt;
use leyden_arena::rerun::{NoBot, ReadyBot};
use leyden_arena::roster::{Competitor, Found};
use leyden_model::TimeLimits;

use crate::authors::one_bot::BotRunOptions;
use crate::exit::{Code, CommandError};
use crate::play::signals;
use crate::report::grid::{grid, plain, short};

/// Checks every entry, and prints a line for each. What cannot be run has failed.
pub(super) fn table(
    found: Found,
    around: &BotRunOptions,
    wishes: &dyn Fn(TimeLimits) -> CheckRequest,
    limits: TimeLimits,
) -> Result<Code, CommandError> {
    let halt = Halt::default();
    signals::halt_on_signals(&halt)?;
    let environment = around.environment(&halt)?;
    let (mut rows, mut all_passed) = (Vec::new(), true);
    let count = found.bots.len();
    for (number, bot) in found.bots.into_iter().enumerate() {
        if halt.is_called() {
            return Err(CommandError::interrupted("interrupted: not every bot was checked"));
        }
        crate::out::say(format_args!("checking {} ({} of {count})", plain(&bot.name), number + 1));
        let (name, place) = (short(&bot.name), place(&bot));
        let report = match ReadyBot::of(bot, &environment, &mut |_| ()) {
            Ok(ready) => check::check(&ready, &CheckRequest { halt: halt.clone(), ..wishes(limits) })?,
            Err(NoBot::Missing(missing)) => {
                all_passed = false;
                rows.push(unrun(name, place, &missing.to_string()));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        all_passed &= report.passed;
        rows.push(row(name, place, &report));
    }
    for missing in &found.left_out {
        all_passed = false;
        rows.push(unrun(short(missing.name()), String::new(), &missing.to_string()));
    }
    crate::out::print(&grid(
        &["bot", "submitted as", "", "passed", "failed", "notes", "first failure"],
        &[0, 1, 2, 6],
        &rows,
    ))?;
    Ok(if all_passed { Code::Done } else { Code::No })
}

fn place(bot: &Competitor) -> String {
    bot.handed_in.as_deref().map(plain).unwrap_or_default()
}

fn unrun(name: String, place: String, why: &str) -> Vec<String> {
    let none = String::new;
    vec![name, place, "cannot be run".to_owned(), none(), none(), none(), first_line(why)]
}

fn row(name: String, place: String, report: &CheckReport) -> Vec<String> {
    let count =
        |outcome| report.findings.iter().filter(|finding| finding.outcome == outcome).count().to_string();
    let failure = report.findings.iter().find(|finding| finding.outcome == FindingOutcome::Failed);
    let failure = failure.map(|finding| format!("{}: {}", finding.name, finding.problem()));
    let verdict = match (&report.overload, report.passed) {
        (Some(_), _) => "not all checked",
        (None, true) => "ready",
        (None, false) => "not ready",
    };
    vec![
        name,
        place,
        verdict.to_owned(),
        count(FindingOutcome::Passed),
        count(FindingOutcome::Failed),
        count(FindingOutcome::Noted),
        failure.as_deref().map(first_line).unwrap_or_default(),
    ]
}

/// Shortens a text to the width of a column.
fn first_line(text: &str) -> String {
    let line: String = plain(text.lines().next().unwrap_or_default());
    if line.chars().count() <= 70 { line } else { line.chars().take(69).chain(['…']).collect() }
}
