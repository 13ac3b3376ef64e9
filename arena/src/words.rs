//! Formats counts and durations for people. Knows nothing else.

/// Formats a count: 1 match, 2 matches.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a duration in seconds, in its two largest units.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round().clamp(0.0, 1e9) as u64;
    match whole {
        0..=99 => format!("{whole} s"),
        100..=5_999 => format!("{} min {} s", whole / 60, whole % 60),
        6_000..=172_799 => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
        _ => format!("{} days", whole / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_would_say_so() {
        assert_eq!([1, 2].map(|count| counted(count, "match", "matches")), ["1 match", "2 matches"]);
        assert_eq!([40.2, 130.0, 9_000.0, -1.0].map(duration), ["40 s", "2 min 10 s", "2 h 30 min", "0 s"]);
        assert_eq!(duration(f64::INFINITY), "11574 days");
    }
}
