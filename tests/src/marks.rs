//! Processes found by a mark in their environment, which every descendant of a marked process inherits.

use std::fs;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::patience::Patience;

/// The environment variable that holds the mark.
pub const VARIABLE: &str = "LEYDEN_TEST_MARK";

/// A mark that no other process on this machine has.
pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("leyden-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The living processes with this mark: their ids and command lines. Zombies do not count, because they have ended.
pub fn alive(mark: &str) -> Vec<(i32, String)> {
    let variable = format!("{VARIABLE}={mark}");
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    ids.filter_map(|pid| {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        environment.split(|&byte| byte == 0).find(|entry| *entry == variable.as_bytes())?;
        let words = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some((pid, String::from_utf8_lossy(&words).replace('\0', " ")))
    })
    .collect()
}

/// Waits until no process with this mark is left and returns how long that took; fails with those that are left after
/// `limit`.
pub fn wait_for_none(mark: &str, limit: Duration) -> Result<Duration, Vec<(i32, String)>> {
    let (start, mut patience) = (Instant::now(), Patience::new(limit));
    loop {
        let left = alive(mark);
        if left.is_empty() {
            return Ok(start.elapsed());
        }
        if !patience.waits() {
            return Err(left);
        }
    }
}
