//! How long a test waits for what nothing tells of.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often is looked.
const PAUSE: Duration = Duration::from_millis(5);

/// What a look and the pause before it count at most. A machine that has no time for the test has none for what is waited
/// for either.
const LONGEST: Duration = Duration::from_millis(50);

/// Time in which this process runs, to be waited away: the time in which the machine stood still does not count.
#[derive(Debug)]
pub struct Patience {
    left: Duration,
    looked: Instant,
}

impl Patience {
    pub fn of(limit: Duration) -> Self {
        Self { left: limit, looked: Instant::now() }
    }

    /// Waits a moment before the next look; false once the patience is at an end.
    pub fn waits(&mut self) -> bool {
        if self.left.is_zero() {
            return false;
        }
        sleep(PAUSE);
        self.left = self.left.saturating_sub(self.looked.elapsed().min(LONGEST));
        self.looked = Instant::now();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_stood_still_does_not_count() {
        let mut patience = Patience::of(Duration::from_millis(100));
        assert!(patience.waits());
        sleep(Duration::from_millis(200)); // nobody looked
        assert!(patience.waits(), "{patience:?}");
        while patience.waits() {}
    }
}
