//! A round with what else evaluators need: which tiles fit where, and which each seat cannot hold.

use leyden_protocol::{Action, PerSeat, Seat, Tile, TileSet};
use leyden_rules::{Fits, Round};

use crate::ends::{Ends, fitting_after};

#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) round: Round,
    pub(crate) fits: &'static Fits,
    pub(crate) ends: Ends,
    /// The tiles that are not in the layout.
    pub(crate) outside: TileSet,
    /// By seat, the tiles that it cannot hold, if nobody draws while able to play: those that fitted when it drew or passed.
    pub(crate) cannot_hold: PerSeat<TileSet>,
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
}

impl Position {
    /// From a round that was just dealt.
    pub(crate) fn new(round: &Round) -> Self {
        let rules = round.rules();
        Self {
            round: *round,
            fits: Fits::for_set(rules.set),
            ends: Ends::NONE,
            outside: rules.set.tiles(),
            cannot_hold: PerSeat::default_for(rules.seats),
            drawn: 0,
        }
    }

    /// The same position with other tiles where the seat to act cannot see them.
    pub(crate) fn with(&self, round: &Round) -> Self {
        Self { round: *round, ..*self }
    }

    /// How many tiles the seat to act has drawn in this turn.
    pub(crate) fn drawn(&self) -> u8 {
        self.drawn
    }

    /// Updates all but the round.
    fn follow(&mut self, seat: Seat, action: Action) {
        if let Some(tile) = action.tile() {
            self.outside = self.outside.without(tile);
        }
        if action == Action::Draw {
            self.drawn += 1;
            return;
        }
        match (action, self.drawn) {
            // The last tile drawn, if it stays in the hand, may fit ends that earlier draws did not.
            (Action::Play(..), 2..) | (Action::Pass, 1..) => self.cannot_hold[seat] = self.ends.playable(),
            (Action::Play(..), 1) | (Action::Pass, 0) => {
                self.cannot_hold[seat] = self.cannot_hold[seat].union(self.ends.playable());
            }
            _ => {}
        }
        self.drawn = 0;
        if let Some(ends) = self.after(action) {
            self.ends = ends;
        }
    }

    /// The ends after a lead or a play.
    #[inline]
    pub(crate) fn after(&self, action: Action) -> Option<Ends> {
        match action {
            Action::Lead(double) => Some(Ends::led(self.round.rules(), double)),
            Action::Play(arm, lay) => Some(self.ends.played(arm, fitting_after(self.fits, lay))),
            Action::Draw | Action::Pass | Action::Refuse => None,
        }
    }

    /// Takes an action; false if it is not legal.
    pub(crate) fn apply(&mut self, action: Action) -> bool {
        self.take(action, Round::draw)
    }

    /// Takes an action of a playout: there the second seat draws from the end of the boneyard, so that what a seat draws
    /// does not depend on how often the other drew; false if it is not legal.
    pub(crate) fn apply_in_playout(&mut self, action: Action) -> bool {
        let is_first = self.round.to_act() == Some(Seat::FIRST);
        self.take(action, if is_first { Round::draw } else { Round::draw_last })
    }

    fn take(&mut self, action: Action, draw: fn(&mut Round) -> Option<Tile>) -> bool {
        let Some(seat) = self.round.to_act() else { return false };
        let taken = match action {
            Action::Play(arm, lay) => self.round.play(arm, lay).is_some(),
            Action::Draw => draw(&mut self.round).is_some(),
            _ => self.round.apply(action).is_ok(),
        };
        if taken {
            self.follow(seat, action);
        }
        taken
    }
}
