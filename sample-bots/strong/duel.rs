//! A round between two seats with the double-six set, for millions of playouts: the rules crate's packed round, with the policy of
//! each seat and what it is known to lack.
//!
//! A test checks play by play that the [policy](super::policy) leads to the same end without it. It starts once a double has been
//! led. With more seats or a larger set rounds are played out without it.

use leyden_protocol::{Action, PerSeat, Seat, Seats};
use leyden_rules::packed::{PackedPlay, PackedRound, Tiles, pack};
use leyden_rules::{Round, RoundOutcome};

use super::duel_policy::{NextSeat, evaluate_plays};
use super::policy::{Policy, PublicView};
use crate::evaluation::RoundFinish;

/// A round that is being played out.
#[derive(Clone, Copy)]
pub(super) struct Duel<'p> {
    /// The policy of each seat.
    policies: [&'p Policy; 2],
    round: PackedRound,
    /// Tiles that each seat is known to lack.
    lacks: [Tiles; 2],
}

impl<'p> Duel<'p> {
    /// Continues a round by the policy of each seat; `None` if the rules or the phase are not the right ones.
    pub(super) fn new(round: &Round, seen: &PublicView, policies: [&'p Policy; 2]) -> Option<Self> {
        let round = PackedRound::from_round(round)?;
        Some(Self { policies, round, lacks: SEATS.map(|seat| pack(seen.lacks[seat])) })
    }

    pub(super) fn next_to_act(&self) -> usize {
        self.round.to_act()
    }

    /// Takes a legal action of the seat to act. A draw when no tile is left does nothing.
    #[inline]
    pub(super) fn apply(&mut self, action: Action) -> Option<RoundOutcome> {
        match action {
            Action::Play(arm, lay) => self.play(PackedPlay::new(arm, lay)),
            Action::Draw if self.round.drawable() > 0 => self.draw(),
            Action::Pass => {
                self.pass();
                None
            }
            _ => None,
        }
    }

    #[inline]
    pub(super) fn play(&mut self, play: PackedPlay) -> Option<RoundOutcome> {
        self.round.play(play)
    }

    #[inline]
    fn draw(&mut self) -> Option<RoundOutcome> {
        // Only a seat that could not play is known to lack anything.
        let lacks = if self.round.playable() == 0 { self.round.layout().fitting() } else { 0 };
        self.lacks[self.round.to_act()] = lacks;
        self.round.draw()
    }

    #[inline]
    pub(super) fn pass(&mut self) {
        self.lacks[self.round.to_act()] |= self.round.layout().fitting();
        self.round.pass();
    }

    /// Takes an action so many times, as long as the round lasts, and plays the round to its end.
    #[inline]
    pub(super) fn try_out(&self, action: Action, times: u8) -> RoundFinish {
        let mut duel = *self;
        for _ in 0..times {
            if let over @ Some(_) = duel.apply(action) {
                return duel.ending(over);
            }
        }
        duel.finish()
    }

    /// Plays until the round is over.
    #[inline]
    pub(super) fn finish(mut self) -> RoundFinish {
        loop {
            let playable = self.round.playable();
            let over = if playable != 0 {
                if self.round.hand(self.round.to_act()).is_power_of_two() {
                    Some(self.round.go_out())
                } else {
                    self.best(playable).and_then(|play| self.play(play))
                }
            } else if self.round.may_draw() {
                self.draw()
            } else {
                self.pass();
                None
            };
            if over.is_some() {
                return self.ending(over);
            }
        }
    }

    pub(super) fn ending(&self, outcome: Option<RoundOutcome>) -> RoundFinish {
        let pips = self.round.pips();
        RoundFinish { outcome, pips: PerSeat::from_fn(Seats::TWO, |seat| pips[seat.index() % 2]) }
    }

    /// The best play of the seat to act; of equal ones the first.
    #[inline]
    fn best(&self, playable: Tiles) -> Option<PackedPlay> {
        if let only @ Some(_) = self.round.layout().only_play(playable) {
            return only;
        }
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        self.evaluate_plays(|play, value| {
            if value > most {
                (best, most) = (Some(play), value);
            }
        });
        best
    }

    /// The value of each play of the seat to act.
    #[inline]
    pub(super) fn evaluate_plays(&self, mut report: impl FnMut(PackedPlay, f32)) {
        let (round, seat) = (&self.round, self.round.to_act());
        let hand = (round.hand(seat), round.fits(seat));
        let holds = round.hand(seat ^ 1).count_ones() as usize;
        let next = NextSeat { holds, lacks: self.lacks[seat ^ 1] };
        evaluate_plays(
            round.layout(),
            self.policies[seat],
            hand,
            next,
            round.drawable().into(),
            |play, _, value| {
                report(play, value);
            },
        );
    }
}

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

#[cfg(test)]
mod tests {
    use leyden_protocol::{Phase, RulesName};
    use leyden_rules::{DealNumber, Lead, Rules};

    use super::*;
    use crate::strong::playout::Playout;
    use crate::table::shuffled;

    pub(super) fn ending(playout: &Playout<'_>) -> RoundFinish {
        let mut playout = *playout;
        playout.finish();
        RoundFinish::from_round(playout.round())
    }

    /// The rules and the policy lead to the same end from each position of a round.
    #[test]
    fn duel_ends_as_its_round_does() {
        let mut ends = [0; 3];
        for name in RulesName::ALL {
            let rules = Rules::standard(name);
            for seed in 0..200 {
                let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut playout = Playout::new(&round, &[], Policy::for_rules(round.rules()));
                let whole = ending(&playout);
                assert_eq!(playout.ending(), whole, "{name}, deal {seed}");
                ends[match whole.outcome {
                    Some(RoundOutcome::Dominoed { .. }) => 0,
                    Some(RoundOutcome::Blocked { winner: Some(_) }) => 1,
                    _ => 2,
                }] += 1;
                while let Some(action) = playout.choice() {
                    let duel = playout.duel();
                    assert_eq!(duel.is_some(), playout.round().phase() == Phase::Play);
                    if let Some(duel) = duel {
                        assert_eq!(duel.finish(), whole, "{name}, deal {seed}");
                        assert_eq!(duel.try_out(action, 1), whole, "{name}, deal {seed}");
                    }
                    assert!(playout.apply(action));
                }
            }
        }
        assert!(ends.iter().all(|&times| times > 0), "{ends:?}");
    }

    /// Any legal action, optional draws included, leads to the same end.
    #[test]
    fn any_action_can_be_tried() {
        for name in RulesName::ALL {
            let rules = Rules::standard(name);
            for seed in 0..60 {
                let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut playout = Playout::new(&round, &[], Policy::for_rules(round.rules()));
                while let Some(choice) = playout.choice() {
                    if let Some(duel) = playout.duel() {
                        for action in playout.round().legal().iter() {
                            let mut tried = playout;
                            assert!(tried.apply(action));
                            assert_eq!(
                                duel.try_out(action, 1),
                                ending(&tried),
                                "{name}, deal {seed}, {action}"
                            );
                        }
                    }
                    // An occasional draw, so that hands get long.
                    let draw = playout.round().legal().contains(Action::Draw) && seed % 3 == 0;
                    assert!(playout.apply(if draw { Action::Draw } else { choice }));
                }
            }
        }
    }
}
