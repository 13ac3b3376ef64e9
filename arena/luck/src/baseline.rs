//! The baselines that both seats are compared with.
//!
//! Any baseline that is fixed beforehand keeps the mean luck at 0; the more it plays like the bots, the less noise it leaves.
//! *Careful* is deterministic. *Varied* is a mixture of policies: for each playout chance picks an evaluator and a
//! [`Perturbation`], which last for the round. No single policy foresees what a bot that searches will do, and the mean over
//! many errs less than any of them. In the other two, one seat plays carefully and the other is varied, as in a match between
//! a bot that searches and one that does not. How much of each estimate to take out is fitted to the bots' own matches.

use crate::dice::Dice;
use crate::perturbation::Perturbation;
use crate::policy::{Evaluator, Policies, Policy};

/// How many baselines there are.
pub const BASELINES: usize = Baseline::ALL.len();

/// A baseline, in the order of the estimates of luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Baseline {
    /// Both seats play carefully.
    Careful,
    /// Both seats are varied, with the same policy in any one playout.
    Varied,
    /// The first seat plays carefully, the second is varied.
    CarefulVaried,
    /// The other way round.
    VariedCareful,
}

impl Baseline {
    /// All baselines, in the order of the estimates in [`Luck`](crate::Luck).
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

    /// The same with the seats swapped.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Careful | Self::Varied => self,
            Self::CarefulVaried => Self::VariedCareful,
            Self::VariedCareful => Self::CarefulVaried,
        }
    }

    /// Its number of playouts, out of a budget of `playouts` for each baseline, in a match in which *careful* would have
    /// acted differently `differences` times. The fewer the differences, the less a playout of each costs.
    pub(crate) fn playouts(self, playouts: u32, differences: u32) -> u32 {
        let (most, needed) = match self {
            Self::Careful => (8 * playouts / 3, 16 * playouts),
            Self::Varied | Self::CarefulVaried | Self::VariedCareful => (playouts, 44 * playouts),
        };
        let fewest = self.fewest_playouts(playouts);
        (needed / differences.max(1)).clamp(fewest, most.max(fewest))
    }

    /// What it has at least, however many differences there are.
    pub(crate) fn fewest_playouts(self, playouts: u32) -> u32 {
        let part = match self {
            Self::Careful => 4,
            Self::Varied | Self::CarefulVaried | Self::VariedCareful => 2,
        };
        (playouts / part).max(1)
    }

    /// The policies of one playout.
    pub(crate) fn policies(self, dice: &mut Dice) -> Policies {
        let careful = Policy::CAREFUL;
        let mut varied = || {
            let evaluator = Evaluator::ALL[dice.below(Evaluator::ALL.len())];
            Policy { evaluator, perturbation: Some(Perturbation(dice.next())) }
        };
        match self {
            Self::Careful => [careful; 2],
            Self::Varied => [varied(); 2],
            Self::CarefulVaried => [careful, varied()],
            Self::VariedCareful => [varied(), careful],
        }
    }
}
