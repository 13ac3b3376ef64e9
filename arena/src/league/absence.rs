//! The versions of a league that are away, but not for good: they rest until the next day, or are set aside.

use std::io;
use std::path::Path;

use super::budget::Budget;
use super::set_aside::AsideVersions;
use crate::record::store::{Lock, StoreError};

/// The versions that are away, while nobody plays the league.
pub struct AbsentVersions {
    budget: Budget,
    aside: AsideVersions,
    /// Nobody decides about versions for as long as this is held.
    _lock: Option<Lock>,
}

impl AbsentVersions {
    /// Reads which versions of the league with this results file are away; none if it is not the file of a league.
    /// Fails while the league is played.
    pub fn open(results: &Path) -> Result<Self, StoreError> {
        let versions = results.with_extension("versions");
        let lock = versions.is_dir().then(|| Lock::take(&versions)).transpose()?;
        let failed =
            |source| StoreError::Io { path: results.to_owned(), doing: "read what is beside", source };
        let budget = Budget::open(results, None).map_err(failed)?;
        Ok(Self { budget, aside: AsideVersions::open(results).map_err(failed)?, _lock: lock })
    }

    /// Whether a version is away.
    pub fn has(&self, version: &str) -> bool {
        self.budget.is_away(version) || self.aside.knows(version)
    }

    /// Lets these versions be away for good.
    pub fn withdraw(mut self, versions: &[String]) -> io::Result<()> {
        self.aside.retain(|_, one| !versions.contains(&one.version))?;
        self.budget.withdraw(versions)
    }
}
