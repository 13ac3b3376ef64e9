//! Pages, examined with a real browser.
//!
//! Without Chromium these tests are reported as left out. Pictures of what they saw are in `target/tmp/pages`.

mod client;
mod large_fields;
mod league;
mod lightness;
mod replay;
mod replays;
mod stage;
