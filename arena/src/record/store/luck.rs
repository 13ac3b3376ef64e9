//! Luck as it was worked out, kept beside the matches: what it means is not the store's business.

use std::path::Path;

use serde_json::Value;

use super::error::StoreError;
use super::file;
use super::lock::Lock;
use super::results::Results;

/// Keeps a document; the one before is replaced. While an arena writes to the file this is refused.
pub fn keep_luck(path: &Path, luck: &Value) -> Result<(), StoreError> {
    let _lock = Lock::take(path)?;
    let file = file::open_to_write(path)?;
    let kept = file.execute("INSERT OR REPLACE INTO tournament VALUES ('luck', ?)", [luck.to_string()]);
    kept.map(drop).map_err(|source| StoreError::sqlite(path, "write to", source))
}

impl Results {
    /// What was kept, if anything.
    pub fn kept_luck(&self) -> Result<Option<Value>, StoreError> {
        self.fact("luck")
    }
}
