//! What all threads share that serve an event: the latest snapshot, its feed, its stage.

use std::path::PathBuf;
use std::sync::Arc;

use axum::http::HeaderMap;
use leyden_language::Language;
use tokio::sync::watch;

use super::answer;
use super::feed::Feed;
use super::stage::StageHost;
use super::view::LiveView;
use crate::pages::Site;
use crate::snapshot::Snapshot;

/// State that all threads share that serve an event.
#[derive(Clone)]
pub(super) struct ServerState {
    views: watch::Sender<Option<Arc<LiveView>>>,
    pub(super) feed: Feed,
    pub(super) site: Site,
    pub(super) results: Arc<PathBuf>,
    pub(super) stage: Option<StageHost>,
    language: Option<Language>,
}

impl ServerState {
    pub(super) fn new(
        feed: Feed,
        site: Site,
        results: PathBuf,
        stage: Option<StageHost>,
        language: Option<Language>,
    ) -> Self {
        Self { views: watch::Sender::new(None), feed, site, results: Arc::new(results), stage, language }
    }

    /// Returns the language of a page for this request: that of all pages, or else the browser's.
    pub(super) fn language(&self, headers: &HeaderMap) -> Language {
        self.language.unwrap_or_else(|| answer::requested_language(headers))
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
