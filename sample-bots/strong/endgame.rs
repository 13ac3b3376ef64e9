//! The endgame of a round between two seats: once no tile is left to draw, each knows what the other holds, so there is a best way to
//! continue. An alpha-beta search finds it, usually within a few dozen positions; the largest of 40,000 endgames with up to 23 tiles,
//! reached by random play, took 27,578 positions, a matter of milliseconds. A search that reaches its bound looks no further: the
//! positions that it still comes to are played out by the policy instead.

use std::cmp::Ordering;

use leyden_protocol::Action;
use leyden_rules::RoundOutcome;
use leyden_rules::packed::PackedPlay;

use super::duel::Duel;
use crate::evaluation::RoundFinish;

/// How many positions one search may examine.
pub(super) const MAX_POSITIONS: u32 = 50_000;

/// How many positions all searches of a decision together may examine for each millisecond of its turn: they take less than a tenth of
/// it.
const POSITIONS_PER_MS: u64 = 500;

/// How many positions the search of each candidate may examine in a turn of this length.
pub(super) fn positions_within(turn_ms: u64, candidates: usize) -> u32 {
    let share = turn_ms.saturating_mul(POSITIONS_PER_MS) / candidates.max(1) as u64;
    share.min(MAX_POSITIONS.into()) as u32
}

/// How a round ends after an action if both sides then play as well as they can; `worth` is what an ending is worth to the seat that
/// acts, and the other seat wants the opposite.
pub(super) fn best_ending(
    max_positions: u32,
    duel: &Duel<'_>,
    action: Action,
    value: &impl Fn(&RoundFinish) -> f32,
) -> RoundFinish {
    best_ending_within(max_positions, duel, action, value).0
}

/// The same with a bound of its own; and how much of the bound is left.
fn best_ending_within(
    max_positions: u32,
    duel: &Duel<'_>,
    action: Action,
    value: &impl Fn(&RoundFinish) -> f32,
) -> (RoundFinish, u32) {
    let mut next = *duel;
    let over = next.apply(action);
    let mut search = AlphaBeta { own: duel.next_to_act(), value, positions_left: max_positions };
    let ending = search.search(&next, over, [f32::NEG_INFINITY, f32::INFINITY]).1;
    (ending, search.positions_left)
}

struct AlphaBeta<'w, Value> {
    /// The seat that wants the worth to be high.
    own: usize,
    value: &'w Value,
    positions_left: u32,
}

impl<Value: Fn(&RoundFinish) -> f32> AlphaBeta<'_, Value> {
    /// The ending that best play leads to, and its worth. If that lies outside of `window`, a lower and an upper bound, only the side
    /// on which it lies is certain.
    fn search(
        &mut self,
        duel: &Duel<'_>,
        over: Option<RoundOutcome>,
        mut window: [f32; 2],
    ) -> (f32, RoundFinish) {
        if over.is_some() {
            return self.rate(duel.ending(over));
        }
        if self.positions_left == 0 {
            return self.rate(duel.finish());
        }
        self.positions_left -= 1;
        let mut plays: Vec<(PackedPlay, f32)> = Vec::with_capacity(16);
        duel.evaluate_plays(|play, value| plays.push((play, value)));
        if plays.is_empty() {
            let mut next = *duel;
            next.pass();
            return self.search(&next, None, window);
        }
        // The most promising play first: the better the first, the more of the rest can be cut off.
        plays.sort_by(|one, other| other.1.total_cmp(&one.1));
        let (better, bound) =
            if duel.next_to_act() == self.own { (Ordering::Greater, 0) } else { (Ordering::Less, 1) };
        let mut best: Option<(f32, RoundFinish)> = None;
        for (play, _) in plays {
            let mut next = *duel;
            let over = next.play(play);
            let found = self.search(&next, over, window);
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

    fn rate(&self, ending: RoundFinish) -> (f32, RoundFinish) {
        ((self.value)(&ending), ending)
    }
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
    fn endgames(deals: u64) -> Vec<(Rules, Playout<'static>)> {
        let rules = Rules::standard(RulesName::Matador);
        let mut endgames = Vec::new();
        for seed in 0..deals {
            let mut dice = Dice::seeded(seed);
            let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
            let Some(round) = Round::deal(&rules, &deck, Lead::Highest) else { continue };
            let mut playout = Playout::new(&round, &[], Policy::for_rules(&rules));
            while playout.round().to_act().is_some() {
                let left: usize = playout.round().hands().iter().map(|(_, hand)| hand.len()).sum();
                if playout.round().boneyard().is_empty() && left <= 9 {
                    endgames.push((rules, playout));
                    break;
                }
                let legal = playout.round().legal();
                let action = legal.nth(dice.below(legal.len())).expect("one of them");
                assert!(playout.apply(action));
            }
        }
        endgames
    }

    #[test]
    fn search_bound_shrinks_only_in_short_turns() {
        assert_eq!(positions_within(1_000, 10), MAX_POSITIONS);
        assert_eq!(positions_within(20, 10), 1_000);
        assert_eq!(positions_within(0, 0), 0);
        assert_eq!(positions_within(u64::MAX, 1), MAX_POSITIONS);
    }

    #[test]
    fn both_get_what_they_can_by_the_rules() {
        let (mut compared, mut better) = (0, 0);
        for (rules, playout) in endgames(1_000) {
            let (Some(duel), Some(own)) = (playout.duel(), playout.round().to_act()) else { continue };
            for action in playout.round().legal().iter() {
                let value = |ending: &RoundFinish| margin(&ending.points(&rules), own);
                let mut next = *playout.round();
                next.apply(action).unwrap();
                let found = value(&best_ending(MAX_POSITIONS, &duel, action, &value));
                assert_eq!(found.total_cmp(&by_the_rules(&next, own)), Ordering::Equal, "{action}");
                compared += 1;
                better += usize::from(found > value(&duel.try_out(action, 1)));
            }
        }
        assert!(compared > 100 && better > 0, "{compared}, {better}");
    }

    /// A search that is cut short is the policy's playout at worst, and takes no more positions than it may.
    #[test]
    fn search_stops_at_its_bound() {
        let mut cut_short = 0;
        for (rules, playout) in endgames(200) {
            let (Some(duel), Some(own)) = (playout.duel(), playout.round().to_act()) else { continue };
            let value = |ending: &RoundFinish| margin(&ending.points(&rules), own);
            for action in playout.round().legal().iter() {
                let (ending, _) = best_ending_within(0, &duel, action, &value);
                assert_eq!(ending, duel.try_out(action, 1), "{action}");
                let (best, left) = best_ending_within(MAX_POSITIONS, &duel, action, &value);
                let enough = MAX_POSITIONS - left;
                assert_eq!(best_ending_within(enough, &duel, action, &value), (best, 0), "{action}");
                if enough > 0 {
                    assert_eq!(best_ending_within(enough - 1, &duel, action, &value).1, 0, "{action}");
                    cut_short += 1;
                }
            }
        }
        assert!(cut_short > 20, "{cut_short}");
    }
}
