//! The baselines: ways to play that both seats are held against.
//!
//! Any way to play that is fixed beforehand keeps the luck's mean at 0; one that plays like the bots leaves the least noise.
//! One is [`careful`](crate::careful) and knows no chance. Another is many: chance picks a way to judge plays and a
//! [`Taste`], and both stay for the round. What a bot does that thinks nobody foresees exactly, for it depends on what it guessed;
//! where one way to play errs, the mean of many errs less. In the other two the seats play differently, one carefully and one in
//! many ways, as in a match of a bot that thinks with one that does not. Each is fixed before it is used, so the mean of their
//! lucks is as unbiased as any of them. How much of each baseline's luck to take out, the bots' own matches tell.

use crate::dice::Dice;
use crate::manner::{Manner, Manners, Way};
use crate::taste::Taste;

/// How many there are.
pub const BASELINES: usize = Baseline::ALL.len();

/// A baseline, in the order in which lucks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Baseline {
    /// Both seats play carefully.
    Careful,
    /// Both seats play in many ways, in one playout in the same.
    Varied,
    /// The first seat plays carefully, the second in many ways.
    CarefulVaried,
    /// The other way round.
    VariedCareful,
}

impl Baseline {
    pub const ALL: [Self; 4] = [Self::Careful, Self::Varied, Self::CarefulVaried, Self::VariedCareful];

    /// The folder of its tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Careful => "careful",
            Self::Varied => "varied",
            Self::CarefulVaried => "careful-varied",
            Self::VariedCareful => "varied-careful",
        }
    }

    /// The same with the seats exchanged.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Careful | Self::Varied => self,
            Self::CarefulVaried => Self::VariedCareful,
            Self::VariedCareful => Self::CarefulVaried,
        }
    }

    /// How many of the playouts are its, in a match in which *careful* would so often have done something else than was done:
    /// the more seldom it is asked, the more playouts answer.
    pub(crate) fn playouts(self, all: u32, differences: u32) -> u32 {
        match self {
            Self::Careful => (16 * all / differences.max(1)).clamp((all / 3).max(1), (8 * all / 3).max(1)),
            Self::Varied | Self::CarefulVaried | Self::VariedCareful => {
                (54 * all / differences.max(1)).clamp((all / 2).max(1), all)
            }
        }
    }

    /// How each seat plays in one round.
    pub(crate) fn manners(self, dice: &mut Dice) -> Manners {
        let careful = Manner::CAREFUL;
        let mut varied = || {
            let way = Way::ALL[dice.below(Way::ALL.len())];
            Manner { way, taste: Some(Taste(dice.next())) }
        };
        match self {
            Self::Careful => [careful; 2],
            Self::Varied => [varied(); 2],
            Self::CarefulVaried => [careful, varied()],
            Self::VariedCareful => [varied(), careful],
        }
    }
}
