//! Texts in which some values are markup.

use leyden_protocol::MAX_SEATS;
use maud::{Markup, html};

/// Stand in a text for values that are put there later, markup for example: as many as a table has seats.
pub(crate) const SLOTS: [&str; MAX_SEATS] =
    ["\u{e000}", "\u{e001}", "\u{e002}", "\u{e003}", "\u{e004}", "\u{e005}", "\u{e006}", "\u{e007}"];

/// Returns the words of a text, and the number of the slot after them if there is one.
pub(crate) fn pieces(said: &str) -> Vec<(&str, Option<usize>)> {
    let slot = |c: char| SLOTS.iter().position(|slot| slot.starts_with(c));
    let piece = |piece: &'_ str| -> (usize, Option<usize>) {
        let last = piece.chars().next_back().and_then(|c| Some((c.len_utf8(), slot(c)?)));
        last.map_or((piece.len(), None), |(length, slot)| (piece.len() - length, Some(slot)))
    };
    let all = said.split_inclusive(|c| slot(c).is_some());
    all.map(|each| (each, piece(each))).map(|(each, (end, slot))| (&each[..end], slot)).collect()
}

/// Returns a text with markup in its slots.
pub(crate) fn filled(said: &str, parts: &[Markup]) -> Markup {
    html! {
        @for (words, slot) in pieces(said) {
            (words) @if let Some(part) = slot.and_then(|slot| parts.get(slot)) { (part) }
        }
    }
}

/// Returns the same, with the words between the slots muted.
pub(crate) fn muted_between(said: &str, parts: &[Markup]) -> Markup {
    html! {
        @for (words, slot) in pieces(said) {
            @if !words.is_empty() { span class="muted" { (words) } }
            @if let Some(part) = slot.and_then(|slot| parts.get(slot)) { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
