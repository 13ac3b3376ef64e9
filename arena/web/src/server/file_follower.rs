//! The thread that reads the results file, for at most a twentieth of the time.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::feed::FeedMessage;
use super::served_event::ServedEvent;
use super::stage::StageHost;
use super::state::ServerState;

use crate::pages::Delay;
use crate::snapshot::SnapshotReader;

/// How long viewers may look at the end of a run before the server shuts down.
const VIEWING_TIME: Duration = Duration::from_secs(15);

/// The shortest interval between two reads.
const EVERY: Duration = Duration::from_millis(500);

/// The pause after a read, as a multiple of its duration.
const REST: u32 = 20;

/// The time over which the rate is measured.
const RATE: Duration = Duration::from_secs(30);

/// A command to the thread.
pub(super) enum FollowerCommand {
    /// The run is over: show its end, and reply when viewers have had time to see it.
    Finish(Sender<()>),
    /// The run is over: show its end, and reply. The pages stay.
    Stay(Sender<()>),
}

/// Waits until there is a results file; `None` if the server is gone before.
pub(super) fn wait_for(event: &ServedEvent, heard: &Receiver<FollowerCommand>) -> Option<SnapshotReader> {
    loop {
        // It may just be written.
        if let Some(reader) = event.results.exists().then(|| event.open().ok()).flatten() {
            return Some(reader);
        }
        match heard.recv_timeout(EVERY) {
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
            Ok(FollowerCommand::Stay(seen) | FollowerCommand::Finish(seen)) => {
                let _ = seen.send(()); // the receiver may be gone
                return None;
            }
        }
    }
}

/// Follows a results file.
pub(super) struct FileFollower {
    pub(super) reader: SnapshotReader,
    pub(super) shared: ServerState,
    pub(super) delay: Delay,
    pub(super) heard: Receiver<FollowerCommand>,
}

impl FileFollower {
    /// Reads until the server is gone.
    pub(super) fn run(mut self) {
        let mut pace = MatchRate::default();
        let mut was_playing = None;
        loop {
            let began = Instant::now();
            let is_playing = Some(self.reader.is_playing());
            self.update(&mut pace, is_playing != was_playing);
            was_playing = is_playing;
            let pause = EVERY.max(began.elapsed() * REST);
            match self.heard.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(FollowerCommand::Stay(seen)) => {
                    self.update(&mut pace, true);
                    self.shared.feed.publish_end();
                    let _ = seen.send(()); // the receiver may be gone
                    return;
                }
                Ok(FollowerCommand::Finish(seen)) => {
                    self.update(&mut pace, true);
                    self.finish();
                    let _ = seen.send(()); // the receiver may be gone
                    return;
                }
            }
        }
    }

    /// Reads and shows what is new. What cannot be read now is read the next time.
    fn update(&mut self, pace: &mut MatchRate, anyway: bool) {
        let (feed, delay) = (self.shared.feed.clone(), self.delay);
        let has_replays = self.shared.site.has_replays();
        let revealed = self.shared.stage.as_ref().map(StageHost::revealed);
        let restricted = revealed.map_or(Ok(false), |revealed| self.reader.reveal(&revealed));
        let refreshed = self.reader.refresh(|pair| {
            if delay == Delay::Pair && has_replays {
                feed.offer(pair);
            }
        });
        let shown = restricted.and_then(|is_new| Ok(refreshed? || is_new)).and_then(|has_changed| {
            if has_changed || anyway {
                let rate = pace.rate(self.reader.matches());
                self.shared.show(self.reader.snapshot(rate)?);
            }
            Ok(())
        });
        if let Err(error) = shown {
            tracing::warn!("the pages are not up to date: {error}");
            self.shared.feed.publish(FeedMessage::new("unreadable", &()));
        }
    }

    /// Sends that everything is over, and gives viewers time to fetch the last pages.
    fn finish(&self) {
        self.shared.feed.publish_end();
        let until = Instant::now() + VIEWING_TIME;
        let pause = Duration::from_millis(50);
        while self.shared.feed.listeners() > 0 && Instant::now() < until {
            std::thread::sleep(pause);
        }
        if Instant::now() < until {
            std::thread::sleep(pause * 4); // let the last requested page go out
        }
    }
}

/// Measures how many matches per second were played recently.
#[derive(Default)]
struct MatchRate(VecDeque<(Instant, u64)>);

impl MatchRate {
    fn rate(&mut self, matches: u64) -> Option<f64> {
        let now = Instant::now();
        self.0.push_back((now, matches));
        while self.0.len() > 2 && self.0.get(1).is_some_and(|(time, _)| now - *time > RATE) {
            self.0.pop_front();
        }
        let (since, before) = *self.0.front()?;
        let seconds = (now - since).as_secs_f64();
        (seconds > 0.5 && matches > before).then(|| (matches - before) as f64 / seconds)
    }
}
