//! The texts that the scripts of pages show. They put values where their names stand in braces, and choose between
//! texts about one thing and about several, as the language does.

use std::collections::BTreeMap;

use leyden_language::Language;
use leyden_language::text::{matches, pages};

/// The texts of `pages.js`, by the names that it knows them by.
pub(super) fn for_pages(language: Language) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("against", language.say(pages::RowAgainstColumn { row: "{row}", column: "{column}" })),
        ("oneTile", language.say(pages::CountTiles { count: 1_u8, number: "{count}" })),
        ("tiles", language.say(pages::CountTiles { count: 2_u8, number: "{count}" })),
        ("updated", language.say(pages::LiveUpdated { seconds: "{seconds}" })),
        ("noConnection", language.say(pages::NoConnection)),
        ("unreadable", language.say(pages::Unreadable)),
        ("over", language.say(pages::Over)),
    ])
}

/// The texts of `matches-list.js`.
pub(super) fn for_list(language: Language) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("oneMatch", language.say(pages::CountMatches { count: 1_u8, number: "{count}" })),
        ("matches", language.say(pages::CountMatches { count: 2_u8, number: "{count}" })),
        ("page", language.say(matches::PageOf { page: "{page}", pages: "{pages}" })),
    ])
}
