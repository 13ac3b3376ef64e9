//! Makes a results file a follower of a run: stores results, and sets void matches aside.

use std::path::Path;

use leyden_model::RunEvent;

use super::store::{StoreError, Writer};
use crate::run::{Flow, FollowError, Follower, StoredCallback};

/// Stores the results of a run. If storing fails it ends the run, and [`finish`](Self::finish) returns the error.
#[derive(Debug)]
pub struct Recorder(Writer);

impl Recorder {
    /// Stores with this writer.
    pub fn new(writer: Writer) -> Self {
        Self(writer)
    }

    /// The path of the results file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes what is left and closes the file.
    pub fn finish(self) -> Result<(), StoreError> {
        self.0.finish()
    }
}

impl Follower for Recorder {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let stored = match event {
            RunEvent::Match { key, record, .. } => self.0.add(key, (**record).clone()),
            RunEvent::Void(void) => {
                let played = void.played.as_ref().map(|record| (**record).clone());
                self.0.void(&void.key, &void.reason, played)
            }
            RunEvent::Start(_)
            | RunEvent::Stage(_)
            | RunEvent::Move { .. }
            | RunEvent::Disabled(_)
            | RunEvent::End(_) => Ok(()),
        };
        stored.map(|()| Flow::GoOn).map_err(FollowError::new)
    }
    fn when_stored(&mut self, then: StoredCallback) -> Option<StoredCallback> {
        self.0.when_stored(then);
        None
    }
}
