//! Playing a round to its end by the policy: deterministic, and nobody draws who can play.

use leyden_protocol::{Action, Arm, HistoryEntry, Lay, PerSeat, Phase, Seat};
use leyden_rules::{Round, Rules};

use super::duel::Duel;
use super::policy::{Policy, PublicView};
use crate::evaluation::RoundFinish;

/// A round that is being played out.
#[derive(Clone, Copy)]
pub struct Playout<'p> {
    round: Round,
    seen: PublicView,
    policy: &'p Policy,
}

impl<'p> Playout<'p> {
    /// Starts from a round and its history so far, and continues by a policy.
    pub fn new(round: &Round, history: &[HistoryEntry], policy: &'p Policy) -> Self {
        Self { round: *round, seen: PublicView::new(round.rules(), history), policy }
    }

    /// The same with the hidden tiles dealt differently.
    #[must_use]
    pub fn with_round(self, round: &Round) -> Self {
        Self { round: *round, ..self }
    }

    /// The same position, faster: `None` if the rules or the phase are not the right ones.
    pub(super) fn duel(&self) -> Option<Duel<'p>> {
        Duel::new(&self.round, &self.seen, [self.policy; 2])
    }

    pub fn round(&self) -> &Round {
        &self.round
    }

    /// What everybody sees of the round.
    pub fn public_view(&self) -> &PublicView {
        &self.seen
    }

    /// Takes an action; returns false if it is not legal.
    pub fn apply(&mut self, action: Action) -> bool {
        match action {
            Action::Play(arm, lay) => self.play(arm, lay),
            Action::Draw => self.draw(),
            Action::Lead(_) | Action::Pass | Action::Refuse => {
                let Some(seat) = self.round.to_act() else { return false };
                let legal = self.round.apply(action).is_ok();
                if legal {
                    let rules = *self.round.rules();
                    self.seen.follow(&rules, seat, action);
                }
                legal
            }
        }
    }

    #[inline]
    fn play(&mut self, arm: Arm, lay: Lay) -> bool {
        let legal = self.round.play(arm, lay).is_some();
        if legal {
            self.seen.play(arm, lay);
        }
        legal
    }

    /// Draws. A seat that could not play is known to lack the tiles that would have fitted.
    fn draw(&mut self) -> bool {
        let Some(seat) = self.round.to_act() else { return false };
        let needed = self.round.phase() == Phase::Play && self.round.plays().is_empty();
        let legal = self.round.draw().is_some();
        if legal {
            let rules = *self.round.rules();
            self.seen.draw(&rules, seat, needed);
        }
        legal
    }

    /// What the policy would do now; nothing once the round is over. It leads if it can, plays if it can, otherwise draws, and passes
    /// or refuses when there is nothing else to do.
    pub fn choice(&self) -> Option<Action> {
        let seat = self.round.to_act()?;
        match self.round.phase() {
            Phase::Lead => self.lead(seat),
            Phase::Play => {
                let plays = self.round.plays();
                if plays.is_empty() {
                    return self.round.legal().nth(0);
                }
                let best = self.policy.best(&self.round, seat, &plays, &self.seen);
                best.map(|(arm, lay)| Action::Play(arm, lay))
            }
        }
    }

    /// Plays until the round is over.
    pub fn finish(&mut self) {
        while let Some(seat) = self.round.to_act() {
            if !self.step(seat) {
                return;
            }
        }
    }

    /// Takes the action that the policy prefers; returns false if there is none.
    #[inline]
    fn step(&mut self, seat: Seat) -> bool {
        match self.round.phase() {
            Phase::Lead => self.lead(seat).is_some_and(|action| self.apply(action)),
            Phase::Play => self.play_or_draw(seat),
        }
    }

    /// How the round ends if it is played out: the same as [`finish`](Self::finish), but faster between two seats.
    pub(super) fn ending(self) -> RoundFinish {
        self.ending_between([self.policy; 2])
    }

    /// What each seat adds to its score if the seats alternate between two policies.
    pub fn points_between(round: &Round, rules: &Rules, policies: [&'p Policy; 2]) -> PerSeat<u32> {
        Self::new(round, &[], policies[0]).ending_between(policies).points(rules)
    }

    /// How the round ends if the seats alternate between two policies.
    fn ending_between(mut self, policies: [&'p Policy; 2]) -> RoundFinish {
        while let Some(seat) = self.round.to_act() {
            if let Some(duel) = Duel::new(&self.round, &self.seen, policies) {
                return duel.finish();
            }
            self.policy = policies[seat.index() % 2];
            if !self.step(seat) {
                break;
            }
        }
        RoundFinish::from_round(&self.round)
    }

    /// Leads the double with the highest value; without a double, drawing comes first.
    fn lead(&self, seat: Seat) -> Option<Action> {
        let legal = self.round.legal();
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for action in legal.iter() {
            if let Action::Lead(double) = action {
                let value = self.policy.lead_value(&self.round, seat, &self.seen, double);
                if value > most {
                    (best, most) = (Some(action), value);
                }
            }
        }
        best.or_else(|| legal.nth(0))
    }

    /// Makes the best play. Without one there is only one thing to do.
    #[inline]
    fn play_or_draw(&mut self, seat: Seat) -> bool {
        let plays = self.round.plays();
        let best = match plays.len() {
            0 => return self.draw() || self.apply(Action::Pass),
            1 => plays.first(),
            _ => self.policy.best(&self.round, seat, &plays, &self.seen),
        };
        best.is_some_and(|(arm, lay)| self.play(arm, lay))
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::{RulesName, WinningScore};
    use leyden_rules::{DealNumber, Lead};

    use super::*;
    use crate::table::shuffled;

    /// How many points a seat gains by remembering what the other lacks if the other remembers nothing.
    fn margin(round: &Round, heeding: Seat) -> f64 {
        let rules = *round.rules();
        let mut playout = Playout::new(round, &[], Policy::for_rules(round.rules()));
        while let Some(seat) = playout.round().to_act() {
            let mut blind = playout;
            blind.seen.lacks = PerSeat::default_for(rules.seats);
            let choice = if seat == heeding { playout.choice() } else { blind.choice() };
            assert!(playout.apply(choice.unwrap()));
        }
        let added = RoundFinish::from_round(playout.round()).points(&Rules::standard(rules.name));
        let ahead = f64::from(added[heeding]) - f64::from(added[rules.seats.after(heeding)]);
        if rules.better == WinningScore::Lower { -ahead } else { ahead }
    }

    /// 0.30 points a round for the policy alone, all rule sets together.
    #[test]
    fn policy_remembering_what_opponents_lack_wins_points() {
        const DEALS: u64 = 10_000;
        let mut total = 0.0;
        for name in RulesName::ALL {
            let rules = Rules::standard(name);
            for seed in 0..DEALS {
                let deck = shuffled(&rules, 1_000_000 + seed, DealNumber { round: 1, redeal: 0 });
                if let Some(round) = Round::deal(&rules, &deck, Lead::Lowest) {
                    total += rules.seats.iter().map(|seat| margin(&round, seat)).sum::<f64>() / 2.0;
                }
            }
        }
        let gained = total / (DEALS as f64 * RulesName::ALL.len() as f64);
        assert!(gained > 0.15, "{gained} points a round");
    }
}
