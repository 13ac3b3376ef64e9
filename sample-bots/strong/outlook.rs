//! What a position is worth to somebody who sees all hands, but not the order of the boneyard: a spectator.

use leyden_protocol::{Tile, Turn};
use leyden_rules::{InformationSet, Round, Rules};

use super::playout::Playout;
use super::policy::Policy;
use crate::dice::Dice;
use crate::evaluation::Evaluation;

/// Returns the probability that the seat to act wins the match, 0 to 1: a mean over rounds played out by the policy, each with the real
/// hands and the boneyard shuffled. `None` if turn and round contradict each other.
pub fn outlook(rules: &Rules, turn: &Turn<'_>, round: &Round, playouts: u32, seed: u64) -> Option<f64> {
    let known = InformationSet::new(rules, &turn.view()).ok()?;
    let others = rules.seats.iter().filter(|&seat| seat != turn.seat);
    let mut hidden: Vec<Tile> = others.flat_map(|seat| round.hand(seat)).collect();
    let held = hidden.len();
    hidden.extend(round.boneyard());
    let (policy, evaluation) = (Policy::for_rules(rules), Evaluation::for_rules(rules.name));
    let mut dice = Dice::seeded(seed);
    let mut sum = 0.0;
    for _ in 0..playouts {
        dice.shuffle(&mut hidden[held..]);
        let world = known.suppose(&hidden).ok()?;
        let ending = Playout::new(&world, &turn.history, policy).ending();
        sum += f64::from(evaluation.win_probability(rules, turn, &ending));
    }
    Some(sum / f64::from(playouts.max(1)))
}
