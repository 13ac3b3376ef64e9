//! The [policy](super::policy) once more, for two seats with the double-six set, on the rules crate's
//! [packed](leyden_rules::packed) layout. A test checks that both give the same values.

use leyden_protocol::{Action, HistoryAction, RuleSet};
use leyden_rules::packed::{
    Face, FitCounts, Laid, PackedLayout, PackedPlay, ROOM, TILES, TilePair, Tiles, fit_counts, fitting, laid,
    number,
};

use super::features::{Feature, kind};
use super::network::{Sums, WholeNetwork};
use super::policy::{KindWeights, Policy, PublicView, power};

/// The probability that a hand has nothing that fits, by how many tiles it may hold, how many it holds, and how many of the former
/// fit.
static STARVED: [[[f32; ROOM]; ROOM]; ROOM] = {
    let mut starved = [[[0.0; ROOM]; ROOM]; ROOM];
    let mut may_hold = 0;
    while may_hold < ROOM {
        let a_tile = 1.0 / if may_hold == 0 { 1.0 } else { may_hold as f32 };
        let mut holds = 0;
        while holds < ROOM {
            let mut fit = 0;
            while fit < ROOM {
                starved[may_hold][holds][fit] = power(1.0 - fit as f32 * a_tile, holds);
                fit += 1;
            }
            holds += 1;
        }
        may_hold += 1;
    }
    starved
};

/// What is known of the seat that acts next.
#[derive(Clone, Copy)]
pub(super) struct NextSeat {
    /// How many tiles it holds.
    pub(super) holds: usize,
    /// Tiles that it does not hold.
    pub(super) lacks: Tiles,
}

/// The value of each different play of a hand, as [`Policy::evaluate_plays`] has it, given what is known of the next seat; and the
/// tiles that can be played afterwards.
#[inline]
pub(super) fn evaluate_plays(
    layout: &PackedLayout,
    policy: &Policy,
    (hand, fits): (Tiles, &FitCounts),
    next: NextSeat,
    drawable: usize,
    mut report: impl FnMut(PackedPlay, Tiles, f32),
) {
    let weights = policy.kind_weights(kind(next.holds, drawable));
    let evaluator = PlayEvaluator::new(layout, weights, hand, fits, next);
    layout.each_arm(hand, |open| {
        let before = evaluator.end_value(open.shows);
        layout.each_play(&open, |play, laid| {
            let playable = open.fitting_after(laid.shows);
            report(play, playable, evaluator.value(play.tile, laid, before, playable));
        });
    });
}

/// The value of leading each double of a hand, as [`Policy::lead_value`] has it.
fn evaluate_leads(
    layout: &PackedLayout,
    policy: &Policy,
    hand: Tiles,
    next: NextSeat,
    drawable: usize,
    mut report: impl FnMut(u8, f32),
) {
    let fits = FitCounts::count(hand);
    let weights = policy.kind_weights(kind(next.holds, drawable));
    let evaluator = PlayEvaluator::new(layout, weights, hand, &fits, next);
    for (tile, double) in (0..).zip(TILES).filter(|&(tile, _)| hand >> tile & 1 != 0) {
        if double.double().is_some() && double.pips() > 0 {
            let laid = laid(tile, 0);
            report(tile, evaluator.value(tile, laid, 0.0, fitting(laid.shows)));
        }
    }
}

/// What a seat sees, prepared for evaluating its plays.
struct PlayEvaluator<'a> {
    weights: &'a KindWeights,
    both: TilePair,
    /// How many of the tiles in the hand, and of the unseen ones, fit each end.
    hand: &'a FitCounts,
    unseen: FitCounts,
    own: f32,
    others: f32,
    /// What each playable tile is worth.
    option: f32,
    /// One tile as a share of those that the next seat may hold.
    a_tile: f32,
    starved: &'static [f32; ROOM],
}

impl<'a> PlayEvaluator<'a> {
    #[inline]
    fn new(
        layout: &PackedLayout,
        weights: &'a KindWeights,
        hand: Tiles,
        fits: &'a FitCounts,
        next: NextSeat,
    ) -> Self {
        let both = TilePair::new(hand, layout.outside() & !hand & !next.lacks);
        let (held, may_hold) = both.sizes();
        let left = held.saturating_sub(1).max(1) as i32 as f32;
        Self {
            weights,
            both,
            hand: fits,
            unseen: layout.fits_outside().minus(fits),
            own: weights.of(Feature::OwnFits),
            others: weights.of(Feature::UnseenFits),
            option: weights.of(Feature::Options) + weights.of(Feature::ShareOfOptions) / left,
            a_tile: 1.0 / may_hold.max(1) as i32 as f32,
            starved: &STARVED[may_hold as usize % ROOM][next.holds % ROOM],
        }
    }

    /// What an end is worth.
    #[inline]
    fn end_value(&self, shown: Face) -> f32 {
        self.own * f32::from(self.hand.on(shown)) + self.others * f32::from(self.unseen.on(shown))
    }

    /// The value of laying a tile, given the value of the end that it covers and the tiles that fit the ends open afterwards.
    #[inline]
    fn value(&self, tile: u8, laid: Laid, before: f32, playable: Tiles) -> f32 {
        let weights = self.weights;
        let own_new = self.hand.on(laid.shows) - fit_counts(tile).on(laid.shows);
        let (options, fed) = self.both.without(tile).intersection(playable).sizes();
        let options = options as i32 as f32;
        let starved = self.starved[fed as usize % ROOM];
        let fed = fed as i32 as f32 * self.a_tile;
        let stuck = if options == 0.0 { weights.of(Feature::Stuck) } else { 0.0 };
        weights.placement(laid.index) - before
            + self.own * f32::from(own_new)
            + self.others * f32::from(self.unseen.on(laid.shows))
            + self.option * options
            + stuck
            + weights.of(Feature::Fed) * fed
            + weights.of(Feature::Starved) * starved
    }
}

/// A tile that a seat chose to play or lead, and what was known then: how likely the choice was depends on its hand alone.
pub(super) struct Choice {
    layout: PackedLayout,
    next: NextSeat,
    drawable: usize,
    tile: u8,
    /// What the arm showed, and the orientation; `None` for a lead.
    placed: Option<(Face, u8)>,
    /// What a network adds to the values of plays.
    network: Option<PreparedPosition>,
}

/// A network, and what its hidden units get for every hand of the seat.
struct PreparedPosition {
    network: &'static WholeNetwork,
    public: Sums,
    /// The sets of tiles that can be played after some play, and for each what the units get if others have them.
    after: Vec<Tiles>,
    fed: Vec<Sums>,
}

impl PreparedPosition {
    fn new(
        network: &'static WholeNetwork,
        layout: &PackedLayout,
        next_holds: usize,
        drawable: usize,
    ) -> Self {
        let public = network.public(next_holds, drawable);
        let mut prepared = Self { network, public, after: Vec::new(), fed: Vec::new() };
        layout.each_arm(layout.outside(), |open| {
            layout.each_play(&open, |_, laid| {
                let playable = open.fitting_after(laid.shows) & layout.outside();
                if !prepared.after.contains(&playable) {
                    prepared.after.push(playable);
                    prepared.fed.push(network.fed(playable));
                }
            });
        });
        prepared
    }

    /// What the network adds to the value of laying a tile of a hand, after which those of a set can be played; `units` is for the hand.
    #[inline]
    fn value(&self, units: &Sums, hand: Tiles, tile: usize, playable: Tiles) -> f32 {
        let index = self.after.iter().position(|after| *after == playable);
        index.map_or(0.0, |index| self.network.value(units, tile, playable & hand, &self.fed[index]))
    }
}

impl Choice {
    /// The choice made in an event, given what was known of the next seat; `None` if no tile was chosen. A network adds to the values
    /// of plays.
    pub(super) fn new(
        rules: &RuleSet,
        seen: &PublicView,
        event: HistoryAction,
        next: NextSeat,
        drawable: usize,
        network: Option<&'static WholeNetwork>,
    ) -> Option<Self> {
        let arms = &seen.layout.arms;
        let layout = PackedLayout::new(rules, arms, |arm| seen.layout.waits_for(arm), seen.outside);
        let placed = match event {
            HistoryAction::Play(arm, lay) => {
                Some((layout.face(arm.index()), PackedPlay::new(arm, lay).orientation))
            }
            HistoryAction::Lead(_) => None,
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => return None,
        };
        let tile = number(Action::from(event).tile()?);
        let network = network.filter(|_| placed.is_some());
        let network = network.map(|network| PreparedPosition::new(network, &layout, next.holds, drawable));
        Some(Self { layout, next, drawable, tile, placed, network })
    }

    pub(super) fn has_network(&self) -> bool {
        self.network.is_some()
    }

    /// Whether there is only one play with a hand: then nothing follows from it.
    #[inline]
    pub(super) fn is_forced(&self, hand: Tiles) -> bool {
        let playable = self.layout.fitting() & hand;
        self.placed.is_some() && (playable == 0 || self.layout.only_play(playable).is_some())
    }

    /// The value of each possible choice with a hand, and whether it is the one that was made.
    #[inline]
    pub(super) fn evaluate_plays(&self, policy: &Policy, hand: Tiles, mut report: impl FnMut(f32, bool)) {
        let Self { layout, next, drawable, tile: chosen, placed, network } = self;
        match placed {
            Some(placed) => {
                let fits = FitCounts::count(hand);
                let with = network.as_ref();
                let with = with.map(|with| (with, with.network.hand(&with.public, hand)));
                let outside = layout.outside();
                evaluate_plays(layout, policy, (hand, &fits), *next, *drawable, |play, playable, value| {
                    let same = (layout.face(play.arm.into()), play.orientation) == *placed;
                    let more = with.as_ref().map_or(0.0, |(with, units)| {
                        with.value(units, hand, play.tile.into(), playable & outside)
                    });
                    report(value + more, play.tile == *chosen && same);
                });
            }
            None => evaluate_leads(layout, policy, hand, *next, *drawable, |tile, value| {
                report(value, tile == *chosen);
            }),
        }
    }
}
