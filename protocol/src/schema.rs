//! The JSON Schema of the messages, generated from their types and kept in `protocol/schema`.

use schemars::generate::SchemaSettings;
use schemars::{Schema, json_schema};

use crate::message::{FromBot, ToBot};

/// A line of the protocol in either direction: an object that fits `ToBot` or `FromBot` of `$defs`.
///
/// Unknown fields are allowed everywhere, as the protocol requires.
pub fn message() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let dialect = settings.meta_schema.clone();
    let mut generator = settings.into_generator();
    let to_bot = generator.subschema_for::<ToBot<'static>>();
    let from_bot = generator.subschema_for::<FromBot<'static>>();
    json_schema!({
        "$schema": dialect,
        "title": "A line of the Leyden bot protocol, version 1",
        "description": "To check one direction only, refer to #/$defs/ToBot or #/$defs/FromBot.",
        "anyOf": [to_bot, from_bot],
        "$defs": generator.take_definitions(true),
    })
}
