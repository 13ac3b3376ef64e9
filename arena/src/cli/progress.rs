//! The progress line: how many matches, at what rate, and how long it will take.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes at a terminal, and how often a new one is written elsewhere.
const AT_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// A line on standard error that tells how far something is. Silent if it was asked to be.
pub(super) struct Line {
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

impl Line {
    pub(super) fn new(quiet: bool) -> Self {
        let form = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Form::Silent,
            (false, true) => Form::Line,
            (false, false) => Form::Lines,
        };
        Self { start: Instant::now(), shown: None, form }
    }

    /// How long it has been there.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows a text if the last one has been there long enough.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let every = match self.form {
            Form::Silent => return,
            Form::Line => AT_TERMINAL,
            Form::Lines => ELSEWHERE,
        };
        if Instant::now() < self.shown.unwrap_or(self.start) + every {
            return;
        }
        self.shown = Some(Instant::now());
        // Standard error may be closed; the tournament goes on all the same.
        let _ = match self.form {
            Form::Line => write!(io::stderr(), "\r\x1b[K{}", text()),
            _ => writeln!(io::stderr(), "{}", text()),
        };
    }

    /// Takes the line away where it is written over; a last text stays.
    pub(super) fn finish(self, text: Option<String>) {
        if self.form == Form::Line && self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        if let Some(text) = text.filter(|_| self.form != Form::Silent) {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}

/// Shows how many matches are played.
pub(super) struct Progress {
    counts: Counts,
    line: Line,
}

struct Counts {
    total: u64,
    /// Matches that were played before this run.
    before: u64,
    played: u64,
    faults: u64,
}

impl Progress {
    pub(super) fn new(total: u64, before: u64, quiet: bool) -> Self {
        Self { counts: Counts { total, before, played: 0, faults: 0 }, line: Line::new(quiet) }
    }

    pub(super) fn played(&mut self, faulted: bool) {
        self.counts.played += 1;
        self.counts.faults += u64::from(faulted);
        let elapsed = self.line.elapsed();
        self.line.show(|| self.counts.text(elapsed));
    }

    /// Ends the line. What was played is told in a last one.
    pub(super) fn finish(self) {
        let elapsed = self.line.elapsed();
        let played = self.counts.played;
        let text = (played > 0).then(|| {
            let rate = played as f64 / elapsed.as_secs_f64().max(0.001);
            let took = about(elapsed.as_secs_f64());
            let matches = if played == 1 { "match" } else { "matches" };
            format!("played {played} {matches} in {took} ({rate:.1} a second)")
        });
        self.line.finish(text);
    }
}

impl Counts {
    fn text(&self, elapsed: Duration) -> String {
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
