//! A league: a tournament without end whose bots come from a folder that is watched, each version as a bot of its own.
//!
//! ```text
//! folder ── Watch ── Entrance (found, kept, checked, built) ── Verdict ─┐        on its own thread, beside the play
//!                                                                       ▼
//! results file ── Tournament::resume with the versions that have come ── play until the next one has come
//! ```
//!
//! A version that has come ends the run after the pairs that are open; the tournament is resumed with it, as any tournament is resumed
//! with more bots, and it plays from the next batch on. The version before leaves. What a kill leaves half done is done at the next
//! start: everything is decided again from the results file, the folder of versions beside it, and the folder of the league.

mod absence;
mod attendance;
mod budget;
mod challenge_table;
mod challenges;
mod copies;
mod decisions;
mod disk;
mod entrance;
mod entrants;
mod error;
mod hand_in;
mod intake;
mod news;
mod public_names;
mod set_aside;
mod standing;
mod timestamp;
mod tokens;
mod venue;
mod version;
mod watch;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use leyden_model::DisabledBot;
use leyden_model::event::RunEnd;

use crate::record::store::{Lock, Resumable, WithdrawError};
use crate::roster;
use crate::run::Options;
use crate::tournament::{ResultsFile, Tournament};
pub use absence::AbsentVersions;
use attendance::Roster;
use budget::Budget;
use challenge_table::{ChallengeTable, jobs_here};
pub use challenges::{
    CHALLENGES, Challenge, ChallengeError, ChallengeFault, ChallengeMatch, ChallengeState, Challenges,
};
use copies::ComparisonThread;
pub use copies::{Copies, CountedVersion, LeagueCopies};
use decisions::Decision;
pub use disk::Disk;
use entrance::Entrance;
pub use entrance::{LeagueRules, Verdict};
pub use entrants::{EntrantsError, LeagueEntrant, entrants, other_entrant};
use error::FRUITLESS;
pub use error::LeagueError;
pub use hand_in::{HandIn, HandInState, ReceivedArchive};
pub use intake::{Intake, IntakeError, IntakeRules, LARGEST, OpenIntakeError, Upload};
pub use news::LeagueEvent;
use news::{News, Pause};
pub use public_names::PublicNames;
use set_aside::AsideVersions;
pub use set_aside::SetAside;
pub use standing::{
    CommonOpponent, LeagueStanding, LeagueVersions, StandingError, VersionLine, VersionsCompared,
};
pub use tokens::{Invitation, Tokens, TokensError};
use tokio_util::sync::CancellationToken;
pub use venue::Venue;
use version::playing;
pub use version::{UNPACKED, Version, VersionEntry, versions_of};
use watch::Watch;

/// How long is waited before another try if something failed that may pass, such as a full disk.
const PAUSE: Duration = Duration::from_secs(5);

/// A league that is going to be played.
#[derive(Clone, Debug)]
pub struct League {
    /// Where bots are handed in: each entry is a bot, named by it.
    pub folder: PathBuf,
    pub results: PathBuf,
    /// The options of the tournament, without bots. Their stop ends the league.
    pub options: Options,
    pub rules: LeagueRules,
    /// When it ends; without this and `pairs` only the stop ends it.
    pub until: Option<Instant>,
    /// After how many more pairs it ends.
    pub pairs: Option<u64>,
    /// Receives what authors hand in over the network, and learns the verdicts.
    pub intake: Option<Intake>,
    /// Where it is played; otherwise on threads of this program.
    pub venue: Option<Venue>,
}

/// Why a league ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeagueEnd {
    /// The time or the pairs that were requested are over.
    Over,
    Interrupted,
}

impl League {
    /// The folder beside the results file in which each version is kept as it was handed in.
    pub fn versions_folder(&self) -> PathBuf {
        self.results.with_extension("versions")
    }

    /// The folder beside the results file in which builds are kept for the next start. It may be removed at any time.
    pub fn builds_folder(&self) -> PathBuf {
        self.results.with_extension("builds")
    }

    /// How much it may take on disk.
    pub fn disk(&self) -> Disk {
        Disk {
            folder: self.folder.clone(),
            versions: self.versions_folder(),
            builds: self.builds_folder(),
            challenges: challenges::folder_of(&self.results),
            most: self.rules.disk,
        }
    }

    /// Plays until the league ends. `notify` is called in the order of events.
    pub fn play(&self, notify: &mut dyn FnMut(LeagueEvent)) -> Result<LeagueEnd, LeagueError> {
        let versions = self.versions_folder();
        fs::create_dir_all(&versions)
            .map_err(|source| LeagueError::Folder { folder: versions.clone(), source })?;
        // Nobody else may decide about these versions, not even between two runs. An intake has seen to that.
        let _lock = self.intake.is_none().then(|| Lock::take(&versions)).transpose()?;
        let mut entered = self.entered()?;
        let folder = |source| LeagueError::Folder { folder: self.results.clone(), source };
        let budget = Budget::open(&self.results, self.rules.cpu_a_day).map_err(folder)?;
        let intake = self.intake.as_ref();
        budget.keep_resting(&mut entered, |bot| intake.is_some_and(|intake| intake.withdrawn(bot).is_some()));
        let aside = match intake {
            Some(intake) => intake.aside().clone(),
            None => AsideVersions::open(&self.results).map_err(folder)?,
        };
        aside.apply(&mut entered);
        self.check_kept(&entered, &playing(&entered))?;
        entrance::sweep(&versions, &entered)
            .map_err(|source| LeagueError::Folder { folder: versions.clone(), source })?;
        let hashes: Vec<&str> = entered.iter().map(|of| of.hash.as_str()).collect();
        roster::sweep_builds(&self.builds_folder(), &hashes)
            .map_err(|source| LeagueError::Folder { folder: self.builds_folder(), source })?;
        let watching = self.options.stop.child_token();
        let mut news = self.watch(&entered, &watching, &aside);
        let comparing = ComparisonThread::start(&self.results, &self.options.leyden);
        let played = self.play_on((&mut news, budget, aside), entered, (&watching, &comparing), notify);
        watching.cancel();
        comparing.finish();
        while self.intake.as_ref().is_some_and(|intake| intake.challenges().are_played()) {
            thread::sleep(watch::LOOK / 10);
        }
        played
    }

    /// The versions in the results file, if there is one.
    fn entered(&self) -> Result<Vec<VersionEntry>, LeagueError> {
        if !self.results.exists() {
            return Ok(Vec::new());
        }
        let stored = Resumable::open(&self.results)?;
        versions_of(stored.stored_plan())
            .map_err(|bot| LeagueError::NoLeague { file: self.results.clone(), bot })
    }

    /// Fails if a version that plays is not kept as it was handed in.
    fn check_kept(
        &self,
        entered: &[VersionEntry],
        playing: &BTreeMap<String, Version>,
    ) -> Result<(), LeagueError> {
        for of in entered {
            if playing.get(&of.version.bot) == Some(&of.version)
                && !of.is_kept(&self.versions_folder(), &self.options.leyden)
            {
                return Err(LeagueError::Altered {
                    version: of.version.clone(),
                    kept: self.versions_folder().join(of.version.to_string()),
                    file: self.results.clone(),
                });
            }
        }
        Ok(())
    }

    /// Judges what is in the folder, and what comes, on another thread.
    fn watch(&self, entered: &[VersionEntry], stop: &CancellationToken, aside: &AsideVersions) -> News {
        let (send, verdicts) = channel();
        let options = Options { kept_builds: Some(self.builds_folder()), ..self.options.clone() };
        let rules = (options, self.rules.clone());
        let conditions = (stop.clone(), self.venue.is_some());
        let mut entrance = Entrance::new(self.disk(), rules, entered.to_vec(), conditions, aside.clone());
        let (mut watch, stop, intake) = (Watch::new(&self.folder), stop.clone(), self.intake.clone());
        let (results, folder) = (self.results.clone(), self.folder.clone());
        thread::spawn(move || {
            while !stop.is_cancelled() {
                for (entry, verdict) in
                    intake.as_ref().map_or_else(Vec::new, |intake| apply_decisions(&mut entrance, intake))
                {
                    if send.send((entry, verdict)).is_err() {
                        return;
                    }
                }
                let mut changed = watch.changed().unwrap_or_else(|error| {
                    // If nobody listens any more, the league is over, and `stop` says so.
                    let _ = send.send((folder.clone(), Verdict::Waits(error.to_string())));
                    Vec::new()
                });
                if PublicNames::file(&results).exists() {
                    // The order in which bots come is public, and says nothing of their names.
                    changed.sort_by_cached_key(|_| leyden_model::random_hex::<8>().unwrap_or_default());
                }
                for entry in changed {
                    let began = Instant::now();
                    let stamp = intake.as_ref().and_then(|intake| intake.stamp(&entry));
                    let judged = entrance.judge(&entry);
                    if stop.is_cancelled() {
                        return;
                    }
                    let failures = watch.count_failures(&entry, judged.is_err());
                    let mut verdict = judged.unwrap_or_else(|error| Verdict::after_failure(&error, failures));
                    let handed_in = intake.as_ref().zip(stamp.as_ref());
                    if let Verdict::Known(version) = &verdict {
                        let is_withdrawn =
                            handed_in.is_some_and(|(intake, _)| intake.withdrawn(&version.bot).is_some());
                        let is_new = || {
                            let is_received = |(intake, stamp): (&Intake, _)| intake.is_received(stamp);
                            handed_in.is_some_and(is_received) || !watch.is_old(&entry)
                        };
                        if is_withdrawn || entrance.is_aside(version) && is_new() {
                            // It was handed in again.
                            verdict = entrance.come_back(&version.clone()).unwrap_or(verdict);
                        }
                    }
                    if let Some((intake, stamp)) = handed_in {
                        intake.judged(stamp, &verdict);
                    }
                    if verdict.is_waiting() {
                        watch.look_again(&entry, began.elapsed());
                    }
                    if send.send((entry, verdict)).is_err() {
                        return;
                    }
                }
                watch.rest(&stop);
            }
        });
        News { verdicts, reported: BTreeMap::new(), decided: Vec::new(), has_ended: false }
    }

    fn play_on(
        &self,
        (news, mut budget, aside): (&mut News, Budget, AsideVersions),
        entered: Vec<VersionEntry>,
        (beside, comparing): (&CancellationToken, &ComparisonThread),
        notify: &mut dyn FnMut(LeagueEvent),
    ) -> Result<LeagueEnd, LeagueError> {
        let mut roster = Roster { playing: playing(&entered), entered, aside };
        let mut left = self.pairs;
        let (mut fruitless, mut waits) = (0, false);
        loop {
            news.look(notify);
            comparing.failures().for_each(|error| notify(LeagueEvent::Trouble(error.to_string())));
            if self.options.stop.is_cancelled() {
                return Ok(LeagueEnd::Interrupted);
            }
            if news.has_ended {
                return Err(LeagueError::Unwatched);
            }
            news.decided.drain(..).for_each(|verdict| roster.take(&verdict));
            if let Some(intake) = &self.intake {
                intake.note_playing(&roster.playing);
            }
            if self.until.is_some_and(|until| Instant::now() >= until) || left == Some(0) {
                return Ok(LeagueEnd::Over);
            }
            let challenges = self.intake.as_ref().map(Intake::challenges);
            match budget.look(&self.results, challenges, &roster.playing).map_err(LeagueError::from) {
                Ok(resting) => resting.into_iter().for_each(|bot| notify(LeagueEvent::Rests { bot })),
                Err(error) if error.may_pass() => {
                    notify(LeagueEvent::Trouble(error.to_string()));
                    watch::pause(&self.options.stop, PAUSE);
                    continue;
                }
                Err(error) => return Err(error),
            }
            if let Some(intake) = &self.intake {
                intake.note_resting(budget.resting());
            }
            let awake = roster.awake(&budget);
            if awake.playing.len() < 2 {
                if !std::mem::replace(&mut waits, true) {
                    notify(LeagueEvent::Waits { bots: awake.playing.len() });
                }
                watch::pause(&self.options.stop, watch::LOOK);
                continue;
            }
            waits = false;
            let has_challenges = self.has_challenges(&roster.playing, beside);
            let [jobs, alone] =
                [has_challenges, false].map(|has| jobs_here(&self.options, self.venue.is_some(), has));
            if jobs == 0 && self.venue.is_none() {
                watch::pause(&self.options.stop, watch::LOOK);
                continue;
            }
            let planned = left.map(|pairs| 2 * pairs);
            let mut pause = Pause {
                challenges: challenges.map(|challenges| (challenges, jobs < alone)),
                meter: budget.meter(&self.results, challenges)?,
                news: &mut *news,
                comparing,
                notify,
                until: self.until,
                matches: 0,
                planned,
                not_started: Vec::new(),
            };
            let outcome = self.run_once((&awake, &mut budget), jobs, &mut pause);
            let (matches, is_for_challenge) = (pause.matches, pause.is_for_challenge());
            let not_started = pause.not_started;
            self.set_aside(&mut roster, not_started, notify)?;
            comparing.look();
            match outcome {
                Ok(_) if matches > 0 => fruitless = 0,
                Ok(end) if end.interrupted || !news.decided.is_empty() || is_for_challenge => {}
                Ok(_) => fruitless += 1,
                Err(error) if error.may_pass() => {
                    notify(LeagueEvent::Trouble(error.to_string()));
                    watch::pause(&self.options.stop, PAUSE);
                }
                Err(error) => {
                    self.check_kept(&roster.entered, &roster.playing)?;
                    return Err(error);
                }
            }
            if fruitless >= FRUITLESS {
                return Err(LeagueError::Fruitless);
            }
            left = left.map(|left| left.saturating_sub(matches.div_ceil(2)));
        }
    }

    /// Opens the tournament with all versions, lets versions come back and leave, and plays until there is something to decide.
    fn run_once(
        &self,
        (roster, budget): (&Roster, &mut Budget),
        jobs: usize,
        pause: &mut Pause<'_>,
    ) -> Result<RunEnd, LeagueError> {
        let before = self.entered()?;
        let mut tournament = self.open(roster, jobs)?;
        let known = self.versions_in(&tournament)?;
        let was_there = |version: &Version| before.iter().any(|of| of.there && of.version == *version);
        let plays = |of: &VersionEntry| roster.playing.get(&of.version.bot) == Some(&of.version);
        let come_back: Vec<String> =
            known.iter().filter(|of| !of.there && plays(of)).map(|of| of.version.to_string()).collect();
        let old: Vec<Version> =
            known.iter().filter(|of| of.there && !plays(of)).map(|of| of.version.clone()).collect();
        if !come_back.is_empty() || !old.is_empty() {
            tournament.close()?;
            Resumable::open(&self.results)?.bring_back(&come_back)?;
            Resumable::open(&self.results)?
                .withdraw(&old.iter().map(ToString::to_string).collect::<Vec<_>>())?;
            for version in &old {
                self.options.ready.forget(&version.to_string());
            }
            tournament = self.open(roster, jobs)?;
        }
        if let Some(intake) = &self.intake {
            intake.settle();
        }
        let settled = roster.aside.settle(&roster.playing).and_then(|()| budget.settle(&roster.playing));
        if let Err(error) = settled {
            (pause.notify)(LeagueEvent::Trouble(error.to_string()));
        }
        pause.comparing.look();
        let there = self.versions_in(&tournament)?.into_iter().filter(|of| of.there).map(|of| of.version);
        there.filter(|version| !was_there(version)).map(LeagueEvent::Plays).for_each(&mut *pause.notify);
        old.into_iter().map(LeagueEvent::Left).for_each(&mut *pause.notify);
        let plan = tournament.plan().clone();
        let mut run = tournament.run();
        run.follow(pause);
        let end = Venue::play(self.venue.as_ref(), run, &plan, jobs, &self.options.stop);
        tournament.close()?;
        Ok(end?)
    }

    /// Lets versions leave that could not be started.
    fn set_aside(
        &self,
        roster: &mut Roster,
        not_started: Vec<DisabledBot>,
        notify: &mut dyn FnMut(LeagueEvent),
    ) -> Result<(), LeagueError> {
        for DisabledBot { bot, failures, details, .. } in not_started {
            let is_meant = |version: &Version| roster.playing.get(&version.bot) == Some(version);
            let Some(version) = Version::parse(&bot).filter(is_meant) else { continue };
            let details = if self.rules.hides_stderr { details.without_stderr() } else { details };
            roster.playing.remove(&version.bot);
            if let Err(error) = roster.aside.set(&version, failures, details.clone()) {
                notify(LeagueEvent::Trouble(format!("cannot store that {version} is set aside: {error}")));
            }
            notify(LeagueEvent::SetAside { version: version.clone(), failures, details });
            self.options.ready.forget(&bot);
            // At once, no matter what comes next. If the others cannot go on without it, it leaves once they can.
            let stored = Resumable::open(&self.results).map_err(WithdrawError::from);
            match stored.and_then(|stored| stored.withdraw(std::slice::from_ref(&bot))) {
                Ok(_) => notify(LeagueEvent::Left(version)),
                Err(WithdrawError::TooFew { .. } | WithdrawError::Gone { .. }) => {}
                Err(error) => match LeagueError::from(error) {
                    error if error.may_pass() => notify(LeagueEvent::Trouble(error.to_string())),
                    error => return Err(error),
                },
            }
        }
        Ok(())
    }

    fn versions_in(&self, tournament: &Tournament) -> Result<Vec<VersionEntry>, LeagueError> {
        let no_league = |bot| LeagueError::NoLeague { file: self.results.clone(), bot };
        versions_of(tournament.stored_plan()).map_err(no_league)
    }

    /// Begins challenges that are due. Returns whether some are being played.
    fn has_challenges(&self, playing: &BTreeMap<String, Version>, stop: &CancellationToken) -> bool {
        let Some(challenges) = self.intake.as_ref().map(Intake::challenges) else { return false };
        if !challenges.are_played() && challenges.are_due() {
            let kept_builds = Some(self.builds_folder());
            let options = Options { kept_builds, stop: stop.clone(), ..self.options.clone() };
            let (versions, playing, venue) = (self.versions_folder(), playing.clone(), self.venue.clone());
            ChallengeTable { options, versions, playing, venue }.play_all(challenges);
        }
        challenges.are_played()
    }

    /// The tournament with every version that is kept, played by this many workers here.
    fn open(&self, roster: &Roster, jobs: usize) -> Result<Tournament, LeagueError> {
        let entered = &roster.entered;
        // Before anybody can see them.
        PublicNames::draw(&self.results, entered.iter().map(|of| of.version.bot.as_str()))
            .map_err(LeagueError::Names)?;
        let kept = |of: &VersionEntry| self.versions_folder().join(of.version.to_string());
        let all: Vec<&VersionEntry> = entered.iter().filter(|of| kept(of).is_dir()).collect();
        let options = Options {
            bots: all.iter().map(|of| kept(of).display().to_string()).collect(),
            called: all.iter().map(|of| of.version.to_string()).collect(),
            kept_builds: Some(self.builds_folder()),
            jobs: Some(jobs.max(1)),
            ..self.options.clone()
        };
        let quietly = &mut |_| ();
        Ok(if self.results.exists() {
            Tournament::resume(&options, Resumable::open(&self.results)?, quietly)?
        } else {
            Tournament::create(&options, &ResultsFile::New(self.results.clone()), quietly)?
        })
    }
}

/// Applies the decisions of authors; returns the verdicts that follow.
fn apply_decisions(entrance: &mut Entrance, intake: &Intake) -> Vec<(PathBuf, Verdict)> {
    let mut verdicts = Vec::new();
    for (stamp, decision) in intake.decisions() {
        let verdict = match decision {
            Decision::Leaves { only } => entrance.leave(&stamp.0, only.as_ref()),
            Decision::Returns(version) => entrance.come_back(&version),
        };
        if let Some(refused @ Verdict::Refused(_)) = &verdict {
            intake.judged(&stamp, refused);
        }
        verdicts.extend(verdict.map(|verdict| (PathBuf::from(stamp.0), verdict)));
    }
    verdicts
}

/// The folder's name, for the name of a results file beside it.
pub fn usual_results(folder: &Path) -> PathBuf {
    let name = folder.canonicalize().ok().and_then(|full| full.file_name().map(ToOwned::to_owned));
    PathBuf::from(format!("{}-league.db", name.unwrap_or_default().to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use leyden_model::FaultDetails;
    use leyden_protocol::FaultCode;

    use super::*;
    use crate::record::store::StoreError;

    #[test]
    fn league_waits_only_once_it_plays() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("league.db");
        let league = League {
            folder: folder.path().to_owned(),
            results: results.clone(),
            options: Options::new("/leyden", Vec::<String>::new()),
            rules: LeagueRules::default(),
            until: None,
            pairs: None,
            intake: None,
            venue: None,
        };
        fs::write(&results, "").unwrap();
        let _other = Lock::take(&results).unwrap();
        let refused = league.play(&mut |_| ()).unwrap_err();
        assert!(matches!(refused, LeagueError::Store(StoreError::InUse { .. })), "{refused}");

        let version = Version { bot: "ann".to_owned(), number: 1 };
        let playing = BTreeMap::from([("ann".to_owned(), version.clone())]);
        let aside = AsideVersions::open(&results).unwrap();
        let mut roster = Roster { entered: Vec::new(), playing, aside };
        let (bot, details) = (version.to_string(), FaultDetails::default());
        let not_started = DisabledBot { bot, failures: 3, code: FaultCode::Handshake, details };
        let mut troubles = Vec::new();
        let notify = &mut |event: LeagueEvent| {
            if let LeagueEvent::Trouble(what) = event {
                troubles.push(what);
            }
        };
        league.set_aside(&mut roster, vec![not_started], notify).unwrap();
        assert!(troubles.len() == 1 && troubles[0].contains("league.db"), "{troubles:?}");
    }
}
