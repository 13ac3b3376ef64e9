//! Coordinator and workers over a real server: every item counts once, no matter what dies on the way.

#[path = "server/access.rs"]
mod access;
#[path = "server/failures.rs"]
mod failures;
#[path = "server/fixture.rs"]
mod fixture;
#[allow(dead_code, reason = "shared with tests and benchmarks that do more to a server")]
#[path = "server/process.rs"]
mod process;
