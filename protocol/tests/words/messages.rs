//! Messages and versions, written and read back, their fields in the order that the protocol page shows.

use leyden_protocol::{FromBot, MatchEnd, MatchEnding, PerSeat, ToBot, Turn, Version, push_line};
use proptest::prelude::*;
use serde_json::Value;

use crate::strategies;

proptest! {
    #[test]
    fn message_to_bot_is_read_as_written(message in strategies::to_bot()) {
        let mut line = Vec::new();
        push_line(&mut line, &message);
        prop_assert_eq!(line.pop(), Some(b'\n'));
        assert!(!line.contains(&b'\n') && line.starts_with(b"{\"type\":\""));
        prop_assert_eq!(&serde_json::from_slice::<ToBot<'_>>(&line).unwrap(), &message);
        // Through a tree of values, as a bot in another language might do it: the fields are in another order.
        let tree: Value = serde_json::from_slice(&line).unwrap();
        let reordered = tree.to_string();
        prop_assert_eq!(&serde_json::from_str::<ToBot<'_>>(&reordered).unwrap(), &message);
    }

    #[test]
    fn message_from_bot_is_read_as_written(message in strategies::from_bot()) {
        let mut line = Vec::new();
        push_line(&mut line, &message);
        prop_assert_eq!(&serde_json::from_slice::<FromBot<'_>>(&line).unwrap(), &message);
    }

    #[test]
    fn turn_is_its_view_and_the_conversation(turn in strategies::turn()) {
        let again = Turn::new(turn.id, &turn.match_id, turn.view(), turn.clock);
        prop_assert_eq!(again, turn.clone());
    }

    #[test]
    fn version_is_read_as_it_is_written(version in strategies::version()) {
        prop_assert_eq!(version.to_string().parse(), Ok(version));
    }

    #[test]
    fn version_error_shows_the_refused_text(text in "[0-9. a-z+-]{0,12}") {
        if let Err(error) = text.parse::<Version>() {
            assert!(error.to_string().contains(&format!("{text:?}")));
        }
    }
}

#[test]
fn version_is_major_dot_minor_only() {
    assert_eq!("1.2".parse(), Ok(leyden_protocol::VERSION));
    assert_eq!("2.11".parse(), Ok(Version { major: 2, minor: 11 }));
    for text in
        ["", "1", "1.", ".0", "1.0.0", "v1.0", "1,0", "+1.0", "-1.0", " 1.0", "1.0 ", "4294967296.0", "１.０"]
    {
        assert!(text.parse::<Version>().is_err(), "{text:?}");
    }
}

#[test]
fn absent_winner_and_fault_are_written_as_null() {
    let end = MatchEnd {
        match_id: "m".into(),
        scores: PerSeat::from_list(vec![104, 104]).unwrap(),
        winner: None,
        end: MatchEnding::Target,
        fault: None,
    };
    let json = serde_json::to_string(&ToBot::MatchEnd(end)).unwrap();
    let expected =
        r#"{"type":"match_end","match":"m","scores":[104,104],"winner":null,"end":"target","fault":null}"#;
    assert_eq!(json, expected);
}
