//! The latest snapshot, shared by all requests: each page is built once.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

use super::feed::Feed;
use crate::pages::{self, Site};
use crate::snapshot::Snapshot;
use leyden_arena::report::csv;

/// A snapshot, and those of its pages that everyone requests.
pub(super) struct LiveView {
    pub(super) snapshot: Snapshot,
    pub(super) site: Site,
    overview: OnceLock<String>,
    screen: OnceLock<String>,
    json: OnceLock<String>,
    csv: OnceLock<String>,
}

impl LiveView {
    fn new(snapshot: Snapshot, site: Site) -> Self {
        let (overview, screen, json, csv) = Default::default();
        Self { snapshot, site, overview, screen, json, csv }
    }

    pub(super) fn overview(&self) -> &str {
        self.overview.get_or_init(|| pages::overview(&self.snapshot, &self.site).into_string())
    }

    pub(super) fn screen(&self) -> &str {
        self.screen.get_or_init(|| pages::screen(&self.snapshot, &self.site).into_string())
    }

    pub(super) fn json(&self) -> &str {
        let text = || serde_json::to_string_pretty(&self.snapshot.standings).unwrap_or_default() + "\n";
        self.json.get_or_init(text)
    }

    pub(super) fn csv(&self) -> &str {
        self.csv.get_or_init(|| csv::text(&self.snapshot.standings))
    }
}

/// State that all threads share that serve an event.
#[derive(Clone)]
pub(super) struct ServerState {
    views: watch::Sender<Option<Arc<LiveView>>>,
    pub(super) feed: Feed,
    site: Site,
    pub(super) results: Arc<PathBuf>,
}

impl ServerState {
    pub(super) fn new(feed: Feed, site: Site, results: PathBuf) -> Self {
        Self { views: watch::Sender::new(None), feed, site, results: Arc::new(results) }
    }

    /// Publishes the next snapshot.
    pub(super) fn show(&self, snapshot: Snapshot) {
        let progress = snapshot.progress;
        self.views.send_replace(Some(Arc::new(LiveView::new(snapshot, self.site.clone()))));
        self.feed.progress(&progress);
    }

    /// Returns the latest snapshot, if there is one yet.
    pub(super) fn view_now(&self) -> Option<Arc<LiveView>> {
        self.views.borrow().clone()
    }

    /// Returns the latest snapshot; waits for the first one.
    pub(super) async fn view(&self) -> Option<Arc<LiveView>> {
        let mut views = self.views.subscribe();
        let view = views.wait_for(Option::is_some).await.ok()?;
        view.clone()
    }
}
