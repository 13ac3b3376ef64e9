//! Whole matches in one process, with all that a record holds of them.
#![allow(dead_code, reason = "the tests and the bench each use a part")]

use leyden_luck::{Deal, Judge};
use leyden_protocol::{Action, Seat, Turn};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::{RecordedDeal, play_recorded, shuffled};
use leyden_sample_bots::{Strategy, strategy};
use leyden_stats::{Lucks, PairLuck};

/// A whole match with all that happened; each bot has its own chance in each leg.
pub(crate) fn play(
    rules: &Rules,
    players: &mut [&mut dyn Strategy; 2],
    seed: u64,
    leg: u64,
) -> (Match, Vec<RecordedDeal>) {
    let bot_seeds = [0, 1].map(|place| 4 * seed + 2 * leg + place);
    play_recorded(rules, players, &bot_seeds, |number| shuffled(rules, seed, number))
}

pub(crate) fn result(game: &Match) -> f64 {
    game.leading().map_or(0.5, |seat| f64::from(u8::from(seat == Seat::FIRST)))
}

/// A bot that draws whenever it may, and one that never does while it can play, whatever else it plays at random.
struct Drawer(Box<dyn Strategy>, bool);

impl Strategy for Drawer {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.0.begin(rules, bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let action = if self.1 { Action::Draw } else { self.0.choose(turn) };
        let other = turn.legal.iter().find(|other| **other != Action::Draw).copied();
        match (turn.legal.contains(&action), action) {
            (false, _) => self.0.choose(turn),
            (true, Action::Draw) if !self.1 => other.unwrap_or(action),
            (true, _) => action,
        }
    }
}

pub(crate) fn bot(name: &str) -> Box<dyn Strategy> {
    let made = |words: &str| {
        let mut words = words.split(' ');
        let name = words.next().unwrap_or_default();
        strategy(name, &words.collect::<Vec<_>>()).unwrap_or_else(|_| panic!("no bot {name}"))
    };
    match name {
        "always draws" => Box::new(Drawer(made("random"), true)),
        "never draws" => Box::new(Drawer(made("random"), false)),
        _ => made(name),
    }
}

/// Pairs of two bots, each pair with its score and lucks; and how many playouts all matches took.
pub(crate) fn pairs(judge: &Judge, (one, two): (&str, &str), pairs: u32, seed: u64) -> (Vec<PairLuck>, u32) {
    let rules = *judge.rules();
    let (mut one, mut two, mut playouts) = (bot(one), bot(two), 0);
    let list = (0..pairs).map(|block| {
        let (mut score, mut lucks) = (0.0, Lucks::default());
        for leg in 0..2 {
            let turned = leg == 1;
            let mut players: [&mut dyn Strategy; 2] =
                if turned { [&mut *two, &mut *one] } else { [&mut *one, &mut *two] };
            let match_seed = seed * 1_000_003 + u64::from(block);
            let (game, deals) = play(&rules, &mut players, match_seed, leg);
            let told = judge.luck(&format!("{match_seed}-{leg}"), &seen(&deals)).expect("legal");
            playouts += told.playouts;
            score += if turned { 1.0 - result(&game) } else { result(&game) } / 2.0;
            let of_one = if turned { told.of_second() } else { told.of_first };
            for (sum, luck) in lucks.iter_mut().zip(of_one) {
                *sum += luck / 2.0;
            }
        }
        PairLuck { block, score, lucks }
    });
    (list.collect(), playouts)
}

/// As the judge takes them.
pub(crate) fn seen(deals: &[RecordedDeal]) -> Vec<Deal<'_>> {
    deals.iter().map(|(deck, actions)| Deal { deck: deck.tiles(), actions }).collect()
}

/// The mean of each luck in standard errors: normally distributed, whoever plays.
pub(crate) fn mean_in_errors(pairs: &[PairLuck]) -> Lucks {
    let n = pairs.len() as f64;
    std::array::from_fn(|baseline| {
        let lucks = || pairs.iter().map(|pair| pair.lucks[baseline]);
        let mean = lucks().sum::<f64>() / n;
        let variance = lucks().map(|luck| (luck - mean).powi(2)).sum::<f64>() / (n - 1.0);
        if variance > 0.0 { mean / (variance / n).sqrt() } else { 0.0 }
    })
}
