//! The listeners of a run: followers, which are called in line and may end it, and subscribers, which get copies and may be
//! slow.

use std::error::Error;
use std::sync::Arc;

use leyden_model::RunEvent;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::executor::WhenStored;

/// How many events a subscriber may be behind before it misses some.
const BEHIND: usize = 4_096;

/// The same for subscribers to moves: there are about a hundred per match.
const MOVES_BEHIND: usize = 65_536;

/// Is called with each event, in order, by the thread that directs the run. Followers do not get moves.
pub trait Follower {
    /// Takes an event, and returns whether the run continues.
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError>;

    /// A follower that stores events calls `then` once all events so far are stored; any other returns it.
    fn when_stored(&mut self, then: WhenStored) -> Option<WhenStored> {
        Some(then)
    }
}

impl<F: FnMut(&RunEvent) -> Result<Flow, FollowError>> Follower for F {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        self(event)
    }
}

/// Whether a run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoOn,
    /// Begins no other pair, and plays the legs that are missing of those that have begun.
    Finish,
    /// Ends the run: matches in progress are aborted. Matches that have already ended are still delivered.
    Stop,
}

/// A follower has failed. This ends the run, and the follower gets no more events.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FollowError(Box<dyn Error + Send + Sync>);

impl FollowError {
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

/// Which events a subscriber gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDetail {
    /// The result of each match.
    Matches,
    /// The moves of each match as well.
    Moves,
}

/// Copies of a run's events, for a listener that may be slow.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Arc<RunEvent>>);

/// What a subscription delivers.
#[derive(Clone, Debug)]
pub enum Delivery {
    Event(Arc<RunEvent>),
    /// The subscriber was too slow: this many events were dropped.
    Missed(u64),
}

impl Subscription {
    /// Waits for the next event; `None` when the run is over. For threads, not for tasks.
    ///
    /// # Panics
    /// In an asynchronous task.
    pub fn wait(&mut self) -> Option<Delivery> {
        Self::heard(self.0.blocking_recv())
    }

    /// The same for tasks.
    pub async fn recv(&mut self) -> Option<Delivery> {
        Self::heard(self.0.recv().await)
    }

    /// An event that has already arrived.
    pub fn ready(&mut self) -> Option<Delivery> {
        match self.0.try_recv() {
            Ok(event) => Some(Delivery::Event(event)),
            Err(TryRecvError::Lagged(missed)) => Some(Delivery::Missed(missed)),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }

    fn heard(received: Result<Arc<RunEvent>, RecvError>) -> Option<Delivery> {
        match received {
            Ok(event) => Some(Delivery::Event(event)),
            Err(RecvError::Lagged(missed)) => Some(Delivery::Missed(missed)),
            Err(RecvError::Closed) => None,
        }
    }
}

/// All listeners of a run.
#[derive(Default)]
pub(super) struct Listeners<'a> {
    /// Followers that have failed are removed.
    followers: Vec<Option<&'a mut dyn Follower>>,
    matches: Option<broadcast::Sender<Arc<RunEvent>>>,
    moves: Option<broadcast::Sender<Arc<RunEvent>>>,
}

impl<'a> Listeners<'a> {
    pub(super) fn follow(&mut self, follower: &'a mut dyn Follower) {
        self.followers.push(Some(follower));
    }

    pub(super) fn subscribe(&mut self, detail: EventDetail) -> Subscription {
        let (stream, behind) = match detail {
            EventDetail::Matches => (&mut self.matches, BEHIND),
            EventDetail::Moves => (&mut self.moves, MOVES_BEHIND),
        };
        Subscription(stream.get_or_insert_with(|| broadcast::Sender::new(behind)).subscribe())
    }

    /// Whether a subscriber wants moves.
    pub(super) fn wants_moves(&self) -> bool {
        self.moves.is_some()
    }

    /// Calls `then` once all events so far are stored, or at once if nothing stores events.
    pub(super) fn when_stored(&mut self, then: WhenStored) {
        let mut followers = self.followers.iter_mut().flatten();
        if let Some(then) = followers.try_fold(then, |then, follower| follower.when_stored(then)) {
            then();
        }
    }

    /// Delivers an event to all listeners. Returns the first error; a follower that fails is removed.
    pub(super) fn tell(&mut self, event: RunEvent) -> Result<Flow, FollowError> {
        let is_move = matches!(event, RunEvent::Move { .. });
        let mut outcome = Ok(Flow::GoOn);
        for place in self.followers.iter_mut().filter(|_| !is_move) {
            let Some(follower) = place else { continue };
            match follower.take(&event) {
                Ok(Flow::GoOn) => {}
                Ok(Flow::Finish) => {
                    if let Ok(flow @ Flow::GoOn) = &mut outcome {
                        *flow = Flow::Finish;
                    }
                }
                Ok(Flow::Stop) => outcome = outcome.map(|_| Flow::Stop),
                Err(error) => {
                    *place = None;
                    outcome = outcome.and(Err(error));
                }
            }
        }
        let streams = [self.matches.as_ref().filter(|_| !is_move), self.moves.as_ref()];
        if streams.iter().flatten().any(|stream| stream.receiver_count() > 0) {
            let event = Arc::new(event);
            for stream in streams.into_iter().flatten() {
                drop(stream.send(Arc::clone(&event))); // all receivers may be gone
            }
        }
        outcome
    }
}
