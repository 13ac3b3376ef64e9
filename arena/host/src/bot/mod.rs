//! A bot as a conversation of lines with a child process. Knows nothing of dominoes.

mod conversation;
mod cpu;
mod orphans;
mod output;
mod process;
pub mod stage;
mod stderr;

pub use conversation::{Conversation, Failure, Heard, LOOK, Lookout, Next};
pub use cpu::Reading;
pub use orphans::end_all;
pub use output::{Ear, Output};
pub use process::{Command, Ending, Launcher, Process};
