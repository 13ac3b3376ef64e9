//! Deals of the unseen tiles that fit what was seen.
//!
//! A *world* says which tiles every other seat was dealt, which one each of its draws brought, and what is left in the boneyard. A
//! Markov chain (Metropolis) visits worlds: it swaps two tiles, and keeps the swap if the new world explains the draws and passes no
//! worse, otherwise only with a probability that falls with how much worse it does. Over many steps each world comes up as often as
//! it is likely.

use leyden_protocol::{
    Action, Drawing, HistoryAction, LeadRule, PerSeat, RuleSet, Seat, Set, Tile, TileSet, Turn,
};
use leyden_rules::{Fits, Round, Rules};

use crate::arithmetic::exp;
use crate::dice::Dice;
use crate::reading::Layout;

/// The loss of log-likelihood for contradicting the rules: so much that the chain leaves such a world at once.
const IMPOSSIBLE: f32 = 30.0;

/// The loss of log-likelihood for drawing when it was not necessary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawPenalties {
    /// When the seat could have played.
    pub(crate) needless_draw: f32,
    /// For another draw in the same turn.
    pub(crate) draw_again: f32,
    /// When the seat could have led.
    pub(crate) needless_lead_draw: f32,
}

impl DrawPenalties {
    /// Hardly anybody draws when able to play.
    pub(crate) const STRICT: Self = Self { needless_draw: 4.0, draw_again: 4.0, needless_lead_draw: 1.0 };
}

/// Swaps tried before the first world, in this many steps of growing strictness, and between two worlds.
const BURN_IN_SWAPS: usize = 1_000;
const BURN_IN_STEPS: u16 = 10;
const SWAPS_PER_WORLD: usize = 20;

/// A moment: an index into the history. The deal comes before everything.
type HistoryIndex = u16;
const NEVER: HistoryIndex = HistoryIndex::MAX;

/// A slot that held an unseen tile at some time.
#[derive(Clone, Copy)]
struct Slot {
    tile: Tile,
    /// None for the boneyard.
    holder: Option<Seat>,
    /// The first index at which the holder had the tile.
    since: HistoryIndex,
    /// The index at which the tile was played.
    until: HistoryIndex,
    /// The holder's clues since the tile arrived, and those before it was played.
    clues_after_arrival: ClueSet,
    clues_before_play: ClueSet,
}

impl Slot {
    fn new(tile: Tile, holder: Option<Seat>, since: HistoryIndex, until: HistoryIndex) -> Self {
        Self { tile, holder, since, until, clues_after_arrival: 0, clues_before_play: ClueSet::MAX }
    }
}

/// A set of clues of one seat, one bit each. There is room for all: a seat passes or draws at most once per tile.
type ClueSet = u128;

/// An event that says what a seat did not hold at that moment.
struct Clue {
    at: HistoryIndex,
    /// The tiles that contradict it.
    against: TileSet,
    /// How many of them the seat held at that moment in the current world.
    held: u32,
    /// The loss of log-likelihood if it held one of them.
    loss: f32,
}

/// All clues about a seat.
#[derive(Default)]
struct Clues {
    clues: Vec<Clue>,
    /// For each tile, the clues that it contradicts.
    against: Vec<ClueSet>,
}

/// What a swap changes for a seat's clues: those that one more of its tiles contradicts, and those that one less does.
struct Change {
    seat: Seat,
    more: ClueSet,
    less: ClueSet,
}

/// The worlds that are possible at a turn, and the one that the chain is in.
pub(crate) struct Worlds {
    slots: Vec<Slot>,
    /// How many slots are in the seats' hands; the boneyard follows.
    in_hands: usize,
    clues: PerSeat<Clues>,
    /// The world returned last.
    order: Vec<Tile>,
}

impl Worlds {
    /// Runs the chain until its start is forgotten; leniently at first, or it could get stuck in an impossible world.
    pub(crate) fn new(rules: &Rules, turn: &Turn<'_>, penalties: DrawPenalties, dice: &mut Dice) -> Self {
        let (mut slots, in_hands) = slots(rules, turn, dice);
        let mut clues = clues(rules, turn, penalties);
        for slot in &mut slots {
            if let Some(holder) = slot.holder {
                clues[holder].follow(slot);
            }
        }
        let mut worlds = Self { slots, in_hands, clues, order: Vec::new() };
        for step in 1..=BURN_IN_STEPS {
            worlds.random_walk(
                BURN_IN_SWAPS / usize::from(BURN_IN_STEPS),
                f32::from(step) / f32::from(BURN_IN_STEPS),
                dice,
            );
        }
        worlds
    }

    /// The next world, as [`Round::suppose`] wants it: the other seats' hands in seat order, then the boneyard.
    pub(crate) fn next(&mut self, dice: &mut Dice) -> &[Tile] {
        self.random_walk(SWAPS_PER_WORLD, 1.0, dice);
        self.order.clear();
        self.order.extend(self.slots.iter().filter(|slot| slot.until == NEVER).map(|slot| slot.tile));
        let boneyard = self.order.len() - (self.slots.len() - self.in_hands);
        dice.shuffle(&mut self.order[boneyard..]);
        &self.order
    }

    /// The tiles of the current world in the order in which they were dealt and drawn; the rest of the boneyard comes last.
    pub(crate) fn dealing_order(&self, rules: &Rules, turn: &Turn<'_>) -> Vec<Tile> {
        let mut order = Vec::with_capacity(rules.set.size());
        for seat in rules.seats.iter() {
            if seat == turn.seat {
                order.extend(dealt_to_me(turn));
            } else {
                order.extend(self.received(seat, 0));
            }
        }
        for (entry, at) in turn.history.iter().zip(1..) {
            match entry.event {
                HistoryAction::Draw(Some(drawn)) => order.push(drawn),
                HistoryAction::Draw(None) => order.extend(self.received(entry.seat, at)),
                _ => {}
            }
        }
        order.extend(self.slots[self.in_hands..].iter().map(|slot| slot.tile));
        order
    }

    /// The tiles that a seat held when it took the action at an index of the history.
    pub(crate) fn held(&self, seat: Seat, at: usize) -> impl Iterator<Item = Tile> {
        let (slots, at) = (self.slots[..self.in_hands].iter(), at as HistoryIndex);
        let held =
            slots.filter(move |slot| slot.holder == Some(seat) && slot.since <= at && at <= slot.until);
        held.map(|slot| slot.tile)
    }

    /// Whether the world contradicts the rules.
    pub(crate) fn is_impossible(&self) -> bool {
        let mut clues = self.clues.iter().flat_map(|(_, clues)| &clues.clues);
        clues.any(|clue| clue.loss >= IMPOSSIBLE && clue.held > 0)
    }

    /// The tiles that a seat received at an index of the history.
    fn received(&self, seat: Seat, since: HistoryIndex) -> impl Iterator<Item = Tile> {
        let slots = self.slots[..self.in_hands].iter();
        slots.filter(move |slot| slot.holder == Some(seat) && slot.since == since).map(|slot| slot.tile)
    }

    /// Tries some swaps. The stricter, the more seldom one for the worse is kept; at 1 worlds come up as often as they are likely.
    fn random_walk(&mut self, swaps: usize, strictness: f32, dice: &mut Dice) {
        for _ in 0..swaps {
            let (i, j) = (dice.below(self.in_hands), dice.below(self.slots.len()));
            let (one, two) = (&self.slots[i], &self.slots[j]);
            if !may_swap(one, two) {
                continue;
            }
            let changes = [self.change(one, two), self.change(two, one)];
            let loss: f32 = changes.iter().flatten().map(|change| self.loss(change)).sum();
            if loss <= 0.0 || dice.fraction() < exp(-loss * strictness) {
                self.swap(i, j, &changes);
            }
        }
    }

    /// How swapping the tiles of two slots affects the clues of the first one's holder.
    #[inline]
    fn change(&self, one: &Slot, two: &Slot) -> Option<Change> {
        let seat = one.holder?;
        let against = &self.clues[seat].against;
        // To a seat that holds both slots the swap only matters before it received the second.
        let clues_after_arrival = if one.holder == two.holder {
            one.clues_after_arrival & !two.clues_after_arrival
        } else {
            one.clues_after_arrival
        };
        let goes = clues_after_arrival & one.clues_before_play & against[one.tile.index()];
        let comes = clues_after_arrival & two.clues_before_play & against[two.tile.index()];
        (goes != comes).then_some(Change { seat, more: comes & !goes, less: goes & !comes })
    }

    /// How much worse the world explains the history after a change.
    fn loss(&self, change: &Change) -> f32 {
        let clues = &self.clues[change.seat].clues;
        let lost = each(change.more).map(|i| &clues[i]).filter(|clue| clue.held == 0);
        let won = each(change.less).map(|i| &clues[i]).filter(|clue| clue.held == 1);
        lost.map(|clue| clue.loss).sum::<f32>() - won.map(|clue| clue.loss).sum::<f32>()
    }

    fn swap(&mut self, i: usize, j: usize, changes: &[Option<Change>]) {
        for change in changes.iter().flatten() {
            let clues = &mut self.clues[change.seat].clues;
            each(change.more).for_each(|i| clues[i].held += 1);
            each(change.less).for_each(|i| clues[i].held -= 1);
        }
        let (one, two) = (self.slots[i], self.slots[j]);
        for (index, from) in [(i, two), (j, one)] {
            let slot = &mut self.slots[index];
            (slot.tile, slot.until, slot.clues_before_play) = (from.tile, from.until, from.clues_before_play);
        }
    }
}

impl Clues {
    fn add(&mut self, clue: Clue) {
        let Some(bit) = ClueSet::checked_shl(1, self.clues.len() as u32) else { return };
        self.against.resize(Set::DoubleTwelve.size(), 0);
        for tile in clue.against {
            self.against[tile.index()] |= bit;
        }
        self.clues.push(clue);
    }

    /// Works out which clues apply to a slot in this seat's hand, and counts its tile.
    fn follow(&mut self, slot: &mut Slot) {
        self.against.resize(Set::DoubleTwelve.size(), 0);
        let set = |asks: &dyn Fn(&Clue) -> bool| {
            self.clues.iter().zip(0..).filter(|(clue, _)| asks(clue)).fold(0, |all, (_, i)| all | 1 << i)
        };
        slot.clues_after_arrival = set(&|clue| slot.since <= clue.at);
        if slot.until != NEVER {
            slot.clues_before_play = set(&|clue| clue.at <= slot.until);
        }
        each(slot.clues_after_arrival & slot.clues_before_play & self.against[slot.tile.index()])
            .for_each(|i| self.clues[i].held += 1);
    }
}

/// The indices of the clues in a set.
fn each(mut set: ClueSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.checked_sub(1)?;
        Some(first as usize)
    })
}

/// Whether two slots may swap their tiles: a tile that was played stays with the seat that played it, and must have arrived before.
#[expect(clippy::needless_bitwise_bool, reason = "unpredictable branches take longer")]
fn may_swap(one: &Slot, two: &Slot) -> bool {
    let free = (one.until == NEVER) & (two.until == NEVER);
    let in_time = (one.since <= two.until) & (two.since <= one.until);
    (one.tile != two.tile) & (free | ((one.holder == two.holder) & in_time))
}

/// All slots filled with some initial world, those in hands first, in seat order.
fn slots(rules: &Rules, turn: &Turn<'_>, dice: &mut Dice) -> (Vec<Slot>, usize) {
    let mut unseen: Vec<Tile> = Round::unseen(rules, &turn.view()).into_iter().collect();
    dice.shuffle(&mut unseen);
    let mut unseen = unseen.into_iter();
    let mut slots = Vec::with_capacity(rules.set.size());
    for seat in rules.seats.iter().filter(|&seat| seat != turn.seat) {
        let mine = turn.history.iter().zip(0..).filter(|(entry, _)| entry.seat == seat);
        let draws = mine.clone().filter(|(entry, _)| matches!(entry.event, HistoryAction::Draw(_)));
        let mut free: Vec<HistoryIndex> = vec![0; rules.hand.into()];
        free.extend(draws.map(|(_, at)| at + 1));
        let played = mine.filter_map(|(entry, at)| Some((Action::from(entry.event).tile()?, at)));
        for (tile, until) in played {
            // A tile played right after a draw is most likely the one that was drawn; any other, an old one.
            let index = free.iter().position(|&since| since == until).unwrap_or(0);
            slots.push(Slot::new(tile, Some(seat), free.remove(index), until));
        }
        for (since, tile) in free.into_iter().zip(&mut unseen) {
            slots.push(Slot::new(tile, Some(seat), since, NEVER));
        }
    }
    let in_hands = slots.len();
    slots.extend(unseen.map(|tile| Slot::new(tile, None, 0, NEVER)));
    (slots, in_hands)
}

/// What the history reveals about the other seats' hands.
fn clues(rules: &Rules, turn: &Turn<'_>, penalties: DrawPenalties) -> PerSeat<Clues> {
    let fits = Fits::for_set(rules.set);
    let (leadable, lead_draw_loss) = (leadable(rules), penalties.needless_lead_draw);
    let draw_loss = |further| match (rules.drawing, further) {
        (Drawing::One, _) => IMPOSSIBLE,
        (Drawing::Any, false) => penalties.needless_draw,
        (Drawing::Any, true) => penalties.draw_again,
    };
    let mut drew = false;
    let mut layout = Layout::empty();
    let mut clues: PerSeat<Clues> = PerSeat::default_for(rules.seats);
    for (entry, at) in turn.history.iter().zip(0..) {
        let seat = entry.seat;
        let mut clue = |against, loss| {
            if seat != turn.seat {
                clues[seat].add(Clue { at, against, held: 0, loss });
            }
        };
        match entry.event {
            HistoryAction::Draw(_) if layout == Layout::empty() => clue(leadable, lead_draw_loss),
            HistoryAction::Draw(_) => clue(layout.playable(fits), draw_loss(drew)),
            HistoryAction::Pass => clue(layout.playable(fits), IMPOSSIBLE),
            HistoryAction::Lead(_) | HistoryAction::Play(..) | HistoryAction::Refuse => {}
        }
        drew = matches!(entry.event, HistoryAction::Draw(_));
        layout.follow(rules, entry.event);
    }
    let against = excluded_by_the_lead(rules, turn);
    for (_, clues) in clues.iter_mut().filter(|(seat, _)| *seat != turn.seat && !against.is_empty()) {
        clues.add(Clue { at: 0, against, held: 0, loss: IMPOSSIBLE });
    }
    clues
}

fn leadable(rules: &RuleSet) -> TileSet {
    rules.set.tiles().iter().filter(|tile| tile.double().is_some() && tile.pips() > 0).collect()
}

/// Tiles that no other seat can have been dealt, because the lead went to the holder of the lowest or the highest double.
fn excluded_by_the_lead(rules: &Rules, turn: &Turn<'_>) -> TileSet {
    let rule = if turn.round == 0 { rules.leads.first } else { rules.leads.later };
    let led = turn.history.iter().find_map(|entry| match entry.event {
        HistoryAction::Lead(double) => Some((entry.seat, double.tile())),
        _ => None,
    });
    let leadable = leadable(rules);
    match (rule, led) {
        (LeadRule::Lowest, Some((_, led))) => leadable.iter().filter(|&tile| tile < led).collect(),
        (LeadRule::Highest, Some((_, led))) => leadable.iter().filter(|&tile| tile > led).collect(),
        (LeadRule::HighestHolder, _) if led.is_none_or(|(seat, _)| seat == turn.seat) => {
            let best = dealt_to_me(turn).intersection(leadable).last();
            leadable.iter().filter(|&tile| best.is_some_and(|best| tile > best)).collect()
        }
        _ => TileSet::EMPTY,
    }
}

fn dealt_to_me(turn: &Turn<'_>) -> TileSet {
    let mine = turn.history.iter().filter(|entry| entry.seat == turn.seat);
    let held =
        mine.clone().filter_map(|entry| Action::from(entry.event).tile()).fold(turn.hand, TileSet::with);
    let drawn =
        mine.filter_map(|entry| if let HistoryAction::Draw(tile) = entry.event { tile } else { None });
    drawn.fold(held, TileSet::without)
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, Seats, Set};

    use super::*;
    use crate::careful::Careful;
    use crate::strategy::Strategy;
    use crate::table::{play_match, shuffled};

    /// Plays like `careful`, and calls back with the worlds at each decision.
    struct Observer<F> {
        inner: Careful,
        rules: Rules,
        look: F,
    }

    impl<F: FnMut(&Rules, &Turn<'_>, &mut Worlds, &mut Dice) + Send> Strategy for Observer<F> {
        fn begin(&mut self, rules: &Rules, bot_seed: u64) {
            self.rules = *rules;
            self.inner.begin(rules, bot_seed);
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Action {
            let mut dice = Dice::seeded(turn.id);
            let mut worlds = Worlds::new(&self.rules, turn, DrawPenalties::STRICT, &mut dice);
            (self.look)(&self.rules, turn, &mut worlds, &mut dice);
            self.inner.choose(turn)
        }
    }

    fn look(rules: &Rules, look: impl FnMut(&Rules, &Turn<'_>, &mut Worlds, &mut Dice) + Send) {
        let mut first = Observer { inner: Careful::new(), rules: *rules, look };
        let mut others: Vec<Careful> = rules.seats.iter().skip(1).map(|_| Careful::new()).collect();
        let mut players: Vec<&mut dyn Strategy> = vec![&mut first];
        players.extend(others.iter_mut().map(|other| other as &mut dyn Strategy));
        for seed in 0..5 {
            play_match(rules, &mut players, &vec![0; rules.seats.count()], |number| {
                shuffled(rules, seed, number)
            });
        }
    }

    fn all_clues(worlds: &Worlds) -> impl Iterator<Item = (Seat, &Clue)> {
        worlds.clues.iter().flat_map(|(seat, clues)| clues.clues.iter().map(move |clue| (seat, clue)))
    }

    fn tables() -> Vec<Rules> {
        let four = Rules::new(RulesName::Matador, Seats::new(4).unwrap(), Set::DoubleSix, 100).unwrap();
        RulesName::ALL.map(Rules::standard).into_iter().chain([four]).collect()
    }

    #[test]
    fn every_world_can_be_supposed_by_the_rules() {
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
    fn swaps_update_clue_counts_but_not_played_tiles() {
        for rules in tables() {
            look(&rules, |_, turn, worlds, dice| {
                worlds.next(dice);
                for (seat, clue) in all_clues(worlds) {
                    let held = worlds.slots.iter().filter(|slot| {
                        slot.holder == Some(seat) && slot.since <= clue.at && clue.at <= slot.until
                    });
                    let against = held.filter(|slot| clue.against.contains(slot.tile));
                    assert_eq!(clue.held as usize, against.count());
                }
                for slot in worlds.slots.iter().filter(|slot| slot.until != NEVER) {
                    let entry = turn.history[usize::from(slot.until)];
                    assert_eq!(
                        (Action::from(entry.event).tile(), Some(entry.seat)),
                        (Some(slot.tile), slot.holder)
                    );
                    assert!(slot.since <= slot.until);
                }
            });
        }
    }

    #[test]
    fn impossible_worlds_and_needless_draws_are_rare() {
        let (mut seen, mut needless, mut impossible) = (0, 0, 0);
        for rules in tables() {
            look(&rules, |_, _, worlds, dice| {
                let clues = all_clues(worlds).count();
                worlds.next(dice);
                let against = |worst: f32| {
                    all_clues(worlds).filter(|(_, clue)| clue.loss >= worst && clue.held > 0).count()
                };
                impossible += usize::from(against(IMPOSSIBLE) > 0);
                needless += against(DrawPenalties::STRICT.needless_draw);
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
            if all_clues(worlds).count() > 0 || checked == 3 {
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
