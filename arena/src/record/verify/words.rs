//! Expected and found values in words.

use leyden_protocol::Seat;
use serde::Serialize;
use serde_json::Value;

/// A value of a record as in its JSON, without the quotes.
pub(super) fn in_words(value: &impl Serialize) -> String {
    // Everything in a record can be written as JSON.
    words(&serde_json::to_value(value).unwrap_or_default())
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(all) => format!("[{}]", all.iter().map(words).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{name} {}", words(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

pub(super) fn seat_name(seat: Seat) -> String {
    format!("seat {seat}")
}

/// Who won.
pub(super) fn winner(seat: Option<Seat>) -> String {
    seat.map_or_else(|| "nobody".to_owned(), seat_name)
}
