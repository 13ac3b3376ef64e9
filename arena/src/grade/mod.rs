//! Grades bots by a rubric: the findings of a check, and scores against reference bots, each with partial points, an
//! interval, and what to fix. Prints nothing, and keeps records only on request.

mod error;
mod grades;
mod grading;
mod matches;
mod part_result;
mod rubric;
mod stored_grades;
mod terms;

pub use crate::roster::{PseudonymError, Pseudonyms};
pub use error::GradeError;
pub use grades::{Grade, GradePart, Grades, UngradedBot, point_range};
pub use grading::{Candidates, GradingNews, GradingTurn};
pub use part_result::{EarlyEnd, PartResult};
pub use rubric::{GradeStep, ReferenceBot, Rubric, RubricError, USUAL};
pub use stored_grades::GradesMismatchError;
pub use terms::GradingOptions;
