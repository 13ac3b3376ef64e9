//! Formats numbers for people.

use leyden_language::{Language, text::pages as text};

/// Says a text about a number of things, with thin blanks between thousands.
macro_rules! counted {
    ($language:expr, $topic:ident::$text:ident, $number:expr $(, $field:ident: $value:expr)* $(,)?) => {
        $language.say($topic::$text { count: $number, number: $crate::pages::words::count($number) $(, $field: $value)* })
    };
}
pub(super) use counted;

/// Formats a count with thin spaces between thousands: 12 345.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for group in digits.as_bytes()[first..].chunks(3) {
        if !text.is_empty() {
            text.push('\u{202f}');
        }
        text.extend(group.iter().map(|&digit| char::from(digit)));
    }
    text
}

/// Formats a number with its sign, a true minus: +7.5, −4.
pub(super) fn signed(language: Language, number: f64, digits: usize) -> String {
    let text = fixed(number, digits);
    let is_above_zero = number > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let text = language.number(&text);
    if is_above_zero { format!("+{text}") } else { text }
}

/// Formats a number, if negative with a true minus; zero has no sign.
fn fixed(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let is_below_zero = number < 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if is_below_zero { format!("−{text}") } else { text }
}

/// Formats a share of one as percent: 62.8 %.
pub(crate) fn percent(language: Language, share: f64, digits: usize) -> String {
    language.percent(&fixed(share * 100.0, digits))
}

/// Formats a number with this many decimals.
pub(super) fn decimal(language: Language, number: f64, digits: usize) -> String {
    language.number(&format!("{number:.digits$}"))
}

/// Formats a time in microseconds, in a suitable unit.
pub(crate) fn time(language: Language, us: u64) -> String {
    language.number(&match us {
        0..=999 => format!("{us} µs"),
        1_000..=9_999 => format!("{:.1} ms", us as f64 / 1e3),
        10_000..=999_999 => format!("{} ms", us / 1_000),
        _ => format!("{:.1} s", us as f64 / 1e6),
    })
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
    fn numbers_are_read_easily() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(count),
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
        let [english, german] = [Language::English, Language::German];
        let matches = |number: u64| counted!(english, text::CountMatches, number);
        assert_eq!([1, 2, 12_345].map(matches), ["1 match", "2 matches", "12\u{202f}345 matches"]);
        assert_eq!([7.46, -4.0, -0.01, 0.0].map(|n| signed(english, n, 1)), ["+7.5", "−4.0", "0.0", "0.0"]);
        assert_eq!(signed(german, -4.25, 1), "−4,2");
        let times = [900, 3_140, 38_900, 1_500_000].map(|us| time(english, us));
        assert_eq!(times, ["900 µs", "3.1 ms", "38 ms", "1.5 s"]);
        assert_eq!([9_000.0, 3e5].map(|seconds| duration(german, seconds)), ["2 h 30 min", "3 Tage"]);
    }
}
