//! What each legal action comes to, over many deals that fit what was seen: the bot's own judgement, told instead of used.

use leyden_protocol::{Action, Better, PerSeat, Turn};
use leyden_rules::{Rules, Seen, points};

use super::playout::Playout;
use super::worlds::{Suspicion, Worlds};
use crate::dice::Dice;
use crate::prospects::{chance_of_winning, comes_to_the_same};

/// A legal action, and what it came to on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighed {
    pub action: Action,
    /// How likely the match is won after this round: 0 to 1.
    pub chance: f64,
    /// In which share of the deals this seat is out first, or has the lightest hand alone: 0 to 1.
    pub first: f64,
    /// By how many points the round brings this seat ahead of the best of the others; below 0 it falls behind.
    pub margin: f64,
    /// The pips left in its hand.
    pub left: f64,
}

/// Weighs every legal action of a turn, in the turn's order, on the same deals. Nothing but the turn is known: the same turn,
/// number of deals and seed give the same numbers. Nothing if the turn contradicts the rules.
pub fn weigh(rules: &Rules, turn: &Turn<'_>, deals: u32, seed: u64) -> Vec<Weighed> {
    let Ok(known) = Seen::new(rules, &turn.view()) else { return Vec::new() };
    let mut dice = Dice::seeded(seed);
    let mut worlds = Worlds::new(rules, turn, Suspicion::STRICT, &mut dice);
    let mut all: Vec<Weighed> = Vec::with_capacity(turn.legal.len());
    for &action in turn.legal.iter() {
        all.push(Weighed { action, chance: 0.0, first: 0.0, margin: 0.0, left: 0.0 });
    }
    let original = |place: usize| {
        let action = turn.legal[place];
        turn.legal[..place].iter().position(|&other| comes_to_the_same(turn, action, other))
    };
    let originals: Vec<Option<usize>> = (0..all.len()).map(original).collect();
    let share = 1.0 / f64::from(deals.max(1));
    for _ in 0..deals {
        let Ok(world) = known.suppose(worlds.next(&mut dice)) else { return Vec::new() };
        let start = Playout::new(&world);
        for weighed in
            all.iter_mut().zip(&originals).filter_map(|(weighed, same)| same.is_none().then_some(weighed))
        {
            let mut playout = start;
            if playout.apply(weighed.action) {
                playout.finish();
            }
            weighed.count(rules, turn, &playout, share);
        }
    }
    for (place, same) in originals.iter().enumerate() {
        if let Some(same) = *same {
            all[place] = Weighed { action: all[place].action, ..all[same] };
        }
    }
    all
}

impl Weighed {
    /// Counts how one deal ended.
    fn count(&mut self, rules: &Rules, turn: &Turn<'_>, playout: &Playout, share: f64) {
        let round = playout.round();
        let added = match round.outcome() {
            Some(outcome) => points(rules, outcome, &round.pips()),
            None => PerSeat::default_for(rules.seats),
        };
        let others =
            added.iter().filter(|(seat, _)| *seat != turn.seat).map(|(_, &points)| i64::from(points));
        let own = i64::from(added[turn.seat]);
        let margin = match rules.better {
            Better::Lower => others.min().unwrap_or(own) - own,
            Better::Higher => own - others.max().unwrap_or(own),
        };
        let is_first = round.outcome().and_then(leyden_rules::Outcome::winner) == Some(turn.seat);
        self.chance += share * f64::from(chance_of_winning(rules, turn, round));
        self.first += share * f64::from(u8::from(is_first));
        self.margin += share * margin as f64;
        self.left += share * f64::from(round.pips()[turn.seat]);
    }
}
