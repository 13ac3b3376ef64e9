//! The pairings of a Swiss round: FIDE's Dutch system (C.04.3) without colours, because a meeting has both seatings.
//!
//! Each criterion counts only where all criteria before it are equally well fulfilled (numbers as in C.04.3):
//!
//! 1. No two bots meet twice, and none has a second bye (C1, C2). Where no such pairing is left: as few repeats as possible.
//! 2. The bye goes to a bot with as low a score as possible (C5).
//! 3. From the highest score down: as few bots as possible meet one from below that score (C6 to C8).
//! 4. The squares of the score differences add up to as little as possible (C7).
//! 5. The bye goes to a bot with as few unplayed rounds as possible (C9).
//! 6. As few bots as possible float down, then up, that did so in the round before; then in the one before that (C14 to C17);
//!    then the squares of the score differences of those bots are as small as possible, in the same order (C18 to C21).
//! 7. Among bots with equal scores the lowest floats down or has the bye, and the highest floats up.
//! 8. In what is left of a group of equal scores the upper half meets the lower half (D.1): as few meetings as possible within
//!    a half; then, from the highest bot down, each meets the first bot of the lower half that leaves a pairing for the rest.
//!
//! Criteria 1 to 7 are one number for each possible meeting, and a matching with the least sum is the best pairing. Where FIDE
//! pairs bracket by bracket, this looks at the whole round; and where FIDE exchanges bots between halves by rules of their own,
//! criterion 8 is as described here.

mod criteria;
mod entrant;
mod halves;
mod wide_integer;

use leyden_model::BotIndex;

pub use entrant::{Entrant, Float};
use entrant::{groups, has_met};

/// The most bots of a Swiss: the time grows with the cube of their number, and the memory with its square.
pub const MOST_IN_SWISS: usize = 500;

/// Who meets whom in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings {
    /// By the score of the better bot, best first; in each pair the one with the better score, or the better number, first.
    pub pairs: Vec<(BotIndex, BotIndex)>,
    /// If their number is odd.
    pub bye: Option<BotIndex>,
}

/// Pairs the next round. The entrants are in the order of their pairing numbers, best first, which decides between equal
/// scores.
pub fn pair(entrants: &[Entrant]) -> Pairings {
    let mut ranked: Vec<&Entrant> = entrants.iter().collect();
    ranked.sort_by_key(|entrant| std::cmp::Reverse(entrant.score));
    let mates = criteria::best_mates(&ranked);
    let bye = mates.get(ranked.len()).copied();
    let mut pairs = Vec::new();
    for group in groups(&ranked) {
        // A repeat is as criterion 1 left it.
        let among = |index: &usize| {
            let mate = mates[*index];
            group.contains(&mate) && !has_met(ranked[*index], ranked[mate])
        };
        let rest: Vec<usize> = group.clone().filter(among).collect();
        let may = |one: usize, other: usize| !has_met(ranked[rest[one]], ranked[rest[other]]);
        pairs.extend(halves::pair(rest.len(), may).into_iter().map(|(one, other)| (rest[one], rest[other])));
        let others =
            group.clone().filter(|index| !among(index) && *index < mates[*index] && Some(*index) != bye);
        pairs.extend(others.map(|index| (index, mates[index])));
    }
    pairs.sort_unstable();
    let bot = |index: usize| ranked[index].bot;
    Pairings {
        pairs: pairs.into_iter().map(|(one, other)| (bot(one), bot(other))).collect(),
        bye: bye.map(bot),
    }
}

#[cfg(test)]
mod tests;
