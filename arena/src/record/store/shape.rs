//! Checks that a file has the tables of a results file and nothing that computes. A file may come from anyone: its contents
//! are read, never run.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

/// The tables that are read. Views are for people, who read them with their own programs.
const TABLES: [&str; 7] = ["tournament", "settings", "bots", "matches", "records", "voided", "bot_sums"];

/// The most bots in a tournament: comparing all of them needs memory for the square of it.
pub(super) const MOST_BOTS: usize = 4_096;

/// The longest stored text, apart from records.
pub(super) const LONGEST_TEXT: usize = 1 << 20;

/// The longest packed record.
pub(super) const LONGEST_RECORD: usize = 8 << 20;

/// Keeps everything in a file from being run while it is read or written: views, triggers, and functions that its tables
/// name.
pub(super) fn disarm(file: &Connection) -> rusqlite::Result<()> {
    for (what, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    ] {
        file.set_db_config(what, on)?;
    }
    Ok(())
}

/// What is wrong with the tables of a file, if anything.
pub(super) fn problem(file: &Connection) -> rusqlite::Result<Option<String>> {
    let mut query =
        file.prepare("SELECT type, rootpage, sql FROM sqlite_schema WHERE name = ? AND length(sql) < 10000")?;
    for table in TABLES {
        let mut rows = query.query([table])?;
        let Some(row) = rows.next()? else { return Ok(Some(format!("it has no table {table}"))) };
        let (kind, page, sql): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // A computed column is declared with `GENERATED ALWAYS AS (…)`, or `AS (…)`.
        let computes =
            sql.to_ascii_uppercase().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "AS");
        if kind != "table" || page == 0 || computes {
            return Ok(Some(format!("its {table} is not a plain table")));
        }
    }
    Ok(None)
}
