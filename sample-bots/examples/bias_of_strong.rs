//! Measures what the playouts of `strong` get wrong on average: what `strong/bias.rs` corrects, in points.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example bias_of_strong -- leyden 4000
//! ```
//!
//! `strong` and `montecarlo` play matches. At some decisions of `strong` two actions are chosen that it rates about equally; after
//! each of them both bots play the round to its end, with the tiles as they lie. The difference between the actual and the predicted
//! gain is fitted by least squares to the kinds of the two actions: draws, leads, matadors. Everything is seeded.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use std::process::ExitCode;

use leyden_protocol::{Action, Clock, Phase, RulesName, Seat, Turn, WinningScore};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::dice::Dice;
use leyden_sample_bots::montecarlo::MonteCarlo;
use leyden_sample_bots::strong::{Idea, Strong, WeighedAction, weigh};
use leyden_sample_bots::table::shuffled;

/// The kinds of action. Matadors are not corrected: what was found for them differed from one measurement to the next.
const KINDS: [&str; 3] = ["draw", "lead", "matador"];
/// Deals for the prediction, the largest difference in it, and the share of decisions that are examined, in percent.
const DEALS: u32 = 400;
const MAX_DIFFERENCE: f64 = 0.08;
const SAMPLED_PERCENT: u8 = 50;
/// Playouts per decision of `strong` and of `montecarlo`.
const PLAYOUTS: [u32; 2] = [300, 500];
const CLOCK: Clock = Clock { turn_ms: 3_600_000, bank_ms: 0, last_us: None };

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().map(|name| name.parse::<RulesName>());
    let requested = arguments.next().map(|number| number.parse::<usize>());
    let (Some(Ok(name)), Some(Ok(requested))) = (name, requested) else {
        eprintln!("expected a rule set and how many decisions to look at, such as: leyden 4000");
        return ExitCode::from(2);
    };
    let rules = Rules::standard(name);
    let mut compared = Vec::new();
    for number in 0.. {
        if compared.len() >= requested {
            break;
        }
        observe_match(&rules, number, &mut compared);
    }
    println!("{name}: points that playouts miss, from {} decisions", compared.len());
    for (kind, (points, off)) in KINDS.iter().zip(least_squares(&compared)) {
        println!("  {kind:<8} {points:+.2} ± {off:.2}");
    }
    ExitCode::SUCCESS
}

/// Two actions: how they differ in kind, and by how many points the first did better than predicted.
struct Compared {
    difference: [f64; KINDS.len()],
    more: f64,
}

fn bots(own: Seat) -> [Box<dyn Strategy>; 2] {
    let [own_playouts, others] = PLAYOUTS;
    let strong = Strong::new().without(Idea::Bias).with_playouts(own_playouts);
    let mut bots: [Box<dyn Strategy>; 2] =
        [Box::new(strong), Box::new(MonteCarlo::new().with_playouts(others))];
    bots.rotate_left(own.index());
    bots
}

fn begin(bots: &mut [Box<dyn Strategy>; 2], rules: &Rules, seed: u64) {
    for (bot, seat) in bots.iter_mut().zip(0..) {
        bot.begin(rules, 2 * seed + seat);
    }
}

fn observe_match(rules: &Rules, number: u64, compared: &mut Vec<Compared>) {
    let Some(own) = Seat::new((number % 2) as usize) else { return };
    let mut dice = Dice::seeded(number);
    let mut players = bots(own);
    begin(&mut players, rules, number);
    let mut game = Match::new(rules);
    while game.finish().is_none() {
        game.deal(&shuffled(rules, number, game.deal_number()));
        play_on(&mut game, &mut players, |game, turn| {
            if turn.seat == own && dice.percent(SAMPLED_PERCENT) {
                compared.extend(compare(rules, game, turn, &mut dice));
            }
        });
    }
}

/// Plays the round to its end; `show` is called before each decision.
fn play_on(game: &mut Match, players: &mut [Box<dyn Strategy>; 2], mut show: impl FnMut(&Match, &Turn<'_>)) {
    let mut legal = Vec::new();
    while let Some(round) = game.round() {
        let Some(seat) = round.to_act() else {
            game.settle();
            return;
        };
        let action = round.legal().forced().unwrap_or_else(|| {
            let Some(view) = game.view(seat, &mut legal) else { unreachable!("a round is being played") };
            let turn = Turn::new(1, "table", view, CLOCK);
            show(game, &turn);
            players[seat.index()].choose(&turn)
        });
        if let Err(illegal) = game.apply(action) {
            panic!("{illegal}");
        }
    }
}

/// Two of the four best actions, at random; `None` if one is much better than all others.
fn compare(rules: &Rules, game: &Match, turn: &Turn<'_>, dice: &mut Dice) -> Option<Compared> {
    let mut weighed = weigh(rules, turn, DEALS, turn.history.len() as u64);
    weighed.sort_by(|one, other| other.chance.total_cmp(&one.chance));
    let best = weighed.first()?.chance;
    weighed.retain(|weighed| best - weighed.chance < MAX_DIFFERENCE);
    weighed.truncate(4);
    dice.shuffle(&mut weighed);
    let &[one, other, ..] = &weighed[..] else { return None };
    let seed = dice.below(1 << 30) as u64;
    let [came, came_other] = [one, other].map(|weighed| actual_gain(rules, game, turn, &weighed, seed));
    let [own, others] = [one, other].map(|weighed| kinds(turn, weighed.action));
    Some(Compared {
        difference: std::array::from_fn(|kind| own[kind] - others[kind]),
        more: came - came_other - (one.margin - other.margin),
    })
}

/// By how many points an action brought its seat ahead in this round.
fn actual_gain(rules: &Rules, game: &Match, turn: &Turn<'_>, weighed: &WeighedAction, seed: u64) -> f64 {
    let mut branch = game.clone();
    if let Err(illegal) = branch.apply(weighed.action) {
        panic!("{illegal}");
    }
    let mut players = bots(turn.seat);
    begin(&mut players, rules, seed);
    play_on(&mut branch, &mut players, |_, _| {});
    let gained = |seat: Seat| f64::from(branch.scores()[seat]) - f64::from(game.scores()[seat]);
    let ahead = gained(turn.seat) - gained(rules.seats.after(turn.seat));
    if rules.better == WinningScore::Lower { -ahead } else { ahead }
}

/// The kind of an action: draws and leads as in `strong/bias.rs`, 1 for a matador.
fn kinds(turn: &Turn<'_>, action: Action) -> [f64; KINDS.len()] {
    let left = f64::from(turn.drawable);
    match (turn.phase, action) {
        (Phase::Play, Action::Draw) => [(3.0 * left).min(14.0 - left).max(0.0) / 2.0, 0.0, 0.0],
        (Phase::Lead, Action::Lead(_)) => [0.0, 1.0, 0.0],
        (_, Action::Play(_, lay)) if [0, 7].contains(&lay.tile().pips()) => [0.0, 0.0, 1.0],
        _ => [0.0; KINDS.len()],
    }
}

/// The coefficient of each kind, and half the width of its 95 % interval. Each kind is fitted alone.
fn least_squares(compared: &[Compared]) -> [(f64, f64); KINDS.len()] {
    std::array::from_fn(|kind| {
        let of = |compared: &Compared| compared.difference[kind];
        let weight: f64 = compared.iter().map(|one| of(one).powi(2)).sum();
        if weight == 0.0 {
            return (0.0, 0.0);
        }
        let points = compared.iter().map(|one| of(one) * one.more).sum::<f64>() / weight;
        let noise: f64 =
            compared.iter().map(|one| (of(one) * (one.more - points * of(one))).powi(2)).sum::<f64>().sqrt()
                / weight;
        (points, 1.96 * noise)
    })
}
