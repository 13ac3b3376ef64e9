//! How strong the bots are: matches in pairs, each deal played from both sides, in one process.
//!
//! ```text
//! cargo bench -p leyden-sample-bots --bench strength -- [--pairs N] [--rules NAME]… [--seats N] [--set TOP] [--seed N] [--jobs N] [A B]
//! ```
//!
//! Between two seats the share without luck follows (`arena/luck/README.md`): the same on average, with a narrower interval. If no
//! bots are named it plays the ladder: greedy against random, careful against greedy, montecarlo against careful, strong against
//! montecarlo. The times are processor time, first A's and then that of the other seats. A bot with options is quoted: `"careful
//! --blunder 25"`. `--seats N` seats A among N - 1 copies of B, and `--set 9` or 12 selects a larger set (matador only). Run by
//! `cargo test`, or with `--test`, it plays two pairs of everything with few playouts, to show that it works.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

mod time;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use leyden_luck::{Deal, LuckEstimator};
use leyden_protocol::{RulesName, Seats, Set, Turn, WinningScore};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::{RecordedDeal, play_recorded, shuffled};
use leyden_sample_bots::{Strategy, strategy};
use leyden_stats::{LuckEstimates, PairLuck, adjust};

use time::Began;

const LADDER: [(&str, &str); 4] =
    [("greedy", "random"), ("careful", "greedy"), ("montecarlo", "careful"), ("strong", "montecarlo")];
const SHORT_LADDER: [(&str, &str); 4] = [
    ("greedy", "random"),
    ("careful --blunder 25", "greedy"),
    ("montecarlo --playouts 20", "careful"),
    ("strong --playouts 20", "montecarlo --playouts 20"),
];

struct Plan {
    pairings: Vec<(String, String)>,
    rules: Vec<RulesName>,
    seats: Seats,
    set: Set,
    pairs: u64,
    seed: u64,
    jobs: usize,
}

fn main() -> ExitCode {
    match plan(std::env::args().skip(1)) {
        Ok(plan) => {
            measure(&plan);
            ExitCode::SUCCESS
        }
        Err(mistake) => {
            println!("{mistake}");
            ExitCode::from(2)
        }
    }
}

fn plan(mut arguments: impl Iterator<Item = String>) -> Result<Plan, String> {
    let mut plan = Plan {
        pairings: Vec::new(),
        rules: Vec::new(),
        seats: Seats::TWO,
        set: Set::DoubleSix,
        pairs: 500,
        seed: 1,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let mut bots = Vec::new();
    let (mut bench, mut test) = (false, false);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
        match argument.as_str() {
            "--bench" => bench = true,
            "--test" => test = true,
            "--pairs" => plan.pairs = number(value()?)?.max(2),
            "--seed" => plan.seed = number(value()?)?,
            "--jobs" => plan.jobs = number(value()?)?.max(1) as usize,
            "--seats" => {
                plan.seats = Seats::new(number(value()?)? as usize).ok_or("a table has 2 to 8 seats")?;
            }
            "--set" => {
                let set = Set::from_top(number(value()?)? as u8);
                plan.set = set.ok_or("a set is named by its highest pip: 6, 9 or 12")?;
            }
            "--rules" => plan.rules.push(value()?.parse().map_err(|wrong| format!("{wrong}"))?),
            _ => bots.push(argument),
        }
    }
    if plan.rules.is_empty() {
        plan.rules = RulesName::ALL.to_vec();
    }
    let short = test || !bench;
    let ladder = if short { SHORT_LADDER } else { LADDER };
    if short {
        plan.pairs = 2;
    }
    plan.pairings = match &bots[..] {
        [] => ladder.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
        [a, b] => vec![(a.clone(), b.clone())],
        _ => return Err("name two bots, or none".to_owned()),
    };
    for name in plan.pairings.iter().flat_map(|(a, b)| [a, b]) {
        named(name).map_err(|wrong| wrong.to_string())?;
    }
    Ok(plan)
}

fn named(bot: &str) -> Result<Box<dyn Strategy>, leyden_sample_bots::ChoiceError> {
    let mut words = bot.split_whitespace();
    strategy(words.next().unwrap_or_default(), &words.collect::<Vec<_>>())
}

fn measure(plan: &Plan) {
    println!("{} pairs each (a pair is one deal played from every seat), seed {}", plan.pairs, plan.seed);
    for &name in &plan.rules {
        let Ok(rules) = Rules::new(name, plan.seats, plan.set, 100) else {
            println!("{name} is not played like this by {} seats", plan.seats);
            continue;
        };
        for (a, b) in &plan.pairings {
            println!("{}", Comparison::play(plan, &rules, a, b));
        }
    }
}

/// How bot A did against bot B.
struct Comparison {
    title: String,
    /// A's share of the wins in each pair.
    shares: Vec<f64>,
    /// The same with A's luck, between two seats.
    luck: Vec<PairLuck>,
    /// By how many points A was ahead of the best other seat, averaged over each pair.
    margins: Vec<f64>,
    /// Time and number of decisions of A, and of the other seats.
    thought: [Thought; 2],
}

#[derive(Clone, Copy, Default)]
struct Thought {
    time: Duration,
    decisions: u32,
}

impl Thought {
    fn add(&mut self, more: Self) {
        self.time += more.time;
        self.decisions += more.decisions;
    }

    fn each_in_us(self) -> f64 {
        self.time.as_secs_f64() * 1e6 / f64::from(self.decisions.max(1))
    }
}

impl Comparison {
    fn play(plan: &Plan, rules: &Rules, a: &str, b: &str) -> Self {
        let next = AtomicU64::new(0);
        // Luck is computed for two seats only.
        let estimator = LuckEstimator::for_rules(rules).ok();
        let worker = || {
            let mut done = Vec::new();
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= plan.pairs {
                    return done;
                }
                done.push((
                    pair,
                    play_pair(rules, estimator.as_ref(), (a, b), plan.seed.wrapping_mul(1_000_003) + pair),
                ));
            }
        };
        let mut pairs: Vec<(u64, Pair)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..plan.jobs).map(|_| scope.spawn(worker)).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().expect("a match was played to its end"))
                .collect()
        });
        pairs.sort_by_key(|&(number, _)| number);
        let mut comparison = Self {
            title: format!("{:<13} {a} - {b}", rules.name),
            shares: Vec::new(),
            luck: Vec::new(),
            margins: Vec::new(),
            thought: [Thought::default(); 2],
        };
        for (number, pair) in pairs {
            comparison.shares.push(pair.share);
            let with_luck = |luck| PairLuck { block: number as u32, score: pair.share, luck };
            comparison.luck.extend(pair.luck.map(with_luck));
            comparison.margins.push(pair.margin);
            for (all, more) in comparison.thought.iter_mut().zip(pair.thought) {
                all.add(more);
            }
        }
        comparison
    }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ((share, share_off), (margin, margin_off)) = (mean(&self.shares), mean(&self.margins));
        let [own, others] = self.thought.map(Thought::each_in_us);
        write!(f, "{:<46} {:5.1} % ± {:3.1}", self.title, 100.0 * share, 100.0 * share_off)?;
        if let Some(without) = adjust(&self.luck) {
            let (share, off) = (100.0 * without.adjusted, 196.0 * without.adjusted_se);
            write!(f, "   without luck {share:5.1} % ± {off:3.1}")?;
        }
        write!(f, "   margin {margin:6.1} ± {margin_off:3.1}   {own:8.1} - {others:8.1} µs a decision")
    }
}

/// The mean, and half the width of its 95 % interval.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

struct Pair {
    share: f64,
    luck: Option<LuckEstimates>,
    margin: f64,
    thought: [Thought; 2],
}

/// Plays one deal with A in every seat in turn, the other seats taken by B.
fn play_pair(
    rules: &Rules,
    estimator: Option<&LuckEstimator>,
    (a, b): (&str, &str),
    match_seed: u64,
) -> Pair {
    let bot = |name| named(name).expect("the names were checked before");
    let count = rules.seats.count();
    let mut pair = Pair {
        share: 0.0,
        luck: estimator.map(|_| LuckEstimates::default()),
        margin: 0.0,
        thought: [Thought::default(); 2],
    };
    for own_seat in 0..count {
        let mut first = Timed { inner: bot(a), thought: Thought::default() };
        let other = || Timed { inner: bot(b), thought: Thought::default() };
        let mut others: Vec<Timed> = (1..count).map(|_| other()).collect();
        let mut players: Vec<&mut dyn Strategy> = others.iter_mut().map(|bot| bot as _).collect();
        players.insert(own_seat, &mut first);
        let seeds: Vec<u64> =
            (0..count as u64).map(|seat| match_seed * 64 + own_seat as u64 * 8 + seat).collect();
        let (game, deals) =
            play_recorded(rules, &mut players, &seeds, |number| shuffled(rules, match_seed, number));
        let (share, margin) = standing(&game, own_seat);
        pair.share += share / count as f64;
        pair.margin += margin / count as f64;
        if let (Some(estimator), Some(sums)) = (estimator, &mut pair.luck) {
            let luck = luck(estimator, &format!("{match_seed}-{own_seat}"), &deals, own_seat);
            sums.iter_mut().zip(luck).for_each(|(sum, estimate)| *sum += estimate / count as f64);
        }
        pair.thought[0].add(first.thought);
        for other in &others {
            pair.thought[1].add(other.thought);
        }
    }
    pair
}

/// The luck that one of two seats had in a match.
fn luck(estimator: &LuckEstimator, id: &str, deals: &[RecordedDeal], own_seat: usize) -> LuckEstimates {
    let deals: Vec<Deal<'_>> =
        deals.iter().map(|(deck, actions)| Deal { deck: deck.tiles(), actions }).collect();
    let luck = estimator.luck(id, &deals).expect("a match that was played by the rules");
    if own_seat == 0 { luck.first_seat } else { luck.second_seat() }
}

/// 1 for a match won, a half for a drawn one; and the lead over the best other seat.
fn standing(game: &Match, own_seat: usize) -> (f64, f64) {
    let scores = game.scores().as_slice();
    let signed = |score: u32| match game.rules().better {
        WinningScore::Lower => -f64::from(score),
        WinningScore::Higher => f64::from(score),
    };
    let own = signed(scores[own_seat]);
    let others =
        scores.iter().enumerate().filter(|&(seat, _)| seat != own_seat).map(|(_, &score)| signed(score));
    let best = others.fold(f64::NEG_INFINITY, f64::max);
    let share = match game.leading() {
        Some(seat) if seat.index() == own_seat => 1.0,
        None if own >= best => 0.5,
        _ => 0.0,
    };
    (share, own - best)
}

/// A strategy whose thinking time is measured.
struct Timed {
    inner: Box<dyn Strategy>,
    thought: Thought,
}

impl Strategy for Timed {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.inner.begin(rules, bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> leyden_protocol::Action {
        let began = Began::now();
        let action = self.inner.choose(turn);
        self.thought.time += began.elapsed();
        self.thought.decisions += 1;
        action
    }
}
