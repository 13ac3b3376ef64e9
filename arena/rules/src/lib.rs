//! The pure game.
