//! Says texts about counts and spans of time.

use leyden_language::{Language, text::pages as text};

/// Says a text about a number of things, with thin blanks between thousands.
macro_rules! counted {
    ($language:expr, $topic:ident::$text:ident, $number:expr $(, $field:ident: $value:expr)* $(,)?) => {
        $language.say($topic::$text { count: $number, number: leyden_language::numbers::count($number) $(, $field: $value)* })
    };
}
pub(super) use counted;

/// Formats a time in microseconds, roughly, in a suitable unit.
pub(crate) fn time(language: Language, us: u64) -> String {
    language.number(&leyden_model::words::rough_duration(us))
}

/// Formats a duration in seconds, in its two largest units.
pub(super) fn duration(language: Language, seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    if seconds.round() < 2.0 * DAY {
        language.number(&leyden_model::words::duration(seconds))
    } else {
        counted!(language, text::CountDays, (seconds.round() / DAY) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_counts_and_times_follow_the_language() {
        let matches = |number: u64| counted!(Language::English, text::CountMatches, number);
        assert_eq!([1, 2, 12_345].map(matches), ["1 match", "2 matches", "12\u{202f}345 matches"]);
        assert_eq!(time(Language::German, 3_140), "3,1 ms");
        assert_eq!(
            [9_000.0, 3e5].map(|seconds| duration(Language::German, seconds)),
            ["2 h 30 min", "3 Tage"]
        );
    }
}
