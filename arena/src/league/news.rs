//! What happens in a league, and what of it ends a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Instant;

use leyden_model::{DisabledBot, FaultDetails, RunEvent};

use super::budget::Meter;
use super::challenges::Challenges;
use super::copies::ComparisonThread;
use super::entrance::Verdict;
use super::version::Version;
use crate::run::{Flow, FollowError, Follower};

/// What happens in a league, for its organiser.
#[derive(Clone, Debug)]
pub enum LeagueEvent {
    /// There is a verdict on an entry of the folder.
    Judged { entry: String, verdict: Verdict },
    /// A version plays from now on.
    Plays(Version),
    /// A version has left; what it played stays.
    Left(Version),
    /// A bot has used up its time of the day.
    Rests { bot: String },
    /// A version could not be started so often in a row, and is set aside.
    SetAside { version: Version, failures: u32, details: FaultDetails },
    /// There are too few bots to play.
    Waits { bots: usize },
    /// Something failed, and is tried again.
    Trouble(String),
}

/// What the thread that watches has found.
pub(super) struct News {
    pub(super) verdicts: Receiver<(PathBuf, Verdict)>,
    /// The last that was reported of each entry.
    pub(super) reported: BTreeMap<String, String>,
    /// What changes who plays, and was not applied yet.
    pub(super) decided: Vec<Verdict>,
    /// Whether nobody watches any more.
    pub(super) has_ended: bool,
}

impl News {
    /// Reports what has come. What changes who plays is kept for the time between two runs.
    pub(super) fn look(&mut self, notify: &mut dyn FnMut(LeagueEvent)) {
        loop {
            let (entry, verdict) = match self.verdicts.try_recv() {
                Ok(news) => news,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.has_ended = true;
                    return;
                }
            };
            let entry = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if verdict.changes_play() {
                self.decided.push(verdict.clone());
            }
            let text = verdict.to_string();
            if self.reported.insert(entry.clone(), text.clone()) != Some(text) {
                notify(LeagueEvent::Judged { entry, verdict });
            }
        }
    }
}

/// Reports what comes during a run, and ends it, after the pairs that are open, once there is something to decide.
pub(super) struct Pause<'a> {
    /// The challenges, and whether they had a worker of the league's when the run began.
    pub(super) challenges: Option<(&'a Challenges, bool)>,
    /// What bots use of their time of the day.
    pub(super) meter: Option<Meter>,
    pub(super) news: &'a mut News,
    /// What is compared once others play.
    pub(super) comparing: &'a ComparisonThread,
    pub(super) notify: &'a mut dyn FnMut(LeagueEvent),
    pub(super) until: Option<Instant>,
    pub(super) matches: u64,
    pub(super) planned: Option<u64>,
    /// The bots that could not be started.
    pub(super) not_started: Vec<DisabledBot>,
}

impl Pause<'_> {
    /// Whether workers have to be found for challenges, or have become free.
    pub(super) fn is_for_challenge(&self) -> bool {
        self.challenges.is_some_and(|(challenges, have_worker)| {
            let are_played = challenges.are_played();
            if have_worker { !are_played } else { !are_played && challenges.are_due() }
        })
    }
}

impl Follower for Pause<'_> {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        if let RunEvent::Match { record, .. } = event {
            self.matches += 1;
            if let Some(meter) = &mut self.meter {
                meter.take(record);
            }
        }
        if let RunEvent::Disabled(disabled) = event {
            self.not_started.push(disabled.clone());
        }
        Ok(self.look())
    }

    fn look(&mut self) -> Flow {
        self.news.look(self.notify);
        let is_over = self.planned.is_some_and(|planned| self.matches >= planned)
            || self.until.is_some_and(|until| Instant::now() >= until);
        let is_over = is_over || self.is_for_challenge() || self.meter.as_ref().is_some_and(Meter::is_over);
        let is_over = is_over || !self.not_started.is_empty();
        if is_over || !self.news.decided.is_empty() { Flow::Finish } else { Flow::GoOn }
    }
}
