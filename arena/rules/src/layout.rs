//! The tiles on the table: what each arm shows, which arms are open to play, and what can touch them.

use leyden_protocol::{Arm, Arms, Double, End, Lay, RuleSet};

use crate::fits::Face;

/// A set of arms, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArmSet(u8);

impl ArmSet {
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) const fn contains(self, arm: Arm) -> bool {
        self.0 & (1 << arm as u8) != 0
    }

    const fn without(self, arm: Arm) -> Self {
        Self(self.0 & !(1 << arm as u8))
    }

    #[must_use]
    pub(crate) const fn with_if(self, arm: Arm, there: bool) -> Self {
        Self(self.0 | (there as u8) << arm as u8)
    }

    /// Returns the arms in the order N, E, S, W.
    #[inline]
    pub(crate) fn iter(mut self) -> impl Iterator<Item = Arm> {
        std::iter::from_fn(move || {
            let first = *Arm::ALL.get(self.0.trailing_zeros() as usize)?;
            self = self.without(first);
            Some(first)
        })
    }
}

/// The layout of a round. Before the lead it has no arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    shown: Arms,
    /// What each arm shows to the next tile; nothing if it is not open to play.
    faces: [Face; 4],
    /// The arms of the opening that nobody has started: as long as there are any, only they are open to play.
    waiting: ArmSet,
}

impl Layout {
    pub(crate) fn empty() -> Self {
        Self { shown: Arms::default(), faces: [Face::CLOSED; 4], waiting: ArmSet::EMPTY }
    }

    /// Creates the layout with the first tile.
    pub(crate) fn lead(&mut self, rules: &RuleSet, double: Double) {
        self.shown = Arms::from_lead(rules.layout, double);
        self.waiting = rules.opening.arms().iter().fold(ArmSet::EMPTY, |arms, arm| arms.with_if(*arm, true));
        self.open_arms();
    }

    /// Lays a tile on an arm. The caller has checked that it may lie there.
    #[inline]
    pub(crate) fn play(&mut self, arm: Arm, lay: Lay) {
        let end = End::left_by(lay);
        self.shown.set(arm, end);
        if self.waiting == ArmSet::EMPTY {
            self.faces[arm.index()] = Face::from_end(end);
        } else {
            self.waiting = self.waiting.without(arm);
            self.open_arms();
        }
    }

    fn open_arms(&mut self) {
        self.faces = [Face::CLOSED; 4];
        for (arm, end) in self.shown.iter() {
            if self.waiting == ArmSet::EMPTY || self.waiting.contains(arm) {
                self.faces[arm.index()] = Face::from_end(end);
            }
        }
    }

    /// Returns what each arm shows to the next tile, in the order N, E, S, W.
    #[inline]
    pub(crate) const fn faces(&self) -> &[Face; 4] {
        &self.faces
    }

    /// Whether the opening waits for a tile on this arm.
    pub(crate) const fn waits_for(&self, arm: Arm) -> bool {
        self.waiting.contains(arm)
    }

    /// Returns what the arms show.
    #[inline]
    pub(crate) const fn shown(&self) -> Arms {
        self.shown
    }
}
