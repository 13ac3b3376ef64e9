//! Who hears of a run: followers, who are called in line and may end it, and subscribers, who get copies and may be slow.

use std::error::Error;
use std::sync::Arc;

use leyden_model::RunEvent;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::executor::WhenStored;

/// How many events a subscriber may be behind before it misses some.
const BEHIND: usize = 4_096;

/// The same for those who hear of every move: there are about a hundred to a match.
const MOVES_BEHIND: usize = 65_536;

/// Called with each event in the order in which they happen, by the thread that directs the run. Moves are not handed to
/// followers.
pub trait Follower {
    /// Takes an event, and says whether the run goes on.
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError>;

    /// Whoever stores events does this when all that it was told by now is stored; everybody else gives it back.
    fn when_stored(&mut self, then: WhenStored) -> Option<WhenStored> {
        Some(then)
    }
}

impl<F: FnMut(&RunEvent) -> Result<Flow, FollowError>> Follower for F {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        self(event)
    }
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoOn,
    /// Enough is known: what is being played is broken off. Matches that have ended meanwhile are still told.
    Stop,
}

/// A follower cannot do its part. It ends the run, and is not told anything more.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FollowError(Box<dyn Error + Send + Sync>);

impl FollowError {
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

/// How much a subscriber wants to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDetail {
    /// What becomes of each match.
    Matches,
    /// What happens in each match, too.
    Moves,
}

/// Copies of a run's events, for somebody who may be slow.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Arc<RunEvent>>);

/// What a subscriber hears.
#[derive(Clone, Debug)]
pub enum Delivery {
    Event(Arc<RunEvent>),
    /// The subscriber was too slow: so many events were not kept for it.
    Missed(u64),
}

impl Subscription {
    /// The next event, as soon as there is one; `None` when the run is over. For threads, not for tasks.
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

    /// An event that is there already.
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

/// Everybody who hears of a run.
#[derive(Default)]
pub(super) struct Listeners<'a> {
    /// Those who cannot go on are taken out.
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

    /// Whether somebody wants to hear of every move.
    pub(super) fn wants_moves(&self) -> bool {
        self.moves.is_some()
    }

    /// Does this when all that was told by now is stored, or at once if nobody stores anything.
    pub(super) fn when_stored(&mut self, then: WhenStored) {
        let mut followers = self.followers.iter_mut().flatten();
        if let Some(then) = followers.try_fold(then, |then, follower| follower.when_stored(then)) {
            then();
        }
    }

    /// Tells everybody. The first error is returned; whoever has one is not told anything more.
    pub(super) fn tell(&mut self, event: RunEvent) -> Result<Flow, FollowError> {
        let is_move = matches!(event, RunEvent::Move { .. });
        let mut outcome = Ok(Flow::GoOn);
        for place in self.followers.iter_mut().filter(|_| !is_move) {
            let Some(follower) = place else { continue };
            match follower.take(&event) {
                Ok(Flow::GoOn) => {}
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
                drop(stream.send(Arc::clone(&event))); // nobody may listen any more
            }
        }
        outcome
    }
}
