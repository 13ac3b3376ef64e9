//! A round between two seats with the double-six set, packed into a few words, for millions of playouts.
//!
//! It has to do exactly what the rules crate and the [policy](super::policy) do, and a test checks that play by play. It starts once a
//! double has been led. With more seats or a larger set rounds are played out without it.

use leyden_protocol::{Action, Drawing, PerSeat, Phase, RuleSet, Seat, Seats, Set};
use leyden_rules::RoundOutcome;

use super::duel_policy::{NextSeat, Play, PublicState};
use super::packed::{Counts, NUMBER, PIPS, TABLES, Tiles, packed, placement};
use super::playout::Playout;
use super::policy::Policy;
use crate::evaluation::Ending;

/// A round that is being played out.
#[derive(Clone, Copy)]
pub(super) struct Duel<'p> {
    /// The policy of each seat.
    policies: [&'p Policy; 2],
    state: PublicState,
    hands: [Tiles; 2],
    /// How many tiles of each hand fit each end.
    fits: [Counts; 2],
    /// Tiles that each seat is known to lack.
    lacks: [Tiles; 2],
    /// The drawable part of the boneyard in drawing order, and how many of its tiles have been drawn.
    boneyard: [u8; 16],
    drawable: u8,
    drawn: u8,
    one_draw: bool,
    drew: bool,
    to_act: usize,
}

/// Whether these rules are for two seats with the double-six set.
pub(super) fn is_duel(rules: &RuleSet) -> bool {
    rules.seats == Seats::TWO && rules.set == Set::DoubleSix
}

impl<'p> Duel<'p> {
    /// Continues from a playout's position; nothing if the rules or the phase are not the right ones.
    pub(super) fn of(playout: &Playout<'p>) -> Option<Self> {
        let (round, rules) = (playout.round(), playout.round().rules());
        let seat = round.to_act()?;
        if !is_duel(rules) || round.phase() != Phase::Play {
            return None;
        }
        let mut boneyard = [0; 16];
        for (number, tile) in boneyard.iter_mut().zip(round.boneyard()) {
            *number = NUMBER[tile.index() % NUMBER.len()];
        }
        let hands = round.hands().as_slice();
        let hands = [packed(hands[0]), packed(hands[1])];
        Some(Self {
            policies: [playout.policy(); 2],
            state: PublicState::new(rules.across_on_across, playout.public_view()),
            hands,
            fits: hands.map(|hand| Counts::of(&TABLES, hand)),
            lacks: SEATS.map(|seat| packed(playout.public_view().lacks[seat])),
            boneyard,
            drawable: round.drawable() as u8,
            drawn: 0,
            one_draw: rules.drawing == Drawing::One,
            // It matters only where a stuck seat may draw one tile: then drawing is legal unless it has just drawn.
            drew: !round.legal().contains(Action::Draw),
            to_act: seat.index(),
        })
    }

    /// The same with another policy for each seat.
    pub(super) fn between(self, policies: [&'p Policy; 2]) -> Self {
        Self { policies, ..self }
    }

    pub(super) fn next_to_act(&self) -> usize {
        self.to_act
    }

    /// Takes a legal action of the seat to act. A draw when no tile is left does nothing.
    #[inline]
    pub(super) fn apply(&mut self, action: Action) -> Option<RoundOutcome> {
        match action {
            Action::Play(arm, lay) => {
                let tile = NUMBER[lay.tile().index() % NUMBER.len()];
                self.play((arm.index() as u8, tile, placement(lay)))
            }
            Action::Draw if self.drawable > 0 => self.draw(),
            Action::Pass => {
                self.pass();
                None
            }
            _ => None,
        }
    }

    #[inline]
    pub(super) fn play(&mut self, play: Play) -> Option<RoundOutcome> {
        let seat = self.to_act % 2;
        self.hands[seat] &= !(1 << play.1);
        self.fits[seat] = self.fits[seat].minus(&self.state.tables.fits[usize::from(play.1) % 32]);
        self.state.lay(play);
        if self.hands[seat] == 0 {
            return Some(RoundOutcome::Dominoed { winner: SEATS[seat] });
        }
        self.pass_on();
        self.blocked()
    }

    #[inline]
    fn draw(&mut self) -> Option<RoundOutcome> {
        let tile = self.boneyard[usize::from(self.drawn) % self.boneyard.len()];
        let (seat, fitting) = (self.to_act % 2, self.state.fitting());
        // Only a seat that could not play is known to lack anything.
        self.lacks[seat] = if self.hands[seat] & fitting == 0 { fitting } else { 0 };
        self.hands[seat] |= 1 << tile;
        self.fits[seat] = self.fits[seat].plus(&self.state.tables.fits[usize::from(tile) % 32]);
        self.drawn += 1;
        self.drawable -= 1;
        self.drew = true;
        if self.drawable == 0 { self.blocked() } else { None }
    }

    #[inline]
    pub(super) fn pass(&mut self) {
        self.lacks[self.to_act % 2] |= self.state.fitting();
        self.pass_on();
    }

    #[inline]
    fn pass_on(&mut self) {
        self.to_act ^= 1;
        self.drew = false;
    }

    #[inline]
    fn blocked(&self) -> Option<RoundOutcome> {
        let fitting = self.state.fitting();
        let hands = self.hands[0] | self.hands[1];
        let blocked = self.state.outside & fitting == 0 || self.drawable == 0 && hands & fitting == 0;
        blocked.then(|| {
            let [one, other] = self.hands.map(pips);
            let winner = match one.cmp(&other) {
                std::cmp::Ordering::Less => Some(SEATS[0]),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(SEATS[1]),
            };
            RoundOutcome::Blocked { winner }
        })
    }

    /// Takes an action so many times, as long as the round lasts, and plays the round to its end.
    #[inline]
    pub(super) fn try_out(&self, action: Action, times: u8) -> Ending {
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
    pub(super) fn finish(mut self) -> Ending {
        loop {
            let hand = self.hands[self.to_act % 2];
            let playable = hand & self.state.fitting();
            let over = if playable != 0 {
                if hand.is_power_of_two() {
                    // The last tile: wherever it goes.
                    self.hands[self.to_act % 2] = 0;
                    Some(RoundOutcome::Dominoed { winner: SEATS[self.to_act % 2] })
                } else {
                    self.best(playable).and_then(|play| self.play(play))
                }
            } else if self.drawable > 0 && !(self.one_draw && self.drew) {
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

    pub(super) fn ending(&self, outcome: Option<RoundOutcome>) -> Ending {
        let pips = PerSeat::from_fn(Seats::TWO, |seat| pips(self.hands[seat.index() % 2]));
        Ending { outcome, pips }
    }

    /// The best play of the seat to act; of equal ones the first.
    #[inline]
    fn best(&self, playable: Tiles) -> Option<Play> {
        if let only @ Some(_) = self.state.only(playable) {
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
    pub(super) fn evaluate_plays(&self, mut report: impl FnMut(Play, f32)) {
        let seat = self.to_act % 2;
        let hand = (self.hands[seat], &self.fits[seat]);
        let next =
            NextSeat { holds: self.hands[seat ^ 1].count_ones() as usize, lacks: self.lacks[seat ^ 1] };
        self.state.evaluate_plays(self.policies[seat], hand, next, self.drawable.into(), |play, _, value| {
            report(play, value);
        });
    }
}

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

fn pips(mut hand: Tiles) -> u32 {
    let mut pips = 0;
    while hand != 0 {
        pips += u32::from(PIPS[hand.trailing_zeros() as usize % PIPS.len()]);
        hand &= hand - 1;
    }
    pips
}

#[cfg(test)]
mod tests {
    use leyden_protocol::RulesName;
    use leyden_rules::{DealNumber, Lead, Round, Rules};

    use super::*;
    use crate::table::shuffled;

    pub(super) fn ending(playout: &Playout<'_>) -> Ending {
        let mut playout = *playout;
        playout.finish();
        Ending::of(playout.round())
    }

    /// The rules and the policy lead to the same end from each position of a round.
    #[test]
    fn it_ends_as_the_round_itself_does() {
        let mut ends = [0; 3];
        for name in RulesName::ALL {
            let rules = Rules::standard(name);
            for seed in 0..200 {
                let deck = shuffled(&rules, seed, DealNumber { round: 0, redeal: 0 });
                let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) else { continue };
                let mut playout = Playout::new(&round, &[], Policy::of(round.rules()));
                let whole = ending(&playout);
                assert_eq!(playout.ending(), whole, "{name}, deal {seed}");
                ends[match whole.outcome {
                    Some(RoundOutcome::Dominoed { .. }) => 0,
                    Some(RoundOutcome::Blocked { winner: Some(_) }) => 1,
                    _ => 2,
                }] += 1;
                while let Some(action) = playout.choice() {
                    let duel = Duel::of(&playout);
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
                let mut playout = Playout::new(&round, &[], Policy::of(round.rules()));
                while let Some(choice) = playout.choice() {
                    if let Some(duel) = Duel::of(&playout) {
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
