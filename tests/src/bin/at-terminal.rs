//! A shell with one job: runs a program in the foreground of a terminal, and continues it when it was stopped.
//!
//! `at-terminal TERMINAL PAUSE PROGRAM ARG…`: becomes the leader of a session on that terminal, starts the program in its own
//! process group, and continues it PAUSE milliseconds after it is stopped. Writes `[stopped]` and `[continued]` to the
//! terminal, and finally `[code N]` or `[signal N]`.
#![allow(clippy::print_stderr, reason = "a command line program")]

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(terminal), Some(pause), Some(program)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: at-terminal TERMINAL PAUSE PROGRAM ARG…");
        return ExitCode::from(2);
    };
    match run(&terminal, &pause, &program, arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("at-terminal: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(
    terminal: &OsString,
    pause: &OsString,
    program: &OsString,
    arguments: impl Iterator<Item = OsString>,
) -> std::io::Result<()> {
    let pause = pause.to_str().and_then(|text| text.parse().ok()).unwrap_or(0);
    rustix::process::setsid()?;
    // The first terminal that a session's leader opens becomes the session's.
    let terminal = File::options().read(true).write(true).open(terminal)?;
    let mut job = Command::new(program);
    job.args(arguments).process_group(0).stdin(terminal.try_clone()?);
    job.stdout(terminal.try_clone()?).stderr(Stdio::from(terminal.try_clone()?));
    let job = job.spawn()?;
    let Some(pid) = Pid::from_raw(job.id().cast_signed()) else { return Ok(()) };
    rustix::termios::tcsetpgrp(&terminal, pid)?;
    while let Some((_, status)) = rustix::process::waitpid(Some(pid), WaitOptions::UNTRACED)? {
        let said = if status.stopped() {
            "[stopped]".to_owned()
        } else if let Some(code) = status.exit_status() {
            format!("[code {code}]")
        } else {
            format!("[signal {}]", status.terminating_signal().unwrap_or(0))
        };
        say(&terminal, &said)?;
        if !status.stopped() {
            return Ok(());
        }
        sleep(Duration::from_millis(pause));
        say(&terminal, "[continued]")?;
        rustix::process::kill_process_group(pid, Signal::CONT)?;
    }
    Ok(())
}

/// Writes from the background, which a terminal allows unless it is set otherwise.
fn say(mut terminal: &File, text: &str) -> std::io::Result<()> {
    std::io::Write::write_all(&mut terminal, format!("\r\n{text}\r\n").as_bytes())
}
