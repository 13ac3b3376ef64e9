//! Formats numbers for people.

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

/// Formats a count with a noun: 1 match, 2 matches.
pub(super) fn of(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Formats a number with its sign, a true minus: +7.5, −4.
pub(super) fn signed(number: f64, digits: usize) -> String {
    let text = fixed(number, digits);
    let is_above_zero = number > 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if is_above_zero { format!("+{text}") } else { text }
}

/// Formats a number, if negative with a true minus; zero has no sign.
fn fixed(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", number.abs());
    let is_below_zero = number < 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    if is_below_zero { format!("−{text}") } else { text }
}

/// Formats a share of one as percent: 62.8 %.
pub(crate) fn percent(share: f64, digits: usize) -> String {
    format!("{} %", fixed(share * 100.0, digits))
}

/// Formats a time in microseconds, in a suitable unit.
pub(crate) fn time(us: u64) -> String {
    match us {
        0..=999 => format!("{us} µs"),
        1_000..=9_999 => format!("{:.1} ms", us as f64 / 1e3),
        10_000..=999_999 => format!("{} ms", us / 1_000),
        _ => format!("{:.1} s", us as f64 / 1e6),
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
        assert_eq!([of(1, "match", "matches"), of(2, "match", "matches")], ["1 match", "2 matches"]);
        assert_eq!([7.46, -4.0, -0.01, 0.0].map(|n| signed(n, 1)), ["+7.5", "−4.0", "0.0", "0.0"]);
        assert_eq!([900, 3_140, 38_900, 1_500_000].map(time), ["900 µs", "3.1 ms", "38 ms", "1.5 s"]);
    }
}
