//! What the intake of a league knows of an author.

use std::io;

use leyden_arena::league::{Challenge, ChallengeState, HandIn, HandInState, Intake, SetAside, Version};

/// What the intake knows of an author.
pub(crate) struct AuthorState {
    /// The latest first.
    pub(super) handed_in: Vec<HandIn>,
    pub(super) plays: Option<Version>,
    pub(super) withdrawn: Option<String>,
    /// Whether it has used up its time of the day.
    pub(super) rests: bool,
    /// What could not be started.
    pub(super) aside: Option<SetAside>,
    /// What it is called where others look, if names are hidden.
    pub(super) called: Option<String>,
    /// The bots that it may challenge, and how often today.
    pub(super) opponents: Vec<String>,
    pub(super) challenges_left: u32,
    /// The latest first.
    pub(super) challenges: Vec<Challenge>,
}

impl AuthorState {
    pub(crate) fn from_intake(intake: &Intake, author: &str) -> io::Result<Self> {
        let names = intake.public_names()?;
        Ok(Self {
            called: names.as_ref().and_then(|names| names.pseudonym(author)).map(str::to_owned),
            handed_in: intake.for_author(author),
            plays: intake.plays(author),
            withdrawn: intake.withdrawn(author),
            aside: intake.set_aside(author),
            rests: intake.rests(author),
            opponents: intake.opponents(author)?,
            challenges_left: intake.challenges().left(author),
            challenges: intake.challenges_of(author)?,
        })
    }

    /// Whether something is judged or played, or the league has not applied the last decision yet.
    pub(super) fn is_changing(&self) -> bool {
        let is_judged = self.handed_in.first().is_some_and(|last| {
            let is_open = self.plays.is_some() == self.withdrawn.is_some();
            let is_returning = matches!(last.outcome, HandInState::BroughtBack { .. });
            is_returning || last.outcome == HandInState::Received || last.outcome.is_decision() && is_open
        });
        is_judged || self.challenges.first().is_some_and(|last| last.outcome == ChallengeState::Waits)
    }
}
