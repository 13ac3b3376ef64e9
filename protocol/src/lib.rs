//! The words that a bot and the arena speak.
