//! The listeners of a run: followers, which are called in line and may end it, subscribers, which get copies and may be slow, and
//! readers of everything, for which the run waits.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use leyden_model::RunEvent;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::executor::StoredCallback;
use tokio_util::sync::CancellationToken;

/// How many events a subscriber may be behind before it misses some, or the run waits for it.
const BEHIND: usize = 4_096;

/// The same for subscribers to moves: there are about a hundred per match.
const MOVES_BEHIND: usize = 65_536;

/// How often a run looks whether a listener that must miss nothing has caught up.
const PAUSE: Duration = Duration::from_millis(1);

/// Is called with each event, in order, by the thread that directs the run. Followers do not get moves.
///
/// ```
/// use leyden_arena::run::{Flow, FollowError, Follower};
/// use leyden_model::RunEvent;
/// use leyden_model::event::RunStage;
///
/// /// Ends the run after this many matches.
/// struct AtMost(u32);
///
/// impl Follower for AtMost {
///     fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
///         self.0 -= u32::from(matches!(event, RunEvent::Match { .. }) && self.0 > 0);
///         Ok(if self.0 == 0 { Flow::Stop } else { Flow::GoOn })
///     }
/// }
///
/// let stage = RunEvent::Stage(RunStage { stage: 0, round: 0, extra: false, matches: 20 });
/// assert_eq!(AtMost(10).take(&stage)?, Flow::GoOn);
/// # Ok::<(), FollowError>(())
/// ```
pub trait Follower {
    /// Takes an event, and returns whether the run continues.
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError>;

    /// Returns whether the run continues, when nothing has happened for a while.
    fn look(&mut self) -> Flow {
        Flow::GoOn
    }

    /// A follower that stores events calls `then` once all events so far are stored; any other returns it.
    fn when_stored(&mut self, then: StoredCallback) -> Option<StoredCallback> {
        Some(then)
    }
}

impl<F: FnMut(&RunEvent) -> Result<Flow, FollowError>> Follower for F {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        self(event)
    }
}

/// Whether a run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Wraps the reason.
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

impl EventDetail {
    /// How many events a subscriber may be behind.
    const fn behind(self) -> usize {
        match self {
            Self::Matches => BEHIND,
            Self::Moves => MOVES_BEHIND,
        }
    }
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
        Self::delivery(self.0.blocking_recv())
    }

    /// The same for tasks.
    pub async fn recv(&mut self) -> Option<Delivery> {
        Self::delivery(self.0.recv().await)
    }

    /// An event that has already arrived.
    pub fn ready(&mut self) -> Option<Delivery> {
        match self.0.try_recv() {
            Ok(event) => Some(Delivery::Event(event)),
            Err(TryRecvError::Lagged(missed)) => Some(Delivery::Missed(missed)),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }

    fn delivery(received: Result<Arc<RunEvent>, RecvError>) -> Option<Delivery> {
        match received {
            Ok(event) => Some(Delivery::Event(event)),
            Err(RecvError::Lagged(missed)) => Some(Delivery::Missed(missed)),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Every event of a run, for a listener that must miss none: while it is too far behind, the run waits for it. A run that is stopped
/// waits no more, and its last events are delivered all the same. No bounded channel, because its sender would wait or drop them.
#[derive(Debug)]
pub struct WholeSubscription {
    events: mpsc::Receiver<Arc<RunEvent>>,
    /// How many are waiting. The run holds the other end, so it notices that the listener is gone.
    waiting: Arc<AtomicUsize>,
}

impl WholeSubscription {
    /// Waits for the next event; `None` when the run is over.
    pub fn wait(&mut self) -> Option<Arc<RunEvent>> {
        let event = self.events.recv().ok()?;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(event)
    }

    /// An event that has already arrived.
    pub fn ready(&mut self) -> Option<Arc<RunEvent>> {
        let event = self.events.try_recv().ok()?;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(event)
    }
}

/// The run's end of a [`WholeSubscription`].
struct Whole {
    detail: EventDetail,
    events: mpsc::Sender<Arc<RunEvent>>,
    waiting: Arc<AtomicUsize>,
}

impl Whole {
    /// Delivers an event, once the listener is not too far behind.
    fn notify(&self, event: &Arc<RunEvent>, stop: &CancellationToken) {
        let is_behind = || self.waiting.load(Ordering::Relaxed) >= self.detail.behind();
        while is_behind() && Arc::strong_count(&self.waiting) > 1 && !stop.is_cancelled() {
            thread::sleep(PAUSE);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        drop(self.events.send(Arc::clone(event))); // the listener may be gone
    }
}

/// All listeners of a run.
#[derive(Default)]
pub(super) struct Listeners<'a> {
    /// Followers that have failed are removed.
    followers: Vec<Option<&'a mut dyn Follower>>,
    matches: Option<broadcast::Sender<Arc<RunEvent>>>,
    moves: Option<broadcast::Sender<Arc<RunEvent>>>,
    whole: Vec<Whole>,
}

impl<'a> Listeners<'a> {
    pub(super) fn follow(&mut self, follower: &'a mut dyn Follower) {
        self.followers.push(Some(follower));
    }

    pub(super) fn subscribe(&mut self, detail: EventDetail) -> Subscription {
        let stream = match detail {
            EventDetail::Matches => &mut self.matches,
            EventDetail::Moves => &mut self.moves,
        };
        Subscription(stream.get_or_insert_with(|| broadcast::Sender::new(detail.behind())).subscribe())
    }

    pub(super) fn subscribe_to_all(&mut self, detail: EventDetail) -> WholeSubscription {
        let ((sender, events), waiting) = (mpsc::channel(), Arc::new(AtomicUsize::new(0)));
        self.whole.push(Whole { detail, events: sender, waiting: Arc::clone(&waiting) });
        WholeSubscription { events, waiting }
    }

    /// Whether a subscriber wants moves.
    pub(super) fn wants_moves(&self) -> bool {
        self.moves.is_some() || self.whole.iter().any(|whole| whole.detail == EventDetail::Moves)
    }

    /// Asks all followers whether the run continues.
    pub(super) fn look(&mut self) -> Flow {
        let followers = self.followers.iter_mut().flatten();
        followers.map(|follower| follower.look()).max().unwrap_or(Flow::GoOn)
    }

    /// Calls `then` once all events so far are stored, or at once if nothing stores events.
    pub(super) fn when_stored(&mut self, then: StoredCallback) {
        let mut followers = self.followers.iter_mut().flatten();
        if let Some(then) = followers.try_fold(then, |then, follower| follower.when_stored(then)) {
            then();
        }
    }

    /// Delivers an event to all listeners; until the run is stopped, waits for those that must miss none. Returns the first error;
    /// a follower that fails is removed.
    pub(super) fn notify(&mut self, event: RunEvent, stop: &CancellationToken) -> Result<Flow, FollowError> {
        let is_move = matches!(event, RunEvent::Move { .. });
        let mut outcome = Ok(Flow::GoOn);
        for slot in self.followers.iter_mut().filter(|_| !is_move) {
            let Some(follower) = slot else { continue };
            match follower.take(&event) {
                Ok(Flow::GoOn) => {}
                Ok(Flow::Finish) => {
                    if let Ok(flow @ Flow::GoOn) = &mut outcome {
                        *flow = Flow::Finish;
                    }
                }
                Ok(Flow::Stop) => outcome = outcome.map(|_| Flow::Stop),
                Err(error) => {
                    *slot = None;
                    outcome = outcome.and(Err(error));
                }
            }
        }
        let streams = [self.matches.as_ref().filter(|_| !is_move), self.moves.as_ref()];
        let wants = |whole: &&Whole| !is_move || whole.detail == EventDetail::Moves;
        let is_heard = streams.iter().flatten().any(|stream| stream.receiver_count() > 0);
        if is_heard || self.whole.iter().any(|whole| wants(&whole)) {
            let event = Arc::new(event);
            for whole in self.whole.iter().filter(wants) {
                whole.notify(&event, stop);
            }
            for stream in streams.into_iter().flatten() {
                drop(stream.send(Arc::clone(&event))); // all receivers may be gone
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::event::RunStage;

    use super::*;

    fn event(number: usize) -> RunEvent {
        RunEvent::Stage(RunStage { stage: number as u32, round: 0, extra: false, matches: 0 })
    }

    /// The run is ahead by more than is kept for a listener that may miss events, so it has waited.
    #[test]
    fn whole_subscription_gets_every_event_however_late() {
        let mut listeners = Listeners::default();
        let (mut lossy, mut whole) =
            (listeners.subscribe(EventDetail::Matches), listeners.subscribe_to_all(EventDetail::Matches));
        let count = 2 * BEHIND;
        let reads = move || {
            while whole.waiting.load(Ordering::Relaxed) < BEHIND {
                thread::sleep(PAUSE);
            }
            thread::sleep(10 * PAUSE);
            assert_eq!(whole.waiting.load(Ordering::Relaxed), BEHIND, "the run waits");
            for number in 0..count {
                assert_eq!(*whole.wait().unwrap(), event(number));
            }
            assert!(whole.wait().is_none());
        };
        let reader = thread::spawn(reads);
        for number in 0..count {
            listeners.notify(event(number), &CancellationToken::new()).unwrap();
        }
        drop(listeners);
        reader.join().unwrap();
        assert!(matches!(lossy.wait(), Some(Delivery::Missed(_))));
    }

    #[test]
    fn run_never_waits_once_stopped_or_without_listeners() {
        let stop = CancellationToken::new();
        let mut listeners = Listeners::default();
        let mut whole = listeners.subscribe_to_all(EventDetail::Matches);
        stop.cancel();
        for number in 0..2 * BEHIND {
            listeners.notify(event(number), &stop).unwrap();
        }
        assert!((0..2 * BEHIND).all(|number| *whole.ready().unwrap() == event(number)));
        drop(whole);
        for number in 0..2 * BEHIND {
            listeners.notify(event(number), &CancellationToken::new()).unwrap();
        }
    }
}
