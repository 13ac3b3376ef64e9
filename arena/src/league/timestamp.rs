//! Moments as they are kept in files, in RFC 3339.

use std::time::{Duration, SystemTime};

pub(super) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Whether less than this has passed since. A moment to come, after the clock was set back, is young.
pub(super) fn is_younger(at: &str, age: Duration) -> bool {
    humantime::parse_rfc3339(at).is_ok_and(|at| at.elapsed().unwrap_or_default() < age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_young_until_their_time_has_passed() {
        let hour = Duration::from_hours(1);
        assert!(is_younger(&now(), hour) && is_younger("2999-01-01T00:00:00Z", hour));
        assert!(!is_younger("2020-01-01T00:00:00Z", hour) && !is_younger("yesterday", hour));
    }
}
