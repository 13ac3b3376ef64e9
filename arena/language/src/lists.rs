//! Lists as each language writes them.

use crate::Language;
use crate::text::lists::{And, Or};

impl Language {
    /// Lists things that belong together: `a`, `a and b`, `a, b and c`.
    pub fn all<T: ToString>(self, items: impl IntoIterator<Item = T>) -> String {
        listed(items, |before, last| self.say(And { before, last }))
    }

    /// Lists alternatives: `a`, `a or b`, `a, b or c`.
    pub fn any<T: ToString>(self, items: impl IntoIterator<Item = T>) -> String {
        listed(items, |before, last| self.say(Or { before, last }))
    }
}

fn listed<T: ToString>(
    items: impl IntoIterator<Item = T>,
    joined: impl FnOnce(&str, &str) -> String,
) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => joined(&before.join(", "), last),
    }
}
