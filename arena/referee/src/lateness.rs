//! Who had the processors while the arena itself was late: a bot that keeps the arena from them has no claim to a new match,
//! or to time that is not charged.
//!
//! The arena plans each of its looks at its clock. If one comes late, the processors were used by something else from the
//! planned moment on. The bot's part of that is assumed to be its part of the whole time since the last look. One thread
//! of a bot has no more than half beside any other program; [`MOST_OF_IT`] takes several, or an idle machine. Where other
//! programs take a part of the processors as well, all of it is the bot's if its threads took turns while the arena waited.

use std::time::Duration;

use tokio::time::Instant;

use super::overload::TOO_LATE;

/// Delays up to this are the timer's own granularity.
const COARSENESS: Duration = Duration::from_millis(5);

/// From this part of the arena's lateness on, a bot is to blame for it.
const MOST_OF_IT: f64 = 0.75;

/// More than this much processor time, for each core of the match, is had by a bot while the arena waits for a processor only if
/// several of its threads take turns: one thread has a turn of a few milliseconds.
const TURN: Duration = Duration::from_millis(20);

/// The looks of one decision.
#[derive(Debug)]
pub(super) struct LateLooks {
    cores: f64,
    /// The last look, and the processor time that the bot had used by then.
    last: (Instant, Duration),
    /// When the next look is planned.
    due: Instant,
    late: Duration,
    own: Duration,
}

impl LateLooks {
    /// Begins when the bot, which has used `used` so far, is asked; the first look is planned `first` later.
    pub(super) fn begin(now: Instant, used: Duration, first: Duration, cores: usize) -> Self {
        Self {
            cores: cores as f64,
            last: (now, used),
            due: now + first,
            late: Duration::ZERO,
            own: Duration::ZERO,
        }
    }

    /// Whether a look at this moment is late, so that it is worth knowing what the bot has used.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.due) > COARSENESS
    }

    /// Records a late look, at which the bot has used `used`. `waited` is how long the arena wanted to run since the last one, and
    /// had no processor.
    pub(super) fn late(&mut self, now: Instant, used: Duration, waited: Duration) {
        let late = now.saturating_duration_since(self.due);
        let passed = now.saturating_duration_since(self.last.0).as_secs_f64() * self.cores;
        let used_since = used.saturating_sub(self.last.1);
        let part = used_since.as_secs_f64() / passed.max(f64::MIN_POSITIVE);
        // What it may have used before the look was due.
        let before = self.due.saturating_duration_since(self.last.0);
        let is_crowd = used_since > (before + TURN).mul_f64(self.cores) && waited >= late.mul_f64(MOST_OF_IT);
        self.late += late;
        self.own += if is_crowd { late } else { late.mul_f64(part.min(1.0)) };
        self.last = (now, used);
    }

    /// Plans the next look.
    pub(super) fn plan(&mut self, next: Instant) {
        self.due = next;
    }

    /// How late the arena was, and how much of that was the bot's doing; `None` unless that was most of it, and enough to
    /// matter.
    pub(super) fn blame(&self) -> Option<(Duration, Duration)> {
        let is_its_own = self.late >= TOO_LATE && self.own >= self.late.mul_f64(MOST_OF_IT);
        is_its_own.then_some((self.late, self.own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    /// Looks planned every 25 ms, at these moments, with what the bot has used by then.
    fn looks(cores: usize, seen: &[(u64, u64)]) -> LateLooks {
        with_waits(0, cores, seen)
    }

    /// The same if the arena wanted to run for so long before each look.
    fn with_waits(waited: u64, cores: usize, seen: &[(u64, u64)]) -> LateLooks {
        let start = Instant::now();
        let mut looks = LateLooks::begin(start, millis(7), millis(25), cores);
        for &(at, used) in seen {
            let now = start + millis(at);
            if looks.is_late(now) {
                looks.late(now, millis(7 + used), millis(waited));
            }
            looks.plan(now + millis(25));
        }
        looks
    }

    #[test]
    fn bot_is_to_blame_only_for_holding_processors() {
        // Many threads for 850 ms, which then rest.
        let crowd = looks(1, &[(400, 399), (850, 845), (875, 845), (1_000, 845)]);
        assert!(crowd.blame().is_some(), "{crowd:?}");
        // One thread beside another program, and beside many.
        assert_eq!(looks(1, &[(200, 100), (400, 200)]).blame(), None);
        assert_eq!(looks(1, &[(500, 20), (1_000, 40)]).blame(), None);
        // The machine stood still.
        assert_eq!(looks(1, &[(900, 5)]).blame(), None);
        // On two cores, of which it had one.
        assert_eq!(looks(2, &[(400, 400)]).blame(), None);
        assert!(looks(2, &[(400, 790)]).blame().is_some());
    }

    #[test]
    fn threads_taking_turns_are_blamed_beside_other_programs() {
        let part = [(400, 80), (800, 160)];
        assert_eq!(with_waits(375, 1, &part).blame(), Some((millis(750), millis(750))));
        assert_eq!(with_waits(375, 2, &part).blame(), None, "one turn on each core");
        // The arena did not want to run: it was stopped.
        assert_eq!(with_waits(200, 1, &part).blame(), None);
        // One thread that had its turn.
        assert_eq!(with_waits(375, 1, &[(400, 40), (800, 80)]).blame(), None);
    }

    #[test]
    fn looks_in_time_blame_nobody() {
        assert_eq!(looks(1, &[(25, 25), (52, 52), (80, 80)]).blame(), None);
        // One slice of the scheduler.
        assert_eq!(looks(1, &[(45, 45), (72, 72)]).blame(), None);
    }
}
