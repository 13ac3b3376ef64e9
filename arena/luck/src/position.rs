//! A round as whoever judges plays sees it: what lies, what fits where, and what each seat cannot hold.

use leyden_protocol::{Action, PerSeat, Seat, TileSet};
use leyden_rules::Round;

use crate::ends::{Ends, Fits};

#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) round: Round,
    pub(crate) fits: &'static Fits,
    pub(crate) ends: Ends,
    /// The tiles that are not in the layout.
    pub(crate) outside: TileSet,
    /// For each seat what it cannot hold if nobody draws while he can play: what it could not play when it drew or passed.
    pub(crate) lacking: PerSeat<TileSet>,
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
}

impl Position {
    /// Of a round that was just dealt.
    pub(crate) fn new(round: &Round) -> Self {
        let rules = round.rules();
        Self {
            round: *round,
            fits: Fits::of(rules.set),
            ends: Ends::NONE,
            outside: rules.set.tiles(),
            lacking: PerSeat::default_for(rules.seats),
            drawn: 0,
        }
    }

    /// The same with other tiles where nobody sees them.
    pub(crate) fn with(&self, round: &Round) -> Self {
        Self { round: *round, ..*self }
    }

    /// How many tiles the seat to act has drawn in this turn.
    pub(crate) fn drawn(&self) -> u8 {
        self.drawn
    }

    /// Takes in what happened, the round apart.
    fn follow(&mut self, seat: Seat, action: Action) {
        if let Some(tile) = action.tile() {
            self.outside = self.outside.without(tile);
        }
        if action == Action::Draw {
            self.drawn += 1;
            return;
        }
        match (action, self.drawn) {
            // A drawn tile that stays in the hand may fit what earlier ends showed.
            (Action::Play(..), 2..) | (Action::Pass, 1..) => self.lacking[seat] = self.ends.playable(),
            (Action::Play(..), 1) | (Action::Pass, 0) => {
                self.lacking[seat] = self.lacking[seat].union(self.ends.playable());
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
            Action::Play(arm, lay) => Some(self.ends.played(arm, self.fits.after(lay))),
            Action::Draw | Action::Pass | Action::Refuse => None,
        }
    }

    /// Takes an action; false if it is not legal.
    pub(crate) fn apply(&mut self, action: Action) -> bool {
        let Some(seat) = self.round.to_act() else { return false };
        let taken = match action {
            Action::Play(arm, lay) => self.round.play(arm, lay).is_some(),
            Action::Draw => self.round.draw().is_some(),
            _ => self.round.apply(action).is_ok(),
        };
        if taken {
            self.follow(seat, action);
        }
        taken
    }
}
