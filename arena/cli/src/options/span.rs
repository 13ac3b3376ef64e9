//! Durations as they are typed.

use std::str::FromStr;
use std::time::Duration;

use leyden_arena::toml_error::{DURATION, with_unit};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A duration as it is typed: `500ms`, `2s`, `1m 30s`. Whole milliseconds, at most a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub(crate) struct Span(Duration);

impl Span {
    pub(crate) fn duration(self) -> Duration {
        self.0
    }

    pub(crate) fn millis(self) -> u64 {
        self.0.as_millis() as u64
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let duration = humantime::parse_duration(text)
            .map_err(|error| format!("expected a duration such as 500ms or 2s: {error}"))?;
        if duration > Duration::from_hours(24) {
            return Err("expected at most 24h".to_owned());
        }
        if !duration.subsec_nanos().is_multiple_of(1_000_000) {
            return Err("expected whole milliseconds".to_owned());
        }
        Ok(Self(duration))
    }
}

impl From<Duration> for Span {
    fn from(duration: Duration) -> Self {
        Self(duration)
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        humantime::format_duration(span.0).to_string()
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        with_unit(deserializer, DURATION)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "a duration such as 500ms or 2s, in whole milliseconds", "examples": ["500ms", "2s"] })
    }
}
