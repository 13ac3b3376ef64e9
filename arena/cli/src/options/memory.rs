//! An amount of memory as it is typed.

use std::str::FromStr;

use leyden_arena::toml_error::{SIZE, with_unit};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// An amount of memory as it is typed: `512MB`, `2GB`. Powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub(crate) struct Memory(u64);

/// Below this, not even an interpreter starts.
const LEAST: u64 = 32 << 20;

impl Memory {
    pub(crate) fn bytes(self) -> u64 {
        self.0
    }
}

/// Reads an amount such as `512MB` or `2GB`, in bytes.
fn bytes(text: &str) -> Option<u64> {
    let units = [("GB", 30), ("MB", 20), ("G", 30), ("M", 20)];
    units.into_iter().find_map(|(unit, shift)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(1 << shift)
    })
}

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match bytes(text) {
            Some(bytes) if bytes >= LEAST => Ok(Self(bytes)),
            Some(_) => Err("expected at least 32MB: no interpreter starts with less".to_owned()),
            None => Err("expected an amount such as 512MB or 2GB".to_owned()),
        }
    }
}

impl From<Memory> for String {
    /// Formats the amount in the largest unit that divides it, because a typed amount is a whole number of units.
    fn from(Memory(bytes): Memory) -> Self {
        if bytes.is_multiple_of(1 << 30) {
            format!("{}GB", bytes >> 30)
        } else {
            format!("{}MB", bytes >> 20)
        }
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        with_unit(deserializer, SIZE)
    }
}

impl JsonSchema for Memory {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Memory".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "an amount of memory such as 512MB or 2GB", "examples": ["512MB", "2GB"] })
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn memory_is_typed_with_a_unit() {
        assert_eq!("512MB".parse(), Ok(Memory(512 << 20)));
        assert_eq!("2 G".parse(), Ok(Memory(2 << 30)));
        for wrong in ["512", "1MB", "-1GB", "99999999999999999999GB", "18446744073709551615GB", "much"] {
            assert!(wrong.parse::<Memory>().is_err(), "{wrong}");
        }
    }
}
