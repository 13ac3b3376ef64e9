//! A turn of a record, always written `rR.tT`, such as `r0.t17`: unlike rounds and turns, which people count from 1.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One action of a record, written `rR.tT`: its indices in the record's `rounds` (deals that were dealt again count) and
/// in that deal's `actions`, both from 0. `T` may be the number of actions: that is the question that was never
/// answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TurnRef {
    /// The index in the record's `rounds`.
    pub round: u32,
    /// The index in the deal's `actions`.
    pub action: u32,
}

/// A text that is not such a reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a turn such as r0.t12: indices into the record's rounds and their actions, both from 0; got {0:?}"
)]
pub struct TurnRefError(String);

impl fmt::Display for TurnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("r{}.t{}", self.round, self.action))
    }
}

impl FromStr for TurnRef {
    type Err = TurnRefError;

    /// Also reads `R.T`, as it was written before 0.2.
    fn from_str(text: &str) -> Result<Self, TurnRefError> {
        let number =
            |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
        let (round, action) = text.split_once('.').unwrap_or_default();
        let (round, action) = match (round.strip_prefix('r'), action.strip_prefix('t')) {
            (Some(round), Some(action)) => (round, action),
            _ => (round, action),
        };
        let turn_ref = number(round).zip(number(action)).map(|(round, action)| Self { round, action });
        turn_ref.ok_or_else(|| TurnRefError(text.chars().take(40).collect()))
    }
}

impl TryFrom<String> for TurnRef {
    type Error = TurnRefError;

    fn try_from(text: String) -> Result<Self, TurnRefError> {
        text.parse()
    }
}

impl From<TurnRef> for String {
    fn from(turn_ref: TurnRef) -> Self {
        turn_ref.to_string()
    }
}

impl JsonSchema for TurnRef {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TurnRef".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string", "pattern": "^r[0-9]+\\.t[0-9]+$",
            "description": "rR.tT: indices into the record's rounds and their actions, both from 0"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turn_ref_is_read_as_it_is_written() {
        let turn_ref = TurnRef { round: 3, action: 12 };
        assert_eq!(turn_ref.to_string(), "r3.t12");
        assert_eq!(("r3.t12".parse(), "3.12".parse()), (Ok(turn_ref), Ok(turn_ref)));
        for bad in
            ["", "3", ".", "3.", ".1", "-1.0", "+1.0", "1.2.3", "a.b", "99999999999.0", "r1.2", "1.t2", "r.t"]
        {
            assert!(bad.parse::<TurnRef>().is_err(), "{bad}");
        }
    }
}
