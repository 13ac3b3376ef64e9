//! Commands for those who run a class: grades, and the kit that students start from.

pub(crate) mod grade;
pub(crate) mod kit;
