//! Opens results files: creates them whole or not at all, and recognises them.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use leyden_host::sandbox::Machine;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, params};
use rustix::fs::{Access, access};
use serde_json::Value;

use super::error::StoreError;
use super::schema::{self, APPLICATION_ID, SCHEMA};
use super::shape::{self, LONGEST_TEXT, MOST_BOTS};
use super::stored_plan::StoredPlan;
use leyden_format::Format;
use leyden_model::{BotEntry, RECORD_VERSION, RULES_EDITION, Settings, TournamentChange};

/// Creates a results file with this stored plan and no matches. There is never a half-written file under its name, and an
/// existing file is left alone.
pub(super) fn create(path: &Path, stored_plan: &StoredPlan) -> Result<(), StoreError> {
    let failed = |source| StoreError::io(path, "create", source);
    if path.try_exists().map_err(failed)? {
        return Err(StoreError::Exists { path: path.to_owned() });
    }
    refuse_other_log(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // It contains the seed text, from which every deal follows: only its owner may read it until they share it.
    let draft = tempfile::Builder::new()
        .prefix(".leyden-")
        .suffix(".db")
        .permissions(Permissions::from_mode(0o600))
        .tempfile_in(folder)
        .map_err(failed)?;
    write_plan(draft.path(), stored_plan).map_err(|source| StoreError::sqlite(path, "create", source))?;
    let done = draft.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_owned() },
        _ => failed(error.error),
    })?;
    done.sync_all().map_err(failed)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

/// Refuses a new file beside the log of another one that had its name: SQLite would take the log for its own.
fn refuse_other_log(path: &Path) -> Result<(), StoreError> {
    if has_log(path) { Err(StoreError::OtherLog { log: log_of(path) }) } else { Ok(()) }
}

/// Checks that a results file could be created here, without creating one.
pub(crate) fn try_to_create(path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::io(path, "create", source);
    if path.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: path.to_owned() });
    }
    refuse_other_log(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".leyden-").tempfile_in(folder).map(drop).map_err(failed)
}

/// Checks that a results file could be written to, without opening it: closing it again would release the locks that SQLite
/// holds on it.
pub(super) fn try_to_write(path: &Path) -> Result<(), StoreError> {
    access(path, Access::WRITE_OK).map_err(|source| StoreError::io(path, "write to", source.into()))
}

fn write_plan(path: &Path, stored_plan: &StoredPlan) -> rusqlite::Result<()> {
    let mut file = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Larger pages than usual waste less space between records.
    file.pragma_update(None, "page_size", 8192)?;
    let all = file.transaction()?;
    all.pragma_update(None, "application_id", APPLICATION_ID)?;
    all.pragma_update(None, "user_version", SCHEMA)?;
    all.execute_batch(&schema::tables(stored_plan.settings.seats))?;
    let seed = stored_plan.tournament_seed();
    let better = stored_plan.settings.rules().map_or(Value::Null, |rules| serde_json::json!(rules.better));
    let host = Machine::this();
    let facts: [(&str, Value); 11] = [
        ("id", seed.tournament_id().into()),
        ("commitment", seed.commitment().into()),
        ("seed", stored_plan.seed.as_str().into()),
        ("blocks", stored_plan.blocks.into()),
        ("format", serde_json::json!(stored_plan.format)),
        ("better", better),
        ("leyden", env!("CARGO_PKG_VERSION").into()),
        ("rules_edition", RULES_EDITION.into()),
        ("record_version", RECORD_VERSION.into()),
        ("kernel", host.kernel.into()),
        ("landlock", host.landlock.into()),
    ];
    for (name, value) in facts {
        all.execute("INSERT INTO tournament VALUES (?, ?)", params![name, value.to_string()])?;
    }
    if let Some(folder) = stored_plan.begun_in.as_deref().and_then(Path::to_str) {
        all.execute("INSERT INTO tournament VALUES ('begun_in', ?)", [Value::from(folder).to_string()])?;
    }
    if let Some(terms) = stored_plan.gate {
        let terms = serde_json::json!(terms).to_string();
        all.execute("INSERT INTO tournament VALUES ('gate', ?)", [terms])?;
        let files = serde_json::json!(stored_plan.files).to_string();
        all.execute("INSERT INTO tournament VALUES ('files', ?)", [files])?;
    }
    if let Ok(Value::Object(settings)) = serde_json::to_value(&stored_plan.settings) {
        for (name, value) in settings {
            all.execute("INSERT INTO settings VALUES (?, ?)", params![name, value.to_string()])?;
        }
    }
    insert_bots(&all, &stored_plan.bots, 0)?;
    write_left_out(&all, stored_plan)?;
    all.commit()?;
    file.close().map_err(|(_, error)| error)
}

/// Stores what does not play, replacing what was stored before.
fn write_left_out(file: &Connection, stored_plan: &StoredPlan) -> rusqlite::Result<()> {
    let left_out = serde_json::json!(stored_plan.left_out).to_string();
    file.execute("INSERT OR REPLACE INTO tournament VALUES ('left_out', ?)", [left_out]).map(drop)
}

/// Appends the bots from `first` on.
fn insert_bots(file: &Connection, bots: &[BotEntry], first: usize) -> rusqlite::Result<()> {
    for (bot, entry) in bots.iter().enumerate().skip(first) {
        file.execute(
            "INSERT INTO bots (bot, name, command, hash) VALUES (?, ?, '[]', '')",
            params![bot as i64, entry.name],
        )?;
        update_bot(file, bot, entry)?;
    }
    Ok(())
}

/// Connects without SQLite's own locks: a connection belongs to one thread at a time, which the compiler checks.
fn connect(path: impl AsRef<Path>, flags: OpenFlags) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Stores what a bot is made of now.
pub(super) fn update_bot(file: &Connection, bot: usize, entry: &BotEntry) -> rusqlite::Result<()> {
    let command = Value::from(entry.command.clone()).to_string();
    file.execute(
        "UPDATE bots SET command = ?, hash = ?, author = ?, language = ? WHERE bot = ?",
        params![command, entry.hash, entry.author, entry.language, bot as i64],
    )?;
    if has_folders(file)? {
        file.execute("UPDATE bots SET folder = ? WHERE bot = ?", params![entry.folder, bot as i64])?;
    }
    Ok(())
}

/// Whether a file stores where bots were handed in; older ones do not.
fn has_folders(file: &Connection) -> rusqlite::Result<bool> {
    let query = "SELECT count(*) FROM pragma_table_info('bots') WHERE name = 'folder'";
    file.query_row(query, [], |row| row.get::<_, i64>(0)).map(|count| count == 1)
}

/// Opens a results file for writing.
pub(super) fn open_to_write(path: &Path) -> Result<Connection, StoreError> {
    must_exist(path)?;
    let file = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .map_err(|source| StoreError::sqlite(path, "open", source))?;
    recognise(&file, path)?;
    let pragmas = || -> rusqlite::Result<()> {
        file.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        file.pragma_update(None, "synchronous", "FULL")?;
        // The log shrinks back to this size after a reader held it open for long.
        file.pragma_update_and_check(None, "journal_size_limit", 16 << 20, |_| Ok(()))?;
        file.set_prepared_statement_cache_capacity(32);
        Ok(())
    };
    pragmas().map_err(|source| StoreError::sqlite(path, "write to", source))?;
    Ok(file)
}

/// Opens a results file for reading, with or without a writer, even where nothing may be written.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StoreError> {
    must_exist(path)?;
    let file = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|source| StoreError::sqlite(path, "open", source))?;
    match recognise(&file, path) {
        Err(StoreError::Sqlite { source, .. }) if cannot_lock(&source) && !has_log(path) => {
            // SQLite cannot create its lock files in this folder. The writer merged its log into the file when it ended, so
            // the file is complete, and nobody can write to it.
            let file =
                connect(immutable(path), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
                    .map_err(|source| StoreError::sqlite(path, "open", source))?;
            recognise(&file, path)?;
            Ok(file)
        }
        recognised => recognised.map(|()| file),
    }
}

/// Opens a results file for reading without leaving anything beside it: SQLite would create its lock files again beside a
/// file whose writer is gone. Also returns whether such files exist. If not, what is read is valid only if there still are
/// none afterwards.
pub(super) fn open_to_inspect(path: &Path) -> Result<(Connection, bool), StoreError> {
    if is_written(path) {
        return Ok((open_to_read(path)?, true));
    }
    must_exist(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let file = connect(immutable(path), flags).map_err(|source| StoreError::sqlite(path, "open", source))?;
    recognise(&file, path)?;
    Ok((file, false))
}

/// Whether a results file has a log beside it: it is being written to, or its writer was killed.
pub(super) fn is_written(path: &Path) -> bool {
    log_of(path).exists()
}

/// The path of the log, where SQLite keeps what is not in the file yet: beside the file, if the path is a link to it.
pub fn log_of(path: &Path) -> PathBuf {
    beside(&path.canonicalize().unwrap_or_else(|_| path.to_owned()), "-wal")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Removes a results file, if it exists, with the files that SQLite has beside it.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn must_exist(path: &Path) -> Result<(), StoreError> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            Err(StoreError::NotResults { path: path.to_owned(), why: "it is a folder".to_owned() })
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(StoreError::Missing { path: path.to_owned() })
        }
        Err(error) => Err(StoreError::io(path, "open", error)),
    }
}

fn cannot_lock(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn has_log(path: &Path) -> bool {
    std::fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0)
}

/// Encodes slashes, too: two in the beginning would be followed by the name of a host.
fn immutable(path: &Path) -> String {
    let path = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
    format!("file:{path}?immutable=1")
}

/// Rejects everything that is not a results file this version can read.
fn recognise(file: &Connection, path: &Path) -> Result<(), StoreError> {
    shape::disarm(file).map_err(|source| StoreError::sqlite(path, "open", source))?;
    let number = |name| file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let both = number("application_id").and_then(|id| Ok((id, number("user_version")?)));
    match both.map_err(|source| StoreError::sqlite(path, "read", source))? {
        (APPLICATION_ID, SCHEMA) => match shape::problem(file) {
            Ok(None) => Ok(()),
            Ok(Some(what)) => Err(StoreError::Damaged { path: path.to_owned(), what }),
            Err(source) => Err(StoreError::sqlite(path, "read", source)),
        },
        (APPLICATION_ID, found) => {
            let by = fact(file, "leyden").ok().flatten().and_then(|by| Some(by.as_str()?.to_owned()));
            Err(StoreError::OtherVersion { path: path.to_owned(), found, known: SCHEMA, by })
        }
        _ => {
            let empty = std::fs::metadata(path).is_ok_and(|found| found.len() == 0);
            let why = if empty { "it is empty" } else { "it is an SQLite file of another program" };
            Err(StoreError::NotResults { path: path.to_owned(), why: why.to_owned() })
        }
    }
}

/// A value of the table `tournament`.
pub(super) fn fact(file: &Connection, name: &str) -> rusqlite::Result<Option<Value>> {
    let text: Option<String> = file
        .query_row(
            &format!("SELECT value FROM tournament WHERE name = ? AND length(value) < {LONGEST_TEXT}"),
            [name],
            |row| row.get(0),
        )
        .optional()?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Until what is returned is dropped, all queries see the same moment. `None` if they do already.
pub(super) fn moment(file: &Connection) -> rusqlite::Result<Option<Transaction<'_>>> {
    file.is_autocommit().then(|| file.unchecked_transaction()).transpose()
}

/// SQLite's number for the state of the file: another one if somebody else has committed since.
pub(super) fn data_version(file: &Connection) -> rusqlite::Result<i64> {
    file.pragma_query_value(None, "data_version", |row| row.get(0))
}

/// Reads the tournament that a file holds at one moment, its versions (see [`read_versions`]), and its [`data_version`] then.
pub(super) fn read_tournament(
    file: &Connection,
    path: &Path,
) -> Result<(StoredPlan, (u32, u32), i64), StoreError> {
    let failed = |source| StoreError::sqlite(path, "read", source);
    let _moment = moment(file).map_err(failed)?;
    Ok((read_plan(file, path)?, read_versions(file, path)?, data_version(file).map_err(failed)?))
}

fn read_plan(file: &Connection, path: &Path) -> Result<StoredPlan, StoreError> {
    let failed = |source| StoreError::sqlite(path, "read", source);
    let damaged = |what: &str| StoreError::Damaged { path: path.to_owned(), what: what.to_owned() };
    let seed = fact(file, "seed").map_err(failed)?;
    let seed =
        seed.and_then(|seed| Some(seed.as_str()?.to_owned())).ok_or_else(|| damaged("it has no seed"))?;
    let blocks = fact(file, "blocks").map_err(failed)?;
    let blocks = blocks.and_then(|blocks| u32::try_from(blocks.as_u64()?).ok());
    let blocks = blocks.ok_or_else(|| damaged("it does not say how many blocks were planned"))?;
    let settings = read_settings(file, path)?;
    let bots = read_bots(file).map_err(failed)?;
    let numbers: (i64, i64) = file
        .query_row("SELECT coalesce(min(bot), 0), coalesce(max(bot), -1) FROM bots", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .map_err(failed)?;
    if bots.len() <= MOST_BOTS && numbers != (0, bots.len() as i64 - 1) {
        return Err(damaged("its bots are not numbered from 0 on"));
    }
    let gate = fact(file, "gate").map_err(failed)?.map(serde_json::from_value).transpose();
    let gate = gate.map_err(|error| damaged(&format!("its gate terms: {error}")))?;
    let format = fact(file, "format").map_err(failed)?.map(serde_json::from_value).transpose();
    let format = format.map_err(|error| damaged(&format!("its format: {error}")))?.unwrap_or_default();
    let left_out = fact(file, "left_out").map_err(failed)?.map(serde_json::from_value).transpose();
    let left_out = left_out
        .map_err(|error| damaged(&format!("its list of left-out bots: {error}")))?
        .unwrap_or_default();
    let changes = fact(file, "changes").map_err(failed)?.map(serde_json::from_value).transpose();
    let changes =
        changes.map_err(|error| damaged(&format!("its list of changes: {error}")))?.unwrap_or_default();
    // Only used for messages.
    let files = fact(file, "files").map_err(failed)?.and_then(|files| serde_json::from_value(files).ok());
    let files = files.unwrap_or_default();
    let begun_in = fact(file, "begun_in").map_err(failed)?;
    let begun_in = begun_in
        .and_then(|folder| Some(PathBuf::from(folder.as_str()?)))
        .filter(|folder| folder.is_absolute());
    let stored_plan =
        StoredPlan { settings, seed, bots, left_out, changes, blocks, format, gate, files, begun_in };
    stored_plan.check().map_err(|error| damaged(&error.to_string()))?;
    Ok(stored_plan)
}

/// The edition of the rules under which a file's matches were played, and the version of its records.
pub(super) fn read_versions(file: &Connection, path: &Path) -> Result<(u32, u32), StoreError> {
    let read = |name: &str| {
        let number = fact(file, name).map_err(|source| StoreError::sqlite(path, "read", source))?;
        number.and_then(|number| u32::try_from(number.as_u64()?).ok()).ok_or_else(|| StoreError::Damaged {
            path: path.to_owned(),
            what: format!("it does not say its {name}"),
        })
    };
    Ok((read("rules_edition")?, read("record_version")?))
}

fn read_settings(file: &Connection, path: &Path) -> Result<Settings, StoreError> {
    let rows = || -> rusqlite::Result<Vec<(String, String)>> {
        let mut query = file.prepare(&format!(
            "SELECT name, value FROM settings WHERE length(name) + length(value) < {LONGEST_TEXT} LIMIT 1000"
        ))?;
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let rows = rows().map_err(|source| StoreError::sqlite(path, "read", source))?;
    let value = |text: String| serde_json::from_str::<Value>(&text).unwrap_or(Value::Null);
    let settings = Value::Object(rows.into_iter().map(|(name, text)| (name, value(text))).collect());
    serde_json::from_value(settings).map_err(|error| StoreError::Damaged {
        path: path.to_owned(),
        what: format!("its settings: {error}"),
    })
}

fn read_bots(file: &Connection) -> rusqlite::Result<Vec<BotEntry>> {
    // A text that is too long is replaced with a blob, which is then reported as a value of the wrong type.
    let short = |name: &str| format!("iif(coalesce(length({name}), 0) < 65536, {name}, x'')");
    let mut query = file.prepare(&format!(
        "SELECT {}, {}, {}, {}, {}, {} FROM bots ORDER BY bot LIMIT {}",
        short("name"),
        short("command"),
        short("hash"),
        short("author"),
        short("language"),
        if has_folders(file)? { short("folder") } else { "NULL".to_owned() },
        MOST_BOTS + 1,
    ))?;
    let bot = |row: &rusqlite::Row<'_>| {
        let command: String = row.get(1)?;
        Ok(BotEntry {
            name: row.get(0)?,
            command: serde_json::from_str(&command).unwrap_or_else(|_| vec![command]),
            hash: row.get(2)?,
            author: row.get(3)?,
            language: row.get(4)?,
            folder: row.get(5)?,
        })
    };
    query.query_map([], bot)?.collect()
}

/// Stores who meets whom.
pub(super) fn write_format(all: &Connection, format: &Format) -> rusqlite::Result<()> {
    let format = serde_json::json!(format).to_string();
    all.execute("UPDATE tournament SET value = ? WHERE name = 'format'", [format]).map(drop)
}

/// Stores how the tournament changed: the number of blocks, more bots, and the list of changes.
pub(super) fn extend(
    all: &Connection,
    was: &StoredPlan,
    now: &StoredPlan,
    new: Vec<TournamentChange>,
) -> rusqlite::Result<()> {
    if !new.is_empty() {
        let changes: Vec<TournamentChange> = was.changes.iter().cloned().chain(new).collect();
        let changes = serde_json::json!(changes).to_string();
        all.execute("INSERT OR REPLACE INTO tournament VALUES ('changes', ?)", [changes])?;
    }
    all.execute("UPDATE tournament SET value = ? WHERE name = 'blocks'", [now.blocks.to_string()])?;
    if let Some(terms) = now.gate {
        let terms = serde_json::json!(terms).to_string();
        all.execute("UPDATE tournament SET value = ? WHERE name = 'gate'", [terms])?;
        // The same bots may be in another folder now, such as another checkout.
        for (bot, entry) in now.bots.iter().enumerate() {
            update_bot(all, bot, entry)?;
        }
    }
    if now.format.is_adaptive() {
        write_format(all, &now.format)?; // who came late or left
    }
    insert_bots(all, &now.bots, was.bots.len())?;
    write_left_out(all, now)
}

/// How long closing a file waits for readers. They only read for moments at a time.
pub(super) const READERS: Duration = Duration::from_secs(5);

/// Merges the log into the file, and removes it. If a reader remains, the log stays, with the changes that this reader must
/// not see yet.
pub(super) fn close(file: Connection, path: &Path, readers: Duration) -> Result<(), StoreError> {
    let failed = |source| StoreError::sqlite(path, "close", source);
    let until = Instant::now() + readers;
    loop {
        match file.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(())) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {}
            done => break done.map_err(failed)?,
        }
        if Instant::now() >= until {
            // Merge as much as possible: the rest stays in the log, from where it is read.
            drop(file.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())));
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    file.close().map_err(|(_, error)| failed(error))
}

/// The same for a file in which all is committed: if the log cannot be merged, it stays, and is read from there.
pub(super) fn close_committed(file: Connection, path: &Path) {
    if let Err(error) = close(file, path, READERS) {
        tracing::warn!("{error}");
    }
}
