//! `leyden doctor`: what this machine offers to a tournament, and what it lacks.

use std::fmt::Write as _;

use leyden_arena::report::{BotLimits, Fairness, LevelReport, MachineReport, Program};
use leyden_host::ResourceLimits;
use leyden_model::SandboxLevel;

use crate::exit::{Code, CommandError};

/// Prints the report. Something missing is not a failure.
pub(crate) fn run(json: bool) -> Result<Code, CommandError> {
    let report = MachineReport::new(&crate::program::leyden()?, ResourceLimits::default());
    if json {
        return crate::out::print_document(&report).map(|()| Code::Done);
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = machine(&mut text, &report);
    let _ = fairness(&mut text, &report.fairness);
    let _ = levels(&mut text, &report);
    let _ = limits_of_a_bot(&mut text, report.limits, report.auto);
    let _ = programs(&mut text, &report.programs);
    crate::out::print(&text)
}

fn machine(text: &mut String, report: &MachineReport) -> std::fmt::Result {
    let MachineReport { kernel, landlock, cores, .. } = report;
    let landlock = if *landlock == 0 { "none".to_owned() } else { format!("version {landlock}") };
    writeln!(text, "machine\n  kernel        {kernel}\n  Landlock      {landlock}\n  cores         {cores}")
}

fn fairness(text: &mut String, looks: &[Fairness]) -> std::fmt::Result {
    writeln!(text, "\nwhether equal computations take equal times")?;
    if looks.is_empty() {
        return writeln!(text, "  the machine does not report it");
    }
    for Fairness { what, found, remedy } in looks {
        writeln!(text, "  {:<13} {found}", what.name())?;
        if let Some(remedy) = remedy {
            writeln!(text, "                to change it: {remedy}")?;
        }
    }
    Ok(())
}

fn levels(text: &mut String, report: &MachineReport) -> std::fmt::Result {
    writeln!(text, "\nsandbox levels, the best first (each tested by attacks from inside)")?;
    for tried in &report.levels {
        match tried {
            LevelReport::Passed { level } => writeln!(text, "  {level:<13} passed")?,
            LevelReport::Failed { level, reason, remedy } => {
                writeln!(text, "  {level:<13} unavailable: {reason}\n                to get it: {remedy}")?;
            }
            LevelReport::Untested { level, reason } => writeln!(text, "  {level:<13} untested: {reason}")?,
        }
    }
    writeln!(text, "  --sandbox auto takes {}", report.auto)?;
    match left_open(report.auto) {
        Some(open) => writeln!(text, "  there {open}"),
        None => Ok(()),
    }
}

/// Returns what a bot can still do at a level but not at the best one.
fn left_open(level: SandboxLevel) -> Option<&'static str> {
    match level {
        SandboxLevel::Full => None,
        SandboxLevel::Jail => Some(
            "a bot can exceed its memory limit by using several processes, and also use the kernel's memory: a bot that \
            takes too much can slow down or kill others",
        ),
        SandboxLevel::Restrict => Some(
            "a bot can exceed its memory limit by using several processes, and also use the kernel's memory; it sees that \
            other processes exist, and unless root runs the arena, all bots share one limit of processes",
        ),
        SandboxLevel::None => Some("a bot may do everything that you may: play only bots that you trust"),
    }
}

fn limits_of_a_bot(text: &mut String, limits: BotLimits, level: SandboxLevel) -> std::fmt::Result {
    let BotLimits { memory_bytes, tasks, descriptors, tmp_bytes } = limits;
    writeln!(text, "\nlimits of a bot in a sandbox")?;
    let of = if level == SandboxLevel::Full {
        "all processes of the bot together"
    } else {
        "each process of the bot"
    };
    writeln!(text, "  memory        {} MB for {of} (--memory)", memory_bytes >> 20)?;
    writeln!(text, "  tasks         {tasks} processes and threads")?;
    writeln!(text, "  descriptors   {descriptors}")?;
    writeln!(text, "  /tmp          {} MB", tmp_bytes >> 20)
}

fn programs(text: &mut String, programs: &[Program]) -> std::fmt::Result {
    writeln!(text, "\ninterpreters and compilers")?;
    for Program { name, path, in_sandbox } in programs {
        let path_text =
            path.as_ref().map_or_else(|| "not found".to_owned(), |path| path.display().to_string());
        let outside = if path.is_some() && !in_sandbox {
            " (not in a sandbox, unless the bot asks and --allow-read allows it)"
        } else {
            ""
        };
        writeln!(text, "  {name:<13} {path_text}{outside}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctor_warns_if_level_cannot_cap_total_memory() {
        let limits = BotLimits { memory_bytes: 512 << 20, tasks: 128, descriptors: 9, tmp_bytes: 64 << 20 };
        let text_of = |auto| {
            let programs = Vec::new();
            let report = MachineReport {
                v: 1,
                kernel: String::new(),
                landlock: 0,
                cores: 1,
                fairness: Vec::new(),
                levels: Vec::new(),
                auto,
                limits,
                programs,
            };
            let mut text = String::new();
            levels(&mut text, &report).and_then(|()| limits_of_a_bot(&mut text, limits, auto)).unwrap();
            text
        };
        let full = text_of(SandboxLevel::Full);
        assert!(full.contains("512 MB for all processes of the bot together (--memory)"), "{full}");
        assert!(!full.contains("can exceed"), "{full}");
        for level in [SandboxLevel::Jail, SandboxLevel::Restrict] {
            let text = text_of(level);
            assert!(text.contains("512 MB for each process of the bot (--memory)"), "{text}");
            assert!(text.contains("can exceed its memory limit by using several processes"), "{text}");
        }
    }
}
