//! The end of a round between two seats when no tile is left to draw: each knows what the other holds, so there is a best way to go
//! on, and an alpha-beta search finds it. Half of such ends take a dozen positions; one in a hundred takes some hundreds.

use std::cmp::Ordering;

use leyden_protocol::Action;
use leyden_rules::Outcome;

use super::duel::Duel;
use super::glance::Play;
use crate::prospects::Ending;

/// How a round ends after an action if both go on as well as they can, by what an ending is worth to the seat that acts; the other
/// wants the opposite.
pub(super) fn best_ending(duel: &Duel<'_>, action: Action, worth: &impl Fn(&Ending) -> f32) -> Ending {
    let mut next = *duel;
    let over = next.apply(action);
    search(&next, over, duel.to_act(), worth, [f32::NEG_INFINITY, f32::INFINITY]).1
}

/// The end and its worth. Outside of `window`, at least and at most so much, it only matters on which side of it that is.
fn search(
    duel: &Duel<'_>,
    over: Option<Outcome>,
    own: usize,
    worth: &impl Fn(&Ending) -> f32,
    mut window: [f32; 2],
) -> (f32, Ending) {
    if over.is_some() {
        let ending = duel.ending(over);
        return (worth(&ending), ending);
    }
    let mut plays: Vec<(Play, f32)> = Vec::with_capacity(16);
    duel.judge(|play, glance| plays.push((play, glance)));
    if plays.is_empty() {
        let mut next = *duel;
        next.pass();
        return search(&next, None, own, worth, window);
    }
    // What looks best first, so that the rest is soon known to be no better.
    plays.sort_by(|one, other| other.1.total_cmp(&one.1));
    let (better, bound) = if duel.to_act() == own { (Ordering::Greater, 0) } else { (Ordering::Less, 1) };
    let mut best: Option<(f32, Ending)> = None;
    for (play, _) in plays {
        let mut next = *duel;
        let over = next.play(play);
        let found = search(&next, over, own, worth, window);
        if best.is_none_or(|best| found.0.total_cmp(&best.0) == better) {
            best = Some(found);
            if found.0.total_cmp(&window[bound]) == better {
                window[bound] = found.0;
            }
        }
        if window[0] >= window[1] {
            break;
        }
    }
    best.unwrap_or_else(|| unreachable!("there were plays"))
}
