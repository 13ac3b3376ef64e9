//! Counts and durations in English, as the arena's own messages have them. Decimals, signs and per cents are in
//! `leyden_language::numbers`.

use std::fmt::Display;

/// Formats a count with its noun.
///
/// ```
/// use leyden_model::words::counted;
///
/// assert_eq!([1, 2].map(|count| counted(count, "match", "matches")), ["1 match", "2 matches"]);
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", plural(number, one, many))
}

/// Returns the word that goes with this many: is or are.
pub fn plural<'w, N: Copy + PartialEq + From<u8>>(number: N, one: &'w str, many: &'w str) -> &'w str {
    if number == N::from(1) { one } else { many }
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

/// Formats how long a decision took, in microseconds, in a suitable unit.
pub fn took(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

/// Formats roughly how long something took, in microseconds, for columns and summaries.
pub fn rough_duration(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..10_000 => format!("{:.1} ms", us as f64 / 1e3),
        10_000..1_000_000 => format!("{} ms", us / 1_000),
        _ => format!("{:.1} s", us as f64 / 1e6),
    }
}

/// Formats how long a decision took, in microseconds, for a column of milliseconds.
pub fn millis(us: u64) -> String {
    let ms = us as f64 / 1e3;
    match us {
        0..10_000 => format!("{ms:.2}"),
        10_000..100_000 => format!("{ms:.1}"),
        _ => format!("{ms:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_durations_are_read_easily() {
        assert_eq!(
            [0_u64, 1, 2].map(|count| counted(count, "match", "matches")),
            ["0 matches", "1 match", "2 matches"]
        );
        assert_eq!([1_usize, 2].map(|count| plural(count, "is", "are")), ["is", "are"]);
        assert_eq!([40.2, 130.0, 9_000.0, -1.0].map(duration), ["40 s", "2 min 10 s", "2 h 30 min", "0 s"]);
        assert_eq!(duration(f64::INFINITY), "11574 days");
        let times = [900, 3_140, 38_900, 1_500_000];
        assert_eq!(times.map(took), ["900 µs", "3.1 ms", "38.9 ms", "1.50 s"]);
        assert_eq!(times.map(rough_duration), ["900 µs", "3.1 ms", "38 ms", "1.5 s"]);
        assert_eq!(times.map(millis), ["0.90", "3.14", "38.9", "1500"]);
    }
}
