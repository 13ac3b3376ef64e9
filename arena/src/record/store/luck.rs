//! Keeps computed luck beside the matches. Its meaning is not the store's concern.

use std::path::Path;

use serde_json::Value;

use super::error::StoreError;
use super::file;
use super::lock::Lock;
use super::results::Results;

/// Stores a document, replacing the one before. Fails while an arena writes to the file.
pub fn keep_luck(path: &Path, luck: &Value) -> Result<(), StoreError> {
    let _lock = Lock::take(path)?;
    let file = file::open_to_write(path)?;
    let kept = file.execute("INSERT OR REPLACE INTO tournament VALUES ('luck', ?)", [luck.to_string()]);
    kept.map_err(|source| StoreError::sqlite(path, "write to", source))?;
    file::close_committed(file, path);
    Ok(())
}

impl Results {
    /// The stored document, if there is one.
    pub fn kept_luck(&self) -> Result<Option<Value>, StoreError> {
        self.fact("luck")
    }
}
