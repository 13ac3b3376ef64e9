//! A place in a record, as it is written everywhere: `R.T`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One action of a record, written `R.T`: its places in the record's `rounds` (deals that were dealt again count) and in
/// that deal's `actions`, both from 0. `T` may be the number of actions: then it is the question that nobody answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TurnRef {
    pub round: u32,
    pub action: u32,
}

/// A text that is no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected R.T, such as 0.12: the places in the record's rounds and in their actions, both from 0; got {0:?}"
)]
pub struct BadTurnRef(String);

impl fmt::Display for TurnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.round, self.action))
    }
}

impl FromStr for TurnRef {
    type Err = BadTurnRef;

    fn from_str(text: &str) -> Result<Self, BadTurnRef> {
        let number =
            |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
        let place = text
            .split_once('.')
            .and_then(|(round, action)| Some(Self { round: number(round)?, action: number(action)? }));
        place.ok_or_else(|| BadTurnRef(text.chars().take(40).collect()))
    }
}

impl TryFrom<String> for TurnRef {
    type Error = BadTurnRef;

    fn try_from(text: String) -> Result<Self, BadTurnRef> {
        text.parse()
    }
}

impl From<TurnRef> for String {
    fn from(place: TurnRef) -> Self {
        place.to_string()
    }
}

impl JsonSchema for TurnRef {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Place".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string", "pattern": "^[0-9]+\\.[0-9]+$",
            "description": "R.T: the places in the record's rounds and in their actions, both from 0"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let place = TurnRef { round: 3, action: 12 };
        assert_eq!(place.to_string(), "3.12");
        assert_eq!("3.12".parse(), Ok(place));
        for bad in ["", "3", ".", "3.", ".1", "-1.0", "+1.0", "1.2.3", "a.b", "99999999999.0"] {
            assert!(bad.parse::<TurnRef>().is_err(), "{bad}");
        }
    }
}
