//! The text from which all deals of a run follow.

use std::io;

use leyden_model::{SeedTextError, check_seed_text, random_hex};

/// Why there is no seed text.
#[derive(Debug, thiserror::Error)]
pub enum SeedSourceError {
    #[error(transparent)]
    Text(#[from] SeedTextError),
    #[error("the system provides no random numbers: {0}")]
    Random(io::Error),
}

/// The text that was `chosen`, or else the seed of the resumed tournament, or else an unpredictable one. A resumed tournament
/// never changes its seed.
pub(crate) fn seed(chosen: Option<&str>, resumed: Option<&str>) -> Result<String, SeedSourceError> {
    let Some(text) = chosen.or(resumed) else { return random_seed() };
    if resumed != Some(text) {
        check_seed_text(text)?;
    }
    Ok(text.to_owned())
}

/// An unpredictable seed text.
pub fn random_seed() -> Result<String, SeedSourceError> {
    random_hex::<32>().map_err(SeedSourceError::Random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_may_contain_line_breaks_only_when_resumed() {
        let old = "secret\ndraw";
        assert_eq!(seed(None, Some(old)).unwrap(), old);
        assert_eq!(seed(Some(old), Some(old)).unwrap(), old);
        assert!(matches!(seed(Some(old), None), Err(SeedSourceError::Text(SeedTextError::LineBreak))));
        assert!(matches!(seed(Some(""), Some(old)), Err(SeedSourceError::Text(SeedTextError::Empty))));
        assert_eq!(seed(Some("new"), Some(old)).unwrap(), "new");
        assert_eq!(seed(None, None).unwrap().len(), 64);
    }
}
