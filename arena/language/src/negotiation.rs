//! Which language somebody wants.

use std::cmp::Reverse;

use crate::Language;

impl Language {
    /// Returns the language of the environment: of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set. English for one that
    /// the arena does not speak.
    pub fn from_environment() -> Self {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.is_empty());
        set.and_then(|locale| Self::from_tag(&locale)).unwrap_or_default()
    }

    /// Returns the language that a browser likes best, by its header `Accept-Language`. English if it likes none of ours.
    pub fn negotiate(accept_language: &str) -> Self {
        let mut liked: Vec<(u16, &str)> = accept_language.split(',').filter_map(liking).collect();
        liked.sort_by_key(|&(weight, _)| Reverse(weight));
        liked.into_iter().find_map(|(_, tag)| Self::from_tag(tag)).unwrap_or_default()
    }

    /// Reads a tag (`de-AT`) or a locale (`de_AT.UTF-8`).
    fn from_tag(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_', '.', '@']).next()?.to_ascii_lowercase();
        language.parse().ok()
    }
}

/// Reads one item of the header: its weight in thousandths, and the language; `None` if it is refused.
fn liking(item: &str) -> Option<(u16, &str)> {
    let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
    let weight: f32 = weight.trim().strip_prefix("q=")?.parse().ok()?;
    (weight > 0.0 && weight <= 1.0).then_some(((weight * 1_000.0) as u16, tag.trim()))
}
