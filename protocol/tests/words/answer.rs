//! What a bot may write, and what it may not.

use std::borrow::Cow;

use leyden_protocol::{BotLine, FromBot, MalformedLineError, Note, WrittenNote, read_answer};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::strategies;

pub(crate) fn action(line: &str) -> (Option<u64>, String, Option<Note>) {
    match read_answer(line.as_bytes()) {
        Ok(BotLine::Action { id, action, note }) => {
            (id.whole(), action.into_owned(), note.map(|note| note.kept()))
        }
        other => panic!("{line}: {other:?}"),
    }
}

pub(crate) fn malformed(line: impl AsRef<[u8]>) -> MalformedLineError {
    match read_answer(line.as_ref()) {
        Err(malformed) => malformed,
        Ok(read) => panic!("{:?} is {read:?}", String::from_utf8_lossy(line.as_ref())),
    }
}

#[test]
fn plain_answer_is_read_without_a_copy() {
    let line = br#"{"type":"action","id":17,"action":"N:4-1"}"#;
    let Ok(BotLine::Action { id, action, note }) = read_answer(line) else { panic!() };
    assert!(id.is(17) && !id.is(1));
    assert!(matches!(action, Cow::Borrowed("N:4-1")));
    assert_eq!(note, None);
}

#[test]
fn ready_line_is_read_with_any_version() {
    let line = br#"{"type":"ready","protocol":"1.0","name":"my-bot","version":"3"}"#;
    let ready = BotLine::Ready { protocol: "1.0".into(), name: "my-bot".into(), version: Some("3".into()) };
    assert_eq!(read_answer(line), Ok(ready));
    let line = br#"{"type":"ready","protocol":"one","name":"","version":null}"#;
    let ready = BotLine::Ready { protocol: "one".into(), name: "".into(), version: None };
    assert_eq!(read_answer(line), Ok(ready), "the handshake checks the version");
}

#[test]
fn json_has_many_spellings() {
    let plain = (Some(17), "N:4-1".to_owned(), None);
    for line in [
        "{\"type\":\"action\",\"id\":17,\"action\":\"N:4-1\"}\r\n",
        " \t{ \"type\" : \"action\" ,\t\"id\" : 17 , \"action\" : \"N:4-1\" } \t\r",
        r#"{"action":"N:4-1","id":17,"type":"action"}"#,
        r#"{"\u0061ction":"\u004E:4\u002d1","i\u0064":17,"type":"a\u0063tion"}"#,
        r#"{"type":"action","id":17.0,"action":"N:4-1"}"#,
        r#"{"type":"action","id":1.7e1,"action":"N:4-1"}"#,
        r#"{"type":"action","id":1700E-2,"action":"N:4-1"}"#,
        r#"{"type":"action","id":17,"action":"N:4-1","note":null}"#,
        r#"{"type":"action","id":17,"action":"N:4-1","note":["not","a","text"]}"#,
        r#"{"type":"action","id":17,"action":"N:4-1","eval":-0.25e+3,"pv":[[],{},[{"a":[1,"]}"]}]],"x":true,"x":false}"#,
        r#"{"type":"action","id":17,"action":"N:4-1","name":17,"version":{}}"#,
    ] {
        assert_eq!(action(line), plain, "{line}");
    }
}

#[test]
fn number_that_is_no_id_is_still_read() {
    for id in ["-17", "17.5", "1e400", "-1e400", "18446744073709551616", "1e19", "9007199254740993.0"] {
        assert_eq!(action(&format!(r#"{{"type":"action","id":{id},"action":"draw"}}"#)).0, None, "{id}");
    }
    assert_eq!(action(r#"{"type":"action","id":1e-999,"action":"draw"}"#).0, Some(0));
    assert_eq!(action(r#"{"type":"action","id":-0,"action":"draw"}"#).0, Some(0));
    let digits = "9".repeat(60_000);
    let line = format!(r#"{{"type":"action","id":{digits},"action":"draw"}}"#);
    let Ok(BotLine::Action { id, .. }) = read_answer(line.as_bytes()) else { panic!() };
    assert_eq!(id.whole(), None);
    assert!(id.to_string().len() < 80, "{id}");
}

#[test]
fn texts_are_decoded() {
    let line = r#"{"type":"action","id":1,"action":"\"\\\/\b\f\n\r\t","note":"\u00e9\ud83d\ude00 \ud83d \ude00\ud83dA\ud83d\u0041"}"#;
    let (_, text, note) = action(line);
    assert_eq!(text, "\"\\/\u{8}\u{c}\n\r\t");
    let replaced = Note::from_text("é😀 \u{fffd} \u{fffd}\u{fffd}A\u{fffd}A");
    assert_eq!(note, Some(replaced), "half a pair is replaced");
}

#[test]
fn depth_costs_no_stack() {
    let deep = |open: &str, close: &str| format!("{}0{}", open.repeat(200_000), close.repeat(200_000));
    for value in [deep("[", "]"), deep("{\"a\":", "}"), deep("[{\"a\":", "}]")] {
        let line = format!(r#"{{"type":"action","deep":{value},"id":3,"action":"draw"}}"#);
        assert_eq!(action(&line).0, Some(3));
        malformed(&value[..200_000]);
        malformed(&line[..300_000]);
    }
    malformed("[".repeat(200_000));
    malformed("{\"a\":".repeat(200_000));
}

/// Lines assembled from parts of lines: most are almost JSON.
fn almost_json() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(&[
            "{", "}", "[", "]", ",", ":", "\"type\"", "\"action\"", "\"id\"", "\"note\"", "\"ready\"", "\"x\"", "17", "-0.5e3",
            "true", "null", " ", "\\", "\"", "\\u00e9", "{\"type\":\"action\",", "\"id\":17,", "\"action\":\"draw\"", "\"a\":{\"b\":[1,",
        ][..]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// A valid line with a few bytes inserted, removed or changed.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), prop::option::of(any::<u8>()), any::<bool>());
    (strategies::from_bot(), prop::collection::vec(change, 0..3)).prop_map(|(message, changes)| {
        let mut line = serde_json::to_vec(&message).unwrap();
        for (index, byte, remove) in changes {
            let at = index.index(line.len());
            if remove {
                line.remove(at);
            }
            line.splice(at..at, byte);
        }
        line
    })
}

const KNOWN: [&str; 7] = ["type", "id", "action", "note", "protocol", "name", "version"];

/// Any JSON object, in which the known fields often have the right type.
fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0..40_u32).prop_map(|n| Value::from(f64::from(n) / 2.0)),
        prop::sample::select(&["action", "ready", "draw", "1.0", ""][..]).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let key = prop_oneof![3 => prop::sample::select(&KNOWN[..]).prop_map(String::from), 1 => any::<String>()];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        let object = prop::collection::btree_map(any::<String>(), inner, 0..4);
        prop_oneof![list, object.prop_map(|fields| fields.into_iter().collect())]
    });
    let kind = prop::option::weighted(0.9, prop::sample::select(&["action", "ready"][..]));
    (prop::collection::btree_map(key, tree, 0..9), kind).prop_map(|(fields, kind)| {
        let mut object: Map<String, Value> = fields.into_iter().collect();
        if let Some(kind) = kind {
            object.insert("type".into(), kind.into());
        }
        object
    })
}

/// Whether the object is a message as the protocol page defines it, by another parser's values.
fn is_message(object: &Map<String, Value>) -> bool {
    let text = |key| object.get(key).is_some_and(Value::is_string);
    match object.get("type").and_then(Value::as_str) {
        Some("action") => object.get("id").is_some_and(Value::is_number) && text("action"),
        Some("ready") => text("protocol") && text("name"),
        _ => false,
    }
}

fn agrees(read: &BotLine<'_>, object: &Map<String, Value>) {
    let text = |key| object.get(key).and_then(Value::as_str);
    match read {
        BotLine::Action { id, action, note } => {
            let number = object["id"].as_f64().unwrap();
            let whole = object["id"].as_u64().or_else(|| {
                (number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number))
                    .then_some(number as u64)
            });
            assert_eq!(id.whole(), whole, "{id}");
            assert_eq!(Some(action.as_ref()), text("action"));
            match (note, object.get("note")) {
                (Some(WrittenNote::Text(note)), Some(Value::String(text))) => assert_eq!(note, text),
                (Some(WrittenNote::Object(json)), Some(Value::Object(object))) => {
                    assert_eq!(serde_json::from_str::<Map<String, Value>>(json).unwrap(), *object);
                }
                (note, value) => {
                    assert!(
                        note.is_none() && !value.is_some_and(|note| note.is_string() || note.is_object())
                    );
                }
            }
        }
        BotLine::Ready { protocol, name, version } => {
            assert_eq!(Some(protocol.as_ref()), text("protocol"));
            assert_eq!(Some(name.as_ref()), text("name"));
            assert_eq!(version.as_deref(), text("version"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_read_or_refused(line in prop::collection::vec(any::<u8>(), 0..80)) {
        prop_assert!(read_answer(&line).is_err());
    }

    /// What another JSON parser rejects is rejected; what it accepts is rejected only because of its fields.
    #[test]
    fn grammar_is_that_of_json(line in prop_oneof![almost_json(), damaged()]) {
        let valid = std::str::from_utf8(&line).is_ok() && serde_json::from_slice::<IgnoredAny>(&line).is_ok();
        match read_answer(&line) {
            Ok(_) => prop_assert!(valid),
            Err(malformed) if valid => {
                let message = malformed.to_string();
                let of_fields = ["a field \"", "the type \"", "every field once", "a JSON object"];
                prop_assert!(of_fields.iter().any(|start| message[9..].starts_with(start)), "{}", message);
            }
            Err(malformed) => {
                let message = malformed.to_string();
                prop_assert!(malformed.column() <= line.len() + 1);
                prop_assert!(message.len() < 400 && !message.contains(char::is_control), "{}", message);
            }
        }
    }

    #[test]
    fn blank_before_a_line_changes_nothing(line in prop_oneof![almost_json(), damaged()]) {
        let behind_a_blank = [b" ", &line[..]].concat();
        prop_assert_eq!(read_answer(&line).ok(), read_answer(&behind_a_blank).ok());
    }

    #[test]
    fn values_are_those_of_json(object in any_object()) {
        let line = serde_json::to_vec(&object).unwrap();
        let read = read_answer(&line);
        prop_assert_eq!(read.is_ok(), is_message(&object), "{:?}", read);
        if let Ok(read) = read {
            agrees(&read, &object);
        }
    }

    #[test]
    fn every_message_is_read(message in strategies::from_bot()) {
        let line = serde_json::to_vec(&message).unwrap();
        match (read_answer(&line), message) {
            (Ok(BotLine::Ready { protocol, name, version }), FromBot::Ready(ready)) => {
                prop_assert_eq!(protocol.parse(), Ok(ready.protocol));
                prop_assert_eq!((name, version), (ready.name, ready.version));
            }
            (Ok(BotLine::Action { id, action, note }), FromBot::Action(answer)) => {
                prop_assert!(id.is(answer.id));
                prop_assert_eq!(action.parse(), Ok(answer.action));
                prop_assert_eq!(note.map(|note| note.kept()), answer.note);
            }
            (read, message) => prop_assert!(false, "{:?} is read as {:?}", message, read),
        }
    }
}
