//! The name of a worker. It is a part of subjects, so that a server's permissions can distinguish workers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// 1 to 64 letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName(String);

/// A text that is not a valid name of a worker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a worker's name is 1 to 64 letters, digits, - and _, not {0:?}")]
pub struct NameError(String);

impl WorkerName {
    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WorkerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for WorkerName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if (1..=64).contains(&text.len()) && text.bytes().all(is_plain) {
            Ok(Self(text))
        } else {
            Err(NameError(text))
        }
    }
}

impl From<WorkerName> for String {
    fn from(name: WorkerName) -> Self {
        name.0
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_one_token_of_a_subject() {
        for name in ["a", "node-17", "ANN_2"] {
            assert_eq!(name.parse::<WorkerName>().unwrap().as_str(), name);
        }
        for bad in ["", "a.b", "*", ">", "a b", "é", &"x".repeat(65)] {
            assert!(bad.parse::<WorkerName>().is_err(), "{bad:?}");
        }
    }
}
