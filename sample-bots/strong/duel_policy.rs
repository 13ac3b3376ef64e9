//! The [policy](super::policy) once more, from [lookup tables](super::packed), for two seats with the double-six set. A test checks that
//! both give the same values.

use leyden_protocol::{Action, Arm, HistoryAction, RuleSet};

use super::features::{Feature, kind};
use super::network::Network;
use super::packed::{
    CLOSED, Counts, FACES, Face, NUMBER, PLACEMENTS, TABLES, TILE, Tables, Tiles, face, packed, placement,
};
use super::policy::{KindWeights, Policy, PublicView};

/// What both seats see: the layout, and which tiles are not in it.
#[derive(Clone, Copy)]
pub(super) struct PublicState {
    pub(super) tables: &'static Tables,
    shown: [Face; 4],
    /// The ends that are open to play: the same, except that arms that are not open are closed.
    faces: [Face; 4],
    /// The arms that the opening still requires, one bit each.
    waiting: u8,
    across_on_across: bool,
    pub(super) outside: Tiles,
    /// How many of the tiles outside the layout fit each end.
    fits: Counts,
}

/// What is known of the seat that acts next.
#[derive(Clone, Copy)]
pub(super) struct NextSeat {
    /// How many tiles it holds.
    pub(super) holds: usize,
    /// Tiles that it does not hold.
    pub(super) lacks: Tiles,
}

/// A play: the arm, the number of the tile, and the way it lies.
pub(super) type Play = (u8, u8, u8);

impl PublicState {
    pub(super) fn new(across_on_across: bool, seen: &PublicView) -> Self {
        let mut shown = [CLOSED; 4];
        for (arm, end) in seen.layout.arms.iter() {
            shown[arm.index()] = face(end);
        }
        let waiting = Arm::ALL
            .into_iter()
            .fold(0, |all, arm| all | u8::from(seen.layout.waits_for(arm)) << arm.index());
        let outside = packed(seen.outside);
        let mut state = Self {
            tables: &TABLES,
            shown,
            faces: shown,
            waiting,
            across_on_across,
            outside,
            fits: Counts::of(&TABLES, outside),
        };
        state.open();
        state
    }

    fn open(&mut self) {
        for (arm, (face, shown)) in self.faces.iter_mut().zip(self.shown).enumerate() {
            let open = self.waiting == 0 || self.waiting >> arm & 1 != 0;
            *face = if open { shown } else { CLOSED };
        }
    }

    #[inline]
    fn takes(&self, face: Face) -> Tiles {
        self.tables.takes[usize::from(face) % FACES]
    }

    /// The tiles that can be played somewhere.
    #[inline]
    pub(super) fn fitting(&self) -> Tiles {
        self.faces.iter().fold(0, |all, &face| all | self.takes(face))
    }

    #[inline]
    pub(super) fn lay(&mut self, (arm, tile, placement): Play) {
        let place = usize::from(arm) % 4;
        self.shown[place] =
            self.tables.lays[usize::from(tile) % 32][usize::from(placement) % PLACEMENTS].shows;
        self.outside &= !(1 << tile);
        self.fits = self.fits.minus(&self.tables.fits[usize::from(tile) % 32]);
        if self.waiting == 0 {
            self.faces[place] = self.shown[place];
        } else {
            self.waiting &= !(1 << arm);
            self.open();
        }
    }

    /// If there is only one play with these tiles, all of which can be played, that play. Plays on equal ends count as one.
    #[inline]
    pub(super) fn only(&self, playable: Tiles) -> Option<Play> {
        if playable & (playable - 1) != 0 {
            return None;
        }
        let tile = playable.trailing_zeros() as usize % 32;
        let (mut found, mut on) = (None, CLOSED);
        for (arm, &face) in self.faces.iter().enumerate() {
            let placements = self.tables.placements[0][usize::from(face) % FACES][tile];
            if placements == 0 || face == on {
                continue;
            }
            if found.is_some() || placements & (placements - 1) != 0 {
                return None;
            }
            (found, on) = (Some((arm as u8, tile as u8, placements.trailing_zeros() as u8)), face);
        }
        found
    }

    /// The value of each different play of a hand, as [`Policy::evaluate_plays`] has it, given what is known of the next seat; and the
    /// tiles that can be played afterwards.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "branches would be unpredictable; all arms are compared at once"
    )]
    pub(super) fn evaluate_plays(
        &self,
        policy: &Policy,
        (hand, fits): (Tiles, &Counts),
        next: NextSeat,
        drawable: usize,
        mut report: impl FnMut(Play, Tiles, f32),
    ) {
        let evaluator =
            PlayEvaluator::new(self, policy.kind_weights(kind(next.holds, drawable)), hand, fits, next);
        let on = self.shown.map(|face| self.takes(face));
        let [n, e, s, w] = self.faces;
        let again = [false, e == n, (s == n) | (s == e), (w == n) | (w == e) | (w == s)];
        for (arm, again) in again.into_iter().enumerate() {
            let face = usize::from(self.faces[arm]) % FACES;
            let mut tiles = hand & self.tables.takes[face];
            if again || tiles == 0 {
                continue;
            }
            let before = evaluator.end_value(self.shown[arm]);
            let waiting = self.waiting & !(1 << arm);
            let mut elsewhere = 0;
            for other in (1..4).map(|further| (arm + further) % 4) {
                let open = waiting == 0 || waiting >> other & 1 != 0;
                elsewhere |= if open { on[other] } else { 0 };
            }
            let placements = &self.tables.placements[usize::from(self.across_on_across)][face];
            while tiles != 0 {
                let tile = tiles.trailing_zeros() as usize;
                tiles &= tiles - 1;
                let mut some = placements[tile % 32];
                while some != 0 {
                    let placement = some.trailing_zeros() as usize;
                    some &= some - 1;
                    let new = self.tables.lays[tile % 32][placement % PLACEMENTS].shows;
                    let playable = if waiting == 0 { elsewhere | self.takes(new) } else { elsewhere };
                    let value = evaluator.value(tile, placement, before, playable);
                    report((arm as u8, tile as u8, placement as u8), playable, value);
                }
            }
        }
    }

    /// The value of leading each double of a hand, as [`Policy::lead_value`] has it.
    fn evaluate_leads(
        &self,
        policy: &Policy,
        hand: Tiles,
        next: NextSeat,
        drawable: usize,
        mut report: impl FnMut(u8, f32),
    ) {
        let fits = Counts::of(self.tables, hand);
        let evaluator =
            PlayEvaluator::new(self, policy.kind_weights(kind(next.holds, drawable)), hand, &fits, next);
        for (tile, double) in TILE.into_iter().enumerate().filter(|&(tile, _)| hand >> tile & 1 != 0) {
            if double.double().is_some() && double.pips() > 0 {
                report(tile as u8, evaluator.value(tile, 0, 0.0, self.takes(double.low().get())));
            }
        }
    }
}

/// What a seat sees, prepared for evaluating its plays.
struct PlayEvaluator<'a> {
    tables: &'static Tables,
    weights: &'a KindWeights,
    both: TilePair,
    /// How many of the tiles in the hand, and of the unseen ones, fit each end.
    hand: &'a Counts,
    unseen: Counts,
    own: f32,
    others: f32,
    /// What each playable tile is worth.
    option: f32,
    /// One tile as a share of those that the next seat may hold.
    a_tile: f32,
    starved: &'static [f32; 32],
}

impl<'a> PlayEvaluator<'a> {
    #[inline]
    fn new(
        state: &PublicState,
        weights: &'a KindWeights,
        hand: Tiles,
        fits: &'a Counts,
        next: NextSeat,
    ) -> Self {
        let both = TilePair::new(hand, state.outside & !hand & !next.lacks);
        let (held, may_hold) = both.count(Tiles::MAX);
        let left = held.saturating_sub(1).max(1) as i32 as f32;
        Self {
            tables: state.tables,
            weights,
            both,
            hand: fits,
            unseen: state.fits.minus(fits),
            own: weights.of(Feature::OwnFits),
            others: weights.of(Feature::UnseenFits),
            option: weights.of(Feature::Options) + weights.of(Feature::ShareOfOptions) / left,
            a_tile: 1.0 / may_hold.max(1) as i32 as f32,
            starved: &state.tables.starved[may_hold as usize % 32][next.holds % 32],
        }
    }

    /// What an end is worth.
    #[inline]
    fn end_value(&self, shown: Face) -> f32 {
        self.own * self.hand.on(shown) as f32 + self.others * self.unseen.on(shown) as f32
    }

    /// The value of laying a tile, given the value of the end that it covers and the tiles that fit the ends open afterwards.
    #[inline]
    fn value(&self, tile: usize, placement: usize, before: f32, playable: Tiles) -> f32 {
        let weights = self.weights;
        let placed = &self.tables.lays[tile % 32][placement % PLACEMENTS];
        let own_new = self.hand.on(placed.shows) - self.tables.fits[tile % 32].on(placed.shows);
        let (options, fed) = self.both.without(tile).count(playable);
        let options = options as i32 as f32;
        let starved = self.starved[fed as usize % 32];
        let fed = fed as i32 as f32 * self.a_tile;
        let stuck = if options == 0.0 { weights.of(Feature::Stuck) } else { 0.0 };
        weights.placement(placed.index) - before
            + self.own * own_new as f32
            + self.others * self.unseen.on(placed.shows) as f32
            + self.option * options
            + stuck
            + weights.of(Feature::Fed) * fed
            + weights.of(Feature::Starved) * starved
    }
}

/// A tile that a seat chose to play or lead, and what was known then: how likely the choice was depends on its hand alone.
pub(super) struct Choice {
    state: PublicState,
    next: NextSeat,
    drawable: usize,
    tile: u8,
    /// None for a lead.
    placed: Option<(Face, u8)>,
}

impl Choice {
    /// The choice made in an event, given what was known of the next seat; nothing if no tile was chosen.
    pub(super) fn of(
        rules: &RuleSet,
        seen: &PublicView,
        event: HistoryAction,
        next: NextSeat,
        drawable: usize,
    ) -> Option<Self> {
        let state = PublicState::new(rules.across_on_across, seen);
        let placed = match event {
            HistoryAction::Play(arm, lay) => Some((state.faces[arm.index()], placement(lay))),
            HistoryAction::Lead(_) => None,
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => return None,
        };
        let tile = NUMBER[Action::from(event).tile()?.index() % NUMBER.len()];
        Some(Self { state, next, drawable, tile, placed })
    }

    /// The value of each possible choice with a hand, and whether it is the one that was made. A network adds to the values of plays.
    #[inline]
    pub(super) fn evaluate_plays(
        &self,
        policy: &Policy,
        network: Option<&Network>,
        hand: Tiles,
        mut report: impl FnMut(f32, bool),
    ) {
        match self.placed {
            Some(placed) => {
                let fits = Counts::of(self.state.tables, hand);
                let with =
                    network.map(|network| (network, network.hand(hand, self.next.holds, self.drawable)));
                let others = self.state.outside & !hand;
                self.state.evaluate_plays(
                    policy,
                    (hand, &fits),
                    self.next,
                    self.drawable,
                    |(arm, tile, placement), playable, value| {
                        let same = (self.state.faces[usize::from(arm) % 4], placement) == placed;
                        let more = with.map_or(0.0, |(network, units)| {
                            let own = playable & hand & !(1 << tile);
                            network.value(&units, tile.into(), own, playable & others)
                        });
                        report(value + more, tile == self.tile && same);
                    },
                );
            }
            None => self.state.evaluate_leads(policy, hand, self.next, self.drawable, |tile, value| {
                report(value, tile == self.tile);
            }),
        }
    }
}

/// The tiles of a hand and those that the next seat may hold, side by side, to be counted together.
#[derive(Clone, Copy)]
struct TilePair(u64);

impl TilePair {
    #[inline]
    fn new(hand: Tiles, other: Tiles) -> Self {
        Self(u64::from(hand) | u64::from(other) << 32)
    }

    #[inline]
    fn without(self, tile: usize) -> Self {
        Self(self.0 & !(1 << tile))
    }

    /// How many of each are among these tiles.
    #[inline]
    fn count(self, tiles: Tiles) -> (u32, u32) {
        let tiles = self.0 & (u64::from(tiles) | u64::from(tiles) << 32);
        // A population count of both halves: bits are added up in pairs, fours and bytes; a product then adds the four bytes of each half
        // into its highest one.
        let pairs = tiles - (tiles >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        let sums = bytes.wrapping_mul(0x0101_0101);
        (sums as u32 >> 24, (sums >> 56) as u32)
    }
}
