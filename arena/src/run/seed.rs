//! The text that all deals of a run follow from.

use std::io;

use leyden_model::{BadSeedText, check_seed_text};

/// No text to begin with.
#[derive(Debug, thiserror::Error)]
pub enum NoSeed {
    #[error(transparent)]
    Text(#[from] BadSeedText),
    #[error("the system gives no random numbers: {0}")]
    Random(io::Error),
}

/// The text that was `chosen`, or else that of the tournament that is resumed, or else one that nobody can guess. What was begun
/// with stays, whatever it is.
pub(crate) fn seed(chosen: Option<&str>, resumed: Option<&str>) -> Result<String, NoSeed> {
    let Some(text) = chosen.or(resumed) else { return random_seed() };
    if resumed != Some(text) {
        check_seed_text(text)?;
    }
    Ok(text.to_owned())
}

/// A seed's text that nobody can guess.
pub(super) fn random_seed() -> Result<String, NoSeed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| NoSeed::Random(io::Error::other(error)))?;
    Ok(leyden_model::hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_begun_with_before_may_have_lines() {
        let old = "secret\ndraw";
        assert_eq!(seed(None, Some(old)).unwrap(), old);
        assert_eq!(seed(Some(old), Some(old)).unwrap(), old);
        assert!(matches!(seed(Some(old), None), Err(NoSeed::Text(BadSeedText::LineBreak))));
        assert!(matches!(seed(Some(""), Some(old)), Err(NoSeed::Text(BadSeedText::Empty))));
        assert_eq!(seed(Some("new"), Some(old)).unwrap(), "new");
        assert_eq!(seed(None, None).unwrap().len(), 64);
    }
}
