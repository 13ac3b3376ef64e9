//! Formats numbers for people, and puts markup into texts.

use leyden_language::{Language, text::pages as text};
use maud::{Markup, html};

/// Says a text about a number of things, with thin blanks between thousands.
macro_rules! counted {
    ($language:expr, $topic:ident::$text:ident, $number:expr $(, $field:ident: $value:expr)* $(,)?) => {
        $language.say($topic::$text { count: $number, number: $crate::pages::words::count($number) $(, $field: $value)* })
    };
}
pub(super) use counted;

/// Stand in a text for values that are markup: [`filled`] puts it there.
pub(crate) const SLOTS: [&str; 4] = ["\u{e000}", "\u{e001}", "\u{e002}", "\u{e003}"];

/// Returns a text with markup in its slots.
pub(crate) fn filled(said: &str, parts: &[Markup]) -> Markup {
    with_class(said, parts, None)
}

/// Returns the same, with the words between the slots muted.
pub(super) fn muted_between(said: &str, parts: &[Markup]) -> Markup {
    with_class(said, parts, Some("muted"))
}

fn with_class(said: &str, parts: &[Markup], class: Option<&str>) -> Markup {
    let slot = |c: char| SLOTS.iter().position(|slot| slot.starts_with(c));
    html! {
        @for piece in said.split_inclusive(|c| slot(c).is_some()) {
            @let last = piece.chars().next_back().and_then(slot);
            @let words = piece.trim_end_matches(|c| slot(c).is_some());
            @if class.is_some() && !words.is_empty() { span class=[class] { (words) } } @else { (words) }
            @if let Some(part) = last.and_then(|slot| parts.get(slot)) { (part) }
        }
    }
}

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

    #[test]
    fn markup_stands_in_the_slots_of_a_text() {
        let [one, other] = ["a<", "b"].map(|name| html! { b { (name) } });
        let said = format!("<{} then {}", SLOTS[1], SLOTS[0]);
        assert_eq!(
            filled(&said, &[one.clone(), other.clone()]).into_string(),
            "&lt;<b>b</b> then <b>a&lt;</b>"
        );
        let muted = muted_between(&said[1..], &[one, other]).into_string();
        assert_eq!(muted, "<b>b</b><span class=\"muted\"> then </span><b>a&lt;</b>");
    }
}
