//! Trains the policies of `strong`: writes `strong/weights.txt`, or the part of it for the variants that are named.
//!
//! ```text
//! cargo run --release -p leyden-sample-bots --example train_strong > weights.txt && mv weights.txt sample-bots/strong/
//! cargo run --release -p leyden-sample-bots --example train_strong -- leyden > leyden.txt
//! cargo run --release -p leyden-sample-bots --example train_strong -- network > network.txt && mv network.txt sample-bots/strong/
//! ```
//!
//! `cargo test --release -p leyden-sample-bots --example train_strong -- --include-ignored` compares the committed files with what
//! it makes, in ten minutes. `tests/run` does a twentieth of the work, for the fastest variant and the network, and compares
//! a fingerprint of the outcome.
//!
//! 1. `strong` plays itself with weights set by hand, and the choices of its search are recorded ([`Decision`]).
//! 2. A conditional logit is fitted to the choices: with its weights the policy chooses as much like the search as it can.
//! 3. An evolution strategy starts from there: it perturbs the weights in opposite directions, lets the two play rounds against
//!    each other, and moves towards the one that won points.
//! 4. `strong` with the result plays `montecarlo`, and a second logit, fitted to the choices of both, becomes the model of other
//!    seats.
//! 5. For `matador` a small network, fitted to more such choices, is added to that model: `strong/network.txt`.
//!
//! Everything is seeded, and starts from the program alone, not from existing weights: the same program makes the same weights
//! again. It uses one thread, for ten minutes in all.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

#[path = "train_strong/network.rs"]
mod network;

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use leyden_protocol::{Action, RulesName, Seat, Set, Turn, WinningScore};
use leyden_rules::{DealNumber, InformationSet, Lead, Round, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::dice::Dice;
use leyden_sample_bots::ladder::weights_by_hand;
use leyden_sample_bots::montecarlo::MonteCarlo;
use leyden_sample_bots::strong::Strong;
use leyden_sample_bots::strong::features::{Feature, Features, KINDS, Weights};
use leyden_sample_bots::strong::network::Network;
use leyden_sample_bots::strong::playout::Playout;
use leyden_sample_bots::strong::policy::{Policy, PublicView};
use leyden_sample_bots::strong::weights::Variant;
use leyden_sample_bots::table::{play_match, shuffled};

const COUNT: usize = Feature::ALL.len();
/// Decisions for each logit, and playouts per decision.
const DECISIONS: usize = 12_000;
const PLAYOUTS: u32 = 300;
/// The same for the network.
const NETWORK_DECISIONS: usize = 120_000;
const NETWORK_PLAYOUTS: u32 = 500;
/// The evolution strategy: how many moves it makes, the directions it tries for each, and the deals played for each direction
/// (each of them from both sides).
const MOVES: usize = 600;
const DIRECTIONS: usize = 80;
const DEALS: u64 = 48;
/// The sizes of a perturbation and of a move: as a difference in value that a typical difference of a feature makes.
const PERTURBATION: f32 = 0.5;
const STEP: f32 = 0.05;

fn main() -> ExitCode {
    let mut chosen = Vec::new();
    for name in std::env::args().skip(1) {
        if name == "network" {
            let rules = Variant::Standard(RulesName::Matador).rules();
            print!("{}", train_network(&rules, &train(&rules, 1), 1));
            return ExitCode::SUCCESS;
        }
        let Some(variant) = Variant::ALL.into_iter().find(|variant| variant.name() == name) else {
            eprintln!(
                "there is no variant {name:?}; there are {}",
                Variant::ALL.map(Variant::name).join(", ")
            );
            return ExitCode::from(2);
        };
        chosen.push(variant);
    }
    for variant in if chosen.is_empty() { Variant::ALL.to_vec() } else { chosen } {
        let [playout, model] = train(&variant.rules(), 1);
        print!("[{0} playout]\n{playout}\n[{0} model]\n{model}\n", variant.name());
    }
    ExitCode::SUCCESS
}

/// The weights of both roles. They are the committed ones if `divisor` is 1; a larger one divides the decisions and moves, and so
/// the time.
fn train(rules: &Rules, divisor: usize) -> [Weights; 2] {
    // At three points to a pip the softmax would be too confident.
    let mut model = weights_by_hand();
    each_weight(&mut model.0, |_, _, weight| *weight /= 9.0);
    let strong = |playout: &Weights, model: &Weights| strong(rules, [playout, model], PLAYOUTS);
    let decisions = collect_decisions(rules, |_| strong(&weights_by_hand(), &model), DECISIONS / divisor, 1);
    let (imitation, spread) = (fit_logit(&decisions), spread(&decisions));
    report(rules, &decisions, &imitation);
    let playout = evolve(rules, &imitation, &spread, MOVES / divisor);
    let either = |seat: Seat| match seat.index() % 2 {
        0 => strong(&playout, &imitation),
        _ => Box::new(MonteCarlo::new().with_playouts(PLAYOUTS)),
    };
    let decisions = collect_decisions(rules, either, DECISIONS / divisor, 2);
    let model = fit_logit(&decisions);
    report(rules, &decisions, &model);
    [playout, model]
}

fn strong(rules: &Rules, policies: [&Weights; 2], playouts: u32) -> Box<dyn Strategy> {
    let [playout, model] = policies.map(|weights| policy(rules.set, weights));
    Box::new(Strong::new().with_playouts(playouts).with_policies(playout, model))
}

/// The network that the model adds to its values, from choices of both bots.
fn train_network(rules: &Rules, [playout, model]: &[Weights; 2], divisor: usize) -> Network {
    let either = |seat: Seat| match seat.index() % 2 {
        0 => strong(rules, [playout, model], NETWORK_PLAYOUTS),
        _ => Box::new(MonteCarlo::new().with_playouts(NETWORK_PLAYOUTS)),
    };
    let decisions = collect_decisions(rules, either, NETWORK_DECISIONS / divisor, 3);
    let choice = |decision: Decision| {
        let values = decision.plays.iter().map(|play| value(&model.0[decision.kind], play) as f32);
        network::Choice { plays: values.zip(decision.inputs).collect(), taken: decision.taken }
    };
    let choices: Vec<network::Choice> = decisions.into_iter().map(choice).collect();
    let network = network::fit(&choices, &mut Dice::seeded(4));
    let [without, with] = network::log_likelihood(&choices, &network);
    eprintln!("network: mean log-likelihood of {} choices {without:.3}, with it {with:.3}", choices.len());
    network
}

fn report(rules: &Rules, decisions: &[Decision], weights: &Weights) {
    let agreed = agreement(decisions, weights);
    eprintln!("{}: {} decisions, {agreed:.3} agreed with", rules.name, decisions.len());
}

/// A choice of the search: the plays that there were, and which it took.
struct Decision {
    kind: usize,
    plays: Vec<Features>,
    /// The same for the network, in `matador`.
    inputs: Vec<Vec<(usize, f32)>>,
    taken: usize,
}

/// Plays like a bot that searches and records its decisions.
struct Recorder {
    inner: Box<dyn Strategy>,
    rules: Rules,
    decisions: Arc<Mutex<Vec<Decision>>>,
}

impl Strategy for Recorder {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.rules = *rules;
        self.inner.begin(rules, bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let action = self.inner.choose(turn);
        if let Some(decision) = decision(&self.rules, turn, action) {
            self.decisions.lock().expect("one thread").push(decision);
        }
        action
    }
}

fn decision(rules: &Rules, turn: &Turn<'_>, taken: Action) -> Option<Decision> {
    let Action::Play(..) = taken else { return None };
    let unseen: Vec<_> = Round::unseen(rules, &turn.view()).into_iter().collect();
    let round = InformationSet::new(rules, &turn.view()).ok()?.suppose(&unseen).ok()?;
    let seen = PublicView::new(rules, &turn.history);
    let mut decision = Decision { kind: 0, plays: Vec::new(), inputs: Vec::new(), taken: 0 };
    let mut seen_plays = Vec::new();
    for &action in turn.legal.iter() {
        if let Action::Play(arm, lay) = action {
            // Of arms with equal ends only the first counts, as in the search.
            let play = (turn.arms.get(arm), lay);
            if seen_plays.contains(&play) {
                continue;
            }
            seen_plays.push(play);
            if action == taken {
                decision.taken = decision.plays.len();
            }
            let (kind, features) = Policy::features(&round, turn.seat, &seen, arm, lay);
            decision.kind = kind;
            decision.plays.push(features);
            if Variant::for_rules(rules) == Variant::Standard(RulesName::Matador) {
                decision.inputs.push(Network::inputs_of(&round, turn.seat, &seen, arm, lay));
            }
        }
    }
    (decision.plays.len() > 1).then_some(decision)
}

/// A policy that lasts as long as the program.
fn policy(set: Set, weights: &Weights) -> &'static Policy {
    Box::leak(Box::new(Policy::new(set, weights)))
}

/// Lets bots play, one per seat, until there are enough decisions.
fn collect_decisions(
    rules: &Rules,
    bot: impl Fn(Seat) -> Box<dyn Strategy>,
    needed: usize,
    seed: u64,
) -> Vec<Decision> {
    let decisions = Arc::new(Mutex::new(Vec::new()));
    let recorder = |seat| Recorder { inner: bot(seat), rules: *rules, decisions: Arc::clone(&decisions) };
    let mut recorders: Vec<Recorder> = rules.seats.iter().map(recorder).collect();
    for number in 0.. {
        if decisions.lock().expect("one thread").len() >= needed {
            break;
        }
        let deal = |deal| shuffled(rules, seed * 1_000_000 + number, deal);
        let mut players: Vec<&mut dyn Strategy> =
            recorders.iter_mut().map(|recorder| recorder as _).collect();
        let count = players.len() as u64;
        let seeds: Vec<u64> = (0..count).map(|seat| count * number + seat).collect();
        play_match(rules, &mut players, &seeds, deal);
    }
    std::mem::take(&mut *decisions.lock().expect("one thread"))
}

fn value(weights: &Features, features: &Features) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| f64::from(weight * feature)).sum()
}

/// The share of decisions in which the weights choose what the search chose, or a play with the same features.
fn agreement(decisions: &[Decision], weights: &Weights) -> f64 {
    let agrees = |decision: &&Decision| {
        let value = |play: &Features| value(&weights.0[decision.kind], play);
        let most = decision.plays.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        value(&decision.plays[decision.taken]) >= most - 1e-6
    };
    decisions.iter().filter(agrees).count() as f64 / decisions.len() as f64
}

/// By how much each feature typically differs between the plays of one decision.
fn spread(decisions: &[Decision]) -> Features {
    std::array::from_fn(|feature| {
        let variance = |decision: &Decision| {
            let count = decision.plays.len() as f32;
            let mean = decision.plays.iter().map(|play| play[feature]).sum::<f32>() / count;
            decision.plays.iter().map(|play| (play[feature] - mean).powi(2)).sum::<f32>() / count
        };
        (decisions.iter().map(variance).sum::<f32>() / decisions.len() as f32).sqrt().max(0.01)
    })
}

/// The weights that make the choices likeliest, by Newton's method, slightly shrunk.
fn fit_logit(decisions: &[Decision]) -> Weights {
    const SHRINKAGE: f64 = 1.0;
    let mut weights = Weights([[0.0; COUNT]; KINDS]);
    for (kind, row) in weights.0.iter_mut().enumerate() {
        for _ in 0..12 {
            let mut gradient = row.map(|weight| -SHRINKAGE * f64::from(weight));
            let mut hessian = [[0.0; COUNT]; COUNT];
            (0..COUNT).for_each(|i| hessian[i][i] = SHRINKAGE);
            for decision in decisions.iter().filter(|decision| decision.kind == kind) {
                add_derivatives(decision, row, &mut gradient, &mut hessian);
            }
            for (weight, step) in row.iter_mut().zip(solve(hessian, gradient)) {
                *weight += step.clamp(-2.0, 2.0) as f32;
            }
        }
    }
    weights
}

/// What one decision contributes to the first and second derivatives of the log-likelihood.
fn add_derivatives(
    decision: &Decision,
    row: &Features,
    gradient: &mut [f64; COUNT],
    hessian: &mut [[f64; COUNT]; COUNT],
) {
    let values: Vec<f64> = decision.plays.iter().map(|play| value(row, play)).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = values.iter().map(|value| (value - most).exp()).collect();
    let all: f64 = shares.iter().sum();
    let mean: [f64; COUNT] = std::array::from_fn(|i| {
        decision.plays.iter().zip(&shares).map(|(play, share)| share / all * f64::from(play[i])).sum()
    });
    for (i, gradient) in gradient.iter_mut().enumerate() {
        *gradient += f64::from(decision.plays[decision.taken][i]) - mean[i];
    }
    for (play, share) in decision.plays.iter().zip(&shares) {
        let off: [f64; COUNT] = std::array::from_fn(|i| f64::from(play[i]) - mean[i]);
        for i in 0..COUNT {
            for j in 0..COUNT {
                hessian[i][j] += share / all * off[i] * off[j];
            }
        }
    }
}

/// Solves a positive definite system by elimination.
fn solve(mut matrix: [[f64; COUNT]; COUNT], mut right: [f64; COUNT]) -> [f64; COUNT] {
    for i in 0..COUNT {
        for below in i + 1..COUNT {
            let (factor, row) = (matrix[below][i] / matrix[i][i], matrix[i]);
            for (left, above) in matrix[below].iter_mut().zip(row).skip(i) {
                *left -= factor * above;
            }
            right[below] -= factor * right[i];
        }
    }
    for i in (0..COUNT).rev() {
        let known: f64 = (i + 1..COUNT).map(|column| matrix[i][column] * right[column]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

/// Moves the weights towards those that win points. Rounds are played by the policies alone, without search.
fn evolve(rules: &Rules, start: &Weights, spread: &Features, moves: usize) -> Weights {
    let mut dice = Dice::seeded(3);
    let mut current = start.clone();
    let mut sum = [[0.0_f64; COUNT]; KINDS];
    let averaged = moves / 2;
    for generation in 0..moves {
        let mut gradient = [[0.0_f32; COUNT]; KINDS];
        for direction in 0..DIRECTIONS {
            let perturbation = [[0.0; COUNT]; KINDS].map(|row: Features| row.map(|_| normal(&mut dice)));
            let [plus, minus] = [PERTURBATION, -PERTURBATION].map(|far| {
                let mut perturbed = current.clone();
                each_weight(&mut perturbed.0, |kind, i, weight| {
                    *weight += far * perturbation[kind][i] / spread[i];
                });
                Policy::new(rules.set, &perturbed)
            });
            let seed = ((generation * DIRECTIONS + direction) as u64) * DEALS;
            let won = margin(rules, &plus, &minus, seed, DEALS);
            each_weight(&mut gradient, |kind, i, gradient| *gradient += won * perturbation[kind][i]);
        }
        // The step has a fixed length, as the length of the gradient is mostly noise.
        let length =
            gradient.iter().flatten().map(|part| part * part).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        let far =
            STEP * (KINDS as f32 * COUNT as f32).sqrt() * (1.0 - 0.8 * generation as f32 / moves as f32);
        each_weight(&mut current.0, |kind, i, weight| {
            *weight += far * gradient[kind][i] / length / spread[i];
        });
        if generation >= averaged {
            each_weight(&mut sum, |kind, i, sum| *sum += f64::from(current.0[kind][i]));
        }
        if (generation + 1) % 200 == 0 {
            let [first, hand, now] =
                [start, &weights_by_hand(), &current].map(|weights| Policy::new(rules.set, weights));
            let [gained, over_hand] = [first, hand].map(|other| margin(rules, &now, &other, 1 << 40, 5_000));
            eprintln!(
                "{} moves: {gained:+.2} points a round, {over_hand:+.2} over the weights set by hand",
                generation + 1
            );
        }
    }
    Weights(sum.map(|row| row.map(|sum| (sum / (moves - averaged) as f64) as f32)))
}

fn each_weight<T>(weights: &mut [[T; COUNT]; KINDS], mut change: impl FnMut(usize, usize, &mut T)) {
    for (kind, row) in weights.iter_mut().enumerate() {
        row.iter_mut().enumerate().for_each(|(i, weight)| change(kind, i, weight));
    }
}

/// A nearly normal number: the sum of twelve uniform ones.
fn normal(dice: &mut Dice) -> f32 {
    (0..12).map(|_| dice.fraction()).sum::<f32>() - 6.0
}

/// By how many points a round one policy is better than another: the seats alternate between them, and each deal is played both
/// ways.
fn margin(rules: &Rules, one: &Policy, other: &Policy, seed: u64, deals: u64) -> f32 {
    let mut total = 0.0;
    for deal in 0..deals {
        let deck = shuffled(rules, seed + deal, DealNumber { round: 1, redeal: 0 });
        let lead = Lead::for_rule(rules.leads.later, Seat::FIRST, true);
        let Some(round) = Round::deal(rules, &deck, lead) else { continue };
        total += play(rules, &round, [one, other]) - play(rules, &round, [other, one]);
    }
    total / (2 * deals) as f32
}

/// By how many points the seats of the first policy do better in a round than those of the second, on average.
fn play(rules: &Rules, round: &Round, policies: [&Policy; 2]) -> f32 {
    let added = Playout::points_between(round, rules, policies);
    let mean = |which: usize| {
        let mine = added.as_slice().iter().skip(which).step_by(2);
        let count = mine.len() as f32;
        mine.map(|&points| points as f32).sum::<f32>() / count
    };
    let (first, second) = (mean(0), mean(1));
    match rules.better {
        WinningScore::Lower => second - first,
        WinningScore::Higher => first - second,
    }
}

#[cfg(test)]
mod tests {
    use leyden_sample_bots::strong::weights::{Role, weights};

    use super::*;

    const FASTEST: Variant = Variant::Standard(RulesName::Matador);

    /// FNV-1a of what a twentieth of the training makes. If that changes, the committed files are out of date: make them again with
    /// the commands at the top, then put here what the test found.
    const FINGERPRINT: &str = "be712a2d87e58d4f";

    #[test]
    fn short_training_makes_what_it_made_before() {
        let rules = FASTEST.rules();
        let both = train(&rules, 20);
        let network = train_network(&rules, &both, 20);
        let [playout, model] = both;
        let made = format!("{playout}{model}{network}");
        let hash = made.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        assert_eq!(format!("{hash:016x}"), FINGERPRINT, "make the committed files again: see the top");
    }

    #[test]
    #[ignore = "takes ten minutes, with `--release`; a release runs it"]
    fn committed_weights_are_what_this_program_makes() {
        for variant in Variant::ALL {
            let rules = variant.rules();
            let both = train(&rules, 1);
            for (role, made) in Role::ALL.into_iter().zip(&both) {
                let committed = weights(variant, role);
                assert_eq!(made.to_string(), committed.to_string(), "{} {}", variant.name(), role.name());
            }
            if variant == FASTEST {
                assert_eq!(train_network(&rules, &both, 1).to_string(), Network::trained().to_string());
            }
        }
    }
}
