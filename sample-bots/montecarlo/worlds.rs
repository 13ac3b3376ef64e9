//! Deals of the unseen tiles that fit what was seen.
//!
//! A *world* says which tile every other seat was dealt, which one each of its draws brought, and what is left in the
//! boneyard. Some worlds explain the history better than others: a seat that drew while it could have played is a rare
//! sight, and a seat that passed while it could have played is impossible. Worlds are visited by a Markov chain
//! (Metropolis): swap two tiles, keep the swap if the world explains the history no worse, else only with a probability
//! that falls with how much worse. In the long run each world comes up as often as it is likely.

use leyden_protocol::{Action, Drawing, Event, LeadRule, RuleSet, Seat, Tile, TileSet, Turn};
use leyden_rules::{Round, Rules};

use crate::dice::Dice;
use crate::reading::{Fits, Layout};

/// How much less likely a world becomes by contradicting the rules: so much that the chain leaves it at once.
const IMPOSSIBLE: f32 = 30.0;

/// How much less likely a world becomes by a draw that was not needed, and by one of a player who could have led.
const NEEDLESS_DRAW: f32 = 4.0;
const NEEDLESS_LEAD_DRAW: f32 = 1.0;

/// Swaps tried before the first world, and between two worlds.
const FIRST_SWAPS: usize = 1_000;
const SWAPS: usize = 20;
/// The first swaps are made in so many steps of growing strictness.
const STEPS: u16 = 10;

/// When something happened: the place in the history. The deal comes before everything.
type Moment = u16;
const NEVER: Moment = Moment::MAX;

/// A place where a tile unknown at some time is or was.
#[derive(Clone, Copy)]
struct Place {
    tile: Tile,
    /// Nobody: the boneyard.
    holder: Option<Seat>,
    /// The first moment at which the holder had it.
    since: Moment,
    /// The moment at which the tile was played.
    until: Moment,
}

impl Place {
    /// Whether its tile was in a seat's hand at a moment.
    fn held_by(self, seat: Seat, at: Moment) -> bool {
        self.holder == Some(seat) && self.since <= at && at <= self.until
    }
}

/// Something a seat did that says what it did not hold just then.
struct Clue {
    seat: Seat,
    at: Moment,
    /// The tiles that contradict it.
    against: TileSet,
    /// What the seat held at that moment in the current world.
    held: TileSet,
    /// The loss of log-likelihood if it held one of them.
    loss: f32,
}

/// The worlds that a turn leaves possible, and the one that the chain is in.
pub(super) struct Worlds {
    places: Vec<Place>,
    /// How many places are in the seats' hands; the boneyard follows.
    in_hands: usize,
    clues: Vec<Clue>,
    /// The world that was handed out last.
    order: Vec<Tile>,
}

impl Worlds {
    /// Starts the chain from some world and lets it run until its start is forgotten: first with little strictness, or it
    /// could be caught in a world that is impossible, but better than all that are one swap away.
    pub(super) fn new(rules: &Rules, turn: &Turn<'_>, dice: &mut Dice) -> Self {
        let (places, in_hands) = places(rules, turn, dice);
        let clues = clues(rules, turn);
        let mut worlds = Self { places, in_hands, clues, order: Vec::new() };
        for clue in &mut worlds.clues {
            let held = worlds.places.iter().filter(|place| place.held_by(clue.seat, clue.at));
            clue.held = held.map(|place| place.tile).collect();
        }
        for step in 1..=STEPS {
            worlds.wander(FIRST_SWAPS / usize::from(STEPS), f32::from(step) / f32::from(STEPS), dice);
        }
        worlds
    }

    /// The next world, as [`Round::suppose`] wants it: the other seats' hands in seat order, then the boneyard.
    pub(super) fn next(&mut self, dice: &mut Dice) -> &[Tile] {
        self.wander(SWAPS, 1.0, dice);
        self.order.clear();
        self.order.extend(self.places.iter().filter(|place| place.until == NEVER).map(|place| place.tile));
        let boneyard = self.order.len() - (self.places.len() - self.in_hands);
        dice.shuffle(&mut self.order[boneyard..]);
        &self.order
    }

    /// Tries some swaps. The stricter, the more rarely a swap for the worse is kept; 1 is as likely as the worlds are.
    fn wander(&mut self, swaps: usize, strictness: f32, dice: &mut Dice) {
        for _ in 0..swaps {
            let (i, j) = (dice.below(self.in_hands), dice.below(self.places.len()));
            let (one, two) = (self.places[i], self.places[j]);
            if !exchangeable(one, two) {
                continue;
            }
            let loss = self.loss_of_swap(one, two);
            if loss <= 0.0 || dice.fraction() < (-loss * strictness).exp() {
                self.swap(i, j);
            }
        }
    }

    /// How much worse the world explains the history with the tiles of two places exchanged.
    fn loss_of_swap(&self, one: Place, two: Place) -> f32 {
        let mut loss = 0.0;
        for clue in &self.clues {
            if one.holder != Some(clue.seat) && two.holder != Some(clue.seat) {
                continue;
            }
            let (before, after) =
                (clue.held.meets(clue.against), clue.held_after(one, two).meets(clue.against));
            if before != after {
                loss += if after { clue.loss } else { -clue.loss };
            }
        }
        loss
    }

    fn swap(&mut self, i: usize, j: usize) {
        let (one, two) = (self.places[i], self.places[j]);
        for clue in &mut self.clues {
            clue.held = clue.held_after(one, two);
        }
        (self.places[i].tile, self.places[i].until) = (two.tile, two.until);
        (self.places[j].tile, self.places[j].until) = (one.tile, one.until);
    }
}

impl Clue {
    /// What the seat would have held at that moment with the tiles of two places exchanged.
    fn held_after(&self, one: Place, two: Place) -> TileSet {
        let mut held = self.held;
        let here = |place: Place| place.holder == Some(self.seat) && place.since <= self.at;
        if here(one) {
            held = held.without(one.tile);
        }
        if here(two) {
            held = held.without(two.tile);
        }
        if here(one) && self.at <= two.until {
            held = held.with(two.tile);
        }
        if here(two) && self.at <= one.until {
            held = held.with(one.tile);
        }
        held
    }
}

/// Whether two places may exchange their tiles: a tile that was played stays with who played it, and came before that.
fn exchangeable(one: Place, two: Place) -> bool {
    let fixed = one.until != NEVER || two.until != NEVER;
    one.tile != two.tile
        && (!fixed || (one.holder == two.holder && one.since <= two.until && two.since <= one.until))
}

/// All places with some first world in them, those in hands first, in seat order.
fn places(rules: &Rules, turn: &Turn<'_>, dice: &mut Dice) -> (Vec<Place>, usize) {
    let mut unseen: Vec<Tile> = Round::unseen(rules, &turn.view()).into_iter().collect();
    dice.shuffle(&mut unseen);
    let mut unseen = unseen.into_iter();
    let mut places = Vec::with_capacity(rules.set.size());
    for seat in rules.seats.iter().filter(|&seat| seat != turn.seat) {
        let mine = turn.history.iter().zip(0..).filter(|(entry, _)| entry.seat == seat);
        let draws = mine.clone().filter(|(entry, _)| matches!(entry.event, Event::Draw(_)));
        let mut free: Vec<Moment> = vec![0; rules.hand.into()];
        free.extend(draws.map(|(_, at)| at + 1));
        let played = mine.filter_map(|(entry, at)| Some((Action::from(entry.event).tile()?, at)));
        for (tile, until) in played {
            // Most likely a tile that was played right after a draw is the one that was drawn, and any other an old one.
            let place = free.iter().position(|&since| since == until).unwrap_or(0);
            places.push(Place { tile, holder: Some(seat), since: free.remove(place), until });
        }
        for (since, tile) in free.into_iter().zip(&mut unseen) {
            places.push(Place { tile, holder: Some(seat), since, until: NEVER });
        }
    }
    let in_hands = places.len();
    places.extend(unseen.map(|tile| Place { tile, holder: None, since: 0, until: NEVER }));
    (places, in_hands)
}

/// What the history says about the other seats' hands.
fn clues(rules: &Rules, turn: &Turn<'_>) -> Vec<Clue> {
    let fits = Fits::of(rules.set);
    let leadable = leadable(rules);
    let draw_loss = match rules.drawing {
        Drawing::Any => NEEDLESS_DRAW,
        Drawing::One => IMPOSSIBLE,
    };
    let mut layout = Layout::empty();
    let mut clues = Vec::new();
    for (entry, at) in turn.history.iter().zip(0..) {
        let seat = entry.seat;
        let mut clue = |against, loss| {
            if seat != turn.seat {
                clues.push(Clue { seat, at, against, held: TileSet::EMPTY, loss });
            }
        };
        match entry.event {
            Event::Draw(_) if layout == Layout::empty() => clue(leadable, NEEDLESS_LEAD_DRAW),
            Event::Draw(_) => clue(layout.playable(fits), draw_loss),
            Event::Pass => clue(layout.playable(fits), IMPOSSIBLE),
            Event::Lead(_) | Event::Play(..) | Event::Refuse => {}
        }
        layout.follow(rules, entry.event);
    }
    clues.extend(dealt_clues(rules, turn));
    clues
}

fn leadable(rules: &RuleSet) -> TileSet {
    rules.set.tiles().iter().filter(|tile| tile.double().is_some() && tile.pips() > 0).collect()
}

/// What it says about the dealt hands that somebody had the lead by holding the lowest or the highest double.
fn dealt_clues(rules: &Rules, turn: &Turn<'_>) -> Vec<Clue> {
    let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
    let led = turn.history.iter().find_map(|entry| match entry.event {
        Event::Lead(double) => Some((entry.seat, double.tile())),
        _ => None,
    });
    let leadable = leadable(rules);
    let against: TileSet = match (rule, led) {
        (LeadRule::Lowest, Some((_, led))) => leadable.iter().filter(|&tile| tile < led).collect(),
        (LeadRule::Highest, Some((_, led))) => leadable.iter().filter(|&tile| tile > led).collect(),
        (LeadRule::HighestHolder, _) if led.is_none_or(|(seat, _)| seat == turn.seat) => {
            let best = dealt_to_me(turn).intersection(leadable).last();
            leadable.iter().filter(|&tile| best.is_some_and(|best| tile > best)).collect()
        }
        _ => TileSet::EMPTY,
    };
    if against.is_empty() {
        return Vec::new();
    }
    let others = rules.seats.iter().filter(|&seat| seat != turn.seat);
    others.map(|seat| Clue { seat, at: 0, against, held: TileSet::EMPTY, loss: IMPOSSIBLE }).collect()
}

fn dealt_to_me(turn: &Turn<'_>) -> TileSet {
    let mine = turn.history.iter().filter(|entry| entry.seat == turn.seat);
    mine.fold(turn.hand, |hand, entry| match (entry.event, Action::from(entry.event).tile()) {
        (_, Some(played)) => hand.with(played),
        (Event::Draw(Some(drawn)), None) => hand.without(drawn),
        _ => hand,
    })
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, Seats, Set};

    use super::*;
    use crate::careful::Careful;
    use crate::strategy::Strategy;
    use crate::table::{play_match, shuffled};

    /// Plays like `careful` and looks at some worlds at each decision.
    struct Looking<F> {
        inner: Careful,
        rules: Rules,
        look: F,
    }

    impl<F: FnMut(&Rules, &Turn<'_>, &mut Worlds, &mut Dice) + Send> Strategy for Looking<F> {
        fn begin(&mut self, rules: &Rules, bot_seed: u64) {
            self.rules = *rules;
            self.inner.begin(rules, bot_seed);
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Action {
            let mut dice = Dice::seeded(turn.id);
            let mut worlds = Worlds::new(&self.rules, turn, &mut dice);
            (self.look)(&self.rules, turn, &mut worlds, &mut dice);
            self.inner.choose(turn)
        }
    }

    fn look(rules: &Rules, look: impl FnMut(&Rules, &Turn<'_>, &mut Worlds, &mut Dice) + Send) {
        let mut first = Looking { inner: Careful::new(), rules: *rules, look };
        let mut others: Vec<Careful> = rules.seats.iter().skip(1).map(|_| Careful::new()).collect();
        let mut players: Vec<&mut dyn Strategy> = vec![&mut first];
        players.extend(others.iter_mut().map(|other| other as &mut dyn Strategy));
        for seed in 0..5 {
            play_match(rules, &mut players, &vec![0; rules.seats.count()], |number| {
                shuffled(rules, seed, number)
            });
        }
    }

    fn tables() -> Vec<Rules> {
        let four = Rules::new(RulesName::Matador, Seats::new(4).unwrap(), Set::DoubleSix, 100).unwrap();
        RulesName::ALL.map(Rules::standard).into_iter().chain([four]).collect()
    }

    #[test]
    fn every_world_is_one_that_the_rules_can_suppose() {
        for rules in tables() {
            look(&rules, |rules, turn, worlds, dice| {
                for _ in 0..5 {
                    let round = Round::suppose(rules, &turn.view(), worlds.next(dice)).unwrap();
                    assert_eq!(round.counts(), turn.counts);
                    assert_eq!(round.arms(), turn.arms);
                }
            });
        }
    }

    #[test]
    fn swaps_keep_account_of_what_was_held_and_leave_played_tiles_with_their_players() {
        for rules in tables() {
            look(&rules, |_, turn, worlds, dice| {
                worlds.next(dice);
                for clue in &worlds.clues {
                    let held = worlds.places.iter().filter(|place| place.held_by(clue.seat, clue.at));
                    assert_eq!(clue.held, held.map(|place| place.tile).collect());
                }
                for place in worlds.places.iter().filter(|place| place.until != NEVER) {
                    let entry = turn.history[usize::from(place.until)];
                    assert_eq!(
                        (Action::from(entry.event).tile(), Some(entry.seat)),
                        (Some(place.tile), place.holder)
                    );
                    assert!(place.since <= place.until);
                }
            });
        }
    }

    #[test]
    fn impossible_worlds_and_needless_draws_are_rare() {
        let (mut seen, mut needless, mut impossible) = (0, 0, 0);
        for rules in tables() {
            look(&rules, |_, _, worlds, dice| {
                let clues = worlds.clues.len();
                worlds.next(dice);
                let against = |worst: f32| {
                    let wrong = |clue: &&Clue| clue.loss >= worst && clue.held.meets(clue.against);
                    worlds.clues.iter().filter(wrong).count()
                };
                impossible += usize::from(against(IMPOSSIBLE) > 0);
                needless += against(NEEDLESS_DRAW);
                seen += clues;
            });
        }
        assert!(impossible * 200 < seen, "{impossible} worlds are impossible");
        assert!(needless * 10 < seen, "{needless} of {seen} draws were needless");
    }

    #[test]
    fn without_a_clue_all_tiles_are_equally_likely() {
        let rules = Rules::standard(RulesName::Leiden);
        let mut checked = 0;
        look(&rules, |rules, turn, worlds, dice| {
            if !worlds.clues.is_empty() || checked == 3 {
                return;
            }
            checked += 1;
            let other = rules.seats.after(turn.seat);
            let held = usize::from(turn.counts[other]);
            let mut often = std::collections::BTreeMap::new();
            let rounds = 4_000;
            for _ in 0..rounds {
                for &tile in &worlds.next(dice)[..held] {
                    *often.entry(tile).or_insert(0_usize) += 1;
                }
            }
            let expected = rounds * held / worlds.order.len();
            for (tile, times) in often {
                assert!(times.abs_diff(expected) < expected / 4, "{tile}: {times}, expected {expected}");
            }
        });
        assert_eq!(checked, 3);
    }
}
