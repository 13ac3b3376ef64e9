//! Two tournaments of the same bots; none changed in truth.

use leyden_stats::{
    Entrant, Field, FieldTally, Holds, Margin, Movement, PairingResult, RatedField, Ratings, Score,
    SharedBot, TallyBuilder,
};

use super::{Dice, sigmoid};

/// Shares of pairs of tournaments, and means over bots.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    /// A bot that counts as changed was beyond the root of the sum of both squared half-widths.
    pub(crate) before: f64,
    /// A bot that counts as changed was beyond its half-width.
    pub(crate) given: f64,
    /// Any bot was.
    pub(crate) any: f64,
    /// Mean half-widths of changed bots in Elo, before and now.
    pub(crate) widths: [f64; 2],
}

/// Two tournaments of `bots` bots 40 Elo apart: the last `unchanged` are the same in both and the others count as
/// changed. On the same deals, two bots that are the same play the same matches.
pub(crate) fn moves(
    (bots, unchanged): (u32, u32),
    blocks: [u32; 2],
    same_deals: bool,
    runs: u32,
    seed: u64,
) -> Moves {
    let mut moves = Moves::default();
    let share = 1.0 / f64::from(runs);
    let changed = bots - unchanged;
    let all: Vec<SharedBot> = (0..bots)
        .map(|bot| SharedBot { before: Entrant(bot), after: Entrant(bot), unchanged: bot >= changed })
        .collect();
    for run in 0..u64::from(runs) {
        let seeds = if same_deals { [2 * run, 2 * run] } else { [2 * run, 2 * run + 1] };
        let mut play = Dice::new(seed + 1_000_000 + run);
        let [was, is] = [0, 1].map(|which: usize| {
            tournament((bots, changed), blocks[which], &mut Dice::new(seed + seeds[which]), &mut play)
        });
        let [was_rated, is_rated] =
            [&was, &is].map(|tally| Ratings::fit(tally, Holds::AtPlannedEnd).expect("fits"));
        let fields =
            [(&was, &was_rated), (&is, &is_rated)].map(|(tally, ratings)| RatedField { tally, ratings });
        let measured =
            Movement::new(fields[0], fields[1], &all, same_deals).expect("fits").expect("an unchanged bot");
        let mut any = false;
        for (bot, moved) in all.iter().zip(&measured.bots) {
            let half = moved.half_width.unwrap_or(f64::INFINITY);
            let is_beyond = moved.elo.get().abs() > half;
            any |= is_beyond;
            if bot.unchanged {
                continue;
            }
            let old = [&was_rated, &is_rated].map(|ratings| ratings.half_width(bot.before).expect("blocks"));
            let old = old[0].hypot(old[1]);
            let each = share / f64::from(changed);
            moves.before += if moved.elo.get().abs() > old { each } else { 0.0 };
            moves.given += if is_beyond { each } else { 0.0 };
            moves.widths[0] += each * old;
            moves.widths[1] += each * half;
        }
        moves.any += if any { share } else { 0.0 };
    }
    moves
}

/// Deals and chance among unchanged bots come from `deals`, the rest from `play`.
fn tournament((bots, changed): (u32, u32), blocks: u32, deals: &mut Dice, play: &mut Dice) -> FieldTally {
    let mut tally = TallyBuilder::new(Field::round_robin(bots as usize)).keeping_blocks();
    for block in 0..blocks {
        for second in 0..bots {
            for first in 0..second {
                let lead = 0.23 * f64::from(second - first);
                let deal = 1.5 * deals.normal();
                let legs = [deal, -deal].map(|luck| {
                    let same = deals.uniform();
                    let chance = if first >= changed { same } else { play.uniform() };
                    u32::from(chance < sigmoid(lead + luck))
                });
                let wins = legs[0] + legs[1];
                let (first, second) = (Entrant(first), Entrant(second));
                let score = Score::new(wins, 0, 2 - wins);
                let result = PairingResult { block, first, second, score, margin: Margin::default() };
                tally.push(result).expect("a result of this field");
            }
        }
    }
    tally.finish().expect("results of this field")
}
