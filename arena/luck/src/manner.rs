//! Ways to play: how a play is judged, and what is liked beside that.

use leyden_protocol::{Action, Seat};

use crate::taste::Taste;
use crate::weighed::WeightSet;

/// How a play is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Careful,
    Weighed(WeightSet),
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [
        Self::Careful,
        Self::Weighed(WeightSet::Strong),
        Self::Weighed(WeightSet::Model),
        Self::Weighed(WeightSet::Simple),
    ];

    /// Its place among all.
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Careful => 0,
            Self::Weighed(table) => 1 + table as usize,
        }
    }

    /// What a taste weighs: its standard deviation, on the scale of the worth.
    pub(crate) const fn strength(self) -> f32 {
        match self {
            Self::Careful => 4.0,
            Self::Weighed(table) => table.strength(),
        }
    }
}

/// A way to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) way: Way,
    pub(crate) taste: Option<Taste>,
}

/// How each seat plays.
pub(crate) type Manners = [Manner; 2];

impl Manner {
    /// As the careful bot plays, without a taste.
    pub(crate) const CAREFUL: Self = Self { way: Way::Careful, taste: None };

    /// What an action is worth to it that is judged so.
    #[inline]
    pub(crate) fn liked(self, seat: Seat, action: Action, worth: f32) -> f32 {
        worth + self.taste.map_or(0.0, |taste| self.way.strength() * taste.of(seat, action))
    }
}
