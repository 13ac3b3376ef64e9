//! Sample bots.
