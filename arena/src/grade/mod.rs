//! Grades bots by a rubric: the findings of a check, and scores against reference bots, each with partial points, an
//! interval, and what to fix. Prints nothing, and keeps records only on request.

mod error;
mod grades;
mod grading;
mod kept;
mod matches;
mod rubric;
mod terms;

pub use error::GradeError;
pub use grades::{Grade, GradePart, Grades, Ungraded};
pub use grading::{Candidates, GradingNews, GradingTurn};
pub use kept::GradesMismatchError;
pub use rubric::{GradeStep, ReferenceBot, Rubric, RubricError, USUAL};
pub use terms::Grading;
