//! A round between two seats with the double-six set, in a few words: for playouts by the thousand.
//!
//! It follows the rules crate and `walk.rs`, and a test there holds it to both. It begins once a double is led, and
//! serves nobody else: with larger sets the round itself is played on.

use leyden_protocol::{Action, Drawing, Phase, Seat, Set, Tile};
use leyden_rules::RoundOutcome;

use crate::careful::OPTION;
use crate::ended::Ended;
use crate::manner::{Manners, Way};
use crate::packed::{
    CLOSED, Counts, FACES, Face, TABLES, Tables, Tiles, WAYS, counts, face, number, packed, pips, way,
};
use crate::position::Position;
use crate::weighed::{Kinds, WeightSet, Weights};

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

/// A play: the arm, the number of the tile, and the way it lies.
type Play = (u8, u8, u8);

/// A round on its way to the end.
#[derive(Clone, Copy)]
pub(crate) struct Duel {
    tables: &'static Tables,
    weights: &'static [Kinds; WeightSet::ALL.len()],
    hands: [Tiles; 2],
    /// The tiles that are not in the layout.
    outside: Tiles,
    /// How many tiles of each hand fit each face, and how many of those outside.
    fits: [Counts; 2],
    fits_outside: Counts,
    shown: [Face; 4],
    /// What can be played on: the same, but for arms that are not open.
    faces: [Face; 4],
    /// The arms that the opening waits for, one bit each.
    waiting: u8,
    across_on_across: bool,
    /// What each seat cannot hold, as in [`Position`].
    lacking: [Tiles; 2],
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
    /// In drawing order, and how much of it is gone.
    boneyard: [u8; 16],
    gone: u8,
    drawable: u8,
    one_draw: bool,
    drew: bool,
    to_act: usize,
    leader: Seat,
}

impl Duel {
    /// Goes on from a position; nothing if this is not for it.
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
        let [hands, lacking] =
            [round.hands(), &position.lacking].map(|each| SEATS.map(|seat| packed(each[seat])));
        let outside = packed(position.outside);
        let mut duel = Self {
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
            lacking,
            drawn: position.drawn(),
            boneyard: [0; 16],
            gone: 0,
            drawable: round.drawable() as u8,
            one_draw: rules.drawing == Drawing::One,
            // It matters only to who may draw one tile and is stuck: then drawing is legal but after a draw.
            drew: !round.legal().contains(Action::Draw),
            to_act: seat.index(),
            leader: round.leader(),
        };
        duel.open();
        Some(duel.with(round.boneyard()))
    }

    /// With the boneyard in another order.
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
    fn takes(&self, face: Face) -> Tiles {
        self.tables.takes[usize::from(face) % FACES]
    }

    /// The tiles that can be played somewhere.
    #[inline]
    fn fitting(&self) -> Tiles {
        self.faces.iter().fold(0, |all, &face| all | self.takes(face))
    }

    /// Takes a legal action and plays the round to its end.
    pub(crate) fn try_out(mut self, first: Option<Action>, manners: Manners) -> Ended {
        let over = match first {
            Some(Action::Play(arm, lay)) => self.play((arm.index() as u8, number(lay.tile()), way(lay))),
            Some(Action::Draw) if self.drawable > 0 => self.draw(),
            Some(Action::Pass) => self.pass(),
            _ => None,
        };
        match over {
            Some(outcome) => self.ended(outcome),
            None => self.finish(manners),
        }
    }

    #[inline]
    fn play(&mut self, (arm, tile, way): Play) -> Option<RoundOutcome> {
        let (seat, place) = (self.to_act % 2, usize::from(arm) % 4);
        self.lack(self.drawn);
        let fits = &self.tables.fits[usize::from(tile) % 32];
        self.hands[seat] &= !(1 << tile);
        self.fits[seat] = self.fits[seat].minus(fits);
        self.outside &= !(1 << tile);
        self.fits_outside = self.fits_outside.minus(fits);
        self.shown[place] = self.tables.lays[usize::from(tile) % 32][usize::from(way) % WAYS].shows;
        if self.waiting == 0 {
            self.faces[place] = self.shown[place];
        } else {
            self.waiting &= !(1 << arm);
            self.open();
        }
        if self.hands[seat] == 0 {
            return Some(RoundOutcome::Dominoed { winner: SEATS[seat] });
        }
        self.pass_on();
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
        self.lack(self.drawn + 1);
        self.pass_on();
        None
    }

    #[inline]
    fn pass_on(&mut self) {
        self.to_act ^= 1;
        self.drew = false;
        self.drawn = 0;
    }

    /// What the seat to act could not play before the last of these draws it does not hold; only that last tile, if it
    /// stays in the hand, may fit what earlier ends showed.
    #[inline]
    fn lack(&mut self, draws: u8) {
        if draws > 0 {
            let seat = self.to_act % 2;
            let before = if draws == 1 { self.lacking[seat] } else { 0 };
            self.lacking[seat] = before | self.fitting();
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

    /// Plays until the round is over.
    #[inline]
    pub(crate) fn finish(mut self, manners: Manners) -> Ended {
        loop {
            let hand = self.hands[self.to_act % 2];
            let playable = hand & self.fitting();
            let over = if playable != 0 {
                if hand.is_power_of_two() {
                    // The last tile: wherever it goes.
                    self.hands[self.to_act % 2] = 0;
                    Some(RoundOutcome::Dominoed { winner: SEATS[self.to_act % 2] })
                } else {
                    let best = self.only(playable).unwrap_or_else(|| self.best(manners));
                    self.play(best)
                }
            } else if self.drawable > 0 && !(self.one_draw && self.drew) {
                self.draw()
            } else {
                self.pass()
            };
            if let Some(outcome) = over {
                return self.ended(outcome);
            }
        }
    }

    fn ended(&self, outcome: RoundOutcome) -> Ended {
        Ended { outcome, leader: self.leader, pips: self.hands.map(pips) }
    }

    /// The play if there is but one with these tiles, all of which can be played; two on arms that show the same are one.
    #[inline]
    fn only(&self, playable: Tiles) -> Option<Play> {
        if playable & (playable - 1) != 0 {
            return None;
        }
        let tile = playable.trailing_zeros() as usize % 32;
        let (mut found, mut on) = (None, CLOSED);
        for (arm, &face) in self.faces.iter().enumerate() {
            let ways = self.tables.ways[0][usize::from(face) % FACES][tile];
            if ways == 0 || face == on {
                continue;
            }
            if found.is_some() || ways & (ways - 1) != 0 {
                return None;
            }
            (found, on) = (Some((arm as u8, tile as u8, ways.trailing_zeros() as u8)), face);
        }
        found
    }

    /// The best play of the seat to act, which has one; of equals the first.
    #[inline]
    fn best(&self, manners: Manners) -> Play {
        let manner = manners[self.to_act % 2];
        let seat = SEATS[self.to_act % 2];
        let strength = manner.way.strength();
        let (mut best, mut most) = ((0, 0, 0), f32::NEG_INFINITY);
        let mut tell = |play: Play, place: u8, worth: f32| {
            let worth =
                worth + manner.taste.map_or(0.0, |taste| strength * taste.of_place(seat, place.into()));
            if worth > most {
                (best, most) = (play, worth);
            }
        };
        match manner.way {
            Way::Careful => self.judge_carefully(&mut tell),
            Way::Weighed(table) => self.judge_by(table, &mut tell),
        }
        best
    }

    /// Tells every different play: its arm, what can be played elsewhere afterwards, and whether on the new end, too; then
    /// the tile and each way to lay it.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "nobody could foretell the branches; all arms are compared at once"
    )]
    fn each_arm(&self, mut tell: impl FnMut(usize, Tiles, Tiles, bool)) {
        let hand = self.hands[self.to_act % 2];
        let on = self.shown.map(|face| self.takes(face));
        let [n, e, s, w] = self.faces;
        let again = [false, e == n, (s == n) | (s == e), (w == n) | (w == e) | (w == s)];
        for (arm, again) in again.into_iter().enumerate() {
            let tiles = hand & self.takes(self.faces[arm]);
            if again || tiles == 0 {
                continue;
            }
            let waiting = self.waiting & !(1 << arm);
            let mut elsewhere = 0;
            for other in (1..4).map(|further| (arm + further) % 4) {
                let open = waiting == 0 || waiting >> other & 1 != 0;
                elsewhere |= if open { on[other] } else { 0 };
            }
            tell(arm, tiles, elsewhere, waiting == 0);
        }
    }

    /// Tells the ways to lay some tiles on an arm.
    #[inline]
    fn each_lay(&self, arm: usize, mut tiles: Tiles, mut tell: impl FnMut(usize, Play)) {
        let ways = &self.tables.ways[usize::from(self.across_on_across)];
        let ways = &ways[usize::from(self.faces[arm]) % FACES];
        while tiles != 0 {
            let tile = tiles.trailing_zeros() as usize % 32;
            tiles &= tiles - 1;
            let mut some = ways[tile];
            while some != 0 {
                let way = some.trailing_zeros() as u8;
                some &= some - 1;
                tell(tile, (arm as u8, tile as u8, way));
            }
        }
    }

    /// As [`Careful`](crate::careful::Careful) does.
    #[inline]
    fn judge_carefully(&self, tell: &mut impl FnMut(Play, u8, f32)) {
        let (seat, next) = (self.to_act % 2, (self.to_act + 1) % 2);
        let hand = self.hands[seat];
        let may_hold = self.outside & !hand & !self.lacking[next];
        let (all, holds) = counts(may_hold, self.hands[next]);
        let next_seat = &self.tables.next_seat[all % 32][holds % 32];
        let wild = self.tables.wild;
        let on = self.shown.map(|face| self.takes(face));
        self.each_arm(|arm, tiles, elsewhere, new_is_open| {
            let others = [1, 2, 3].map(|further| on[(arm + further) % 4]);
            let [a, b, c] = others;
            let spoilt = wild | a | b | c;
            let kept = [wild | b | c, wild | a | c, wild | a | b];
            self.each_lay(arm, tiles, |tile, play| {
                let laid = self.tables.lays[tile][usize::from(play.2) % WAYS];
                let new = self.takes(laid.shows);
                let playable = if new_is_open { elsewhere | new } else { elsewhere };
                let rest = hand & !(1 << tile);
                let (options, fitting) = counts(rest & playable, may_hold & playable);
                let mut safe = (rest & spoilt).count_ones() as usize;
                for (kept, other) in kept.into_iter().zip(others) {
                    if other != 0 {
                        safe = safe.min((rest & (kept | new)).count_ones() as usize);
                    }
                }
                let worth =
                    self.tables.parting[tile] + OPTION * (options + safe) as f32 + next_seat[fitting % 32];
                tell(play, laid.place, worth);
            });
        });
    }

    /// As [`Glance`](crate::weighed::Glance) does.
    #[inline]
    fn judge_by(&self, table: WeightSet, tell: &mut impl FnMut(Play, u8, f32)) {
        let (seat, next) = (self.to_act % 2, (self.to_act + 1) % 2);
        let hand = self.hands[seat];
        let unseen_tiles = self.outside & !hand;
        let holds = self.hands[next].count_ones() as usize;
        let weights = self.weights[table as usize].of(holds, self.drawable.into());
        let (held, not_seen) = counts(hand, unseen_tiles);
        let (own, unseen) = (&self.fits[seat], self.fits_outside.minus(&self.fits[seat]));
        let option = weights.option(held - 1);
        let starved = &self.tables.starved[not_seen % 32][holds % 32];
        self.each_arm(|arm, tiles, elsewhere, new_is_open| {
            let shown = self.shown[arm];
            let before = weights.of_end(own.on(shown) as f32, unseen.on(shown) as f32);
            self.each_lay(arm, tiles, |tile, play| {
                let laid = self.tables.lays[tile][usize::from(play.2) % WAYS];
                let new = laid.shows;
                let playable = if new_is_open { elsewhere | self.takes(new) } else { elsewhere };
                let rest = hand & !(1 << tile);
                let (options, fed) = counts(rest & playable, unseen_tiles & playable);
                let own_new = own.on(new) - self.tables.fits[tile].on(new);
                let worth = weights.of_place(laid.place) - before
                    + weights.of_end(own_new as f32, unseen.on(new) as f32)
                    + weights.of_options(options as f32, option)
                    + weights.of_next(fed as f32 / not_seen.max(1) as f32, starved[fed % 32]);
                tell(play, laid.place, worth);
            });
        });
    }
}
