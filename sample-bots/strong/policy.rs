//! Choosing a tile without search: a weighted sum of thirteen features, with weights for six kinds of position.
//!
//! The policy sees what the seat to act sees, and no more: its hand, the layout, the tiles in neither (which are in other hands or
//! the boneyard), which of those the next seat is known to lack, and how many tiles each seat holds. It is deterministic, and uses
//! only sums, products and quotients of 32-bit floats: the same position gives the same play on every machine.

use std::sync::OnceLock;

use leyden_protocol::{
    Action, Arm, Double, Drawing, End, HistoryEntry, Lay, PerSeat, RuleSet, Seat, Set, TileSet,
};
use leyden_rules::packed::lay_index;
use leyden_rules::{Fits, Plays, Round};

use super::features::{Feature, Features, KINDS, Weights, kind};
use super::weights::{Role, Variant, weights};
use crate::reading::{Layout, stiff};

/// The weights of one kind of position, with the sums that depend on the tile alone computed in advance.
pub(super) struct KindWeights {
    weights: Features,
    /// One for each way to lay a tile, by its [index](lay_index).
    placement: [f32; 256],
}

/// A policy: its weights prepared for a set of tiles.
pub struct Policy {
    fits: &'static Fits,
    kinds: [KindWeights; KINDS],
}

/// What the seat to act sees, prepared for evaluating its plays.
struct PlayEvaluator<'a> {
    fits: &'static Fits,
    weights: &'a KindWeights,
    hand: TileSet,
    unseen: TileSet,
    /// The unseen tiles that the next seat may hold.
    next_may_hold: TileSet,
    /// For each arm: what can be played elsewhere after a play on it, and whether its new end is open then.
    elsewhere: [(TileSet, bool); 4],
    /// For each arm, what its present end is worth.
    before: [f32; 4],
    /// What each playable tile is worth.
    option: f32,
    /// One tile as a share of those that the next seat may hold.
    a_tile: f32,
    next_holds: usize,
}

impl Policy {
    pub fn new(set: Set, weights: &Weights) -> Self {
        let kinds = std::array::from_fn(|kind| KindWeights::new(set, weights.0[kind]));
        Self { fits: Fits::for_set(set), kinds }
    }

    /// The trained policy for these rules.
    pub fn for_rules(rules: &RuleSet) -> &'static Self {
        Self::trained(rules, Role::Playout)
    }

    /// The trained policy for these rules and this role.
    pub(super) fn trained(rules: &RuleSet, role: Role) -> &'static Self {
        static ALL: [OnceLock<[Policy; 2]>; Variant::ALL.len()] =
            [const { OnceLock::new() }; Variant::ALL.len()];
        let variant = Variant::for_rules(rules);
        let index = Variant::ALL.iter().position(|&each| each == variant).unwrap_or_default();
        let both =
            ALL[index].get_or_init(|| Role::ALL.map(|role| Self::new(rules.set, &weights(variant, role))));
        &both[role as usize]
    }

    #[inline]
    pub(super) fn kind_weights(&self, kind: usize) -> &KindWeights {
        &self.kinds[kind % KINDS]
    }

    /// The play with the highest value; of equal ones the first.
    #[inline]
    pub(super) fn best(
        &self,
        round: &Round,
        seat: Seat,
        plays: &Plays,
        seen: &PublicView,
    ) -> Option<(Arm, Lay)> {
        let evaluator = PlayEvaluator::new(self, round, seat, seen);
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for arm in plays.arms() {
            for lays in plays.on(arm) {
                for lay in lays {
                    let value = evaluator.value(arm, *lay);
                    if value > most {
                        (best, most) = (Some((arm, *lay)), value);
                    }
                }
            }
        }
        best
    }

    /// The value of each different play of the seat to act. Of arms with equal ends only one is reported.
    pub(super) fn evaluate_plays(
        &self,
        round: &Round,
        seat: Seat,
        seen: &PublicView,
        mut report: impl FnMut(Arm, Lay, f32),
    ) {
        let evaluator = PlayEvaluator::new(self, round, seat, seen);
        let plays = round.plays();
        for arm in plays.arms() {
            for lay in plays.on(arm).flatten() {
                report(arm, *lay, evaluator.value(arm, *lay));
            }
        }
    }

    /// The value of leading a double.
    pub(super) fn lead_value(&self, round: &Round, seat: Seat, seen: &PublicView, double: Double) -> f32 {
        let evaluator = PlayEvaluator::new(self, round, seat, seen);
        let lay = Lay::InLine { touching: double.pip(), end: double.pip() };
        evaluator.value_with(lay, 0.0, self.fits.on(End::Pip(double.pip())))
    }

    /// The kind of position, and the features of a play. Slower than computing the weighted sum, which is all that playing needs.
    pub fn features(round: &Round, seat: Seat, seen: &PublicView, arm: Arm, lay: Lay) -> (usize, Features) {
        let fits = Fits::for_set(round.rules().set);
        let hand = round.hand(seat);
        let hidden = seen.outside.minus(hand);
        let tile = lay.tile();
        let rest = hand.without(tile);
        let mut after = seen.layout;
        after.play(arm, lay);
        let playable = after.playable(fits);
        let old = seen.layout.arms.get(arm).map_or(TileSet::EMPTY, |end| fits.on(end));
        let new = fits.on(End::left_by(lay));
        let mut features = fixed(round.rules().set, lay);
        let mut report = |feature: Feature, value: f32| features[feature as usize] = value;
        report(Feature::OwnFits, count(rest, new) - count(hand, old));
        report(Feature::UnseenFits, count(hidden, new) - count(hidden, old));
        let options = count(rest, playable);
        report(Feature::Options, options);
        report(Feature::ShareOfOptions, options / rest.len().max(1) as f32);
        report(Feature::Stuck, one_if(options == 0.0));
        let next = round.rules().seats.after(seat);
        let may_hold = hidden.minus(seen.lacks[next]);
        let fed = count(may_hold, playable) / may_hold.len().max(1) as f32;
        report(Feature::Fed, fed);
        report(Feature::Starved, power(1.0 - fed, round.hand(next).len()));
        (kind(fewest(round, seat), round.drawable()), features)
    }
}

/// What everybody sees of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicView {
    pub(crate) layout: Layout,
    /// The tiles that are not in the layout.
    pub(crate) outside: TileSet,
    /// Tiles that each seat is known not to hold: they would have fitted when it could not play.
    pub(crate) lacks: PerSeat<TileSet>,
}

impl KindWeights {
    fn new(set: Set, weights: Features) -> Self {
        let mut made = Self { weights, placement: [0.0; 256] };
        let mut add = |lay: Lay| {
            let products = fixed(set, lay).into_iter().zip(weights).map(|(feature, weight)| feature * weight);
            made.placement[usize::from(lay_index(lay))] = products.sum();
        };
        for tile in set.tiles() {
            let (low, high) = (tile.low(), tile.high());
            for (touching, end) in [(low, high), (high, low)] {
                add(Lay::InLine { touching, end });
            }
            if let Some(matador) = leyden_protocol::Matador::new(tile) {
                add(Lay::Across(matador));
            }
        }
        made
    }

    #[inline]
    pub(super) fn of(&self, feature: Feature) -> f32 {
        self.weights[feature as usize]
    }

    /// The part of the value that depends only on a tile and how it lies, by its [index](lay_index).
    #[inline]
    pub(super) fn placement(&self, index: u8) -> f32 {
        self.placement[usize::from(index)]
    }
}

/// The features that depend only on the tile and how it lies.
fn fixed(set: Set, lay: Lay) -> Features {
    let tile = lay.tile();
    let wild = Fits::for_set(set).wild().contains(tile);
    let mut features = Features::default();
    let mut set = |feature: Feature, value: f32| features[feature as usize] = value;
    set(Feature::Pips, tile.pips() as f32);
    set(Feature::Matador, one_if(wild && tile.pips() > 0));
    set(Feature::BlankDouble, one_if(tile.pips() == 0));
    set(Feature::Across, one_if(matches!(lay, Lay::Across(_))));
    set(Feature::Stiff, one_if(!wild && stiff(tile)));
    set(Feature::BlankEnd, one_if(End::left_by(lay) == End::Pip(leyden_protocol::Pip::BLANK)));
    features
}

impl<'a> PlayEvaluator<'a> {
    #[inline]
    fn new(policy: &'a Policy, round: &Round, seat: Seat, seen: &PublicView) -> Self {
        let fits = policy.fits;
        let weights = &policy.kinds[kind(fewest(round, seat), round.drawable())];
        let hand = round.hand(seat);
        let unseen = seen.outside.minus(hand);
        let (own, others) = (weights.of(Feature::OwnFits), weights.of(Feature::UnseenFits));
        let mut on = [TileSet::EMPTY; 4];
        let mut before = [0.0; 4];
        for (arm, end) in seen.layout.arms.iter() {
            let tiles = fits.on(end);
            on[arm.index()] = tiles;
            before[arm.index()] = own * count(hand, tiles) + others * count(unseen, tiles);
        }
        let mut elsewhere = [(TileSet::EMPTY, false); 4];
        for (arm, elsewhere) in Arm::ALL.into_iter().zip(&mut elsewhere) {
            let (open, new_is_open) = seen.layout.open_beside(arm);
            let tiles = on.iter().zip(open).filter(|(_, open)| *open);
            *elsewhere = (tiles.fold(TileSet::EMPTY, |all, (tiles, _)| all.union(*tiles)), new_is_open);
        }
        let left = hand.len().saturating_sub(1).max(1) as f32;
        let next = round.rules().seats.after(seat);
        let next_may_hold = unseen.minus(seen.lacks[next]);
        Self {
            fits,
            weights,
            hand,
            unseen,
            next_may_hold,
            elsewhere,
            before,
            option: weights.of(Feature::Options) + weights.of(Feature::ShareOfOptions) / left,
            a_tile: 1.0 / next_may_hold.len().max(1) as f32,
            next_holds: round.hand(next).len(),
        }
    }

    #[inline]
    fn value(&self, arm: Arm, lay: Lay) -> f32 {
        let (elsewhere, new_is_open) = self.elsewhere[arm.index()];
        let there = self.fits.on(End::left_by(lay));
        let playable = if new_is_open { elsewhere.union(there) } else { elsewhere };
        self.value_with(lay, self.before[arm.index()], playable)
    }

    /// The value of a play that covers an end worth `before` and leaves `playable` to be played.
    #[inline]
    fn value_with(&self, lay: Lay, before: f32, playable: TileSet) -> f32 {
        let weights = self.weights;
        let rest = self.hand.without(lay.tile());
        let new = self.fits.on(End::left_by(lay));
        let options = count(rest, playable);
        let fed = count(self.next_may_hold, playable) * self.a_tile;
        let stuck = if options == 0.0 { weights.of(Feature::Stuck) } else { 0.0 };
        weights.placement(lay_index(lay)) - before
            + weights.of(Feature::OwnFits) * count(rest, new)
            + weights.of(Feature::UnseenFits) * count(self.unseen, new)
            + self.option * options
            + stuck
            + weights.of(Feature::Fed) * fed
            + weights.of(Feature::Starved) * power(1.0 - fed, self.next_holds)
    }
}

fn one_if(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

#[inline]
fn count(tiles: TileSet, among: TileSet) -> f32 {
    tiles.intersection(among).len() as f32
}

/// The fewest tiles that another seat holds.
#[inline]
fn fewest(round: &Round, seat: Seat) -> usize {
    let others = round.hands().iter().filter(|(other, _)| *other != seat);
    others.map(|(_, hand)| hand.len()).min().unwrap_or(0)
}

/// `base` to the power of `exponent`, the same on every machine.
#[inline]
pub(super) const fn power(mut base: f32, mut exponent: usize) -> f32 {
    let mut power = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power *= base;
        }
        base *= base;
        exponent /= 2;
    }
    power
}

impl PublicView {
    /// From the history of a round.
    pub fn new(rules: &RuleSet, history: &[HistoryEntry]) -> Self {
        let lacks = PerSeat::default_for(rules.seats);
        let mut seen = Self { layout: Layout::empty(), outside: rules.set.tiles(), lacks };
        for entry in history {
            seen.follow(rules, entry.seat, entry.event.into());
        }
        seen
    }

    /// The tiles that a seat is known not to hold.
    pub fn lacks(&self, seat: Seat) -> TileSet {
        self.lacks[seat]
    }

    /// Takes in a seat's next action.
    pub fn follow(&mut self, rules: &RuleSet, seat: Seat, action: Action) {
        match action {
            Action::Lead(double) => {
                self.layout.lead(rules, double);
                self.outside = self.outside.without(double.tile());
            }
            Action::Play(arm, lay) => self.play(arm, lay),
            // Where anybody may draw, a seat that does may hold anything.
            Action::Draw => self.draw(rules, seat, rules.drawing == Drawing::One),
            Action::Pass => self.pass(rules, seat),
            Action::Refuse => {}
        }
    }

    /// A seat drew. If it had to, it had nothing that fitted; of the tiles it draws this turn only the one that it then plays fits. But
    /// they may include what it lacked at earlier turns.
    #[inline]
    pub(super) fn draw(&mut self, rules: &RuleSet, seat: Seat, needed: bool) {
        self.lacks[seat] =
            if needed { self.layout.playable(Fits::for_set(rules.set)) } else { TileSet::EMPTY };
    }

    #[inline]
    pub(super) fn pass(&mut self, rules: &RuleSet, seat: Seat) {
        self.lacks[seat] = self.lacks[seat].union(self.layout.playable(Fits::for_set(rules.set)));
    }

    #[inline]
    pub(super) fn play(&mut self, arm: Arm, lay: Lay) {
        self.layout.play(arm, lay);
        self.outside = self.outside.without(lay.tile());
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, Seats};
    use leyden_rules::{DealNumber, Rules};

    use super::*;
    use crate::strong::playout::Playout;
    use crate::table::shuffled;

    fn tables() -> Vec<Rules> {
        let large = Rules::new(RulesName::Matador, Seats::new(8).unwrap(), Set::DoubleTwelve, 100).unwrap();
        RulesName::ALL.map(Rules::standard).into_iter().chain([large]).collect()
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        for variant in Variant::ALL {
            for role in Role::ALL {
                let weights = weights(variant, role);
                assert_eq!(weights.to_string().parse(), Ok(weights));
            }
        }
        let wrong = "pips 1 2 3\n".parse::<Weights>().unwrap_err();
        assert_eq!(wrong.to_string(), "expected a line \"pips\" with 6 numbers, not \"pips 1 2 3\"");
    }

    /// The fast sum equals the slow one: each feature times its weight.
    #[test]
    fn play_value_equals_features_times_weights() {
        for rules in tables() {
            let weights = weights(Variant::for_rules(&rules), Role::Playout);
            let policy = Policy::for_rules(&rules);
            let mut looked_at = 0;
            for seed in 0..20 {
                let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
                let Some(round) = Round::deal(&rules, &deck, leyden_rules::Lead::Lowest) else { continue };
                let mut playout = Playout::new(&round, &[], Policy::for_rules(round.rules()));
                while let (Some(seat), Some(action)) = (playout.round().to_act(), playout.choice()) {
                    let (round, seen) = (playout.round(), playout.public_view());
                    policy.evaluate_plays(round, seat, seen, |arm, lay, value| {
                        let (kind, features) = Policy::features(round, seat, seen, arm, lay);
                        let products = features.iter().zip(&weights.0[kind]).map(|(one, other)| one * other);
                        let slow: f32 = products.sum();
                        assert!((slow - value).abs() < 1e-2, "{}: {slow} is not {value}", rules.name);
                        looked_at += 1;
                    });
                    assert!(playout.apply(action));
                }
            }
            assert!(looked_at > 100, "{}", rules.name);
        }
    }

    /// Nothing that the seat cannot see affects its choice.
    #[test]
    fn choice_ignores_holders_of_unseen_tiles() {
        for rules in tables() {
            let deck = shuffled(&rules, 5, DealNumber { round: 0, redeal: 0 });
            let Some(round) = Round::deal(&rules, &deck, leyden_rules::Lead::Lowest) else { continue };
            let (hand, seats) = (usize::from(rules.hand), rules.seats.count());
            let first = round.to_act().unwrap();
            let mut other = deck;
            // The hand of the seat to act stays; a tile of another hand is exchanged with one of the boneyard.
            let holder = (first.index() + 1) % seats;
            let in_hand = (holder * hand..(holder + 1) * hand)
                .find(|&index| deck.tiles()[index].double().is_none())
                .unwrap();
            let in_boneyard = (seats * hand..rules.set.size())
                .find(|&index| deck.tiles()[index].double().is_none())
                .unwrap();
            other.swap(in_hand, in_boneyard);
            let changed = Round::deal(&rules, &other, leyden_rules::Lead::Lowest).unwrap();
            let choices = [round, changed]
                .map(|round| Playout::new(&round, &[], Policy::for_rules(round.rules())).choice());
            assert!(choices[0].is_some());
            assert_eq!(choices[0], choices[1], "{}", rules.name);
        }
    }

    /// A seat that could not play lacks what would have fitted, until it draws for another reason.
    #[test]
    fn forced_draw_or_pass_shows_what_seat_lacks() {
        let (mut lacked, mut shown) = (0, 0);
        for rules in tables() {
            for seed in 0..40 {
                let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
                let Some(round) = Round::deal(&rules, &deck, leyden_rules::Lead::Lowest) else { continue };
                let mut playout = Playout::new(&round, &[], Policy::for_rules(round.rules()));
                while let (Some(seat), Some(action)) = (playout.round().to_act(), playout.choice()) {
                    let fitting = playout.public_view().layout.playable(Fits::for_set(rules.set));
                    assert!(playout.apply(action));
                    let lacks = playout.public_view().lacks[seat];
                    if matches!(action, Action::Draw | Action::Pass) && fitting != TileSet::EMPTY {
                        assert_eq!(lacks.intersection(fitting), fitting, "{}", rules.name);
                        shown += 1;
                    }
                    if !matches!(action, Action::Draw) {
                        assert!(playout.round().hand(seat).intersection(lacks).is_empty(), "{}", rules.name);
                        lacked += usize::from(!lacks.is_empty());
                    }
                }
            }
        }
        assert!(shown > 100 && lacked > 100, "{shown}, {lacked}");
        let rules = Rules::standard(RulesName::Leyden);
        let mut seen = PublicView::new(&rules, &[]);
        seen.follow(&rules, Seat::FIRST, Action::Lead(Double::new(leyden_protocol::Pip::new(3).unwrap())));
        seen.follow(&rules, Seat::FIRST, Action::Pass);
        assert!(!seen.lacks[Seat::FIRST].is_empty());
        seen.follow(&rules, Seat::FIRST, Action::Draw);
        assert!(seen.lacks[Seat::FIRST].is_empty(), "where it need not, it may have drawn anything");
    }
}
