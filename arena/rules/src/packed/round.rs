//! The round itself: hands, boneyard, whose turn it is, and how it ends.

use std::cmp::Ordering;

use leyden_protocol::{Drawing, RuleSet, Seat, Seats, Set, Tile};

use super::layout::{PackedLayout, PackedPlay};
use super::tiles::{FitCounts, Tiles, fit_counts, number, pack, pips};
use crate::round::{Round, RoundOutcome};

const SEATS: [Seat; 2] = [Seat::new(0).unwrap(), Seat::new(1).unwrap()];

/// Whether rounds by these rules can be packed: two seats with the double-six set.
pub fn is_packable(rules: &RuleSet) -> bool {
    rules.seats == Seats::TWO && rules.set == Set::DoubleSix
}

/// A round of two seats with the double-six set, after the lead. Seats are 0 and 1.
///
/// [`play`](Self::play), [`draw`](Self::draw), [`draw_last`](Self::draw_last), [`pass`](Self::pass) and
/// [`go_out`](Self::go_out) are for the seat to act, and only where they are legal; the first three say how the round
/// ended if it did. Otherwise, and after the end, anything may follow.
#[derive(Clone, Copy, Debug)]
pub struct PackedRound {
    layout: PackedLayout,
    hands: [Tiles; 2],
    fits: [FitCounts; 2],
    /// In drawing order; the tiles from `first` up to, not including, `end` are left.
    boneyard: [u8; 16],
    first: u8,
    end: u8,
    drawable: u8,
    one_draw: bool,
    /// Whether the seat to act has drawn in this turn.
    drew: bool,
    to_act: u8,
}

impl PackedRound {
    /// Packs a round; `None` before the lead, after the end, and if it is not [packable](is_packable).
    pub fn from_round(round: &Round) -> Option<Self> {
        let rules = round.rules();
        if !is_packable(rules) {
            return None;
        }
        let (seat, drew) = round.turn_after_lead()?;
        let layout = round.layout();
        let hands = SEATS.map(|seat| pack(round.hand(seat)));
        let mut packed = Self {
            layout: PackedLayout::new(rules, &layout.shown(), |arm| layout.waits_for(arm), round.outside()),
            hands,
            fits: hands.map(FitCounts::count),
            boneyard: [0; 16],
            first: 0,
            end: round.boneyard().len() as u8,
            drawable: round.drawable() as u8,
            one_draw: rules.drawing == Drawing::One,
            drew,
            to_act: seat.index() as u8,
        };
        packed.order_boneyard(round.boneyard());
        Some(packed)
    }

    /// Puts the boneyard, from which no tile was drawn since the round was packed, into another order.
    #[inline]
    pub fn order_boneyard(&mut self, tiles: &[Tile]) {
        for (slot, tile) in self.boneyard.iter_mut().zip(tiles) {
            *slot = number(*tile);
        }
    }

    /// Returns what lies on the table.
    #[inline]
    pub fn layout(&self) -> &PackedLayout {
        &self.layout
    }

    /// Returns the seat to act.
    #[inline]
    pub fn to_act(&self) -> usize {
        usize::from(self.to_act % 2)
    }

    /// Returns the tiles that a seat holds.
    #[inline]
    pub fn hand(&self, seat: usize) -> Tiles {
        self.hands[seat % 2]
    }

    /// Returns how many tiles of a seat's hand fit each face.
    #[inline]
    pub fn fits(&self, seat: usize) -> &FitCounts {
        &self.fits[seat % 2]
    }

    /// Returns the pips of each hand.
    #[inline]
    pub fn pips(&self) -> [u32; 2] {
        self.hands.map(pips)
    }

    /// Returns how many tiles may still be drawn.
    #[inline]
    pub fn drawable(&self) -> u8 {
        self.drawable
    }

    /// Returns the tiles that the seat to act can play.
    #[inline]
    pub fn playable(&self) -> Tiles {
        self.hand(self.to_act()) & self.layout.fitting()
    }

    /// Whether the seat to act may draw.
    #[inline]
    pub fn may_draw(&self) -> bool {
        self.drawable > 0 && !(self.one_draw && (self.drew || self.playable() != 0))
    }

    /// Plays.
    #[inline]
    pub fn play(&mut self, play: PackedPlay) -> Option<RoundOutcome> {
        let seat = self.to_act();
        self.hands[seat] &= !(1 << play.tile);
        self.fits[seat] = self.fits[seat].minus(fit_counts(play.tile));
        self.layout.play(play);
        if self.hands[seat] == 0 {
            return Some(RoundOutcome::Dominoed { winner: SEATS[seat] });
        }
        self.end_turn();
        self.blocked()
    }

    /// Plays the last tile of the hand on any arm that it fits. The layout is undefined afterwards.
    #[inline]
    pub fn go_out(&mut self) -> RoundOutcome {
        let seat = self.to_act();
        self.hands[seat] = 0;
        RoundOutcome::Dominoed { winner: SEATS[seat] }
    }

    /// Draws the next tile of the boneyard.
    #[inline]
    pub fn draw(&mut self) -> Option<RoundOutcome> {
        let index = self.first;
        self.first += 1;
        self.draw_from(index)
    }

    /// Draws the last tile of the boneyard, as [`Round::draw_last`] does.
    #[inline]
    pub fn draw_last(&mut self) -> Option<RoundOutcome> {
        self.end -= 1;
        self.draw_from(self.end)
    }

    #[inline]
    fn draw_from(&mut self, index: u8) -> Option<RoundOutcome> {
        let (seat, tile) = (self.to_act(), self.boneyard[usize::from(index) % self.boneyard.len()]);
        self.hands[seat] |= 1 << tile;
        self.fits[seat] = self.fits[seat].plus(fit_counts(tile));
        self.drawable -= 1;
        self.drew = true;
        if self.drawable == 0 { self.blocked() } else { None }
    }

    /// Passes.
    #[inline]
    pub fn pass(&mut self) {
        self.end_turn();
    }

    #[inline]
    fn end_turn(&mut self) {
        self.to_act ^= 1;
        self.drew = false;
    }

    /// How the round ends if no further play is possible.
    #[inline]
    fn blocked(&self) -> Option<RoundOutcome> {
        let fitting = self.layout.fitting();
        let hands = self.hands[0] | self.hands[1];
        let blocked = self.layout.outside() & fitting == 0 || self.drawable == 0 && hands & fitting == 0;
        blocked.then(|| {
            let [one, other] = self.pips();
            let winner = match one.cmp(&other) {
                Ordering::Less => Some(SEATS[0]),
                Ordering::Equal => None,
                Ordering::Greater => Some(SEATS[1]),
            };
            RoundOutcome::Blocked { winner }
        })
    }
}
