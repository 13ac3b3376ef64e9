//! Pages, examined with a real browser.
//!
//! Without Chromium these tests are reported as left out. Pictures of what they saw are in `target/tmp/pages`.

mod client;
mod crowded;
mod league;
mod lightness;
mod replay;
mod replays;
mod stage;
