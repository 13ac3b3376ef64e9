//! A snapshot, and pages of it: each is built once.

use std::sync::OnceLock;

use leyden_language::{Language, PerLanguage};

use crate::pages::{self, Site};
use crate::snapshot::Snapshot;
use leyden_arena::report::csv;

/// A snapshot, and those of its pages that everyone requests.
pub(super) struct LiveView {
    pub(super) snapshot: Snapshot,
    pub(super) site: Site,
    overview: PerLanguage<OnceLock<String>>,
    screen: PerLanguage<OnceLock<String>>,
    json: OnceLock<String>,
    csv: OnceLock<String>,
}

impl LiveView {
    pub(super) fn new(snapshot: Snapshot, site: Site) -> Self {
        let (overview, screen, json, csv) = Default::default();
        Self { snapshot, site, overview, screen, json, csv }
    }

    pub(super) fn overview(&self, language: Language) -> &str {
        let page = || pages::overview(&self.snapshot, &self.site, language).into_string();
        self.overview[language].get_or_init(page)
    }

    pub(super) fn screen(&self, language: Language) -> &str {
        let page = || pages::screen(&self.snapshot, &self.site, language).into_string();
        self.screen[language].get_or_init(page)
    }

    pub(super) fn json(&self) -> &str {
        let text = || serde_json::to_string_pretty(&self.snapshot.standings).unwrap_or_default() + "\n";
        self.json.get_or_init(text)
    }

    pub(super) fn csv(&self) -> &str {
        self.csv.get_or_init(|| csv::text(&self.snapshot.standings))
    }
}
