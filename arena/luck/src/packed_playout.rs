//! Fast playouts of a round for two seats with the double-six set: the rules crate's packed round, with what evaluators
//! need as well.
//!
//! It starts once a double is led. A test compares it with `simulation.rs`. With larger sets playouts use the round
//! itself.

use leyden_protocol::{Action, Seat, Tile};
use leyden_rules::RoundOutcome;
use leyden_rules::packed::{PackedPlay, PackedRound, ROOM, TilePair, Tiles, WILD, fit_counts, fitting, pack};

use crate::careful::OPTION;
use crate::packed_terms::{PackedTerms, TERMS};
use crate::policy::{Evaluator, Policies};
use crate::position::Position;
use crate::round_end::RoundEnd;
use crate::weights::{WeightTable, Weights, WeightsByKind};

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

/// A round that is being played out.
#[derive(Clone, Copy)]
pub(crate) struct PackedPlayout {
    terms: &'static PackedTerms,
    weights: &'static [WeightsByKind; WeightTable::ALL.len()],
    round: PackedRound,
    /// By seat, the tiles that it cannot hold, as in [`Position`].
    cannot_hold: [Tiles; 2],
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
    leader: Seat,
}

impl PackedPlayout {
    /// From a position; `None` where it cannot be packed.
    pub(crate) fn from_position(position: &Position) -> Option<Self> {
        let round = PackedRound::from_round(&position.round)?;
        Some(Self {
            terms: &TERMS,
            weights: Weights::all(position.round.rules()),
            round,
            cannot_hold: SEATS.map(|seat| pack(position.cannot_hold[seat])),
            drawn: position.drawn(),
            leader: position.round.leader(),
        })
    }

    /// The same round with the boneyard in another order.
    pub(crate) fn with(mut self, boneyard: &[Tile]) -> Self {
        self.round.order_boneyard(boneyard);
        self
    }

    /// Plays the round out, beginning with a legal action, if there is one.
    pub(crate) fn play_out(mut self, first: Option<Action>, policies: Policies) -> RoundEnd {
        let over = match first {
            Some(Action::Play(arm, lay)) => self.play(PackedPlay::new(arm, lay)),
            Some(Action::Draw) if self.round.drawable() > 0 => self.draw(),
            Some(Action::Pass) => self.pass(),
            _ => None,
        };
        match over {
            Some(outcome) => self.end(outcome),
            None => self.play_on(policies),
        }
    }

    #[inline]
    fn play(&mut self, play: PackedPlay) -> Option<RoundOutcome> {
        self.exclude_fitting(self.drawn);
        self.drawn = 0;
        self.round.play(play)
    }

    #[inline]
    fn draw(&mut self) -> Option<RoundOutcome> {
        self.drawn += 1;
        if self.round.to_act() == 0 { self.round.draw() } else { self.round.draw_last() }
    }

    fn pass(&mut self) -> Option<RoundOutcome> {
        self.exclude_fitting(self.drawn + 1);
        self.drawn = 0;
        self.round.pass();
        None
    }

    /// The seat to act cannot hold what it could not play before the last of its `draws`. Only the last tile drawn, if
    /// it stays in the hand, may fit.
    #[inline]
    fn exclude_fitting(&mut self, draws: u8) {
        if draws > 0 {
            let seat = self.round.to_act();
            let before = if draws == 1 { self.cannot_hold[seat] } else { 0 };
            self.cannot_hold[seat] = before | self.round.layout().fitting();
        }
    }

    /// Plays the round out.
    #[inline]
    pub(crate) fn play_on(mut self, policies: Policies) -> RoundEnd {
        loop {
            let playable = self.round.playable();
            let over = if playable != 0 {
                if self.round.hand(self.round.to_act()).is_power_of_two() {
                    Some(self.round.go_out())
                } else {
                    let only = self.round.layout().only_play(playable);
                    self.play(only.unwrap_or_else(|| self.best(policies)))
                }
            } else if self.round.may_draw() {
                self.draw()
            } else {
                self.pass()
            };
            if let Some(outcome) = over {
                return self.end(outcome);
            }
        }
    }

    fn end(&self, outcome: RoundOutcome) -> RoundEnd {
        RoundEnd { outcome, leader: self.leader, pips: self.round.pips() }
    }

    /// The best play of the seat to act, which can play; of equals the first.
    #[inline]
    fn best(&self, policies: Policies) -> PackedPlay {
        let policy = policies[self.round.to_act()];
        let seat = SEATS[self.round.to_act()];
        let scale = policy.evaluator.perturbation_scale();
        let nothing = PackedPlay { arm: 0, tile: 0, orientation: 0 };
        let (mut best, mut most) = (nothing, f32::NEG_INFINITY);
        let mut visit = |play: PackedPlay, index: u8, value: f32| {
            let perturbation =
                policy.perturbation.map_or(0.0, |all| scale * all.of_index(seat, index.into()));
            if value + perturbation > most {
                (best, most) = (play, value + perturbation);
            }
        };
        match policy.evaluator {
            Evaluator::Careful => self.evaluate_carefully(&mut visit),
            Evaluator::Weighted(table) => self.evaluate_by(table, &mut visit),
        }
        best
    }

    /// Visits each play with its value by [`CarefulEvaluation`](crate::careful::CarefulEvaluation).
    #[inline]
    fn evaluate_carefully(&self, visit: &mut impl FnMut(PackedPlay, u8, f32)) {
        let (seat, layout) = (self.round.to_act(), self.round.layout());
        let (hand, next) = (self.round.hand(seat), seat ^ 1);
        let may_hold = layout.outside() & !hand & !self.cannot_hold[next];
        let (all, holds) = TilePair::new(may_hold, self.round.hand(next)).sizes();
        let next_seat = &self.terms.next_seat_value[all as usize % ROOM][holds as usize % ROOM];
        let on = layout.shown().map(fitting);
        layout.each_arm(hand, |open| {
            let others = [1, 2, 3].map(|further| on[(open.arm + further) % 4]);
            let [a, b, c] = others;
            let blocked = WILD | a | b | c;
            let kept = [WILD | b | c, WILD | a | c, WILD | a | b];
            layout.each_play(&open, |play, laid| {
                let (new, playable) = (fitting(laid.shows), open.fitting_after(laid.shows));
                let rest = hand & !(1 << play.tile);
                let (options, fitting) = TilePair::new(rest, may_hold).intersection(playable).sizes();
                let mut safe = (rest & blocked).count_ones();
                for (kept, other) in kept.into_iter().zip(others) {
                    if other != 0 {
                        safe = safe.min((rest & (kept | new)).count_ones());
                    }
                }
                let value = self.terms.disposal_value[usize::from(play.tile) % ROOM]
                    + OPTION * (options + safe) as f32
                    + next_seat[fitting as usize % ROOM];
                visit(play, laid.index, value);
            });
        });
    }

    /// Visits each play with its value by [`WeightedEvaluation`](crate::weights::WeightedEvaluation).
    #[inline]
    fn evaluate_by(&self, table: WeightTable, visit: &mut impl FnMut(PackedPlay, u8, f32)) {
        let (seat, layout) = (self.round.to_act(), self.round.layout());
        let hand = self.round.hand(seat);
        let unseen_tiles = layout.outside() & !hand;
        let holds = self.round.hand(seat ^ 1).count_ones() as usize;
        let weights = self.weights[table as usize].of(holds, self.round.drawable().into());
        let both = TilePair::new(hand, unseen_tiles);
        let (held, not_seen) = both.sizes();
        let (own, unseen) = (self.round.fits(seat), layout.fits_outside().minus(self.round.fits(seat)));
        let option = weights.option(held as usize - 1);
        let cannot_play = &self.terms.cannot_play[not_seen as usize % ROOM][holds % ROOM];
        layout.each_arm(hand, |open| {
            let before = weights.of_end(own.on(open.shows).into(), unseen.on(open.shows).into());
            layout.each_play(&open, |play, laid| {
                let (new, playable) = (laid.shows, open.fitting_after(laid.shows));
                let (options, playable_unseen) = both.without(play.tile).intersection(playable).sizes();
                let own_new = own.on(new) - fit_counts(play.tile).on(new);
                let value = weights.of_lay(laid.index) - before
                    + weights.of_end(own_new.into(), unseen.on(new).into())
                    + weights.of_options(options as f32, option)
                    + weights.of_next(
                        playable_unseen as f32 / not_seen.max(1) as f32,
                        cannot_play[playable_unseen as usize % ROOM],
                    );
                visit(play, laid.index, value);
            });
        });
    }
}
