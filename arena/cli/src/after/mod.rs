//! Commands that read what was played. Nothing here plays.

pub(crate) mod analyse;
pub(crate) mod compare;
pub(crate) mod dataset;
pub(crate) mod luck;
pub(crate) mod match_choice;
pub(crate) mod matches;
pub(crate) mod publish;
pub(crate) mod records;
pub(crate) mod replay_page;
pub(crate) mod standings;
pub(crate) mod verify;
pub(crate) mod withdraw;
