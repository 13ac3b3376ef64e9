//! The tiles on the table: what each arm shows, which arms are open to play, and which tiles fit where.

use leyden_protocol::{
    Arm, Arms, Double, End, Lay, LayoutShape, Matador, Opening, Pip, RuleSet, Set, Tile, TileSet,
};

/// What the tiles of a set can do, worked out once a set.
pub(crate) struct Fits {
    /// The wild tiles: those whose halves add up to the sum, and 0-0.
    pub(crate) wild: TileSet,
    /// The wild tiles that may lie across: those with two different halves.
    pub(crate) crossing: TileSet,
    /// For an end that shows a pip: the tiles that may be played there.
    at: [TileSet; 13],
}

impl Fits {
    const fn new(set: Set) -> Self {
        let sum = set.sum();
        let mut fits = Self { wild: TileSet::EMPTY, crossing: TileSet::EMPTY, at: [TileSet::EMPTY; 13] };
        fits.wild = fits.wild.with(Tile::new(Pip::BLANK, Pip::BLANK));
        let mut low = 1;
        while low <= sum / 2 {
            if let (Some(a), Some(b)) = (Pip::new(low), Pip::new(sum - low)) {
                let tile = Tile::new(a, b);
                fits.wild = fits.wild.with(tile);
                if Matador::new(tile).is_some() {
                    fits.crossing = fits.crossing.with(tile);
                }
            }
            low += 1;
        }
        let mut shown = 0;
        while shown < sum {
            fits.at[shown as usize] = fits.wild;
            if let (true, Some(touching)) = (shown > 0, Pip::new(sum - shown)) {
                let mut other = 0;
                while other < sum {
                    if let Some(end) = Pip::new(other) {
                        fits.at[shown as usize] = fits.at[shown as usize].with(Tile::new(touching, end));
                    }
                    other += 1;
                }
            }
            shown += 1;
        }
        fits
    }

    pub(crate) const fn of(set: Set) -> &'static Self {
        static ALL: [Fits; 3] =
            [Fits::new(Set::DoubleSix), Fits::new(Set::DoubleNine), Fits::new(Set::DoubleTwelve)];
        &ALL[set as usize]
    }

    const fn end(&self, end: End) -> TileSet {
        match end {
            End::Pip(pip) => self.at[pip.index()],
            End::Across(matador) => self.at[matador.low().index()].union(self.at[matador.high().index()]),
        }
    }
}

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

    fn with(self, arm: Arm) -> Self {
        Self(self.0 | (1 << arm as u8))
    }

    const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Arm> {
        Arm::ALL.into_iter().filter(move |&arm| self.contains(arm))
    }
}

/// The layout of a round. Before the lead it has no arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    ends: [End; 4],
    fits: [TileSet; 4],
    present: ArmSet,
    started: ArmSet,
    open: ArmSet,
    /// The tiles that fit some open arm.
    playable: TileSet,
}

impl Layout {
    pub(crate) const fn empty() -> Self {
        Self {
            ends: [End::Pip(Pip::BLANK); 4],
            fits: [TileSet::EMPTY; 4],
            present: ArmSet::EMPTY,
            started: ArmSet::EMPTY,
            open: ArmSet::EMPTY,
            playable: TileSet::EMPTY,
        }
    }

    /// Lays the first tile.
    pub(crate) fn lead(&mut self, rules: &RuleSet, double: Double) {
        let end = End::Pip(double.pip());
        self.ends = [end; 4];
        self.fits = [Fits::of(rules.set).end(end); 4];
        self.present = match rules.layout {
            LayoutShape::Spinner => ArmSet::ALL,
            LayoutShape::Line => ArmSet::LINE,
        };
        self.started = ArmSet::EMPTY;
        self.open_arms(rules);
    }

    /// Lays a tile on an arm; whether it may lie there was asked before.
    pub(crate) fn play(&mut self, rules: &RuleSet, arm: Arm, lay: Lay) {
        let end = match lay {
            Lay::InLine { end, .. } => End::Pip(end),
            Lay::Across(matador) => End::Across(matador),
        };
        self.ends[arm.index()] = end;
        self.fits[arm.index()] = Fits::of(rules.set).end(end);
        self.started = self.started.with(arm);
        self.open_arms(rules);
    }

    fn open_arms(&mut self, rules: &RuleSet) {
        let opening = match rules.opening {
            Opening::Sides => ArmSet::SIDES,
            Opening::Cross => ArmSet::ALL,
            Opening::None => ArmSet::EMPTY,
        };
        let waiting = opening.minus(self.started);
        self.open = if waiting == ArmSet::EMPTY { self.present } else { waiting };
        self.playable = self.open.iter().fold(TileSet::EMPTY, |all, arm| all.union(self.fits[arm.index()]));
    }

    /// The arms open to play.
    pub(crate) const fn open(&self) -> ArmSet {
        self.open
    }

    /// The tiles that may be played on an arm.
    pub(crate) const fn fits(&self, arm: Arm) -> TileSet {
        self.fits[arm.index()]
    }

    pub(crate) const fn end(&self, arm: Arm) -> End {
        self.ends[arm.index()]
    }

    /// The tiles that may be played somewhere now.
    pub(crate) const fn playable(&self) -> TileSet {
        self.playable
    }

    /// Whether a matador may lie across on this arm.
    pub(crate) const fn takes_across(&self, rules: &RuleSet, arm: Arm) -> bool {
        rules.across_on_across || matches!(self.ends[arm.index()], End::Pip(_))
    }

    /// Whether a tile may be laid like this on this arm, whoever holds it.
    pub(crate) fn allows(&self, rules: &RuleSet, arm: Arm, lay: Lay) -> bool {
        if !self.open.contains(arm) || !self.fits(arm).contains(lay.tile()) {
            return false;
        }
        let fits = Fits::of(rules.set);
        match lay {
            Lay::Across(matador) => fits.crossing.contains(matador.tile()) && self.takes_across(rules, arm),
            Lay::InLine { touching, end } => {
                fits.wild.contains(Tile::new(touching, end)) || touches(rules.set, self.end(arm), touching)
            }
        }
    }

    /// What the arms show.
    pub(crate) fn shown(&self) -> Arms {
        let mut arms = Arms::default();
        for arm in self.present.iter() {
            arms.set(arm, self.end(arm));
        }
        arms
    }
}

/// Whether a half may touch an end by the sum rule.
pub(crate) fn touches(set: Set, end: End, half: Pip) -> bool {
    let matches = |shown: Pip| shown.get() + half.get() == set.sum();
    match end {
        End::Pip(pip) => matches(pip),
        End::Across(matador) => matches(matador.low()) || matches(matador.high()),
    }
}
