//! Plays challenges, on a worker of its own beside the league.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use leyden_host::platform;

use super::challenges::{Challenge, ChallengeFault, ChallengeMatch, ChallengeState, Challenges};
use super::timestamp;
use super::venue::Venue;
use super::version::Version;
use crate::record::final_scores;
use crate::record::store::{self, Results, Resumable, StoreError};
use crate::run::{Options, RunKind};
use crate::tournament::{OpenError, PlayError, ResultsFile, Tournament};

/// What challenges are played with.
pub(super) struct ChallengeTable {
    /// The options of the league, without bots.
    pub(super) options: Options,
    /// Where versions are kept.
    pub(super) versions: PathBuf,
    /// The version of each bot that plays.
    pub(super) playing: BTreeMap<String, Version>,
    pub(super) venue: Option<Venue>,
}

/// A challenge could not be played.
#[derive(Debug, thiserror::Error)]
enum ChallengeTableError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ChallengeTableError {
    /// Whether it may work later.
    fn may_pass(&self) -> bool {
        match self {
            Self::Store(error)
            | Self::Open(OpenError::Store(error))
            | Self::Play(PlayError::Store(error)) => matches!(error, StoreError::Full { .. }),
            Self::Play(PlayError::Run(error)) => error.may_pass(),
            Self::Io(_) => true,
            Self::Open(_) => false,
        }
    }
}

/// How many matches a league with these options plays at once on this machine: at a venue, none unless that is
/// requested, and one fewer while challenges have a worker that it would need, so perhaps none.
pub(super) fn jobs_here(options: &Options, is_at_venue: bool, has_challenges: bool) -> usize {
    let cores = (platform::allowed_cores().len() / options.cores_per_match.max(1)).max(1);
    let jobs = options.jobs.unwrap_or(if is_at_venue { 0 } else { cores });
    if has_challenges && jobs >= cores { jobs - 1 } else { jobs }
}

impl ChallengeTable {
    /// Plays the challenges that wait, one after the other, on another thread, which has the last cores.
    pub(super) fn play_all(self, challenges: &Challenges) {
        let (challenges, begun) = (challenges.clone(), challenges.begin());
        std::thread::spawn(move || {
            let cores = platform::allowed_cores();
            platform::pin_thread(&cores[cores.len().saturating_sub(self.options.cores_per_match)..]);
            for (author, challenge) in challenges.waiting() {
                if self.options.stop.is_cancelled() {
                    break;
                }
                if let Err(error) = self.play(&challenges, &author, challenge) {
                    tracing::warn!("a challenge of {author} waits: {error}");
                }
            }
            drop(begun);
        });
    }

    fn play(
        &self,
        challenges: &Challenges,
        author: &str,
        mut challenge: Challenge,
    ) -> Result<(), ChallengeTableError> {
        if challenge.versions.is_none() {
            let both =
                [author, &challenge.opponent].map(|bot| self.playing.get(bot).map(ToString::to_string));
            let [Some(own), Some(other)] = both else {
                let why = "one of the two bots no longer plays".to_owned();
                let outcome = ChallengeState::Failed { why };
                let failed = Challenge { outcome, over: Some(timestamp::now()), ..challenge };
                return Ok(challenges.change(author, failed)?);
            };
            challenge.versions = Some([own, other]);
            challenges.change(author, challenge.clone())?;
        }
        let (file, versions) =
            (challenges.file(author, challenge.number), challenge.versions.clone().unwrap_or_default());
        challenge.outcome = match self.play_pair(&file, &versions) {
            Ok(None) => return Ok(()),
            Ok(Some(matches)) if matches.is_empty() => {
                ChallengeState::Failed { why: "this machine was too busy".to_owned() }
            }
            Ok(Some(matches)) => ChallengeState::Played { matches },
            Err(error) if error.may_pass() => return Err(error),
            Err(error) => {
                tracing::warn!("a challenge of {author} cannot be played: {error}");
                ChallengeState::Failed { why: "it cannot be played: ask the organiser".to_owned() }
            }
        };
        challenge.over = Some(timestamp::now());
        Ok(challenges.change(author, challenge)?)
    }

    /// Plays a pair of two versions, or what is missing of it. Returns its matches, or `None` if it was interrupted.
    fn play_pair(
        &self,
        file: &Path,
        versions: &[String; 2],
    ) -> Result<Option<Vec<ChallengeMatch>>, ChallengeTableError> {
        let options = Options {
            bots: versions.iter().map(|version| self.versions.join(version).display().to_string()).collect(),
            called: versions.to_vec(),
            kind: RunKind::Match,
            blocks: 1,
            seed: None,
            jobs: Some(1),
            ..self.options.clone()
        };
        let quietly = &mut |_| ();
        let begun = || Ok(Tournament::resume(&options, Resumable::open(file)?, &mut |_| ())?);
        let begun: Option<Result<_, ChallengeTableError>> = file.exists().then(begun);
        let mut tournament = if let Some(Ok(tournament)) = begun {
            tournament
        } else {
            // What cannot be continued counts for nothing.
            store::remove(file)?;
            Tournament::create(&options, &ResultsFile::New(file.to_owned()), quietly)?
        };
        let here = jobs_here(&self.options, self.venue.is_some(), false).min(1);
        let (plan, stop) = (tournament.plan().clone(), &self.options.stop);
        let end =
            Venue::play(self.venue.as_ref(), tournament.run(), &plan, here, stop).map_err(PlayError::from);
        tournament.close()?;
        if end?.interrupted { Ok(None) } else { Ok(Some(matches_in(file, &versions[0])?)) }
    }
}

/// How the author's version has fared.
fn matches_in(file: &Path, own: &str) -> Result<Vec<ChallengeMatch>, StoreError> {
    let results = Results::open(file)?;
    let mut matches = Vec::new();
    for stored in results.records() {
        let (_, record) = stored?;
        let end = final_scores(&record, results.better());
        let mut seats = record.bots.iter();
        let Some((seat, _)) = seats.find(|(_, name)| *name == own) else { continue };
        let Some(other) = end.others(seat).next() else { continue };
        matches.push(ChallengeMatch {
            id: record.id.clone(),
            end: end.result(seat),
            scores: [record.scores[seat], record.scores[other]],
            fault: record.fault.as_ref().map(|fault| {
                let of = if fault.seat == seat { ChallengeFault::Own } else { ChallengeFault::Opponent };
                of(fault.code)
            }),
            thought_us: record.think_us[seat].iter().sum(),
        });
    }
    Ok(matches)
}
