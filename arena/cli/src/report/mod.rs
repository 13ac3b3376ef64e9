//! Reports in words: tables and figures for a terminal, Markdown, JUnit XML and annotations.

pub(crate) mod analysis;
pub(crate) mod faults;
pub(crate) mod figures;
pub(crate) mod github;
pub(crate) mod grid;
pub(crate) mod junit;
pub(crate) mod luck;
pub(crate) mod off_turn;
pub(crate) mod text;
