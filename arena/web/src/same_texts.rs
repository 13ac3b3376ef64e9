//! For tests: which texts of a page are the same in another language.

use std::collections::BTreeSet;

use leyden_language::Language;

/// Attributes that people read or hear.
const READ: [&str; 5] =
    [" aria-label=\"", " title=\"", " placeholder=\"", " data-texts=\"", " aria-roledescription=\""];

/// What is the same in English and in both others, or is a name here.
const SAME: [&str; 15] = [
    "Leyden", "Arena", "Bot", "bot", "cup", "Rust", "leyden", "µs", "ms", "s", "min", "BH", "BH-C1", "SB",
    "a test",
];

/// What is the same in English and in one of them.
const SAME_IN: [(Language, &[&str]); 2] = [
    (Language::German, &["Block", "Countdown", "Pause"]),
    (Language::French, &["Score", "score", "Points", "points", "Actions", "match", "Pause"]),
];

/// Every text of a page, between its tags and in its attributes; what is preformatted was written by others, or is a command.
pub(crate) fn texts(page: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        all.insert(before.trim().to_owned());
        let (tag, after) = after.split_once('>').unwrap();
        for attribute in READ {
            if let Some((_, value)) = tag.split_once(attribute) {
                let value = value.split('"').next().unwrap().replace("&quot;", "\"");
                all.extend(value.split('"').skip(3).step_by(4).map(str::to_owned)); // of the texts of scripts
                if !value.starts_with('{') {
                    all.insert(value);
                }
            }
        }
        rest =
            if ["pre", "code", "style"].contains(&tag) { &after[after.find("</").unwrap()..] } else { after };
    }
    all
}

/// Whether a text is a name, a number, a code, a mark or for an author, and so the same in this language.
fn may_be_same(text: &str, language: Language) -> bool {
    let is_same = |text: &str| {
        SAME.contains(&text) || SAME_IN.iter().any(|(of, words)| *of == language && words.contains(&text))
    };
    let is_mark = |word: &str| {
        word.starts_with("bot-")
            || word.starts_with('R') && word[1..].bytes().all(|byte| byte.is_ascii_digit())
            || word.chars().filter(|c| c.is_alphabetic()).count() < 2
            || leyden_protocol::FaultCode::ALL.iter().any(|code| code.as_str() == word)
            || word.len() >= 8 && word.chars().any(|c| c.is_ascii_digit())
            || word.contains('.')
    };
    let mut words = text.split([' ', '\u{202f}', '\u{a0}', ',', ':', '{', '}', '(', ')', '·', '❚']);
    is_same(text)
        || text.contains("expected an action, got")
        || words.all(|word| is_same(word) || is_mark(word))
}

/// Fails if a page in another language has a text of the English one.
#[track_caller]
pub(crate) fn assert_nothing_is_kept(
    english: &BTreeSet<String>,
    other: &BTreeSet<String>,
    language: Language,
) {
    let kept: Vec<&String> =
        english.intersection(other).filter(|text| !may_be_same(text, language)).collect();
    assert!(kept.is_empty(), "{language}: {kept:#?}");
}
