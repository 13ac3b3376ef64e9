//! The tiles on the table: what each arm shows, which arms are open to play, and what can touch them.

use leyden_protocol::{Arm, Arms, Double, End, Lay, LayoutShape, Opening, Pip, RuleSet};

use crate::fits::Face;

/// A set of arms, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArmSet(u8);

impl ArmSet {
    pub(crate) const EMPTY: Self = Self(0);
    const LINE: Self = Self(1 << Arm::E as u8 | 1 << Arm::W as u8);
    const SIDES: Self = Self(1 << Arm::N as u8 | 1 << Arm::S as u8);
    const ALL: Self = Self(0b1111);

    pub(crate) const fn contains(self, arm: Arm) -> bool {
        self.0 & (1 << arm as u8) != 0
    }

    const fn without(self, arm: Arm) -> Self {
        Self(self.0 & !(1 << arm as u8))
    }

    /// The arms in the order N, E, S, W.
    pub(crate) fn iter(self) -> impl Iterator<Item = Arm> {
        Arm::ALL.into_iter().filter(move |&arm| self.contains(arm))
    }
}

/// The layout of a round. Before the lead it has no arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    ends: [End; 4],
    /// What each arm shows to the next tile; nothing where it is not open to play.
    faces: [Face; 4],
    present: ArmSet,
    /// The arms of the opening that nobody has started: while there are any, only they are open to play.
    waiting: ArmSet,
}

impl Layout {
    pub(crate) const fn empty() -> Self {
        Self {
            ends: [End::Pip(Pip::BLANK); 4],
            faces: [Face::CLOSED; 4],
            present: ArmSet::EMPTY,
            waiting: ArmSet::EMPTY,
        }
    }

    /// Lays the first tile.
    pub(crate) fn lead(&mut self, rules: &RuleSet, double: Double) {
        self.ends = [End::Pip(double.pip()); 4];
        self.present = match rules.layout {
            LayoutShape::Spinner => ArmSet::ALL,
            LayoutShape::Line => ArmSet::LINE,
        };
        self.waiting = match rules.opening {
            Opening::Sides => ArmSet::SIDES,
            Opening::Cross => ArmSet::ALL,
            Opening::None => ArmSet::EMPTY,
        };
        self.open_arms();
    }

    /// Lays a tile on an arm; whether it may lie there was asked before.
    #[inline]
    pub(crate) fn play(&mut self, arm: Arm, lay: Lay) {
        let end = match lay {
            Lay::InLine { end, .. } => End::Pip(end),
            Lay::Across(matador) => End::Across(matador),
        };
        self.ends[arm.index()] = end;
        if self.waiting == ArmSet::EMPTY {
            self.faces[arm.index()] = Face::of(end);
        } else {
            self.waiting = self.waiting.without(arm);
            self.open_arms();
        }
    }

    fn open_arms(&mut self) {
        let open = if self.waiting == ArmSet::EMPTY { self.present } else { self.waiting };
        self.faces = [Face::CLOSED; 4];
        for arm in open.iter() {
            self.faces[arm.index()] = Face::of(self.ends[arm.index()]);
        }
    }

    /// What each arm shows to the next tile, in the order N, E, S, W.
    #[inline]
    pub(crate) const fn faces(&self) -> &[Face; 4] {
        &self.faces
    }

    /// What the arms show.
    pub(crate) fn shown(&self) -> Arms {
        let mut arms = Arms::default();
        for arm in self.present.iter() {
            arms.set(arm, self.ends[arm.index()]);
        }
        arms
    }
}
