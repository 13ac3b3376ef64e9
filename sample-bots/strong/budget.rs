//! How long to think.

use std::time::Duration;

use leyden_protocol::Clock;

/// When to stop thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// After a fixed number of playouts, so that the same seed plays the same match.
    Playouts,
    /// After this much time, however much was done in it.
    Time(Duration),
}

/// What one decision may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// How many rounds are played out.
    pub(crate) playouts: u32,
    /// How many deals of the unseen tiles are weighed.
    pub(crate) worlds: usize,
    /// The time after which the best action so far has to do.
    pub(crate) time: Duration,
    /// Whether all of the time is to be used.
    uses_all_time: bool,
}

/// The shortest turn with enough time for all the work; in a shorter turn there is proportionally less of it.
const SHORTEST_FULL_TURN_MS: u64 = 40;

/// Playouts per deal that is weighed; and how many deals are weighed for ten milliseconds of thinking, and at most.
const PLAYOUTS_PER_WORLD: u32 = 4;
const WORLDS_PER_10_MS: u128 = 600;
const MAX_WORLDS: u128 = 6_000;

impl Effort {
    /// What a decision may cost with this clock.
    ///
    /// A fixed number of playouts stops at a quarter of the turn: the rest is a reserve for a busy machine. A fixed time may take half
    /// of the turn, and a tenth of the bank on top, which keeps a bank with increments at about its level.
    pub(crate) fn budget(self, playouts: u32, clock: Clock) -> Budget {
        let turn = Duration::from_millis(clock.turn_ms);
        match self {
            Self::Playouts => {
                let part = clock.turn_ms.min(SHORTEST_FULL_TURN_MS);
                let playouts = (u64::from(playouts) * part / SHORTEST_FULL_TURN_MS).max(1) as u32;
                let worlds = playouts.div_ceil(PLAYOUTS_PER_WORLD) as usize;
                Budget { playouts, worlds, time: turn / 4, uses_all_time: false }
            }
            Self::Time(requested) => {
                let time = requested.min(turn / 2 + Duration::from_millis(clock.bank_ms) / 10);
                let worlds = (WORLDS_PER_10_MS * time.as_micros() / 10_000).clamp(1, MAX_WORLDS) as usize;
                Budget { playouts: u32::MAX, worlds, time, uses_all_time: true }
            }
        }
    }
}

impl Budget {
    /// When a heat has to end, counted from the start of the decision.
    pub(crate) fn heat_deadline(&self, heat: u32, heats: u32) -> Duration {
        if self.uses_all_time { self.time * heat.min(heats) / heats } else { self.time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(turn_ms: u64, bank_ms: u64) -> Clock {
        Clock { turn_ms, bank_ms, last_us: None }
    }

    #[test]
    fn work_fits_quarter_turn_and_shrinks_when_short() {
        let work = |turn_ms| Effort::Playouts.budget(2_400, clock(turn_ms, 60_000));
        assert_eq!(work(1_000).playouts, 2_400);
        assert_eq!(work(20).playouts, 1_200);
        assert_eq!(work(0).playouts, 1);
        assert_eq!(work(1_000).time, Duration::from_millis(250));
        assert_eq!(work(1_000).heat_deadline(1, 3), work(1_000).time);
    }

    #[test]
    fn time_stays_within_half_turn_plus_bank_tenth() {
        let time = |requested, turn_ms, bank_ms| {
            Effort::Time(Duration::from_millis(requested)).budget(1, clock(turn_ms, bank_ms)).time.as_millis()
        };
        assert_eq!(time(50, 1_000, 0), 50);
        assert_eq!(time(5_000, 1_000, 0), 500);
        assert_eq!(time(5_000, 1_000, 20_000), 2_500);
        let thinking = Effort::Time(Duration::from_millis(90)).budget(1, clock(1_000, 0));
        assert_eq!(thinking.heat_deadline(2, 3).as_millis(), 60);
        assert_eq!(thinking.heat_deadline(3, 3).as_millis(), 90);
    }
}
