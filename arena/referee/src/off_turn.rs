//! How much processor time a bot uses while it is not its turn, and how much is too much.
//!
//! Two bots share a core, so a bot that computes while the other one thinks takes the other one's time. The rule: in a
//! match, counted from the end of the process's last one, a bot's process may use [`allowance`] off turn. Beyond that
//! it is stopped whenever it is not its turn, from then on.
//!
//! Looking costs system calls, for which matches of quick bots have no time. So the arena looks only at the end of a
//! period of a [`MOMENT`] or more, be it a turn or a pause, and every few milliseconds while another bot thinks. The
//! time used in shorter turns is assumed to be at most their length, on all cores. So everything counted was certainly
//! used off turn, and what is missing is at most the length of the turns and pauses shorter than a moment.

use std::time::Duration;

use leyden_model::TimeLimits;

/// The shortest period that is worth a look at its end.
pub(super) const MOMENT: Duration = Duration::from_millis(1);

/// What a bot may use in one go after a signal stopped it: until all its threads stand still, and again when they
/// continue.
pub(super) const SETTLING: Duration = Duration::from_millis(10);

/// The same after it was frozen: until all its threads have left the kernel. Giving back all the memory that it may have
/// takes that long.
pub(super) const LONGEST_CALL: Duration = Duration::from_millis(50);

/// The minimum that a bot may use off turn, however short the turns are: an interpreter's clean-up needs that much.
const LEAST: Duration = Duration::from_millis(2);

/// The maximum that a bot may use off turn, however long the turns are.
const MOST: Duration = Duration::from_millis(100);

/// What all opponents of a bot together may use, as a fraction of its time for a decision. They are noticed after at
/// most as long again, so a bot that needs three quarters of its limit has them, for limits of 16 ms or more.
const PART: u32 = 8;

/// Returns what a bot may use off turn in a match at a table with this many seats before it is stopped.
pub(super) fn allowance(limits: &TimeLimits, seats: usize) -> Duration {
    let opponents = seats.saturating_sub(1).max(1) as u32;
    (limits.turn() / (PART * opponents)).clamp(LEAST, MOST)
}

/// The time that one process used off turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OffTurn {
    /// The total it had used when it was last looked at.
    seen: Duration,
    /// How much of what it has used since may have been on turn.
    short_turns: Duration,
    used: Duration,
}

impl OffTurn {
    /// Starts counting for a process that has used this much until now.
    pub(super) fn begin(seen: Duration) -> Self {
        Self { seen, ..Self::default() }
    }

    /// Records the end of a turn that was too short to look: the process may have used this much in it.
    pub(super) fn short_turn(&mut self, at_most: Duration) {
        self.short_turns += at_most;
    }

    /// Records that the process has used this much in total, of it at most `on_turn` in a turn that has just ended.
    pub(super) fn look(&mut self, cpu: Duration, on_turn: Duration) {
        let since = cpu.saturating_sub(self.seen);
        self.used += since.saturating_sub(on_turn + self.short_turns);
        (self.seen, self.short_turns) = (cpu, Duration::ZERO);
    }

    /// Returns the total it had used when it was last looked at.
    pub(super) fn seen(&self) -> Duration {
        self.seen
    }

    /// Returns what it has used off turn since this was last taken.
    pub(super) fn used(&self) -> Duration {
        self.used
    }

    /// The same, and starts counting again.
    pub(super) fn take(&mut self) -> Duration {
        std::mem::take(&mut self.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn processor_time_outside_turns_counts_as_off_turn() {
        let mut off = OffTurn::begin(millis(50));
        off.look(millis(53), Duration::ZERO); // a pause: all of it
        assert_eq!(off.used(), millis(3));
        off.look(millis(73), millis(20)); // a turn of 20 ms
        assert_eq!(off.used(), millis(3));
        off.look(millis(75), millis(20)); // a turn that was spent waiting
        assert_eq!(off.used(), millis(3));
        off.look(millis(105), millis(20)); // 30 ms, of which a turn of 20 can have held 20
        assert_eq!((off.take(), off.used()), (millis(13), Duration::ZERO));
    }

    #[test]
    fn short_turns_get_the_benefit_of_the_doubt() {
        let mut off = OffTurn::begin(Duration::ZERO);
        for _ in 0..4 {
            off.short_turn(Duration::from_micros(500));
        }
        off.look(millis(3), Duration::ZERO);
        assert_eq!(off.used(), millis(1));
        off.look(millis(5), Duration::ZERO);
        assert_eq!(off.used(), millis(3));
    }

    #[test]
    fn opponents_and_delay_leave_three_quarters_of_limit() {
        for (turn_ms, seats) in [(16, 2), (100, 2), (1_000, 2), (60_000, 2), (1_000, 8)] {
            let limits = TimeLimits { turn_ms, ..TimeLimits::default() };
            let each = allowance(&limits, seats);
            let look = each.min(leyden_host::CHECK_INTERVAL);
            let lost = each * (seats as u32 - 1) + look;
            assert!(lost <= limits.turn() / 4, "{lost:?} of {turn_ms} ms with {seats} seats");
        }
    }
}
