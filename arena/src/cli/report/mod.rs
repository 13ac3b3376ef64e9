//! Reports in words: tables and figures for a terminal, Markdown, JUnit XML and annotations.

pub(super) mod faults;
pub(super) mod figures;
pub(super) mod github;
pub(super) mod grid;
pub(super) mod junit;
pub(super) mod luck;
pub(super) mod off_turn;
pub(super) mod text;
