//! The tiles on the table: what each arm shows, which arms are open to play, and what can touch them.

use leyden_protocol::{Arm, Arms, Double, End, Lay, LayoutShape, Opening, Pip, RuleSet};

use crate::fits::Need;

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

    const fn with(self, arm: Arm) -> Self {
        Self(self.0 | (1 << arm as u8))
    }

    const fn without(self, arm: Arm) -> Self {
        Self(self.0 & !(1 << arm as u8))
    }

    const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
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
    /// What can touch each of these ends.
    needs: [Need; 4],
    present: ArmSet,
    /// The arms of the opening that nobody has started.
    waiting: ArmSet,
    /// The arms on which a matador lies across.
    crossed: ArmSet,
}

impl Layout {
    pub(crate) const fn empty() -> Self {
        Self {
            ends: [End::Pip(Pip::BLANK); 4],
            needs: [Need::NOTHING; 4],
            present: ArmSet::EMPTY,
            waiting: ArmSet::EMPTY,
            crossed: ArmSet::EMPTY,
        }
    }

    /// Lays the first tile.
    pub(crate) fn lead(&mut self, rules: &RuleSet, double: Double) {
        let end = End::Pip(double.pip());
        self.ends = [end; 4];
        self.needs = [Need::of(rules.set, end); 4];
        self.present = match rules.layout {
            LayoutShape::Spinner => ArmSet::ALL,
            LayoutShape::Line => ArmSet::LINE,
        };
        self.waiting = match rules.opening {
            Opening::Sides => ArmSet::SIDES,
            Opening::Cross => ArmSet::ALL,
            Opening::None => ArmSet::EMPTY,
        };
    }

    /// Lays a tile on an arm; whether it may lie there was asked before.
    pub(crate) fn play(&mut self, rules: &RuleSet, arm: Arm, lay: Lay) {
        let end = match lay {
            Lay::InLine { end, .. } => {
                self.crossed = self.crossed.without(arm);
                End::Pip(end)
            }
            Lay::Across(matador) => {
                self.crossed = self.crossed.with(arm);
                End::Across(matador)
            }
        };
        self.ends[arm.index()] = end;
        self.needs[arm.index()] = Need::of(rules.set, end);
        self.waiting = self.waiting.without(arm);
    }

    /// The arms open to play: those that the opening still waits for, then all.
    pub(crate) fn open(&self) -> ArmSet {
        if self.waiting == ArmSet::EMPTY { self.present } else { self.waiting }
    }

    /// The open arms on which a matador may lie across.
    pub(crate) fn open_across(&self, rules: &RuleSet) -> ArmSet {
        if rules.across_on_across { self.open() } else { self.open().minus(self.crossed) }
    }

    pub(crate) const fn needs(&self) -> &[Need; 4] {
        &self.needs
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
