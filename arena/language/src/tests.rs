use std::collections::BTreeSet;
use std::path::Path;

use super::*;
use crate::text::SOURCES;

/// Returns all words in the sources of the workspace, apart from this crate.
fn words_in_sources() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("arena"), root.join("tests")];
    let mut words = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("language") && !path.ends_with("target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = std::fs::read_to_string(path).unwrap();
                let is_part = |c: char| !(c.is_alphanumeric() || c == '_');
                words.extend(source.split(is_part).map(str::to_owned));
            }
        }
    }
    words
}

#[test]
fn every_text_is_used_somewhere() {
    let mut words = words_in_sources();
    words.extend(["And", "Or"].map(str::to_owned)); // by the lists of this crate
    let keys = SOURCES.iter().flat_map(|languages| languages[0].lines()).filter_map(|line| {
        let (key, _) = line.split_once('=')?;
        key.starts_with(|c: char| c.is_ascii_lowercase()).then(|| key.trim())
    });
    let in_camel_case = |key: &str| {
        let parts = key.split('-').map(|part| part[..1].to_uppercase() + &part[1..]);
        parts.collect::<String>()
    };
    let unsaid: Vec<&str> = keys.filter(|key| !words.contains(&in_camel_case(key))).collect();
    assert!(unsaid.is_empty(), "nothing says {unsaid:?}");
}

#[test]
fn numbers_are_written_as_the_language_does() {
    let written = |number| Language::ALL.map(|language| language.number(number));
    assert_eq!(written("1234.5 ms"), ["1234.5 ms", "1234,5 ms", "1234,5 ms"]);
    assert_eq!(written("-1234567"), ["-1234567", "-1\u{202f}234\u{202f}567", "-1\u{202f}234\u{202f}567"]);
    let said = |language: Language| language.say(text::narrate::Tiles { count: 12_345_u32 });
    assert_eq!(Language::ALL.map(said), ["12345 tiles", "12\u{202f}345 Steine", "12\u{202f}345 dominos"]);
}

#[test]
fn plurals_and_lists_follow_the_language() {
    let said = |count: u32| Language::ALL.map(|language| language.say(text::narrate::Tiles { count }));
    assert_eq!(said(1), ["1 tile", "1 Stein", "1 domino"]);
    assert_eq!(said(0), ["0 tiles", "0 Steine", "0 domino"]);
    let held = text::play::TilesAndPips { count: 1_u32, pips: 1_u32 };
    assert_eq!(
        Language::ALL.map(|language| language.say(held)),
        ["1 tile · 1 pip", "1 Stein · 1 Auge", "1 domino · 1 point"]
    );
    let listed = Language::ALL.map(|language| language.all(["a", "b", "c"]));
    assert_eq!(listed, ["a, b and c", "a, b und c", "a, b et c"]);
    assert_eq!(Language::French.any(["a"]), "a");
}

#[test]
fn french_punctuation_does_not_begin_a_line() {
    let hint = Language::French.say(text::narrate::HintLead);
    assert!(hint.contains("l’entame\u{a0}: pose"), "{hint}");
}

#[test]
fn browsers_get_the_language_they_like_best() {
    for (header, language) in [
        ("de-AT,de;q=0.9,en;q=0.8", Language::German),
        ("en;q=0.2, fr-CA;q=0.7, de;q=0", Language::French),
        ("it,es;q=0.9,fr;q=0.1", Language::French),
        ("da, *;q=0.5", Language::English),
        ("", Language::English),
        ("de;q=NaN,,;;q=2, fr", Language::French),
        ("EN-gb", Language::English),
    ] {
        assert_eq!(Language::negotiate(header), language, "{header}");
    }
}
