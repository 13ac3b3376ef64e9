//! Commands for those who run a class: grades, likeness, a league, and the kit that students start from.

pub(crate) mod grade;
pub(crate) mod kit;
pub(crate) mod league;
pub(crate) mod league_rules;
pub(crate) mod likeness;
