//! The progress line: how many matches, at what rate, and how long it will take.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes at a terminal, and how often a new one is written elsewhere.
const AT_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Shows progress on standard error. Silent if it was asked to be.
pub(super) struct Progress {
    total: u64,
    /// Matches that were played before this run.
    before: u64,
    played: u64,
    faults: u64,
    start: Instant,
    shown: Option<Instant>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Silent,
    /// One line that is written over.
    Line,
    /// A line now and then.
    Lines,
}

impl Progress {
    pub(super) fn new(total: u64, before: u64, quiet: bool) -> Self {
        let form = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Form::Silent,
            (false, true) => Form::Line,
            (false, false) => Form::Lines,
        };
        Self { total, before, played: 0, faults: 0, start: Instant::now(), shown: None, form }
    }

    pub(super) fn played(&mut self, faulted: bool) {
        self.played += 1;
        self.faults += u64::from(faulted);
        let every = match self.form {
            Form::Silent => return,
            Form::Line => AT_TERMINAL,
            Form::Lines => ELSEWHERE,
        };
        let due = self.shown.unwrap_or(self.start) + every;
        if Instant::now() >= due {
            self.show();
        }
    }

    fn show(&mut self) {
        self.shown = Some(Instant::now());
        let line = self.line(self.start.elapsed());
        // Standard error may be closed; the tournament goes on all the same.
        let _ = match self.form {
            Form::Line => write!(io::stderr(), "\r\x1b[K{line}"),
            _ => writeln!(io::stderr(), "{line}"),
        };
    }

    fn line(&self, elapsed: Duration) -> String {
        let done = self.before + self.played;
        let rate = self.played as f64 / elapsed.as_secs_f64().max(0.001);
        let left = (self.total - done) as f64 / rate.max(1e-9);
        let percent = done * 100 / self.total.max(1);
        let faults = match self.faults {
            0 => String::new(),
            1 => " · 1 fault".to_owned(),
            n => format!(" · {n} faults"),
        };
        format!(
            "{done} of {} matches · {percent} % · {rate:.1} matches/s · about {} left{faults}",
            self.total,
            about(left)
        )
    }

    /// Ends the line. What was played is told in a last one.
    pub(super) fn finish(self) {
        let elapsed = self.start.elapsed();
        if self.form == Form::Line && self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        if self.form != Form::Silent && self.played > 0 {
            let rate = self.played as f64 / elapsed.as_secs_f64().max(0.001);
            let took = about(elapsed.as_secs_f64());
            let matches = if self.played == 1 { "match" } else { "matches" };
            let _ = writeln!(io::stderr(), "played {} {matches} in {took} ({rate:.1} a second)", self.played);
        }
    }
}

/// A duration in the two largest units that a person would name.
fn about(seconds: f64) -> String {
    let whole = seconds.round().min(1e9) as u64;
    match whole {
        0..=99 => format!("{whole} s"),
        100..=5_999 => format!("{} min {} s", whole / 60, whole % 60),
        6_000..=172_799 => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
        _ => format!("{} days", whole / 86_400),
    }
}
