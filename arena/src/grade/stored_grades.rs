//! Grades kept from an earlier run: a bot that has not changed keeps its grade, if all the others are given by the same
//! terms.

use super::grades::{Grade, Grades};

/// Kept grades were given by other terms.
#[derive(Debug, thiserror::Error)]
pub enum GradesMismatchError {
    #[error(
        "the existing grades were given by another rubric, other reference bots, other limits or another sandbox: \
         grade all bots again"
    )]
    Terms,
    #[error(
        "the existing grades were given on other deals than those of the rubric's seed: grade all bots again"
    )]
    Deals,
}

impl Grades {
    pub(super) fn have_terms(&self, terms: &str, seed: &str) -> Result<(), GradesMismatchError> {
        match () {
            () if self.terms != terms => Err(GradesMismatchError::Terms),
            () if self.seed != seed => Err(GradesMismatchError::Deals),
            () => Ok(()),
        }
    }

    /// The grade of the bot at this path, if its files are unchanged.
    pub(super) fn of(&self, path: &str, files: &str) -> Option<&Grade> {
        self.grades.iter().find(|grade| grade.path == path && grade.files.as_deref() == Some(files))
    }
}
