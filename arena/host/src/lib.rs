//! Bots as child processes: lines, deadlines, processes and the sandbox around them. Knows nothing of dominoes.

pub mod bot;
pub mod platform;
pub mod sandbox;
