//! Grades that were kept, to go on from: who has not changed keeps the grade, if all the others are given by the same terms.

use super::grades::{Grade, Grades};

/// Grades that were kept were given otherwise.
#[derive(Debug, thiserror::Error)]
pub enum GradesDiffer {
    #[error(
        "the grades that are there were given by another rubric, other bots in it, other limits or another sandbox: grade anew"
    )]
    Terms,
    #[error(
        "the grades that are there were given on other deals than those of the rubric's seed: grade anew"
    )]
    Deals,
}

impl Grades {
    pub(super) fn have_terms(&self, terms: &str, seed: &str) -> Result<(), GradesDiffer> {
        match () {
            () if self.terms != terms => Err(GradesDiffer::Terms),
            () if self.seed != seed => Err(GradesDiffer::Deals),
            () => Ok(()),
        }
    }

    /// The grade of the bot that lies there, if its files are these.
    pub(super) fn of(&self, place: &str, files: &str) -> Option<&Grade> {
        self.grades.iter().find(|grade| grade.place == place && grade.files.as_deref() == Some(files))
    }
}
