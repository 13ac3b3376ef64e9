//! The notation as a whole: every value has one spelling, everything that parses has that spelling, and no text makes
//! the parser panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use leyden_protocol::{
    Action, Arm, Double, HistoryAction, HistoryEntry, Lay, Matador, Pip, Seat, Seats, Set, Tile, TileSet,
    Version,
};
use proptest::prelude::*;

fn pips() -> impl Iterator<Item = Pip> + Clone {
    (0..).map_while(Pip::new)
}

/// Every action there is.
fn all_actions() -> Vec<Action> {
    let in_line = pips().flat_map(|a| pips().map(move |b| Lay::InLine { touching: a, end: b }));
    let across = Set::DoubleTwelve.tiles().iter().filter_map(Matador::new).map(Lay::Across);
    let lays: Vec<Lay> = in_line.chain(across).collect();
    let plays = Arm::ALL.into_iter().flat_map(|arm| lays.iter().map(move |&lay| Action::Play(arm, lay)));
    let leads = pips().map(|pip| Action::Lead(Double::new(pip)));
    leads.chain(plays).chain([Action::Draw, Action::Pass, Action::Refuse]).collect()
}

/// Every history entry there is: each action and each drawn tile, of each seat.
fn all_entries() -> Vec<HistoryEntry> {
    let events = all_actions().into_iter().map(HistoryAction::from);
    let draws = Set::DoubleTwelve.tiles().iter().map(|tile| HistoryAction::Draw(Some(tile)));
    let events: Vec<HistoryAction> = events.chain(draws).collect();
    let seats = Seats::new(8).expect("eight seats");
    seats.iter().flat_map(|seat| events.iter().map(move |&event| HistoryEntry { seat, event })).collect()
}

/// What parses is spelled as it would be written.
fn canonical<T: FromStr + Display>(text: &str) -> bool {
    text.parse::<T>().map_or(true, |value| value.to_string() == text)
}

fn both_ways<T>(values: &[T])
where
    T: FromStr + Display + Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned,
    T::Err: Debug,
{
    for value in values {
        let text = value.to_string();
        assert_eq!(text.parse::<T>().expect("its own spelling"), *value);
        let json = serde_json::to_string(value).expect("a value");
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<T>(&json).expect("its own spelling"), *value);
    }
}

#[test]
fn everything_is_read_back_as_it_was_written() {
    both_ways(&all_actions());
    both_ways(&all_entries());
    both_ways(&Set::DoubleTwelve.tiles().iter().collect::<Vec<Tile>>());
}

#[test]
fn actions_never_share_a_spelling() {
    let mut texts: Vec<String> = all_actions().iter().map(ToString::to_string).collect();
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), all);
}

#[test]
fn refused_text_is_shown_but_shortened() {
    let error = "x".repeat(1000).parse::<Action>().expect_err("no action").to_string();
    assert!(error.contains("lead:3-3") && error.contains("xxx") && error.len() < 250, "{error}");
    let error = "ä".repeat(1000).parse::<Action>().expect_err("no action").to_string();
    assert!(error.contains("ää"), "{error}");
}

#[test]
fn every_short_text_is_canonical_or_refused() {
    // All texts of the letters that occur in it, up to the length of `N:1-2`.
    let letters = ["N", "S", ":", "-", "|", "0", "1", "2", "5", " "];
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..5 {
        let to = texts.len();
        for i in from..to {
            texts.extend(letters.iter().map(|letter| format!("{}{letter}", texts[i])).collect::<Vec<_>>());
        }
        from = to;
    }
    let read = texts.iter().filter(|text| text.parse::<Action>().is_ok()).count();
    // Two arms: four halves on either side of `-`, and 2|5.
    assert_eq!(read, 2 * (4 * 4 + 1));
    assert!(texts.iter().all(|text| canonical::<Action>(text) && canonical::<Tile>(text)));
}

/// Texts close to the notation: its pieces in any order, with letters changed, left out or doubled.
fn almost() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("lead:".to_owned()),
        Just("draw".to_owned()),
        Just("draw:".to_owned()),
        Just("pass".to_owned()),
        Just("refuse".to_owned()),
        "[NESWnx]:?",
        "[0-9]{1,3}",
        "[-|: +.,]",
        "[0-9]{1,2}[-|][0-9]{1,2}",
        "\\PC",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn changed() -> impl Strategy<Value = String> {
    let texts: Vec<String> = all_entries().iter().map(ToString::to_string).collect();
    (prop::sample::select(texts), 0_usize..13, any::<char>(), 0..3).prop_map(|(text, at, letter, how)| {
        let mut letters: Vec<char> = text.chars().collect();
        let at = at.min(letters.len());
        match how {
            0 => letters.insert(at, letter),
            1 if at < letters.len() => letters[at] = letter,
            _ if at < letters.len() => drop(letters.remove(at)),
            _ => {}
        }
        letters.into_iter().collect()
    })
}

fn read_canonically(text: &str) -> Result<(), TestCaseError> {
    prop_assert!(canonical::<Action>(text), "{:?} as an action", text);
    prop_assert!(canonical::<HistoryEntry>(text), "{:?} as an entry", text);
    prop_assert!(canonical::<Tile>(text), "{:?} as a tile", text);
    let json = serde_json::to_string(text).expect("a text");
    prop_assert_eq!(serde_json::from_str::<Action>(&json).is_ok(), text.parse::<Action>().is_ok());
    prop_assert_eq!(
        serde_json::from_str::<HistoryEntry>(&json).is_ok(),
        text.parse::<HistoryEntry>().is_ok()
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_canonical_or_refused(text in any::<String>()) {
        read_canonically(&text)?;
        let _ = text.parse::<Version>();
    }

    #[test]
    fn text_near_the_notation_is_canonical_or_refused(text in almost()) {
        read_canonically(&text)?;
    }

    #[test]
    fn changed_letter_never_gives_a_second_spelling(text in changed()) {
        read_canonically(&text)?;
    }

    #[test]
    fn bytes_of_any_kind_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = serde_json::from_slice::<Action>(&bytes);
        let _ = serde_json::from_slice::<leyden_protocol::FromBot<'_>>(&bytes);
        let _ = serde_json::from_slice::<TileSet>(&bytes);
        let _ = serde_json::from_slice::<Seat>(&bytes);
        let _ = leyden_protocol::printable(&bytes, 20);
    }
}
