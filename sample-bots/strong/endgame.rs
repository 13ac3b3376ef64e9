//! The end of a round between two seats when no tile is left to draw: each knows what the other holds, so there is a best way to go
//! on, and an alpha-beta search finds it, mostly among some dozens of positions: at most 27,578 in 40,000 rounds that were played at
//! random, with up to 23 tiles left, which takes milliseconds.

use std::cmp::Ordering;

use leyden_protocol::Action;
use leyden_rules::RoundOutcome;

use super::duel::Duel;
use super::glance::Play;
use crate::prospects::Ending;

/// How a round ends after an action if both go on as well as they can, by what an ending is worth to the seat that acts; the other
/// wants the opposite.
pub(super) fn best_ending(duel: &Duel<'_>, action: Action, worth: &impl Fn(&Ending) -> f32) -> Ending {
    let mut next = *duel;
    let over = next.apply(action);
    search(&next, over, duel.next_to_act(), worth, [f32::NEG_INFINITY, f32::INFINITY]).1
}

/// The end and its worth. Outside of `window`, at least and at most so much, it only matters on which side of it that is.
fn search(
    duel: &Duel<'_>,
    over: Option<RoundOutcome>,
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
    let (better, bound) =
        if duel.next_to_act() == own { (Ordering::Greater, 0) } else { (Ordering::Less, 1) };
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

#[cfg(test)]
mod tests {
    use leyden_protocol::{PerSeat, RulesName, Seat, Seats};
    use leyden_rules::{DealNumber, Lead, Round, Rules, points};

    use super::*;
    use crate::dice::Dice;
    use crate::strong::playout::Playout;
    use crate::strong::policy::Policy;
    use crate::table::shuffled;

    fn margin(added: &PerSeat<u32>, seat: Seat) -> f32 {
        added[seat] as f32 - added[Seats::TWO.after(seat)] as f32
    }

    /// What the seat `own` gets at best by the rules alone: every line is followed.
    fn by_the_rules(round: &Round, own: Seat) -> f32 {
        let Some(seat) = round.to_act() else {
            let outcome = round.outcome().expect("the round is over");
            return margin(&points(round.rules(), outcome, &round.pips()), own);
        };
        let legal = round.legal();
        let after = legal.iter().map(|action| {
            let mut next = *round;
            next.apply(action).expect("legal");
            by_the_rules(&next, own)
        });
        let better = if seat == own { f32::max } else { f32::min };
        after.reduce(better).expect("there is something to do")
    }

    /// Rounds of `matador` in which tiles are laid at random, until all are drawn and few are left.
    fn ends(deals: u64) -> Vec<(Rules, Playout<'static>)> {
        let rules = Rules::standard(RulesName::Matador);
        let mut ends = Vec::new();
        for seed in 0..deals {
            let mut dice = Dice::seeded(seed);
            let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
            let Some(round) = Round::deal(&rules, &deck, Lead::Highest) else { continue };
            let mut playout = Playout::new(&round, &[], Policy::of(&rules));
            while playout.round().to_act().is_some() {
                let left: usize = playout.round().hands().iter().map(|(_, hand)| hand.len()).sum();
                if playout.round().boneyard().is_empty() && left <= 9 {
                    ends.push((rules, playout));
                    break;
                }
                let legal = playout.round().legal();
                let action = legal.nth(dice.below(legal.len())).expect("one of them");
                assert!(playout.apply(action));
            }
        }
        ends
    }

    #[test]
    fn both_get_what_they_can_by_the_rules() {
        let (mut compared, mut better) = (0, 0);
        for (rules, playout) in ends(1_000) {
            let (Some(duel), Some(own)) = (Duel::of(&playout), playout.round().to_act()) else { continue };
            for action in playout.round().legal().iter() {
                let worth = |ending: &Ending| margin(&ending.points(&rules), own);
                let mut next = *playout.round();
                next.apply(action).unwrap();
                let found = worth(&best_ending(&duel, action, &worth));
                assert_eq!(found.total_cmp(&by_the_rules(&next, own)), Ordering::Equal, "{action}");
                compared += 1;
                better += usize::from(found > worth(&duel.try_out(action, 1)));
            }
        }
        assert!(compared > 100 && better > 0, "{compared}, {better}");
    }
}
