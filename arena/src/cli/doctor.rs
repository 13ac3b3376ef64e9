//! `leyden doctor`: what this machine offers to a tournament, and what it lacks.

use std::fmt::Write as _;

use leyden_arena::report::{BotLimits, LevelTried, MachineReport, Program};

use super::exit::{Code, Stop};

/// Prints the report. Finding something missing is not a failure.
pub(super) fn run(json: bool) -> Result<Code, Stop> {
    let report = MachineReport::of(&super::leyden()?, super::options::resource_limits(None));
    if json {
        return super::print_document(&report).map(|()| Code::Done);
    }
    let mut text = String::new();
    // A String takes all.
    let _ = machine(&mut text, &report);
    let _ = levels(&mut text, &report);
    let _ = limits_of_a_bot(&mut text, report.limits);
    let _ = programs(&mut text, &report.programs);
    super::print(&text)
}

fn machine(text: &mut String, report: &MachineReport) -> std::fmt::Result {
    let MachineReport { kernel, landlock, cores, .. } = report;
    let landlock = if *landlock == 0 { "none".to_owned() } else { format!("version {landlock}") };
    writeln!(text, "machine\n  kernel        {kernel}\n  Landlock      {landlock}\n  cores         {cores}")
}

fn levels(text: &mut String, report: &MachineReport) -> std::fmt::Result {
    writeln!(text, "\nsandbox levels, the best first (each tried by attacks from inside)")?;
    for tried in &report.levels {
        match tried {
            LevelTried::Passed { level } => writeln!(text, "  {level:<13} passed")?,
            LevelTried::Failed { level, reason, remedy } => {
                writeln!(text, "  {level:<13} not here: {reason}\n                to get it: {remedy}")?;
            }
            LevelTried::Untested { level, reason } => writeln!(text, "  {level:<13} untested: {reason}")?,
        }
    }
    writeln!(text, "  --sandbox auto takes {}", report.auto)
}

fn limits_of_a_bot(text: &mut String, limits: BotLimits) -> std::fmt::Result {
    let BotLimits { memory_bytes, tasks, descriptors, tmp_bytes } = limits;
    writeln!(text, "\nlimits of a bot in a sandbox")?;
    writeln!(text, "  memory        {} MB (--memory)", memory_bytes >> 20)?;
    writeln!(text, "  tasks         {tasks} processes and threads")?;
    writeln!(text, "  descriptors   {descriptors}")?;
    writeln!(text, "  /tmp          {} MB", tmp_bytes >> 20)
}

fn programs(text: &mut String, programs: &[Program]) -> std::fmt::Result {
    writeln!(text, "\ninterpreters and compilers")?;
    for Program { name, path, in_sandbox } in programs {
        let place = path.as_ref().map_or_else(|| "not found".to_owned(), |path| path.display().to_string());
        let outside = if path.is_some() && !in_sandbox {
            " (not in a sandbox, unless the bot asks and --allow-read allows it)"
        } else {
            ""
        };
        writeln!(text, "  {name:<13} {place}{outside}")?;
    }
    Ok(())
}
