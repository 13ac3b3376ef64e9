//! `leyden doctor`: what this machine offers to a tournament, and what it lacks.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use leyden_host::preflight::{self, Outcome};
use leyden_host::sandbox::{Level, Machine, system_files};
use leyden_host::{ResourceLimits, platform};

use super::exit::{Code, Stop};

/// What the sample bots are written in.
const INTERPRETERS: [&str; 7] = ["python3", "node", "java", "perl", "sh", "cc", "c++"];

/// Prints the report. Finding something missing is not a failure.
pub(super) fn run() -> Result<Code, Stop> {
    let leyden = super::leyden()?;
    let limits = super::sandbox::limits(None);
    let mut text = String::new();
    let _ = machine(&mut text);
    let _ = levels(&mut text, &leyden, limits);
    let _ = limits_of_a_bot(&mut text, limits);
    let _ = interpreters(&mut text);
    super::print(&text)
}

fn machine(text: &mut String) -> std::fmt::Result {
    let Machine { kernel, landlock } = Machine::this();
    let landlock = if landlock == 0 { "none".to_owned() } else { format!("version {landlock}") };
    writeln!(text, "machine\n  kernel        {kernel}\n  Landlock      {landlock}")?;
    writeln!(text, "  cores         {}", platform::allowed_cores().len())
}

fn levels(text: &mut String, leyden: &Path, limits: ResourceLimits) -> std::fmt::Result {
    writeln!(text, "\nsandbox levels, the best first (each tried by attacks from inside)")?;
    let mut best = Level::None;
    for finding in preflight::examine(leyden, limits) {
        let level = finding.level;
        match finding.outcome {
            Outcome::Passed => {
                best = best.max(level);
                writeln!(text, "  {level:<13} passed")?;
            }
            Outcome::Failed { reason, remedy } => {
                writeln!(text, "  {level:<13} not here: {reason}\n                to get it: {remedy}")?;
            }
            Outcome::Untested { reason } => writeln!(text, "  {level:<13} untested: {reason}")?,
        }
    }
    writeln!(text, "  --sandbox auto takes {best}")
}

fn limits_of_a_bot(text: &mut String, limits: ResourceLimits) -> std::fmt::Result {
    let ResourceLimits { memory, tasks, descriptors, scratch } = limits;
    writeln!(text, "\nlimits of a bot in a sandbox")?;
    writeln!(text, "  memory        {} MB (--memory)", memory >> 20)?;
    writeln!(text, "  tasks         {tasks} processes and threads")?;
    writeln!(text, "  descriptors   {descriptors}")?;
    writeln!(text, "  /tmp          {} MB", scratch >> 20)
}

fn interpreters(text: &mut String) -> std::fmt::Result {
    writeln!(text, "\ninterpreters and compilers")?;
    let search = std::env::var_os("PATH").unwrap_or_default();
    for name in INTERPRETERS {
        let inside = find(name, system_files::SEARCH.as_ref());
        match (inside, find(name, &search)) {
            (Some(path), _) => writeln!(text, "  {name:<13} {}", path.display())?,
            (None, Some(path)) => writeln!(
                text,
                "  {name:<13} {} (not in a sandbox, unless the bot asks and --allow-read allows it)",
                path.display()
            )?,
            (None, None) => writeln!(text, "  {name:<13} not found")?,
        }
    }
    Ok(())
}

fn find(name: &str, search: &std::ffi::OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|place| place.join(name)).find(|path| path.is_file())
}
