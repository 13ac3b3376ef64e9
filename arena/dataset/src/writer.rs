//! A data set in a folder: shards, and a page about them. The folder appears when all of it is written.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use leyden_env::{ActionTable, ENCODING_VERSION, Encoding};
use leyden_model::MatchRecord;
use parquet::errors::ParquetError;
use serde_json::{Value, json};

use crate::shard::{ReadError, SHARD_ROWS, Shards};
use crate::{npz, parquet_file};

/// The form of the files of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    #[default]
    Npz,
    Parquet,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 2] = [Self::Npz, Self::Parquet];

    /// Returns its name, which is also the ending of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Npz => "npz",
            Self::Parquet => "parquet",
        }
    }
}

/// A name that no form has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no form {0:?}; there are npz and parquet")]
pub struct UnknownFormError(pub String);

impl FromStr for Form {
    type Err = UnknownFormError;

    fn from_str(text: &str) -> Result<Self, UnknownFormError> {
        Self::ALL
            .into_iter()
            .find(|form| form.name() == text)
            .ok_or_else(|| UnknownFormError(text.to_owned()))
    }
}

/// Why a data set could not be written. Nothing is left of it.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E: std::error::Error> {
    #[error(transparent)]
    Read(#[from] ReadError<E>),
    #[error("{} exists already: name a new folder", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", .path.display())]
    Parquet { path: PathBuf, source: ParquetError },
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    pub matches: u32,
    /// The number of decisions.
    pub rows: u64,
    /// The number of files with decisions.
    pub shards: usize,
}

/// Writes the decisions of records into a new folder: `decisions-00000.npz` or `.parquet` and so on, and `about.json`.
///
/// ```no_run
/// use std::{fs::File, io};
/// use std::io::{BufRead, BufReader};
/// use leyden_dataset::{Form, write};
/// use leyden_model::MatchRecord;
///
/// let export = BufReader::new(File::open("results.jsonl")?);
/// let records = export.lines().map(|line| io::Result::<MatchRecord>::Ok(serde_json::from_str(&line?)?));
/// let summary = write(records, "decisions".as_ref(), Form::Npz)?;
/// println!("{} decisions of {} matches", summary.rows, summary.matches);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<E: std::error::Error>(
    records: impl Iterator<Item = Result<MatchRecord, E>>,
    folder: &Path,
    form: Form,
) -> Result<Summary, WriteError<E>> {
    if folder.exists() {
        return Err(WriteError::Exists(folder.to_owned()));
    }
    let failed = |source| WriteError::Write { path: folder.to_owned(), source };
    let beside = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let begun = tempfile::Builder::new().prefix(".leyden-dataset-").tempdir_in(beside).map_err(failed)?;
    let mut shards = Shards::new(records, SHARD_ROWS);
    let mut summary = Summary::default();
    while let Some(shard) = shards.next() {
        let shard = shard?;
        let Some(encoding) = shards.encoding() else { break };
        let path = begun.path().join(format!("decisions-{:05}.{}", summary.shards, form.name()));
        let out = BufWriter::new(File::create(&path).map_err(failed)?);
        match form {
            Form::Npz => npz::write(out, &shard, encoding).map_err(failed)?,
            Form::Parquet => parquet_file::write(out, &shard, encoding)
                .map_err(|source| WriteError::Parquet { path: folder.to_owned(), source })?,
        }
        summary.rows += shard.rows() as u64;
        summary.shards += 1;
    }
    summary.matches = shards.matches();
    if let Some(encoding) = shards.encoding() {
        let about = serde_json::to_vec_pretty(&about(encoding, shards.bots(), summary));
        let about = about.map_err(|error| failed(io::Error::other(error)))?;
        fs::write(begun.path().join("about.json"), about).map_err(failed)?;
    }
    fs::rename(begun.path(), folder).map_err(failed)?;
    Ok(summary)
}

/// Describes a data set: what its numbers mean, and who decided.
fn about(encoding: &Encoding, bots: &[String], summary: Summary) -> Value {
    let rules = encoding.rules();
    let fields: Vec<Value> = encoding
        .fields()
        .iter()
        .map(|field| {
            json!({"name": field.name, "offset": field.offset, "shape": field.shape, "meaning": field.meaning})
        })
        .collect();
    json!({
        "version": ENCODING_VERSION,
        "rules": rules.name,
        "seats": rules.seats,
        "set": rules.set,
        "target": rules.target,
        "size": encoding.len(),
        "actions": ActionTable::new(rules.set).len(),
        "fields": fields,
        "bots": bots,
        "matches": summary.matches,
        "rows": summary.rows,
        "shards": summary.shards,
    })
}
