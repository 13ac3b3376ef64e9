//! The checked-in schema is that of the types, and every message fits it.

use std::sync::LazyLock;

use jsonschema::Validator;
use leyden_protocol::{FromBot, ToBot, schema};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::strategies;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/message.json");

#[test]
fn schema_file_is_up_to_date() {
    let made = schema::message().to_value();
    if std::env::var_os("WRITE_SCHEMA").is_some() {
        std::fs::write(FILE, format!("{made:#}\n")).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    let kept: Value = serde_json::from_str(&kept).unwrap_or_default();
    assert!(
        kept == made,
        "protocol/schema/message.json is no longer the schema of the types; if the change of the protocol is \
         intended, regenerate it:\n\n    WRITE_SCHEMA=1 cargo test -p leyden-protocol schema\n"
    );
}

pub(crate) static TO_BOT: LazyLock<Validator> = LazyLock::new(|| validator("ToBot"));
pub(crate) static FROM_BOT: LazyLock<Validator> = LazyLock::new(|| validator("FromBot"));

/// Returns the validator of one direction.
fn validator(direction: &str) -> Validator {
    let mut schema = schema::message().to_value();
    let object = schema.as_object_mut().unwrap();
    object.remove("anyOf");
    object.insert("$ref".into(), format!("#/$defs/{direction}").into());
    jsonschema::validator_for(&schema).unwrap()
}

proptest! {
    #[test]
    fn every_message_to_a_bot_fits(message in strategies::to_bot()) {
        let json = serde_json::to_value(&message).unwrap();
        prop_assert!(TO_BOT.validate(&json).is_ok(), "{json:#}");
        prop_assert!(!FROM_BOT.is_valid(&json), "{json:#}");
    }

    #[test]
    fn every_message_from_a_bot_fits(message in strategies::from_bot()) {
        let json = serde_json::to_value(&message).unwrap();
        prop_assert!(FROM_BOT.validate(&json).is_ok(), "{json:#}");
        prop_assert!(!TO_BOT.is_valid(&json), "{json:#}");
    }

    /// A field of another type either does not fit the schema or is read by the types.
    #[test]
    fn message_that_fits_the_schema_is_read(
        to_bot in strategies::to_bot(),
        from_bot in strategies::from_bot(),
        field: prop::sample::Index,
        value in changed_value(),
    ) {
        let to_bot = changed(serde_json::to_value(&to_bot).unwrap(), field, value.clone());
        let from_bot = changed(serde_json::to_value(&from_bot).unwrap(), field, value);
        if TO_BOT.is_valid(&to_bot) {
            prop_assert!(serde_json::from_str::<ToBot<'_>>(&to_bot.to_string()).is_ok(), "{to_bot:#}");
        }
        if FROM_BOT.is_valid(&from_bot) {
            prop_assert!(serde_json::from_str::<FromBot<'_>>(&from_bot.to_string()).is_ok(), "{from_bot:#}");
        }
    }
}

fn changed_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u8>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z0-9:. -]{0,8}".prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..3).prop_map(Value::from),
        Just(json!({})),
    ]
}

fn changed(mut message: Value, field: prop::sample::Index, value: Value) -> Value {
    let object = message.as_object_mut().unwrap();
    let key = field.get(&object.keys().cloned().collect::<Vec<_>>()).clone();
    object.insert(key, value);
    message
}

#[test]
fn unknown_fields_fit_and_known_ones_must() {
    assert!(FROM_BOT.is_valid(&json!({"type": "action", "id": 1, "action": "draw", "eval": 0.5})));
    assert!(FROM_BOT.is_valid(&json!({"type": "action", "id": 1, "action": "S:2|5", "note": null})));
    for wrong in [
        json!({"type": "action", "id": 1}),
        json!({"type": "action", "id": -1, "action": "draw"}),
        json!({"type": "action", "id": 1, "action": "N:13-1"}),
        json!({"type": "action", "id": 1, "action": "draw:2-5"}),
        json!({"type": "act", "id": 1, "action": "draw"}),
        json!({"type": "ready", "protocol": "1", "name": "a"}),
        json!(["action", 1, "draw"]),
    ] {
        assert!(!FROM_BOT.is_valid(&wrong), "{wrong}");
    }
}
