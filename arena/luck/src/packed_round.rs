//! A round for two seats with the double-six set, packed into a few words, for fast playouts.
//!
//! It starts once a double is led. It follows the rules crate and `simulation.rs`, where a test compares it with both. With
//! larger sets playouts use the round itself.

use leyden_protocol::{Action, Drawing, Phase, Seat, Set, Tile};
use leyden_rules::RoundOutcome;

use crate::careful::OPTION;
use crate::packed_tiles::{
    CLOSED, Counts, FACES, Face, ORIENTATIONS, TABLES, Tables, Tiles, counts, face, number, orientation,
    pack, pips,
};
use crate::policy::{Evaluator, Policies};
use crate::position::Position;
use crate::round_end::RoundEnd;
use crate::weights::{WeightTable, Weights, WeightsByKind};

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

/// A play: the arm, the number of the tile, and its orientation.
type Play = (u8, u8, u8);

/// A round that is being played.
#[derive(Clone, Copy)]
pub(crate) struct PackedRound {
    tables: &'static Tables,
    weights: &'static [WeightsByKind; WeightTable::ALL.len()],
    hands: [Tiles; 2],
    /// The tiles that are not in the layout.
    outside: Tiles,
    /// The number of tiles of each hand that fit each face, and of those outside the layout.
    fits: [Counts; 2],
    fits_outside: Counts,
    shown: [Face; 4],
    /// The faces that can be played on: those shown, [`CLOSED`] on arms that are not open.
    faces: [Face; 4],
    /// The arms that the opening waits for, one bit each.
    waiting: u8,
    across_on_across: bool,
    /// By seat, the tiles that it cannot hold, as in [`Position`].
    cannot_hold: [Tiles; 2],
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
    /// In drawing order, and how many of them are gone.
    boneyard: [u8; 16],
    gone: u8,
    drawable: u8,
    one_draw: bool,
    drew: bool,
    to_act: usize,
    leader: Seat,
}

impl PackedRound {
    /// From a position; `None` where a packed round cannot represent it.
    pub(crate) fn of(position: &Position) -> Option<Self> {
        let (round, rules) = (&position.round, position.round.rules());
        let seat = round.to_act()?;
        if rules.set != Set::DoubleSix || rules.seats.count() != 2 || round.phase() != Phase::Play {
            return None;
        }
        let tables: &'static Tables = &TABLES;
        let mut shown = [CLOSED; 4];
        for (arm, end) in round.arms().iter() {
            shown[arm.index()] = face(end);
        }
        let [hands, cannot_hold] =
            [round.hands(), &position.cannot_hold].map(|each| SEATS.map(|seat| pack(each[seat])));
        let outside = pack(position.outside);
        let mut packed = Self {
            tables,
            weights: Weights::all(rules),
            hands,
            outside,
            fits: hands.map(|hand| Counts::of(tables, hand)),
            fits_outside: Counts::of(tables, outside),
            shown,
            faces: shown,
            waiting: position.ends.waiting(),
            across_on_across: rules.across_on_across,
            cannot_hold,
            drawn: position.drawn(),
            boneyard: [0; 16],
            gone: 0,
            drawable: round.drawable() as u8,
            one_draw: rules.drawing == Drawing::One,
            // This matters only under the one-draw rule to a seat that cannot play: it may draw unless it just did.
            drew: !round.legal().contains(Action::Draw),
            to_act: seat.index(),
            leader: round.leader(),
        };
        packed.open();
        Some(packed.with(round.boneyard()))
    }

    /// The same round with the boneyard in another order.
    pub(crate) fn with(mut self, boneyard: &[Tile]) -> Self {
        for (place, tile) in self.boneyard.iter_mut().zip(boneyard) {
            *place = number(*tile);
        }
        self
    }

    fn open(&mut self) {
        for (arm, (face, shown)) in self.faces.iter_mut().zip(self.shown).enumerate() {
            let open = self.waiting == 0 || self.waiting >> arm & 1 != 0;
            *face = if open { shown } else { CLOSED };
        }
    }

    #[inline]
    fn fitting_on(&self, face: Face) -> Tiles {
        self.tables.fitting[usize::from(face) % FACES]
    }

    /// The tiles that can be played somewhere.
    #[inline]
    fn fitting(&self) -> Tiles {
        self.faces.iter().fold(0, |all, &face| all | self.fitting_on(face))
    }

    /// Plays the round out, beginning with a legal action, if there is one.
    pub(crate) fn play_out(mut self, first: Option<Action>, policies: Policies) -> RoundEnd {
        let over = match first {
            Some(Action::Play(arm, lay)) => {
                self.play((arm.index() as u8, number(lay.tile()), orientation(lay)))
            }
            Some(Action::Draw) if self.drawable > 0 => self.draw(),
            Some(Action::Pass) => self.pass(),
            _ => None,
        };
        match over {
            Some(outcome) => self.end(outcome),
            None => self.play_on(policies),
        }
    }

    #[inline]
    fn play(&mut self, (arm, tile, orientation): Play) -> Option<RoundOutcome> {
        let (seat, place) = (self.to_act % 2, usize::from(arm) % 4);
        self.exclude_fitting(self.drawn);
        let fits = &self.tables.fits[usize::from(tile) % 32];
        self.hands[seat] &= !(1 << tile);
        self.fits[seat] = self.fits[seat].minus(fits);
        self.outside &= !(1 << tile);
        self.fits_outside = self.fits_outside.minus(fits);
        self.shown[place] =
            self.tables.lays[usize::from(tile) % 32][usize::from(orientation) % ORIENTATIONS].shows;
        if self.waiting == 0 {
            self.faces[place] = self.shown[place];
        } else {
            self.waiting &= !(1 << arm);
            self.open();
        }
        if self.hands[seat] == 0 {
            return Some(RoundOutcome::Dominoed { winner: SEATS[seat] });
        }
        self.end_turn();
        self.blocked()
    }

    #[inline]
    fn draw(&mut self) -> Option<RoundOutcome> {
        let tile = self.boneyard[usize::from(self.gone) % self.boneyard.len()];
        let seat = self.to_act % 2;
        self.hands[seat] |= 1 << tile;
        self.fits[seat] = self.fits[seat].plus(&self.tables.fits[usize::from(tile) % 32]);
        self.gone += 1;
        self.drawable -= 1;
        self.drew = true;
        self.drawn += 1;
        if self.drawable == 0 { self.blocked() } else { None }
    }

    fn pass(&mut self) -> Option<RoundOutcome> {
        self.exclude_fitting(self.drawn + 1);
        self.end_turn();
        None
    }

    #[inline]
    fn end_turn(&mut self) {
        self.to_act ^= 1;
        self.drew = false;
        self.drawn = 0;
    }

    /// The seat to act cannot hold what it could not play before the last of its `draws`. Only the last tile drawn, if it stays
    /// in the hand, may fit.
    #[inline]
    fn exclude_fitting(&mut self, draws: u8) {
        if draws > 0 {
            let seat = self.to_act % 2;
            let before = if draws == 1 { self.cannot_hold[seat] } else { 0 };
            self.cannot_hold[seat] = before | self.fitting();
        }
    }

    #[inline]
    fn blocked(&self) -> Option<RoundOutcome> {
        let fitting = self.fitting();
        let hands = self.hands[0] | self.hands[1];
        let blocked = self.outside & fitting == 0 || self.drawable == 0 && hands & fitting == 0;
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

    /// Plays the round out.
    #[inline]
    pub(crate) fn play_on(mut self, policies: Policies) -> RoundEnd {
        loop {
            let hand = self.hands[self.to_act % 2];
            let playable = hand & self.fitting();
            let over = if playable != 0 {
                if hand.is_power_of_two() {
                    // The last tile goes out on any arm.
                    self.hands[self.to_act % 2] = 0;
                    Some(RoundOutcome::Dominoed { winner: SEATS[self.to_act % 2] })
                } else {
                    let best = self.only(playable).unwrap_or_else(|| self.best(policies));
                    self.play(best)
                }
            } else if self.drawable > 0 && !(self.one_draw && self.drew) {
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
        RoundEnd { outcome, leader: self.leader, pips: self.hands.map(pips) }
    }

    /// The only play, if there is just one. All tiles in `playable` can be played; plays on arms that show the same count as one.
    #[inline]
    fn only(&self, playable: Tiles) -> Option<Play> {
        if playable & (playable - 1) != 0 {
            return None;
        }
        let tile = playable.trailing_zeros() as usize % 32;
        let (mut found, mut on) = (None, CLOSED);
        for (arm, &face) in self.faces.iter().enumerate() {
            let orientations = self.tables.orientations[0][usize::from(face) % FACES][tile];
            if orientations == 0 || face == on {
                continue;
            }
            if found.is_some() || orientations & (orientations - 1) != 0 {
                return None;
            }
            (found, on) = (Some((arm as u8, tile as u8, orientations.trailing_zeros() as u8)), face);
        }
        found
    }

    /// The best play of the seat to act, which can play; of equals the first.
    #[inline]
    fn best(&self, policies: Policies) -> Play {
        let policy = policies[self.to_act % 2];
        let seat = SEATS[self.to_act % 2];
        let scale = policy.evaluator.perturbation_scale();
        let (mut best, mut most) = ((0, 0, 0), f32::NEG_INFINITY);
        let mut visit = |play: Play, index: u8, value: f32| {
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

    /// Visits every arm that can be played on, of those that show the same only the first: with the tiles that fit it, those that
    /// will fit the other open arms, and whether its new end will be open.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "the branches are unpredictable; all arms are compared at once"
    )]
    fn each_arm(&self, mut visit: impl FnMut(usize, Tiles, Tiles, bool)) {
        let hand = self.hands[self.to_act % 2];
        let on = self.shown.map(|face| self.fitting_on(face));
        let [n, e, s, w] = self.faces;
        let again = [false, e == n, (s == n) | (s == e), (w == n) | (w == e) | (w == s)];
        for (arm, again) in again.into_iter().enumerate() {
            let tiles = hand & self.fitting_on(self.faces[arm]);
            if again || tiles == 0 {
                continue;
            }
            let waiting = self.waiting & !(1 << arm);
            let mut elsewhere = 0;
            for other in (1..4).map(|further| (arm + further) % 4) {
                let open = waiting == 0 || waiting >> other & 1 != 0;
                elsewhere |= if open { on[other] } else { 0 };
            }
            visit(arm, tiles, elsewhere, waiting == 0);
        }
    }

    /// Visits every lay of these tiles on an arm.
    #[inline]
    fn each_lay(&self, arm: usize, mut tiles: Tiles, mut visit: impl FnMut(usize, Play)) {
        let orientations = &self.tables.orientations[usize::from(self.across_on_across)];
        let orientations = &orientations[usize::from(self.faces[arm]) % FACES];
        while tiles != 0 {
            let tile = tiles.trailing_zeros() as usize % 32;
            tiles &= tiles - 1;
            let mut some = orientations[tile];
            while some != 0 {
                let orientation = some.trailing_zeros() as u8;
                some &= some - 1;
                visit(tile, (arm as u8, tile as u8, orientation));
            }
        }
    }

    /// Visits each play with its value by [`CarefulEvaluation`](crate::careful::CarefulEvaluation).
    #[inline]
    fn evaluate_carefully(&self, visit: &mut impl FnMut(Play, u8, f32)) {
        let (seat, next) = (self.to_act % 2, (self.to_act + 1) % 2);
        let hand = self.hands[seat];
        let may_hold = self.outside & !hand & !self.cannot_hold[next];
        let (all, holds) = counts(may_hold, self.hands[next]);
        let next_seat = &self.tables.next_seat_value[all % 32][holds % 32];
        let wild = self.tables.wild;
        let on = self.shown.map(|face| self.fitting_on(face));
        self.each_arm(|arm, tiles, elsewhere, new_is_open| {
            let others = [1, 2, 3].map(|further| on[(arm + further) % 4]);
            let [a, b, c] = others;
            let blocked = wild | a | b | c;
            let kept = [wild | b | c, wild | a | c, wild | a | b];
            self.each_lay(arm, tiles, |tile, play| {
                let laid = self.tables.lays[tile][usize::from(play.2) % ORIENTATIONS];
                let new = self.fitting_on(laid.shows);
                let playable = if new_is_open { elsewhere | new } else { elsewhere };
                let rest = hand & !(1 << tile);
                let (options, fitting) = counts(rest & playable, may_hold & playable);
                let mut safe = (rest & blocked).count_ones() as usize;
                for (kept, other) in kept.into_iter().zip(others) {
                    if other != 0 {
                        safe = safe.min((rest & (kept | new)).count_ones() as usize);
                    }
                }
                let value = self.tables.disposal_value[tile]
                    + OPTION * (options + safe) as f32
                    + next_seat[fitting % 32];
                visit(play, laid.index, value);
            });
        });
    }

    /// Visits each play with its value by [`WeightedEvaluation`](crate::weights::WeightedEvaluation).
    #[inline]
    fn evaluate_by(&self, table: WeightTable, visit: &mut impl FnMut(Play, u8, f32)) {
        let (seat, next) = (self.to_act % 2, (self.to_act + 1) % 2);
        let hand = self.hands[seat];
        let unseen_tiles = self.outside & !hand;
        let holds = self.hands[next].count_ones() as usize;
        let weights = self.weights[table as usize].of(holds, self.drawable.into());
        let (held, not_seen) = counts(hand, unseen_tiles);
        let (own, unseen) = (&self.fits[seat], self.fits_outside.minus(&self.fits[seat]));
        let option = weights.option(held - 1);
        let cannot_play = &self.tables.cannot_play[not_seen % 32][holds % 32];
        self.each_arm(|arm, tiles, elsewhere, new_is_open| {
            let shown = self.shown[arm];
            let before = weights.of_end(own.on(shown) as f32, unseen.on(shown) as f32);
            self.each_lay(arm, tiles, |tile, play| {
                let laid = self.tables.lays[tile][usize::from(play.2) % ORIENTATIONS];
                let new = laid.shows;
                let playable = if new_is_open { elsewhere | self.fitting_on(new) } else { elsewhere };
                let rest = hand & !(1 << tile);
                let (options, playable_unseen) = counts(rest & playable, unseen_tiles & playable);
                let own_new = own.on(new) - self.tables.fits[tile].on(new);
                let value = weights.of_lay(laid.index) - before
                    + weights.of_end(own_new as f32, unseen.on(new) as f32)
                    + weights.of_options(options as f32, option)
                    + weights.of_next(
                        playable_unseen as f32 / not_seen.max(1) as f32,
                        cannot_play[playable_unseen % 32],
                    );
                visit(play, laid.index, value);
            });
        });
    }
}
