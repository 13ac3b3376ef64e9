//! Whole matches in one process, recorded in full.
#![allow(dead_code, reason = "tests, benches and examples each use a part")]

use leyden_luck::{Deal, LuckEstimator};
use leyden_protocol::{Action, Seat, Turn};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::{RecordedDeal, play_recorded, shuffled};
use leyden_sample_bots::{Strategy, strategy};
use leyden_stats::{LuckEstimates, PairLuck};
use rustix::time::{ClockId, clock_gettime};

/// Plays a match and records it. Each bot has its own random seed in each leg.
pub(crate) fn play(
    rules: &Rules,
    players: &mut [&mut dyn Strategy; 2],
    seed: u64,
    leg: u64,
) -> (Match, Vec<RecordedDeal>) {
    let bot_seeds = [0, 1].map(|index| 4 * seed + 2 * leg + index);
    play_recorded(rules, players, &bot_seeds, |number| shuffled(rules, seed, number))
}

pub(crate) fn result(game: &Match) -> f64 {
    game.leading().map_or(0.5, |seat| f64::from(u8::from(seat == Seat::FIRST)))
}

/// A bot that draws whenever it may, or never while it can play; apart from that it plays like the one inside.
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

/// What estimating the luck of some matches took.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) playouts: u32,
    /// Processor time.
    pub(crate) ms: f64,
}

/// Processor time of this process so far, in milliseconds.
fn processor_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Plays pairs of two bots: the score and luck of each pair, and what estimating them took.
pub(crate) fn pairs(
    estimator: &LuckEstimator,
    (one, two): (&str, &str),
    pairs: u32,
    seed: u64,
) -> (Vec<PairLuck>, Cost) {
    let rules = *estimator.rules();
    let (mut one, mut two, mut cost) = (bot(one), bot(two), Cost::default());
    let list = (0..pairs).map(|block| {
        let (mut score, mut luck) = (0.0, LuckEstimates::default());
        for leg in 0..2 {
            let turned = leg == 1;
            let mut players: [&mut dyn Strategy; 2] =
                if turned { [&mut *two, &mut *one] } else { [&mut *one, &mut *two] };
            let match_seed = seed * 1_000_003 + u64::from(block);
            let (game, deals) = play(&rules, &mut players, match_seed, leg);
            let start = processor_ms();
            let estimated = estimator.luck(&format!("{match_seed}-{leg}"), &recorded(&deals)).expect("legal");
            cost.ms += processor_ms() - start;
            cost.playouts += estimated.playouts;
            score += if turned { 1.0 - result(&game) } else { result(&game) } / 2.0;
            let of_one = if turned { estimated.second_seat() } else { estimated.first_seat };
            for (sum, estimate) in luck.iter_mut().zip(of_one) {
                *sum += estimate / 2.0;
            }
        }
        PairLuck { block, score, luck }
    });
    (list.collect(), cost)
}

/// In the form that [`LuckEstimator`] takes.
pub(crate) fn recorded(deals: &[RecordedDeal]) -> Vec<Deal<'_>> {
    deals.iter().map(|(deck, actions)| Deal { deck: deck.tiles(), actions }).collect()
}

/// The mean of each estimate in standard errors: about standard normal for all players.
pub(crate) fn mean_in_errors(pairs: &[PairLuck]) -> LuckEstimates {
    let n = pairs.len() as f64;
    std::array::from_fn(|baseline| {
        let each = || pairs.iter().map(|pair| pair.luck[baseline]);
        let mean = each().sum::<f64>() / n;
        let variance = each().map(|estimate| (estimate - mean).powi(2)).sum::<f64>() / (n - 1.0);
        if variance > 0.0 { mean / (variance / n).sqrt() } else { 0.0 }
    })
}
