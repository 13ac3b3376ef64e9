//! What this machine offers, and play on others.

pub(crate) mod doctor;
pub(crate) mod sandbox;
pub(crate) mod workers;
