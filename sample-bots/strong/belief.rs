//! What the other seats may hold: deals that fit what was seen, the likely ones more often.
//!
//! A Markov chain of swaps ([`Worlds`]) visits deals as often as their explanation of draws and passes deserves. Each deal is then
//! replayed, and weighed by the likelihood of the other seats' plays given the tiles that it gives them: a seat is assumed to
//! choose by a softmax of the policy's values (in `matador` with those of a [network](super::network) added), and one play in twenty
//! uniformly at random. Finally, systematic resampling takes each deal as often as its weight says, so that no search is wasted on
//! deals that are hardly possible.

use std::cell::Cell;

use leyden_protocol::{Action, HistoryAction, HistoryEntry, LeadRule, RuleSet, Seat, Tile, Turn};
use leyden_rules::packed::{Tiles, bit, is_packable, pack};
use leyden_rules::{Deck, Lead, Round, Rules};

use super::duel_policy::{Choice, NextSeat};
use super::network::WholeNetwork;
use super::policy::{Policy, PublicView};
use super::weights::Role;
use crate::arithmetic::{exp, ln};
use crate::dice::Dice;
use crate::montecarlo::worlds::{DrawPenalties, Worlds};

/// How many deals are weighed for each one kept.
const WEIGHED_PER_KEPT: usize = 2;

/// The share of plays that are assumed to be uniformly random.
const UNIFORM_SHARE: f32 = 0.05;

/// How much less likely (as a logarithm) a deal becomes if a seat drew when it could have played, drew again in the same turn, or
/// drew when it could have led. Bots that search draw in one such position of five or six, and then again in nearly half of them.
/// To assume that draws are rarer made the belief worse than none (mean log score of the other hand's tiles, 408 decisions of
/// `leyden`: −8.35 for uniform deals, −8.66 with penalties of 3, 3 and 1, −8.07 with 2, 0.5 and 1).
const DRAW_PENALTIES: DrawPenalties =
    DrawPenalties { needless_draw: 1.7, draw_again: 0.6, needless_lead_draw: 0.7 };

/// A deal of the unseen tiles in the order of [`leyden_rules::InformationSet::suppose`], the boneyard in any order.
type World = Vec<Tile>;

/// Which events of the history a belief takes into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// None: all deals of the unseen tiles are equally likely.
    Nothing,
    /// Draws and passes: a seat that draws or passes hardly ever has a tile that fits.
    Draws,
    /// Plays too: a seat had a reason to choose the tile that it played.
    Plays,
}

/// By what the other seats are assumed to choose.
#[derive(Clone, Copy)]
pub(crate) struct Model {
    pub(crate) policy: &'static Policy,
    pub(crate) network: Option<&'static WholeNetwork>,
}

impl Model {
    /// What was trained for these rules.
    pub(crate) fn for_rules(rules: &RuleSet) -> Self {
        Self { policy: Policy::trained(rules, Role::Model), network: WholeNetwork::for_rules(rules) }
    }
}

/// The deals to search on.
pub(crate) struct Belief {
    worlds: Vec<World>,
    next: usize,
    boneyard: usize,
}

impl Belief {
    /// Weighs this many deals; the other seats are assumed to choose by `model`, between two seats with the network added.
    pub(crate) fn new(
        rules: &Rules,
        turn: &Turn<'_>,
        evidence: Evidence,
        model: Model,
        weighed: usize,
        dice: &mut Dice,
    ) -> Self {
        if evidence == Evidence::Nothing {
            return Self::uniform(rules, turn, weighed, dice);
        }
        let mut chain = Worlds::new(rules, turn, DRAW_PENALTIES, dice);
        let informative = evidence == Evidence::Plays
            && turn.history.iter().any(|entry| entry.seat != turn.seat && is_choice_of_tile(entry.event));
        let kept = weighed.div_ceil(WEIGHED_PER_KEPT);
        let mut worlds = Vec::with_capacity(weighed);
        if informative {
            let replay: Box<dyn Likelihood> = if is_packable(rules) {
                Box::new(DuelLikelihood::new(rules, turn, model))
            } else {
                Box::new(ReplayLikelihood::new(rules, turn, model.policy))
            };
            let mut logs = Vec::with_capacity(weighed);
            for _ in 0..weighed {
                worlds.push(chain.next(dice).to_vec());
                logs.push(replay.log_likelihood(&chain));
            }
            worlds = resample(&worlds, &logs, kept, dice);
        } else {
            worlds.extend((0..kept).map(|_| chain.next(dice).to_vec()));
        }
        Self { worlds, next: 0, boneyard: turn.boneyard.into() }
    }

    fn uniform(rules: &Rules, turn: &Turn<'_>, count: usize, dice: &mut Dice) -> Self {
        let mut world: World = Round::unseen(rules, &turn.view()).into_iter().collect();
        let mut any = || {
            dice.shuffle(&mut world);
            world.clone()
        };
        Self { worlds: (0..count).map(|_| any()).collect(), next: 0, boneyard: turn.boneyard.into() }
    }

    /// The next deal, with its boneyard shuffled again.
    pub(crate) fn next(&mut self, dice: &mut Dice) -> &[Tile] {
        let index = self.next % self.worlds.len().max(1);
        self.next += 1;
        let Some(world) = self.worlds.get_mut(index) else { return &[] };
        let hands = world.len() - self.boneyard;
        dice.shuffle(&mut world[hands..]);
        world
    }
}

/// Whether a seat chose a tile in this event.
fn is_choice_of_tile(event: HistoryAction) -> bool {
    matches!(event, HistoryAction::Lead(_) | HistoryAction::Play(..))
}

/// Takes each deal as often as its weight says: at equal distances along all weights laid end to end. In random order.
fn resample(worlds: &[World], logs: &[f32], count: usize, dice: &mut Dice) -> Vec<World> {
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> =
        logs.iter().map(|log| if most.is_finite() { exp(log - most) } else { 1.0 }).collect();
    let step = weights.iter().sum::<f32>() / count as f32;
    let mut kept = Vec::with_capacity(count);
    let (mut reached, mut due) = (0.0, dice.fraction() * step);
    for (world, weight) in worlds.iter().zip(weights) {
        reached += weight;
        while due < reached && kept.len() < count {
            kept.push(world.clone());
            due += step;
        }
    }
    dice.shuffle(&mut kept);
    kept
}

/// Rates how well a deal explains what the other seats chose.
trait Likelihood {
    /// The log-likelihood of the other seats' choices given a deal; minus infinity if one of them was impossible.
    fn log_likelihood(&self, worlds: &Worlds) -> f32;
}

/// What the opponent chose in a round of two: nobody else's tiles matter.
struct DuelLikelihood {
    seat: Seat,
    made: Vec<PastChoice>,
    policy: &'static Policy,
}

/// A choice that was made.
struct PastChoice {
    /// Its index in the history.
    at: usize,
    choice: Choice,
    /// Hands, and how likely the choice is with them, as a logarithm: many deals in a row give the seat the same one.
    known: Vec<Cell<(Tiles, f32)>>,
}

/// How many hands are kept for a choice.
const KNOWN: usize = 64;

/// By how much the values of a model with a network are multiplied. It is fitted to searches with few playouts, which chance decides
/// more often than those of a whole decision.
const SHARPNESS: f32 = 1.3;

impl PastChoice {
    fn new(at: usize, choice: Choice) -> Self {
        Self { at, choice, known: vec![Cell::new((0, 0.0)); KNOWN] }
    }

    fn log_likelihood(&self, hand: Tiles, policy: &Policy) -> f32 {
        if self.choice.is_forced(hand) {
            return 0.0;
        }
        // The product mixes the bits, and the first six of it are a number below 64.
        let known = &self.known[hand.wrapping_mul(0x9e37_79b1) as usize >> 26];
        if let (of, log) = known.get()
            && of == hand
        {
            return log;
        }
        let mut values = Softmax::none();
        let sharpness = if self.choice.has_network() { SHARPNESS } else { 1.0 };
        self.choice.evaluate_plays(policy, hand, |value, taken| values.add(sharpness * value, taken));
        let log = values.log_likelihood_of_taken();
        known.set((hand, log));
        log
    }
}

impl DuelLikelihood {
    fn new(rules: &Rules, turn: &Turn<'_>, model: Model) -> Self {
        let seat = rules.seats.after(turn.seat);
        let mut seen = PublicView::new(rules, &[]);
        let mut held = usize::from(rules.hand);
        let mut drawable = rules.set.size() - rules.seats.count() * held - usize::from(rules.reserve);
        let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
        let lead_is_free = matches!(rule, LeadRule::HighestHolder | LeadRule::Loser);
        let mut choices = Vec::new();
        for (at, entry) in turn.history.iter().enumerate() {
            let action = Action::from(entry.event);
            if entry.seat == seat && (lead_is_free || !matches!(action, Action::Lead(_))) {
                let next = NextSeat { holds: held, lacks: pack(seen.lacks[turn.seat]) };
                let choice = Choice::new(rules, &seen, entry.event, next, drawable, model.network);
                choices.extend(choice.map(|choice| PastChoice::new(at, choice)));
            }
            if entry.seat == turn.seat {
                held += usize::from(action == Action::Draw);
                held -= usize::from(action.tile().is_some());
            }
            drawable -= usize::from(action == Action::Draw);
            seen.follow(rules, entry.seat, action);
        }
        Self { seat, made: choices, policy: model.policy }
    }
}

impl Likelihood for DuelLikelihood {
    fn log_likelihood(&self, worlds: &Worlds) -> f32 {
        if worlds.is_impossible() {
            return f32::NEG_INFINITY;
        }
        let likelihood = |made: &PastChoice| {
            let hand = worlds.held(self.seat, made.at).fold(0, |hand, tile| hand | bit(tile));
            made.log_likelihood(hand, self.policy)
        };
        self.made.iter().map(likelihood).sum()
    }
}

/// The round so far, to be replayed with other tiles in the other hands.
struct ReplayLikelihood<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    lead: Lead,
    model: &'static Policy,
}

impl<'a> ReplayLikelihood<'a> {
    fn new(rules: &'a Rules, turn: &'a Turn<'a>, model: &'static Policy) -> Self {
        let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
        let first = turn.history.first().map_or(turn.seat, |entry| entry.seat);
        Self { rules, turn, lead: Lead::for_rule(rule, first, true), model }
    }

    /// The log-likelihood of a choice among the actions of its kind, given what everybody saw.
    fn likelihood(&self, round: &Round, seen: &PublicView, entry: HistoryEntry) -> f32 {
        let mut values = Softmax::none();
        match entry.event {
            HistoryAction::Play(arm, lay) => {
                let shown = round.arms().get(arm);
                self.model.evaluate_plays(round, entry.seat, seen, |other, each, value| {
                    values.add(value, each == lay && round.arms().get(other) == shown);
                });
            }
            HistoryAction::Lead(double) => {
                for action in round.legal().iter() {
                    if let Action::Lead(each) = action {
                        let value = self.model.lead_value(round, entry.seat, seen, each);
                        values.add(value, each == double);
                    }
                }
            }
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => return 0.0,
        }
        values.log_likelihood_of_taken()
    }
}

impl Likelihood for ReplayLikelihood<'_> {
    fn log_likelihood(&self, worlds: &Worlds) -> f32 {
        let Ok(deck) = Deck::new(self.rules.set, &worlds.dealing_order(self.rules, self.turn)) else {
            return f32::NEG_INFINITY;
        };
        let Some(mut round) = Round::deal(self.rules, &deck, self.lead) else { return f32::NEG_INFINITY };
        let mut seen = PublicView::new(self.rules, &[]);
        let mut likelihood = 0.0;
        for entry in self.turn.history.iter() {
            if round.to_act() != Some(entry.seat) {
                return f32::NEG_INFINITY;
            }
            if entry.seat != self.turn.seat {
                likelihood += self.likelihood(&round, &seen, *entry);
            }
            let action = Action::from(entry.event);
            if round.apply(action).is_err() {
                return f32::NEG_INFINITY;
            }
            seen.follow(self.rules, entry.seat, action);
        }
        likelihood
    }
}

/// The values of a seat's choices, and which of them it took.
struct Softmax {
    each: [f32; 64],
    count: usize,
    taken: usize,
}

impl Softmax {
    fn none() -> Self {
        Self { each: [0.0; 64], count: 0, taken: 0 }
    }

    #[inline]
    fn add(&mut self, value: f32, taken: bool) {
        let Some(slot) = self.each.get_mut(self.count) else { return };
        *slot = value;
        if taken {
            self.taken = self.count;
        }
        self.count += 1;
    }

    fn log_likelihood_of_taken(&self) -> f32 {
        let values = &self.each[..self.count];
        if values.len() < 2 {
            return 0.0;
        }
        let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: f32 = values.iter().map(|value| exp(value - most)).sum();
        let share = exp(values[self.taken] - most) / all;
        ln((1.0 - UNIFORM_SHARE) * share + UNIFORM_SHARE / values.len() as f32)
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::RulesName;
    use leyden_rules::InformationSet;

    use super::*;
    use crate::careful::Careful;
    use crate::strategy::Strategy;
    use crate::table::{play_match, shuffled};

    /// Plays like `careful`, and calls back at each decision.
    struct Observer<F> {
        inner: Careful,
        rules: Rules,
        observe: F,
    }

    impl<F: FnMut(&Rules, &Turn<'_>) + Send> Strategy for Observer<F> {
        fn begin(&mut self, rules: &Rules, bot_seed: u64) {
            self.rules = *rules;
            self.inner.begin(rules, bot_seed);
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Action {
            (self.observe)(&self.rules, turn);
            self.inner.choose(turn)
        }
    }

    fn observe(rules: &Rules, observe: impl FnMut(&Rules, &Turn<'_>) + Send) {
        let mut first = Observer { inner: Careful::new(), rules: *rules, observe };
        let mut second = Careful::new();
        for seed in 0..4 {
            play_match(rules, &mut [&mut first, &mut second], &[0, 0], |number| {
                shuffled(rules, seed, number)
            });
        }
    }

    #[test]
    fn every_guess_can_be_supposed_with_any_evidence() {
        for rules in RulesName::ALL.map(Rules::standard) {
            observe(&rules, |rules, turn| {
                let seen = InformationSet::new(rules, &turn.view()).unwrap();
                for evidence in [Evidence::Nothing, Evidence::Draws, Evidence::Plays] {
                    let mut dice = Dice::seeded(turn.id);
                    let mut belief =
                        Belief::new(rules, turn, evidence, Model::for_rules(rules), 20, &mut dice);
                    for _ in 0..15 {
                        assert!(seen.suppose(belief.next(&mut dice)).is_ok(), "{}: {evidence:?}", rules.name);
                    }
                }
            });
        }
    }

    /// A deal from the chain can be replayed up to the turn: its deck leads there by the same history.
    #[test]
    fn nearly_every_world_can_be_replayed() {
        let (mut worlds_seen, mut impossible) = (0, 0);
        for rules in RulesName::ALL.map(Rules::standard) {
            observe(&rules, |rules, turn| {
                let mut dice = Dice::seeded(turn.id);
                let mut chain = Worlds::new(rules, turn, DRAW_PENALTIES, &mut dice);
                let replay = ReplayLikelihood::new(rules, turn, Model::for_rules(rules).policy);
                for _ in 0..3 {
                    chain.next(&mut dice);
                    worlds_seen += 1;
                    impossible += usize::from(replay.log_likelihood(&chain) == f32::NEG_INFINITY);
                }
            });
        }
        assert!(impossible * 50 < worlds_seen, "{impossible} of {worlds_seen} worlds cannot be replayed");
    }

    /// Between two seats the fast likelihood is the one of a replay.
    #[test]
    fn fast_likelihood_equals_replay_likelihood_with_two_seats() {
        let (mut weighed, mut informative) = (0, 0);
        for rules in RulesName::ALL.map(Rules::standard) {
            observe(&rules, |rules, turn| {
                let mut dice = Dice::seeded(turn.id);
                let mut chain = Worlds::new(rules, turn, DRAW_PENALTIES, &mut dice);
                // A replay knows of no network.
                let model = Model { network: None, ..Model::for_rules(rules) };
                let (short, long) = (
                    DuelLikelihood::new(rules, turn, model),
                    ReplayLikelihood::new(rules, turn, model.policy),
                );
                for _ in 0..3 {
                    chain.next(&mut dice);
                    let [short, long] = [short.log_likelihood(&chain), long.log_likelihood(&chain)];
                    weighed += 1;
                    informative += usize::from(long < 0.0);
                    if long.is_finite() {
                        assert!((short - long).abs() < 1e-3, "{}: {short} is not {long}", rules.name);
                    }
                }
            });
        }
        assert!(
            informative * 2 > weighed,
            "only {informative} of {weighed} worlds could be informative from others"
        );
    }

    #[test]
    fn resampling_keeps_guesses_in_proportion_to_their_weights() {
        let tiles: Vec<Tile> = leyden_protocol::Set::DoubleSix.tiles().into_iter().collect();
        let worlds: Vec<World> = tiles.iter().take(3).map(|&tile| vec![tile]).collect();
        let logs = [0.0, 3.0_f32.ln(), f32::NEG_INFINITY];
        let kept = resample(&worlds, &logs, 100, &mut Dice::seeded(1));
        let often = |world: &World| kept.iter().filter(|other| *other == world).count();
        assert_eq!(kept.len(), 100);
        assert!(often(&worlds[0]).abs_diff(25) <= 1 && often(&worlds[1]).abs_diff(75) <= 1);
        // If nothing is possible, anything will do.
        assert_eq!(resample(&worlds, &[f32::NEG_INFINITY; 3], 9, &mut Dice::seeded(1)).len(), 9);
    }
}
