//! Policies: how a seat chooses its play in a playout.

use leyden_protocol::{Action, Seat};

use crate::perturbation::Perturbation;
use crate::weights::WeightTable;

/// What values plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluator {
    Careful,
    Weighted(WeightTable),
}

impl Evaluator {
    pub(crate) const ALL: [Self; 4] = [
        Self::Careful,
        Self::Weighted(WeightTable::Strong),
        Self::Weighted(WeightTable::Model),
        Self::Weighted(WeightTable::Simple),
    ];

    /// Its index in [`Self::ALL`].
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Careful => 0,
            Self::Weighted(table) => 1 + table as usize,
        }
    }

    /// The standard deviation of a perturbation, in the units of its values.
    pub(crate) const fn perturbation_scale(self) -> f32 {
        match self {
            Self::Careful => 4.0,
            Self::Weighted(table) => table.perturbation_scale(),
        }
    }
}

/// Chooses the action with the highest value, perturbed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) evaluator: Evaluator,
    pub(crate) perturbation: Option<Perturbation>,
}

/// By seat.
pub(crate) type Policies = [Policy; 2];

impl Policy {
    /// The careful bot's, unperturbed.
    pub(crate) const CAREFUL: Self = Self { evaluator: Evaluator::Careful, perturbation: None };

    /// The value of an action, perturbed, from what the evaluator gives it.
    #[inline]
    pub(crate) fn perturbed(self, seat: Seat, action: Action, value: f32) -> f32 {
        let scale = self.evaluator.perturbation_scale();
        value + self.perturbation.map_or(0.0, |perturbation| scale * perturbation.of(seat, action))
    }
}
