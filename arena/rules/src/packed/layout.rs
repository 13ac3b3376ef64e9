//! The layout as both seats see it: what the arms show, which are open to play, and the tiles outside.

use leyden_protocol::{Arm, Arms, Lay, RuleSet, Set, TileSet};

use super::tiles::{
    CLOSED, Face, FitCounts, Laid, ROOM, Tiles, face, fit_counts, fitting, laid, number, orientation,
    orientations, pack,
};

/// A play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPlay {
    /// By [`Arm::index`].
    pub arm: u8,
    /// By [`number`].
    pub tile: u8,
    /// 0 with its low half touching, 1 with its high half touching, 2 across.
    pub orientation: u8,
}

impl PackedPlay {
    /// Packs a play of a tile of the set.
    #[inline]
    pub fn new(arm: Arm, lay: Lay) -> Self {
        Self { arm: arm.index() as u8, tile: number(lay.tile()), orientation: orientation(lay) }
    }
}

/// The layout of a round with the double-six set, and the tiles outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedLayout {
    shown: [Face; 4],
    /// The faces that can be played on: those shown, [`CLOSED`] on arms that are not open.
    faces: [Face; 4],
    /// The tiles that fit one of these.
    fitting: Tiles,
    /// The arms that the opening waits for, one bit each.
    waiting: u8,
    across_on_across: bool,
    outside: Tiles,
    fits: FitCounts,
}

/// An arm that is open to play, as a hand sees it.
#[derive(Clone, Copy, Debug)]
pub struct OpenArm {
    /// By [`Arm::index`].
    pub arm: usize,
    /// What it shows.
    pub shows: Face,
    /// The tiles of the hand that fit.
    pub tiles: Tiles,
    /// The tiles that fit the other arms that will be open after a play here.
    elsewhere: Tiles,
    /// Whether this arm will be open after a play here.
    stays_open: bool,
}

impl OpenArm {
    /// Returns the tiles that can be played somewhere after a play on this arm, which shows `shows` then.
    #[inline]
    pub fn fitting_after(&self, shows: Face) -> Tiles {
        if self.stays_open { self.elsewhere | fitting(shows) } else { self.elsewhere }
    }
}

impl PackedLayout {
    /// Packs what the arms show, whether the opening waits for an arm, and which tiles are outside the layout. The set
    /// is double-six. Before the lead there is no arm, and nothing fits.
    pub fn new(rules: &RuleSet, arms: &Arms, waits_for: impl Fn(Arm) -> bool, outside: TileSet) -> Self {
        debug_assert_eq!(rules.set, Set::DoubleSix);
        let mut shown = [CLOSED; 4];
        for (arm, end) in arms.iter() {
            shown[arm.index()] = face(end);
        }
        let waiting = Arm::ALL.into_iter().fold(0, |all, arm| all | u8::from(waits_for(arm)) << arm.index());
        let (across_on_across, outside) = (rules.across_on_across, pack(outside));
        let fits = FitCounts::count(outside);
        let mut layout = Self { shown, faces: shown, fitting: 0, waiting, across_on_across, outside, fits };
        layout.open_arms();
        layout.fitting = fitting_some(&layout.faces);
        layout
    }

    #[inline]
    fn open_arms(&mut self) {
        for (arm, (face, shown)) in self.faces.iter_mut().zip(self.shown).enumerate() {
            let open = self.waiting == 0 || self.waiting >> arm & 1 != 0;
            *face = if open { shown } else { CLOSED };
        }
    }

    /// Returns what the arms show, whether open to play or not, in the order N, E, S, W.
    #[inline]
    pub fn shown(&self) -> [Face; 4] {
        self.shown
    }

    /// Returns what an arm shows to the next tile, by [`Arm::index`]. Arms that show the same take the same tiles.
    #[inline]
    pub fn face(&self, arm: usize) -> Face {
        self.faces[arm % 4]
    }

    /// Returns the tiles outside the layout: both hands and the boneyard.
    #[inline]
    pub fn outside(&self) -> Tiles {
        self.outside
    }

    /// Returns how many of the tiles outside the layout fit each face.
    #[inline]
    pub fn fits_outside(&self) -> &FitCounts {
        &self.fits
    }

    /// Returns the tiles of the set that fit an arm that is open to play.
    #[inline]
    pub fn fitting(&self) -> Tiles {
        self.fitting
    }

    /// Lays a tile. The play must be legal.
    #[inline]
    pub(super) fn play(&mut self, play: PackedPlay) {
        let arm = usize::from(play.arm) % 4;
        self.outside &= !(1 << play.tile);
        self.fits = self.fits.minus(fit_counts(play.tile));
        self.shown[arm] = laid(play.tile, play.orientation).shows;
        if self.waiting == 0 {
            self.faces[arm] = self.shown[arm];
        } else {
            self.waiting &= !(1 << play.arm);
            self.open_arms();
        }
        self.fitting = fitting_some(&self.faces);
    }

    /// Returns the only play of these tiles (at least one, and each fits some open arm); `None` if there are
    /// more plays. Those on arms that show the same count as one.
    #[inline]
    pub fn only_play(&self, playable: Tiles) -> Option<PackedPlay> {
        if playable & (playable - 1) != 0 {
            return None;
        }
        let tile = playable.trailing_zeros() as usize % ROOM;
        let (mut found, mut on) = (None, CLOSED);
        for (arm, &face) in self.faces.iter().enumerate() {
            // Where a matador may lie in line it has two plays, whether it may lie across or not.
            let some = orientations(false, face)[tile];
            if some == 0 || face == on {
                continue;
            }
            if found.is_some() || some & (some - 1) != 0 {
                return None;
            }
            let orientation = some.trailing_zeros() as u8;
            (found, on) = (Some(PackedPlay { arm: arm as u8, tile: tile as u8, orientation }), face);
        }
        found
    }

    /// Visits the arms that a hand can play on, in the order N, E, S, W; of arms that show the same, only the first.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "the branches are unpredictable; all four are compared at once"
    )]
    pub fn each_arm(&self, hand: Tiles, mut visit: impl FnMut(OpenArm)) {
        let on = self.shown.map(fitting);
        let [n, e, s, w] = self.faces;
        let again = [false, e == n, (s == n) | (s == e), (w == n) | (w == e) | (w == s)];
        for (arm, again) in again.into_iter().enumerate() {
            let shows = self.faces[arm];
            let tiles = hand & fitting(shows);
            if again || tiles == 0 {
                continue;
            }
            let waiting = self.waiting & !(1 << arm);
            let mut elsewhere = 0;
            for other in (1..4).map(|further| (arm + further) % 4) {
                let open = waiting == 0 || waiting >> other & 1 != 0;
                elsewhere |= if open { on[other] } else { 0 };
            }
            visit(OpenArm { arm, shows, tiles, elsewhere, stays_open: waiting == 0 });
        }
    }

    /// Visits the plays of an arm's tiles there, in ascending order: low half touching, high half touching, across.
    #[inline]
    pub fn each_play(&self, open: &OpenArm, mut visit: impl FnMut(PackedPlay, Laid)) {
        let orientations = orientations(self.across_on_across, open.shows);
        let mut tiles = open.tiles;
        while tiles != 0 {
            let tile = tiles.trailing_zeros() as usize % ROOM;
            tiles &= tiles - 1;
            let mut some = orientations[tile];
            while some != 0 {
                let orientation = some.trailing_zeros() as u8;
                some &= some - 1;
                let play = PackedPlay { arm: open.arm as u8, tile: tile as u8, orientation };
                visit(play, laid(play.tile, orientation));
            }
        }
    }
}

/// Returns the tiles that fit one of these faces. They are read one by one: one of them was just written, and a
/// processor waits before it reads all four as one word.
#[inline]
fn fitting_some(faces: &[Face]) -> Tiles {
    faces.iter().fold(0, |all, &face| all | fitting(face))
}
