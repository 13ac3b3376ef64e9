//! The results file as a follower of a run: what counts is stored, what is void is set aside.

use std::path::Path;

use leyden_model::RunEvent;

use super::store::{StoreError, Writer};
use crate::run::{Flow, FollowError, Follower, WhenStored};

/// Stores what comes of a run. When it cannot any more it ends the run, and [`finish`](Self::finish) tells why.
#[derive(Debug)]
pub struct Recorder(Writer);

impl Recorder {
    pub fn new(writer: Writer) -> Self {
        Self(writer)
    }

    /// The file written to.
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
            _ => Ok(()),
        };
        stored.map(|()| Flow::GoOn).map_err(FollowError::new)
    }
    fn when_stored(&mut self, then: WhenStored) -> Option<WhenStored> {
        self.0.when_stored(then);
        None
    }
}
