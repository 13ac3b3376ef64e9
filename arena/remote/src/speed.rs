//! Measures how fast a machine is: a fixed piece of work, timed by the processor time of one thread.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// How many numbers are sorted and looked up.
const NUMBERS: usize = 1 << 16;

/// How often the work is repeated; the best time counts, because disturbances only make it longer.
const TIMES: u32 = 5;

/// The pause between two repetitions, so that one disturbance does not affect them all.
const PAUSE: Duration = Duration::from_millis(40);

/// Speeds are rounded to this many hundredths, so that two machines of the same kind count as equally fast.
const STEP: u32 = 5;

/// As fast as the director.
pub(super) const SAME: u32 = 100;

/// The allowed speed of a worker, in hundredths of the director's speed.
pub(super) const RANGE: std::ops::RangeInclusive<u32> = 50..=200;

/// Returns the units of work per second of a thread's processor time, in hundredths.
pub(super) fn measure() -> u32 {
    let after_a_pause = (1..TIMES).map(|_| {
        std::thread::sleep(PAUSE);
        once()
    });
    let best = std::iter::once(once()).chain(after_a_pause).min().unwrap_or_default();
    let second = Duration::from_secs(1).as_micros();
    u32::try_from(second * 100 / best.as_micros().max(1)).unwrap_or(u32::MAX)
}

/// Returns the speed of a worker, in hundredths of the director's speed.
pub(super) fn relative(worker: u32, here: u32) -> u32 {
    let exact = u64::from(worker) * 100 / u64::from(here.max(1));
    let steps = (exact + u64::from(STEP) / 2) / u64::from(STEP);
    u32::try_from(steps * u64::from(STEP)).unwrap_or(u32::MAX)
}

/// Converts a time limit to a machine of this speed.
pub(super) fn scaled(millis: u64, speed: u32) -> u64 {
    (millis * 100).div_ceil(u64::from(speed.max(1)))
}

fn once() -> Duration {
    let start = thread_time();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut numbers: Vec<u64> = (0..NUMBERS)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
        .collect();
    let chosen: Vec<u64> = numbers.iter().step_by(3).copied().collect();
    numbers.sort_unstable();
    let found = chosen.iter().filter(|number| numbers.binary_search(number).is_ok()).count();
    black_box(found);
    thread_time().saturating_sub(start)
}

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_of_similar_speed_get_the_same_limits() {
        for (worker, here, speed, limit) in [
            (1000, 1000, 100, 1000),
            (1020, 1000, 100, 1000),
            (500, 1000, 50, 2000),
            (2000, 1000, 200, 500),
            (1100, 1000, 110, 910),
        ] {
            assert_eq!(relative(worker, here), speed);
            assert_eq!(scaled(1000, speed), limit);
        }
        assert!(!RANGE.contains(&relative(470, 1000)) && !RANGE.contains(&relative(2100, 1000)));
        assert!(measure() > 0);
    }
}
