//! What the other seats may hold: deals that fit what was seen, the likelier the oftener.
//!
//! A chain of swaps ([`Deals`]) visits deals as often as they explain the draws and passes. Each deal it hands out is then
//! replayed, and weighed by how likely the other seats' plays were with the tiles that it gives them: a seat is taken to
//! choose by the policy's values, as a softmax, and in one play of twenty by any. Systematic resampling at last takes each
//! deal as often as its weight says, so that no search is wasted on deals that nobody believes in.

use leyden_protocol::{Action, HistoryAction, HistoryEntry, LeadRule, Seat, Tile, Turn};
use leyden_rules::{Deck, Lead, Round, Rules};

use super::duel::is_duel;
use super::glance::{Choice, Next};
use super::packed::{bit, packed};
use super::policy::{InView, Policy};
use crate::dice::Dice;
use crate::exact::{exp, ln};
use crate::montecarlo::worlds::{Suspicion, Worlds};

/// How many of the weighed deals there are for each that is kept.
const WEIGHED_FOR_ONE: usize = 2;

/// The share of plays that are taken to be any.
const ANY: f32 = 0.05;

/// How much less likely a deal becomes by a draw of a seat that could have played, by another one of the same turn, and by one
/// that could have led. Bots that search draw in one such position of five or six, and then again in nearly half of them; to
/// take draws for rarer made the guesses worse than none (mean log score of the tiles of the other hand, 408 decisions of
/// `leyden`: −8.35 with any deal, −8.66 with 3, 3 and 1, −8.07 with 2, 0.5 and 1).
const SUSPICION: Suspicion = Suspicion { needless_draw: 1.7, draw_again: 0.6, needless_lead_draw: 0.7 };

/// A guess of the unseen tiles, as [`leyden_rules::InformationSet::suppose`] wants it, the boneyard in any order.
type Guess = Vec<Tile>;

/// What of the history a belief takes into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reads {
    /// Nothing: every deal of the unseen tiles is as likely as another.
    Nothing,
    /// Draws and passes: who draws or passes has nothing that fits, or hardly ever.
    Draws,
    /// Plays too: who chose a tile had a reason.
    Plays,
}

/// The guesses to search on.
pub(crate) struct Belief {
    guesses: Vec<Guess>,
    next: usize,
    boneyard: usize,
}

impl Belief {
    /// Weighs so many guesses; the seats that chose are taken to have chosen by `model`.
    pub(crate) fn new(
        rules: &Rules,
        turn: &Turn<'_>,
        reads: Reads,
        model: &'static Policy,
        weighed: usize,
        dice: &mut Dice,
    ) -> Self {
        if reads == Reads::Nothing {
            return Self::of_anything(rules, turn, weighed, dice);
        }
        let mut worlds = Worlds::new(rules, turn, SUSPICION, dice);
        let told = reads == Reads::Plays
            && turn.history.iter().any(|entry| entry.seat != turn.seat && chosen(entry.event));
        let kept = weighed.div_ceil(WEIGHED_FOR_ONE);
        let mut guesses = Vec::with_capacity(weighed);
        if told {
            let replay: Box<dyn Explain> = if is_duel(rules) {
                Box::new(Choices::new(rules, turn, model))
            } else {
                Box::new(Replay::new(rules, turn, model))
            };
            let mut logs = Vec::with_capacity(weighed);
            for _ in 0..weighed {
                guesses.push(worlds.next(dice).to_vec());
                logs.push(replay.weigh(&worlds));
            }
            guesses = resample(&guesses, &logs, kept, dice);
        } else {
            guesses.extend((0..kept).map(|_| worlds.next(dice).to_vec()));
        }
        Self { guesses, next: 0, boneyard: turn.boneyard.into() }
    }

    fn of_anything(rules: &Rules, turn: &Turn<'_>, count: usize, dice: &mut Dice) -> Self {
        let mut guess: Guess = Round::unseen(rules, &turn.view()).into_iter().collect();
        let mut any = || {
            dice.shuffle(&mut guess);
            guess.clone()
        };
        Self { guesses: (0..count).map(|_| any()).collect(), next: 0, boneyard: turn.boneyard.into() }
    }

    /// The next guess, its boneyard shuffled anew.
    pub(crate) fn next(&mut self, dice: &mut Dice) -> &[Tile] {
        let place = self.next % self.guesses.len().max(1);
        self.next += 1;
        let Some(guess) = self.guesses.get_mut(place) else { return &[] };
        let hands = guess.len() - self.boneyard;
        dice.shuffle(&mut guess[hands..]);
        guess
    }
}

/// Whether a seat chose a tile.
fn chosen(event: HistoryAction) -> bool {
    matches!(event, HistoryAction::Lead(_) | HistoryAction::Play(..))
}

/// Takes each guess as often as its weight says, at equal distances along all weights laid end to end; in random order.
fn resample(guesses: &[Guess], logs: &[f32], count: usize, dice: &mut Dice) -> Vec<Guess> {
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> =
        logs.iter().map(|log| if most.is_finite() { exp(log - most) } else { 1.0 }).collect();
    let step = weights.iter().sum::<f32>() / count as f32;
    let mut kept = Vec::with_capacity(count);
    let (mut reached, mut wanted) = (0.0, dice.fraction() * step);
    for (guess, weight) in guesses.iter().zip(weights) {
        reached += weight;
        while wanted < reached && kept.len() < count {
            kept.push(guess.clone());
            wanted += step;
        }
    }
    dice.shuffle(&mut kept);
    kept
}

/// Tells how well a world explains what the other seats chose.
trait Explain {
    /// The logarithm of how likely the other seats' plays were in a world; minus infinity if one was impossible.
    fn weigh(&self, worlds: &Worlds) -> f32;
}

/// What the other one of two seats chose: between two nobody else's tiles have a part in it.
struct Choices {
    seat: Seat,
    /// Each with its place in the history.
    made: Vec<(usize, Choice)>,
    model: &'static Policy,
}

impl Choices {
    fn new(rules: &Rules, turn: &Turn<'_>, model: &'static Policy) -> Self {
        let seat = rules.seats.after(turn.seat);
        let mut seen = InView::new(rules, &[]);
        let mut held = usize::from(rules.hand);
        let mut drawable = rules.set.size() - rules.seats.count() * held - usize::from(rules.reserve);
        let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
        let lead_is_free = matches!(rule, LeadRule::HighestHolder | LeadRule::Loser);
        let mut choices = Vec::new();
        for (at, entry) in turn.history.iter().enumerate() {
            let action = Action::from(entry.event);
            if entry.seat == seat && (lead_is_free || !matches!(action, Action::Lead(_))) {
                let next = Next { holds: held, lacks: packed(seen.lacks[turn.seat]) };
                let choice = Choice::of(rules, &seen, entry.event, next, drawable);
                choices.extend(choice.map(|choice| (at, choice)));
            }
            if entry.seat == turn.seat {
                held += usize::from(action == Action::Draw);
                held -= usize::from(action.tile().is_some());
            }
            drawable -= usize::from(action == Action::Draw);
            seen.follow(rules, entry.seat, action);
        }
        Self { seat, made: choices, model }
    }
}

impl Explain for Choices {
    fn weigh(&self, worlds: &Worlds) -> f32 {
        if worlds.is_impossible() {
            return f32::NEG_INFINITY;
        }
        let likelihood = |(at, choice): &(usize, Choice)| {
            let hand = worlds.held(self.seat, *at).fold(0, |hand, tile| hand | bit(tile));
            let mut worths = Worths::none();
            choice.judge(self.model, hand, |worth, taken| worths.add(worth, taken));
            worths.likelihood_of_taken()
        };
        self.made.iter().map(likelihood).sum()
    }
}

/// The round so far, to be played again with other tiles in the other hands.
struct Replay<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    lead: Lead,
    model: &'static Policy,
}

impl<'a> Replay<'a> {
    fn new(rules: &'a Rules, turn: &'a Turn<'a>, model: &'static Policy) -> Self {
        let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
        let first = turn.history.first().map_or(turn.seat, |entry| entry.seat);
        let lead = match rule {
            LeadRule::Lowest => Lead::Lowest,
            LeadRule::Highest => Lead::Highest,
            LeadRule::HighestHolder => Lead::HighestHolder,
            LeadRule::Loser => Lead::Loser { first, may_refuse: true },
        };
        Self { rules, turn, lead, model }
    }

    /// The logarithm of how likely an action is among those of its kind, by what everybody saw.
    fn likelihood(&self, round: &Round, seen: &InView, entry: HistoryEntry) -> f32 {
        let mut worths = Worths::none();
        match entry.event {
            HistoryAction::Play(arm, lay) => {
                let shown = round.arms().get(arm);
                self.model.judge(round, entry.seat, seen, |other, each, worth| {
                    worths.add(worth, each == lay && round.arms().get(other) == shown);
                });
            }
            HistoryAction::Lead(double) => {
                for action in round.legal().iter() {
                    if let Action::Lead(each) = action {
                        let worth = self.model.worth_of_lead(round, entry.seat, seen, each);
                        worths.add(worth, each == double);
                    }
                }
            }
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => return 0.0,
        }
        worths.likelihood_of_taken()
    }
}

impl Explain for Replay<'_> {
    fn weigh(&self, worlds: &Worlds) -> f32 {
        let Ok(deck) = Deck::new(self.rules.set, &worlds.dealing_order(self.rules, self.turn)) else {
            return f32::NEG_INFINITY;
        };
        let Some(mut round) = Round::deal(self.rules, &deck, self.lead) else { return f32::NEG_INFINITY };
        let mut seen = InView::new(self.rules, &[]);
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

/// What the choices of a seat were worth, and which it took.
struct Worths {
    each: [f32; 64],
    count: usize,
    taken: usize,
}

impl Worths {
    fn none() -> Self {
        Self { each: [0.0; 64], count: 0, taken: 0 }
    }

    #[inline]
    fn add(&mut self, worth: f32, taken: bool) {
        let Some(place) = self.each.get_mut(self.count) else { return };
        *place = worth;
        if taken {
            self.taken = self.count;
        }
        self.count += 1;
    }

    fn likelihood_of_taken(&self) -> f32 {
        let worths = &self.each[..self.count];
        if worths.len() < 2 {
            return 0.0;
        }
        let most = worths.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: f32 = worths.iter().map(|worth| exp(worth - most)).sum();
        let share = exp(worths[self.taken] - most) / all;
        ln((1.0 - ANY) * share + ANY / worths.len() as f32)
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::RulesName;
    use leyden_rules::InformationSet;

    use super::*;
    use crate::careful::Careful;
    use crate::strategy::Strategy;
    use crate::strong::weights::{Role, trained};
    use crate::table::{play_match, shuffled};

    /// Plays like `careful` and looks at what there is to believe at each decision.
    struct Looking<F> {
        inner: Careful,
        rules: Rules,
        look: F,
    }

    impl<F: FnMut(&Rules, &Turn<'_>) + Send> Strategy for Looking<F> {
        fn begin(&mut self, rules: &Rules, bot_seed: u64) {
            self.rules = *rules;
            self.inner.begin(rules, bot_seed);
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Action {
            (self.look)(&self.rules, turn);
            self.inner.choose(turn)
        }
    }

    fn look(rules: &Rules, look: impl FnMut(&Rules, &Turn<'_>) + Send) {
        let mut first = Looking { inner: Careful::new(), rules: *rules, look };
        let mut second = Careful::new();
        for seed in 0..4 {
            play_match(rules, &mut [&mut first, &mut second], &[0, 0], |number| {
                shuffled(rules, seed, number)
            });
        }
    }

    #[test]
    fn every_guess_can_be_supposed_whatever_is_read() {
        for rules in RulesName::ALL.map(Rules::standard) {
            look(&rules, |rules, turn| {
                let seen = InformationSet::new(rules, &turn.view()).unwrap();
                for reads in [Reads::Nothing, Reads::Draws, Reads::Plays] {
                    let mut dice = Dice::seeded(turn.id);
                    let mut belief =
                        Belief::new(rules, turn, reads, trained(rules, Role::Model), 20, &mut dice);
                    for _ in 0..15 {
                        assert!(seen.suppose(belief.next(&mut dice)).is_ok(), "{}: {reads:?}", rules.name);
                    }
                }
            });
        }
    }

    /// What the chain hands out can be replayed to the turn: the deck it names leads there by the history.
    #[test]
    fn nearly_every_world_can_be_replayed() {
        let (mut worlds_seen, mut impossible) = (0, 0);
        for rules in RulesName::ALL.map(Rules::standard) {
            look(&rules, |rules, turn| {
                let mut dice = Dice::seeded(turn.id);
                let mut worlds = Worlds::new(rules, turn, SUSPICION, &mut dice);
                let replay = Replay::new(rules, turn, trained(rules, Role::Model));
                for _ in 0..3 {
                    worlds.next(&mut dice);
                    worlds_seen += 1;
                    impossible += usize::from(replay.weigh(&worlds) == f32::NEG_INFINITY);
                }
            });
        }
        assert!(impossible * 50 < worlds_seen, "{impossible} of {worlds_seen} worlds cannot be replayed");
    }

    /// Between two seats the short way to weigh a world is the long one.
    #[test]
    fn worlds_weigh_the_same_as_if_they_were_replayed() {
        let (mut weighed, mut told) = (0, 0);
        for rules in RulesName::ALL.map(Rules::standard) {
            look(&rules, |rules, turn| {
                let mut dice = Dice::seeded(turn.id);
                let mut worlds = Worlds::new(rules, turn, SUSPICION, &mut dice);
                let model = trained(rules, Role::Model);
                let (short, long) = (Choices::new(rules, turn, model), Replay::new(rules, turn, model));
                for _ in 0..3 {
                    worlds.next(&mut dice);
                    let [short, long] = [short.weigh(&worlds), long.weigh(&worlds)];
                    weighed += 1;
                    told += usize::from(long < 0.0);
                    if long.is_finite() {
                        assert!((short - long).abs() < 1e-3, "{}: {short} is not {long}", rules.name);
                    }
                }
            });
        }
        assert!(told * 2 > weighed, "only {told} of {weighed} worlds could be told from others");
    }

    #[test]
    fn resampling_takes_each_guess_as_often_as_its_weight_says() {
        let tiles: Vec<Tile> = leyden_protocol::Set::DoubleSix.tiles().into_iter().collect();
        let guesses: Vec<Guess> = tiles.iter().take(3).map(|&tile| vec![tile]).collect();
        let logs = [0.0, 3.0_f32.ln(), f32::NEG_INFINITY];
        let kept = resample(&guesses, &logs, 100, &mut Dice::seeded(1));
        let often = |guess: &Guess| kept.iter().filter(|other| *other == guess).count();
        assert_eq!(kept.len(), 100);
        assert!(often(&guesses[0]).abs_diff(25) <= 1 && often(&guesses[1]).abs_diff(75) <= 1);
        // With nothing possible, anything has to do.
        assert_eq!(resample(&guesses, &[f32::NEG_INFINITY; 3], 9, &mut Dice::seeded(1)).len(), 9);
    }
}
