//! Which tiles fit where: on the open ends, and after a play.

use leyden_protocol::{Arm, Double, End, Lay, TileSet};
use leyden_rules::{Fits, Rules};

/// The tiles that fit the end that a lay leaves.
#[inline]
pub(crate) fn fitting_after(fits: &Fits, lay: Lay) -> TileSet {
    fits.on(End::left_by(lay))
}

/// The tiles that fit each arm; none before the lead, nor on an arm that the layout does not have.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    fitting: [TileSet; 4],
    /// The arms that the opening waits for, one bit each.
    waiting: u8,
}

impl Ends {
    pub(crate) const NONE: Self = Self { fitting: [TileSet::EMPTY; 4], waiting: 0 };

    pub(crate) fn led(rules: &Rules, double: Double) -> Self {
        let fitting = Fits::for_set(rules.set).on(End::Pip(double.pip()));
        let mut ends = Self::NONE;
        for arm in rules.layout.arms() {
            ends.fitting[arm.index()] = fitting;
        }
        ends.waiting = rules.opening.arms().iter().fold(0, |arms, arm| arms | 1 << arm.index());
        ends
    }

    /// After a play on an arm, whose end now takes `fitting`.
    #[inline]
    pub(crate) fn played(mut self, arm: Arm, fitting: TileSet) -> Self {
        self.fitting[arm.index()] = fitting;
        self.waiting &= !(1 << arm.index());
        self
    }

    /// The tiles that fit an arm, open or not.
    #[inline]
    pub(crate) fn on(&self, arm: Arm) -> TileSet {
        self.fitting[arm.index()]
    }

    /// The arms that the opening waits for, one bit each.
    pub(crate) fn waiting(&self) -> u8 {
        self.waiting
    }

    /// The tiles that can be played on some open arm.
    #[inline]
    pub(crate) fn playable(&self) -> TileSet {
        let open = |arm: usize| self.waiting == 0 || self.waiting & 1 << arm != 0;
        (0..4).filter(|arm| open(*arm)).fold(TileSet::EMPTY, |all, arm| all.union(self.fitting[arm]))
    }

    /// The number of tiles of a hand that could still be played if the arm it needs most were blocked.
    pub(crate) fn safe_options(&self, hand: TileSet, wild: TileSet) -> usize {
        let there = (0..4).filter(|arm| !self.fitting[*arm].is_empty());
        let without = |blocked: usize| {
            let others = (0..4).filter(|arm| *arm != blocked);
            hand.intersection(others.fold(wild, |all, arm| all.union(self.fitting[arm]))).len()
        };
        there.map(without).min().unwrap_or(0)
    }
}
