//! Commands for those who write a bot: it is created, checked, and asked again.

mod bot_run_options;
pub(crate) mod check;
mod check_all;
pub(crate) mod new;
pub(crate) mod pin;
pub(crate) mod rerun;
pub(crate) mod rules;
pub(crate) mod submit;
pub(crate) mod thinking;
pub(crate) mod transcript;
