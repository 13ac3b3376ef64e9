//! Where a bot strays from its rating: how often an interval is wrong, and how often a bot that fails in one seat is found.

use leyden_protocol::Seat;
use leyden_stats::{
    Circumstance, CircumstanceResult, Comparison, Elo, Entrant, FieldTally, Holds, Margin, PairingResult,
    Ratings, Score, SeatedMatch, circumstances,
};

use super::{Dice, World, sigmoid};

/// What is found over many tournaments, as shares of them.
#[derive(Debug, Default)]
pub(crate) struct DetectionRates {
    /// With a bot that the test reports as straying although it does not.
    pub(crate) wrong: f64,
    /// In which the test reports the last bot, which is worse in seat 1 by `weakness`, as worse there or better in seat 0.
    pub(crate) found: f64,
}

/// Tournaments in which the first seat and the lead are worth something to all bots, and the last bot is worse in seat 1.
pub(crate) fn strayed(world: &World, blocks: u32, weakness: f64, runs: u32, seed: u64) -> DetectionRates {
    let mut dice = Dice::new(seed);
    let mut rates = DetectionRates::default();
    let share = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let (matches, tally) = play(world, blocks, weakness, &mut dice);
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let last = world.bots() - 1;
        let of = |bot: usize| {
            circumstances(Entrant(bot as u32), &matches, &|bot| ratings.elo(bot), Holds::AtPlannedEnd)
        };
        let strays = |result: &CircumstanceResult| result.strays().is_some();
        let is_in_seat = |result: &CircumstanceResult| matches!(result.circumstance, Circumstance::InSeat(_));
        // Of each tournament one bot that does not stray.
        rates.wrong += if of(0).iter().any(strays) { share } else { 0.0 };
        rates.found +=
            if of(last).iter().any(|result| is_in_seat(result) && strays(result)) { share } else { 0.0 };
    }
    rates
}

/// The same in two games, in the second of which the last bot is worse by `weakness`; found there.
pub(crate) fn strayed_in_game(
    world: &World,
    blocks: u32,
    weakness: f64,
    runs: u32,
    seed: u64,
) -> DetectionRates {
    let mut dice = Dice::new(seed);
    let mut found = DetectionRates::default();
    let share = 1.0 / f64::from(runs);
    let last = world.bots() - 1;
    let mut other = world.clone();
    for bot in 0..last {
        other.leads[last][bot] -= weakness;
        other.leads[bot][last] += weakness;
    }
    for _ in 0..runs {
        let [(mut matches, first), (more, second)] =
            [world, &other].map(|game| play(game, blocks, 0.0, &mut dice));
        matches.extend(more.into_iter().map(|played| SeatedMatch { game: 1, ..played }));
        let ratings = [first, second].map(|tally| Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits"));
        let elo =
            |bot: Entrant| Elo::new(ratings.iter().map(|ratings| ratings.elo(bot).get()).sum::<f64>() / 2.0);
        let of = |bot: usize| circumstances(Entrant(bot as u32), &matches, &elo, Holds::AtPlannedEnd);
        let strays = |result: &CircumstanceResult| result.strays().is_some();
        found.wrong += if of(0).iter().any(strays) { share } else { 0.0 };
        let is_there = |result: &CircumstanceResult| result.circumstance == Circumstance::InGame(1);
        found.found +=
            if of(last).iter().any(|result| is_there(result) && strays(result)) { share } else { 0.0 };
    }
    found
}

fn play(world: &World, blocks: u32, weakness: f64, dice: &mut Dice) -> (Vec<SeatedMatch>, FieldTally) {
    const SEAT: f64 = 0.3;
    const LEAD: f64 = 0.2;
    let last = world.bots() - 1;
    let (mut matches, mut results) = (Vec::new(), Vec::new());
    for block in 0..blocks {
        for high in 0..world.bots() {
            for low in 0..high {
                let deal = world.luck * dice.normal();
                let led = Seat::new(usize::from(dice.uniform() < 0.5)).expect("one of two");
                let legs = [[low, high], [high, low]].map(|[first, second]| {
                    let weak = |bot: usize| if bot == last { weakness } else { 0.0 };
                    let opening = if led == Seat::FIRST { LEAD } else { -LEAD };
                    let ahead = world.leads[first][second] + deal + SEAT + opening + weak(second);
                    let wins = dice.uniform() < sigmoid(ahead);
                    let bots = [first, second].map(|bot| Entrant(bot as u32));
                    matches.push(SeatedMatch {
                        game: 0,
                        block,
                        bots,
                        points: f64::from(u8::from(wins)),
                        led: Some(led),
                    });
                    wins
                });
                // The lower one sits first in the first leg.
                let won = |wins: bool| if wins { Comparison::Won } else { Comparison::Lost };
                let score = Score::from_legs(&[won(legs[0]), won(!legs[1])]);
                let (first, second) = (Entrant(low as u32), Entrant(high as u32));
                results.push(PairingResult { block, first, second, score, margin: Margin::default() });
            }
        }
    }
    (matches, FieldTally::from_results(world.field(), results).expect("results of this field"))
}
