//! Numbers as people read them, in English for a terminal, with an ASCII minus: decimals, signs, per cents and thousands. The functions
//! of [`Language`](crate::Language) with the same names write for pages and texts.

use fluent_bundle::FluentValue;

/// Formats a number with this many decimals; zero has no sign.
///
/// ```
/// use leyden_language::numbers::fixed;
///
/// assert_eq!([-0.04, -1.25].map(|number| fixed(number, 1)), ["0.0", "-1.2"]);
/// ```
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if is_zero(digits) => digits.to_owned(),
        _ => text,
    }
}

/// Does the same with a sign, except for zero.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    if number > 0.0 && !is_zero(&text) { format!("+{text}") } else { text }
}

/// Formats a share of one in per cent, for a column or a text that has the sign: `62.8`.
pub fn percent(share: f64, decimals: usize) -> String {
    fixed(100.0 * share, decimals)
}

/// Puts a number, as text, before its error or the half width of its interval, if that is known: `+12 ± 4`. In a sentence
/// about a width alone, the sign stands at it: `to ±10 Elo`.
pub fn plus_minus(number: String, error: Option<String>) -> String {
    match error {
        Some(error) => format!("{number} ± {error}"),
        None => number,
    }
}

/// Formats a count with narrow blanks between thousands, in every language: `12 345`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Writes a number, given in English, with a decimal comma, and with narrow blanks between thousands if it is long.
pub(crate) fn continental(english: &str) -> String {
    let (whole, decimals) = english.split_once('.').map_or((english, None), |(a, b)| (a, Some(b)));
    let is_long = whole.chars().filter(char::is_ascii_digit).count() > 4;
    let whole = if is_long { grouped(whole) } else { whole.to_owned() };
    match decimals {
        Some(decimals) => format!("{whole},{decimals}"),
        None => whole,
    }
}

/// Sets a narrow blank between thousands.
fn grouped(whole: &str) -> String {
    let digits = whole.chars().filter(char::is_ascii_digit).count();
    let mut grouped = String::new();
    let mut left = digits;
    for c in whole.chars() {
        if c.is_ascii_digit() {
            if left < digits && left.is_multiple_of(3) {
                grouped.push('\u{202f}');
            }
            left -= 1;
        }
        grouped.push(c);
    }
    grouped
}

/// Writes numbers in texts as the Continent does.
pub(crate) fn continental_value<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(continental(&number.value.to_string())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([-0.4, 0.0, -0.0, 0.4].map(|number| signed(number, 0)), ["0"; 4]);
        assert_eq!([-0.04, 0.04].map(|number| signed(number, 1)), ["0.0"; 2]);
        assert_eq!([-0.6, 0.6].map(|number| signed(number, 0)), ["-1", "+1"]);
        assert_eq!([-10.0, 10.0].map(|number| fixed(number, 0)), ["-10", "10"]);
        assert_eq!([-0.000_4, 0.25].map(|share| percent(share, 0)), ["0", "25"]);
    }

    #[test]
    fn number_without_an_error_stands_alone() {
        assert_eq!(plus_minus(signed(12.0, 0), Some(fixed(4.0, 0))), "+12 ± 4");
        assert_eq!(plus_minus(fixed(0.5, 1), None), "0.5");
    }

    #[test]
    fn thousands_are_set_apart() {
        let counts = [0, 999, 1_000, 1_234_567].map(count);
        assert_eq!(counts, ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
    }
}
