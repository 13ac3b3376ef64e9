//! The progress of a run on standard error: how many matches, at what rate, how long it will take, and what went wrong.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use leyden_arena::run::{Delivery, Subscription};
use leyden_language::numbers::fixed;
use leyden_model::DisabledBot;
use leyden_model::RunEvent;
use leyden_model::event::MatchVoid;
use leyden_model::words::{counted, duration};

use crate::exit::CommandError;
use crate::out;
use crate::program::resume_command;
use crate::report::grid::plain;

/// How often the line changes at a terminal, and how often a new one is written elsewhere.
const AT_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(10);

/// When the first line is written elsewhere: early, because it says how long the run will take.
const FIRST: Duration = Duration::from_secs(3);

/// After how many matches the whole duration is estimated: the first ones include the start of their bots.
const TIMED: u64 = 8;

/// A run that takes at least this long is forecast.
const LONG: Duration = Duration::from_mins(1);

/// A progress line on standard error. Silent if requested.
pub(crate) struct ProgressLine {
    start: Instant,
    shown: Option<Instant>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Silent,
    /// One line that is overwritten.
    Line,
    /// A new line now and then.
    Lines,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> Self {
        let form = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Form::Silent,
            (false, true) => Form::Line,
            (false, false) => Form::Lines,
        };
        Self { start: Instant::now(), shown: None, form }
    }

    /// Returns how long the line has existed.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows a text if the last one has been shown long enough.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        let every = match self.form {
            Form::Silent => return,
            Form::Line => AT_TERMINAL,
            Form::Lines if self.shown.is_none() => FIRST,
            Form::Lines => ELSEWHERE,
        };
        if Instant::now() < self.shown.unwrap_or(self.start) + every {
            return;
        }
        self.shown = Some(Instant::now());
        match self.form {
            Form::Line => out::overwrite(&text()),
            Form::Lines | Form::Silent => out::say(format_args!("{}", text())),
        }
    }

    /// Prints a lasting line, above one that is overwritten. Elsewhere every line lasts, and the first one already says what this
    /// would.
    fn say(&mut self, text: &str) {
        if self.form == Form::Line {
            out::say(format_args!("{text}"));
        }
    }

    /// Removes an overwritten line; a last text stays.
    pub(crate) fn finish(self, text: Option<String>) {
        if self.form == Form::Line && self.shown.is_some() {
            out::clear();
        }
        if let Some(text) = text.filter(|_| self.form != Form::Silent) {
            out::say(format_args!("{text}"));
        }
    }
}

/// Shows how many matches have been played, from a thread of its own.
pub(crate) struct ProgressDisplay(JoinHandle<()>);

#[derive(Default)]
struct ProgressCounts {
    total: u64,
    /// Matches that were played before this run.
    before: u64,
    played: u64,
    faults: u64,
}

impl ProgressDisplay {
    pub(crate) fn start(
        mut events: Subscription,
        results: PathBuf,
        quiet: bool,
    ) -> Result<Self, CommandError> {
        let show = move || {
            let (mut counts, mut line) = (ProgressCounts::default(), ProgressLine::new(quiet));
            let mut is_forecast = false;
            while let Some(delivery) = events.wait() {
                match &delivery {
                    Delivery::Event(event) => {
                        counts.note(event);
                        say_what_went_wrong(event, &results);
                    }
                    // Most events are ends of matches; the last event corrects the number.
                    Delivery::Missed(missed) => counts.played += missed,
                }
                let elapsed = line.elapsed();
                if !is_forecast && elapsed >= FIRST && counts.played >= TIMED {
                    is_forecast = true;
                    counts.forecast(elapsed).into_iter().for_each(|text| line.say(&text));
                }
                line.show(|| counts.text(elapsed));
            }
            let elapsed = line.elapsed();
            line.finish(counts.summary(elapsed));
        };
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(show);
        thread.map(Self).map_err(CommandError::from_system)
    }

    /// Ends the line once the run is over, with a last one about what was played.
    pub(crate) fn finish(self) {
        drop(self.0.join());
    }
}

/// Reports that a match is void or a bot is no longer started. A match that is void with its pair was reported with it.
pub(crate) fn say_what_went_wrong(event: &RunEvent, results: &Path) {
    match event {
        RunEvent::Start(_)
        | RunEvent::Stage(_)
        | RunEvent::Move { .. }
        | RunEvent::Match { .. }
        | RunEvent::Void(MatchVoid { with_its_pair: true, .. })
        | RunEvent::End(_) => {}
        RunEvent::Void(MatchVoid { reason, defect, .. }) if defect.is_empty() => {
            out::say(format_args!("a match is void: {reason}"));
        }
        RunEvent::Void(MatchVoid { reason, .. }) => out::say(format_args!(
            "a match is void, and its pair with it: {reason}\nPlease report this. To play the pair again, on the same \
             deals:\n  {}",
            resume_command(results)
        )),
        RunEvent::Disabled(DisabledBot { bot, failures, code, details }) => {
            let what = details.summary();
            out::say(format_args!(
                "{} is no longer started after {failures} start failures in a row; its other matches count as lost. \
                 The last failure: {code}: {}",
                plain(bot),
                plain(&what)
            ));
        }
    }
}

impl ProgressCounts {
    fn note(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Start(start) => (self.total, self.before) = (start.matches, start.done),
            RunEvent::Stage(stage) => self.total = stage.matches,
            RunEvent::Match { record, .. } => {
                self.played += 1;
                self.faults += u64::from(record.fault.is_some());
            }
            RunEvent::End(end) => self.played = end.played,
            RunEvent::Move { .. } | RunEvent::Void(_) | RunEvent::Disabled(_) => {}
        }
    }

    /// Returns what was played, if anything was.
    fn summary(&self, elapsed: Duration) -> Option<String> {
        let played = self.played;
        (played > 0).then(|| {
            let rate = played as f64 / elapsed.as_secs_f64().max(0.001);
            let took = duration(elapsed.as_secs_f64());
            let matches = counted(played, "match", "matches");
            format!("played {matches} in {took} ({} a second)", fixed(rate, 1))
        })
    }

    fn text(&self, elapsed: Duration) -> String {
        let done = self.before + self.played;
        let pace = match self.pace(elapsed) {
            Some((rate, left)) => format!(" · {} matches/s · about {} left", fixed(rate, 1), duration(left)),
            None if done == 0 => " · no match has ended yet".to_owned(),
            None => String::new(),
        };
        let percent = done * 100 / self.total.max(1);
        let faults = match self.faults {
            0 => String::new(),
            faults => format!(" · {}", counted(faults, "fault", "faults")),
        };
        format!("{done} of {} · {percent} %{pace}{faults}", counted(self.total, "match", "matches"))
    }

    /// Returns how many matches end in a second, and in how many seconds all will have ended, if known.
    fn pace(&self, elapsed: Duration) -> Option<(f64, f64)> {
        let rate = self.played as f64 / elapsed.as_secs_f64().max(0.001);
        let left = self.total.saturating_sub(self.before + self.played) as f64;
        is_enough(self.played, elapsed).then_some((rate, left / rate))
    }

    /// Returns how long the run will take, estimated from the matches timed so far, if that is long.
    fn forecast(&self, elapsed: Duration) -> Option<String> {
        let (_, left) = self.pace(elapsed).filter(|(_, left)| *left >= LONG.as_secs_f64())?;
        let more = self.total.saturating_sub(self.before + self.played);
        let timed = self.played;
        Some(format!(
            "{}: about {}, estimated from the first {timed}",
            counted(more, "more match", "more matches"),
            duration(left)
        ))
    }
}

/// Returns whether the matches that have ended show how fast the others will: many did, or they took long.
fn is_enough(ended: u64, elapsed: Duration) -> bool {
    ended >= TIMED || ended > 0 && elapsed >= LONG
}

/// Returns the rate of a gate and how long its remaining pairs take at most, also limited by `end` if it has one; empty as long as
/// nothing is known.
pub(crate) fn pace((done, most): (u64, u64), elapsed: Duration, end: Option<Duration>) -> String {
    let seconds = elapsed.as_secs_f64();
    let matches = done * 2;
    if !is_enough(matches, elapsed) || seconds < 1.0 {
        return String::new();
    }
    let rate = done as f64 / seconds;
    let left = most.saturating_sub(done) as f64 / rate;
    let left = end.map_or(left, |end| left.min(end.saturating_sub(elapsed).as_secs_f64()));
    format!(" · {} pairs/s · at most {} left", fixed(rate, 1), duration(left))
}

/// Returns how long the rest takes at the same rate; empty as long as nothing is known.
pub(crate) fn left(done: u64, all: u64, elapsed: Duration) -> String {
    if done == 0 {
        return String::new();
    }
    let each = elapsed.as_secs_f64() / done as f64;
    format!(", about {} left", duration(each * all.saturating_sub(done) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(total: u64, before: u64, played: u64) -> ProgressCounts {
        ProgressCounts { total, before, played, faults: 0 }
    }

    #[test]
    fn remaining_time_follows_from_timed_matches() {
        let (counts, elapsed) = (counts(12_000, 0, 40), Duration::from_secs(40));
        assert_eq!(
            counts.forecast(elapsed).unwrap(),
            "11960 more matches: about 3 h 19 min, estimated from the first 40"
        );
        assert!(counts.text(elapsed).contains("1.0 matches/s · about 3 h 19 min left"));
    }

    #[test]
    fn rate_ignores_matches_played_before_resuming() {
        let counts = counts(140, 100, 20);
        assert!(counts.text(Duration::from_secs(10)).contains("2.0 matches/s · about 10 s left"));
        assert_eq!(counts.forecast(Duration::from_secs(10)), None, "it is short");
    }

    #[test]
    fn rate_needs_several_matches_or_enough_time() {
        let (soon, later) = (Duration::from_secs(3), Duration::from_secs(90));
        let resumed = counts(300, 57, 1);
        assert_eq!(resumed.text(soon), "58 of 300 matches · 19 %");
        assert_eq!(resumed.text(later), "58 of 300 matches · 19 % · 0.0 matches/s · about 6 h 3 min left");
        assert_eq!(
            counts(300, 57, 8).text(soon),
            "65 of 300 matches · 21 % · 2.7 matches/s · about 88 s left"
        );
        assert_eq!(counts(300, 57, 0).text(later), "57 of 300 matches · 19 %");
        assert_eq!(pace((1, 5_000), soon, None), "");
        assert_eq!(pace((9, 5_000), soon, None), " · 3.0 pairs/s · at most 27 min 44 s left");
    }

    #[test]
    fn time_left_never_exceeds_the_time_limit() {
        let elapsed = Duration::from_secs(10);
        let pace_until = |end| pace((20, 5_000), elapsed, end);
        assert_eq!(pace_until(None), " · 2.0 pairs/s · at most 41 min 30 s left");
        assert_eq!(pace_until(Some(Duration::from_mins(1))), " · 2.0 pairs/s · at most 50 s left");
        assert_eq!(pace_until(Some(Duration::from_hours(9))), pace_until(None));
        assert_eq!(pace_until(Some(Duration::from_secs(9))), " · 2.0 pairs/s · at most 0 s left");
    }

    #[test]
    fn forecast_is_absent_until_a_match_ends() {
        let counts = counts(1_000, 0, 0);
        assert!(counts.text(Duration::from_secs(10)).contains("no match has ended yet"));
        assert_eq!(counts.forecast(Duration::from_secs(10)), None);
    }
}
