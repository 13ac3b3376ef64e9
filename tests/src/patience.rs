//! How long a test waits for something that nothing announces.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// The most that a look and the pause before it count. A machine without time for the test has none for the awaited event
/// either.
const LONGEST: Duration = Duration::from_millis(50);

/// A budget of waiting time in which this process runs; time in which the machine stood still does not count.
#[derive(Debug)]
pub struct Patience {
    left: Duration,
    looked: Instant,
}

impl Patience {
    pub fn new(limit: Duration) -> Self {
        Self { left: limit, looked: Instant::now() }
    }

    /// Waits a moment before the next look; false once the budget is used up.
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
        let mut patience = Patience::new(Duration::from_millis(100));
        assert!(patience.waits());
        sleep(Duration::from_millis(200)); // nobody looked
        assert!(patience.waits(), "{patience:?}");
        while patience.waits() {}
    }
}
