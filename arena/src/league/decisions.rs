//! What authors decide about their versions that are there: to take one back, to bring it back, to challenge another bot.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::challenges::{Challenge, ChallengeError, Challenges};
use super::hand_in::{HandIn, HandInState};
use super::intake::{Intake, IntakeError, Notes, State, archive_of, remove};
use super::public_names::PublicNames;
use super::set_aside::{AsideVersions, SetAside};
use super::version::Version;

/// What an author has decided about the versions that are there.
pub(super) enum Decision {
    /// None of them plays; or the one that plays does not if it is this one.
    Leaves { only: Option<Version> },
    /// The version that was withdrawn plays again.
    Returns(Version),
}

impl Intake {
    /// The version of this author that plays.
    pub fn plays(&self, author: &str) -> Option<Version> {
        self.state().playing.get(author).cloned()
    }

    /// Whether this author's bot has used up its time of the day, and rests until the next.
    pub fn rests(&self, author: &str) -> bool {
        self.state().resting.contains(author)
    }

    /// The version that this author has withdrawn, if none plays since.
    pub fn withdrawn(&self, author: &str) -> Option<String> {
        self.state().authors.get(author)?.withdrawn.clone()
    }

    /// The version of this author that could not be started and is set aside.
    pub fn set_aside(&self, author: &str) -> Option<SetAside> {
        self.0.aside.for_bot(author)
    }

    pub(super) fn aside(&self) -> &AsideVersions {
        &self.0.aside
    }

    /// The bots that this author may challenge, as they are called in public.
    pub fn opponents(&self, author: &str) -> io::Result<Vec<String>> {
        let playing = self.state().playing.clone();
        let others = playing.keys().filter(|name| *name != author);
        Ok(match self.public_names()? {
            Some(names) => {
                let mut all: Vec<String> =
                    others.filter_map(|bot| names.pseudonym(bot)).map(str::to_owned).collect();
                all.sort_unstable(); // nothing follows from the order
                all
            }
            None => others.cloned().collect(),
        })
    }

    /// What bots are called where others look, if names are hidden.
    pub fn public_names(&self) -> io::Result<Option<PublicNames>> {
        PublicNames::read(&self.0.results)
    }

    /// Returns the challenges of all authors.
    pub fn challenges(&self) -> &Challenges {
        &self.0.challenges
    }

    /// Lets an author's bot challenge another one.
    pub fn challenge(&self, author: &str, opponent: &str) -> Result<Challenge, ChallengeError> {
        if self.rests(author) {
            return Err(ChallengeError::Rests(author.to_owned()));
        }
        let mut playing = self.state().playing.clone();
        if self.withdrawn(author).is_some() {
            playing.remove(author);
        }
        let Some(names) = self.public_names()? else {
            return self.0.challenges.ask(author, opponent, &playing);
        };
        // A name that is hidden is as unknown as any other.
        let other = names.bot(opponent).filter(|bot| *bot != author && playing.contains_key(*bot));
        match other {
            None if playing.contains_key(author) => {
                Err(ChallengeError::NoOpponent(opponent.to_owned(), self.opponents(author)?))
            }
            other => {
                let asked = self.0.challenges.ask(author, other.unwrap_or_default(), &playing)?;
                Ok(names.of_challenge(asked))
            }
        }
    }

    /// The challenges of an author, the latest first, as the author may see them.
    pub fn challenges_of(&self, author: &str) -> io::Result<Vec<Challenge>> {
        let all = self.0.challenges.for_author(author);
        Ok(match self.public_names()? {
            Some(names) => all.into_iter().map(|one| names.of_challenge(one)).collect(),
            None => all,
        })
    }

    /// Lets an author take back the version that plays, and what waits. What it has played counts.
    pub fn withdraw(&self, author: &str) -> Result<HandIn, IntakeError> {
        self.may_hand_in(author)?;
        let mut state = self.state();
        let is_gone = state.authors.get(author).is_some_and(|notes| notes.withdrawn.is_some());
        let Some(plays) = state.playing.get(author).filter(|_| !is_gone).map(ToString::to_string) else {
            return Err(IntakeError::NonePlays(author.to_owned()));
        };
        let decision = HandIn::new(None, HandInState::Withdrawn { version: plays.clone() });
        let noted = self.note(&mut state, author, decision, Some(plays), || Ok(()))?;
        // If this fails, it is judged and leaves at once.
        remove(&self.0.disk.folder.join(archive_of(author)))?;
        Ok(noted)
    }

    /// Lets the version of an author play again that was withdrawn, or is set aside.
    pub fn bring_back(&self, author: &str) -> Result<HandIn, IntakeError> {
        self.may_hand_in(author)?;
        let mut state = self.state();
        let notes = state.authors.get(author);
        let is_coming = |notes: &&Notes| notes.all.last().is_some_and(|last| last.outcome.is_coming_back());
        let is_there = state.playing.contains_key(author) || notes.as_ref().is_some_and(is_coming);
        let withdrawn = notes.and_then(|notes| notes.withdrawn.clone());
        let aside = || self.set_aside(author).map(|aside| aside.version);
        let Some(version) = withdrawn.or_else(aside).filter(|_| !is_there) else {
            return Err(IntakeError::NoneWithdrawn(author.to_owned()));
        };
        let decision = HandIn::new(None, HandInState::BroughtBack { version: version.clone() });
        self.note(&mut state, author, decision, Some(version), || Ok(()))
    }

    /// What authors have decided and the league has not applied, each with the number of the decision.
    pub(super) fn decisions(&self) -> Vec<((String, u32), Decision)> {
        let state = self.state();
        let decided = state.authors.iter().filter_map(|(author, notes)| {
            let (last, withdrawn) = (notes.all.last()?, Version::parse(notes.withdrawn.as_ref()?)?);
            let decision = match &last.outcome {
                HandInState::Withdrawn { .. } => Decision::Leaves { only: None },
                HandInState::BroughtBack { .. } => Decision::Returns(withdrawn),
                // It comes back by being handed in again, or in a later version.
                HandInState::Accepted { .. } => return None,
                HandInState::Received
                | HandInState::Known { .. }
                | HandInState::Copy
                | HandInState::Refused { .. }
                | HandInState::Waits { .. }
                | HandInState::Replaced
                | HandInState::Lost => Decision::Leaves { only: Some(withdrawn) },
            };
            Some(((author.clone(), last.number), decision))
        });
        decided.collect()
    }

    /// Learns which version of each bot plays.
    pub(super) fn note_playing(&self, playing: &BTreeMap<String, Version>) {
        self.state().playing.clone_from(playing);
    }

    /// Learns which of them rest.
    pub(super) fn note_resting(&self, resting: BTreeSet<String>) {
        self.state().resting = resting;
    }

    /// Learns that the results file has the versions that play, and no others.
    pub(super) fn settle(&self) {
        let mut state = self.state();
        let State { authors, playing, .. } = &mut *state;
        for (author, notes) in authors.iter_mut().filter(|(_, notes)| notes.withdrawn.is_some()) {
            let Some(last) = notes.all.last_mut() else { continue };
            let Some(version) = playing.get(author).map(ToString::to_string) else { continue };
            if last.outcome.is_coming_back() {
                last.outcome = HandInState::Accepted { version };
            } else if last.outcome != (HandInState::Accepted { version }) {
                continue;
            }
            notes.withdrawn = None;
            self.keep_or_warn(author, notes);
        }
    }
}
