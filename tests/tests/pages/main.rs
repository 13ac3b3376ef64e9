//! Pages, looked at with a real browser.

mod client;
