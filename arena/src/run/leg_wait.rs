//! The wait between two legs of the pairs that are open together.
//!
//! A bot that knows deals decides when a leg ends, and a process that plays the next leg can read the clock. So the next
//! leg begins after a wait that is drawn between nothing and a part of the time that this one took.
//!
//! How much that hides: a bot that can make a leg take between t and 100 t can choose among 1 + ln 100 / ln (1 + w)
//! moments that a wait of up to w times the leg cannot confuse, because each has to be 1 + w times as late as the one
//! before. The part w is chosen so that the logarithm of that is at most [`BITS`] for each of the open pairs. It is never
//! more than 1, so fewer than 30 pairs can carry up to 2.9 bits all together. Nobody who plays a few pairs waits longer than
//! [`LONGEST_OF_FEW`]; if their first legs take longer than that, each further minute is another moment: ten minutes carry
//! 4.1 bits all together.

use std::time::Duration;

use super::RunError;

/// The most that may be passed on about each pair, in bits.
const BITS: f64 = 0.1;

/// How many times as long as necessary a bot may make a leg take.
const STRETCH: f64 = 100.0;

/// The longest wait of a run with so few pairs that it is as long as the leg.
const LONGEST_OF_FEW: Duration = Duration::from_mins(1);

/// Returns the longest wait after a leg of this many pairs that took `took`.
pub(super) fn longest(took: Duration, pairs: u64) -> Duration {
    let part = part(pairs);
    if part < 1.0 { took.mul_f64(part) } else { took.min(LONGEST_OF_FEW) }
}

fn part(pairs: u64) -> f64 {
    let moments = (BITS * pairs as f64).exp2() - 1.0;
    (STRETCH.ln() / moments).exp_m1().min(1.0)
}

/// Draws the wait after a leg of this many pairs that took `took`.
pub(super) fn draw_wait(took: Duration, pairs: u64) -> Result<Duration, RunError> {
    let most = longest(took, pairs).as_nanos() as u64;
    Ok(Duration::from_nanos(drawn_below(most.max(1))?))
}

/// Draws a number below `count`, which is positive, from the operating system's randomness.
pub fn drawn_below(count: u64) -> Result<u64, RunError> {
    let number = getrandom::u64()
        .map_err(|error| RunError::Lost(format!("the system provides no random numbers: {error}")))?;
    // The bias is at most count / 2^64.
    Ok(((u128::from(number) * u128::from(count)) >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(pairs: u64) -> f64 {
        (1.0 + STRETCH.ln() / part(pairs).ln_1p()).log2()
    }

    #[test]
    fn many_pairs_leak_at_most_tenth_bit_each() {
        for pairs in [30, 64, 100, 127] {
            assert!(bits(pairs) <= BITS * pairs as f64 + 1e-9, "{pairs}: {}", bits(pairs));
        }
        assert!(bits(1) < 2.95 && bits(29) < 2.95);
    }

    #[test]
    fn wait_shrinks_when_many_pairs_are_open() {
        let second = Duration::from_secs(1);
        assert_eq!(longest(second, 1), second);
        assert_eq!(longest(100 * second, 10), LONGEST_OF_FEW);
        assert!(longest(100 * second, 30) > LONGEST_OF_FEW);
        assert!(longest(second, 64) < second / 15);
        assert!(longest(second, 127) < second / 1_000);
    }

    #[test]
    fn every_wait_up_to_the_longest_is_drawn() {
        let second = Duration::from_secs(1);
        let drawn: Vec<Duration> = (0..200).map(|_| draw_wait(second, 1).unwrap()).collect();
        assert!(drawn.iter().all(|wait| *wait < second));
        // Each quarter is missed once in 10^25 runs.
        for quarter in 0..4 {
            let within = second / 4 * quarter..second / 4 * (quarter + 1);
            assert!(drawn.iter().any(|wait| within.contains(wait)), "{quarter}");
        }
        assert_eq!(draw_wait(Duration::ZERO, 64).unwrap(), Duration::ZERO);
    }
}
