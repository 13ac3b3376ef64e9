//! Proof that a result comes from the worker that was given its batch.

use std::fmt;
use std::io;

use data_encoding::HEXLOWER;

/// 128 bits that nobody can guess. [`fmt::Debug`] never shows them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a random one. Fails if the system provides no random numbers.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(HEXLOWER.encode(&bytes)))
    }

    /// The secret that a message carries.
    pub fn shown(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text to send to the worker of the batch, and to nobody else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_never_printed() {
        let (one, two) = (Secret::new().unwrap(), Secret::new().unwrap());
        assert_ne!(one, two);
        assert_eq!(one, Secret::shown(one.reveal()));
        assert_eq!(one.reveal().len(), 32);
        assert!(!format!("{one:?}").contains(one.reveal()));
    }
}
