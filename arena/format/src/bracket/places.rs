//! The places in a bracket. Who lost in the same round shares a place, unless they met for it.

use leyden_model::BotIndex;

use super::{Bracket, Side, State};

/// Groups of bots that share a place, best first. Bots that are still in it come first, in the order of their seeds.
pub fn places(bracket: &Bracket, states: &[State], seeds: &[BotIndex]) -> Vec<Vec<BotIndex>> {
    // The last loss of each bot: the later, the better.
    let mut out: Vec<((u8, u32), BotIndex)> = Vec::new();
    let doubled = bracket.rounds(Side::Losers) > 0 || bracket.rounds(Side::GrandFinal) > 0;
    for (slot, state) in bracket.slots.iter().zip(states) {
        let State::Played { winner, loser } = *state else { continue };
        match slot.side {
            Side::Winners if doubled => {}
            Side::Winners => {
                let stays =
                    bracket.rounds(Side::ThirdPlace) > 0 && slot.round + 2 == bracket.rounds(Side::Winners);
                if !stays {
                    out.push(((1, 2 * slot.round + 2), loser));
                }
            }
            Side::ThirdPlace => {
                // Between the losers of the final and those of the quarter-finals.
                let round = 2 * bracket.rounds(Side::Winners);
                out.push(((1, round - 1), winner));
                out.push(((1, round - 2), loser));
            }
            Side::Losers => out.push(((1, slot.round), loser)),
            Side::GrandFinal => {
                let reset = states.last().is_some_and(|last| !matches!(last, State::Empty));
                if slot.round == 1 || !reset {
                    out.push(((2, 0), loser));
                }
            }
        }
    }
    let is_in = |bot: &&BotIndex| out.iter().all(|(_, gone)| gone != *bot);
    let left: Vec<BotIndex> = seeds.iter().filter(is_in).copied().collect();
    let rank = |bot: BotIndex| seeds.iter().position(|&seed| seed == bot);
    out.sort_by_key(|&(loss, bot)| (std::cmp::Reverse(loss), rank(bot)));
    let gone = out.chunk_by(|one, other| one.0 == other.0);
    let gone = gone.map(|equal| equal.iter().map(|&(_, bot)| bot).collect());
    Some(left).into_iter().filter(|left| !left.is_empty()).chain(gone).collect()
}
