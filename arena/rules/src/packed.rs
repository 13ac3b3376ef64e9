//! A round of two seats with the double-six set in a few words, for millions of playouts.
//!
//! A tile is a bit of a word, what an arm shows is a small number, and tables say what fits where and in which
//! orientations. [`PackedRound`] continues a [`Round`](crate::Round) once a double is led. It knows the rules and
//! nothing else: who chooses what, and what a seat can know, is up to those that wrap it. It checks nothing: after an
//! action that is not legal its answers mean nothing, and it may panic.

mod layout;
mod round;
mod tiles;

pub use layout::{OpenArm, PackedLayout, PackedPlay};
pub use round::{PackedRound, is_packable};
pub use tiles::{
    Face, FitCounts, Laid, ROOM, TILES, TilePair, Tiles, WILD, bit, fit_counts, fitting, laid, lay_index,
    number, pack, pips,
};
