//! What the page shows, in the form in which it is sent.

use std::sync::Arc;

use leyden_rules::Rules;
use serde::Serialize;

use super::state::PageParts;

/// The current state.
#[derive(Clone, Debug)]
pub(super) struct PageState {
    /// The state as JSON.
    pub(super) state: Arc<str>,
    /// The rules of the match; `None` before there is anything to show.
    pub(super) rules: Option<Rules>,
    /// The replay of the finished match.
    pub(super) replayed: Option<Arc<str>>,
}

impl Default for PageState {
    fn default() -> Self {
        Self { state: "".into(), rules: None, replayed: None }
    }
}

/// A state of the page.
#[derive(Debug, Serialize)]
pub(super) struct PageUpdate {
    pub(super) number: u64,
    /// Which part of the document is shown.
    pub(super) view: &'static str,
    /// The turn that can be answered.
    pub(super) turn: Option<u64>,
    pub(super) parts: PageParts,
}
