//! Pages, looked at with a real browser.
//!
//! Where Chromium is missing these tests say so and are left out. Pictures of what they saw lie in `target/tmp/pages`.

mod client;
mod crowded;
mod grey;
mod replay;
mod replays;
