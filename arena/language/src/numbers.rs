//! Numbers as the Continent writes them.

use fluent_bundle::FluentValue;

/// Writes a number, given in English, with a decimal comma, and with narrow blanks between thousands if it is long.
pub(crate) fn continental(english: &str) -> String {
    let (whole, decimals) = english.split_once('.').map_or((english, None), |(a, b)| (a, Some(b)));
    let digits = whole.chars().filter(char::is_ascii_digit).count();
    let mut written = String::new();
    let mut left = digits;
    for c in whole.chars() {
        if c.is_ascii_digit() {
            if digits > 4 && left < digits && left.is_multiple_of(3) {
                written.push('\u{202f}');
            }
            left -= 1;
        }
        written.push(c);
    }
    match decimals {
        Some(decimals) => format!("{written},{decimals}"),
        None => written,
    }
}

/// Does the same with numbers in texts.
pub(crate) fn continental_value<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(continental(&number.value.to_string())),
        _ => None,
    }
}
