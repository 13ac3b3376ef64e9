//! The legal actions of a position: counted, picked, tested and listed without building a list.

use std::fmt;

use leyden_protocol::{Action, Arm, Double, Lay, Phase, Tile, TileSet};

use crate::fits::{Face, Fits, Takes};

/// Every action that may be taken in a position.
#[derive(Clone, Copy)]
pub struct Legal {
    pub(crate) fits: &'static Fits,
    pub(crate) phase: Phase,
    /// In the lead phase the doubles that may be led, then the hand.
    pub(crate) tiles: TileSet,
    /// What each arm shows.
    pub(crate) faces: [Face; 4],
    /// How many plays of that hand there are on each arm.
    pub(crate) plays: [u32; 4],
    pub(crate) draw: bool,
    pub(crate) pass: bool,
    pub(crate) refuse: bool,
}

impl Legal {
    /// No legal action.
    pub(crate) const fn none(fits: &'static Fits) -> Self {
        Self {
            fits,
            phase: Phase::Play,
            tiles: TileSet::EMPTY,
            faces: [Face::CLOSED; 4],
            plays: [0; 4],
            draw: false,
            pass: false,
            refuse: false,
        }
    }

    /// How many legal actions there are; at least one while the round is not over.
    #[inline]
    pub fn len(&self) -> usize {
        let others = u32::from(self.draw) + u32::from(self.pass) + u32::from(self.refuse);
        let plays: u32 = self.plays.iter().sum();
        self.leads().len() + (plays + others) as usize
    }

    /// Whether there is none: the round is over.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The doubles that may be led.
    #[inline]
    fn leads(&self) -> TileSet {
        match self.phase {
            Phase::Lead => self.tiles,
            Phase::Play => TileSet::EMPTY,
        }
    }

    fn takes(&self, arm: Arm) -> &'static Takes {
        self.fits.takes(self.faces[arm.index()])
    }

    /// In how many ways a tile may be laid where it fits: with its other half too if it may lie across, and across.
    fn ways(&self, takes: &Takes, tile: Tile) -> usize {
        if self.fits.crossing(tile).is_some() { 2 + usize::from(takes.across) } else { 1 }
    }

    /// One of these ways, counted from 0.
    fn lay(&self, takes: &Takes, tile: Tile, way: usize) -> Lay {
        let (low, high) = (tile.low(), tile.high());
        let high_touches = match self.fits.crossing(tile) {
            Some(matador) if way == 2 => return Lay::Across(matador),
            Some(_) => way == 1,
            // A wild double touches with either half alike; any other tile that fits has just one half that does.
            None => takes.touches(high),
        };
        if high_touches {
            Lay::InLine { touching: high, end: low }
        } else {
            Lay::InLine { touching: low, end: high }
        }
    }

    /// The action at a place in the order of the protocol: leads; plays by arm, tile, low half touching, high half
    /// touching, across; then draw, pass, refuse.
    pub fn nth(&self, mut n: usize) -> Option<Action> {
        if self.phase == Phase::Lead {
            let leads = self.tiles.len();
            if n < leads {
                return self.tiles.iter().nth(n).map(lead);
            }
            n -= leads;
        }
        for (arm, &plays) in Arm::ALL.into_iter().zip(&self.plays) {
            let plays = plays as usize;
            if n < plays {
                return self.nth_on(arm, n);
            }
            n -= plays;
        }
        match n {
            0 if self.draw => Some(Action::Draw),
            0 if self.pass => Some(Action::Pass),
            _ if self.refuse && n == usize::from(self.draw) => Some(Action::Refuse),
            _ => None,
        }
    }

    fn nth_on(&self, arm: Arm, mut n: usize) -> Option<Action> {
        let takes = self.takes(arm);
        for tile in self.tiles.intersection(takes.tiles) {
            let ways = self.ways(takes, tile);
            if n < ways {
                return Some(Action::Play(arm, self.lay(takes, tile, n)));
            }
            n -= ways;
        }
        None
    }

    /// All legal actions, in the order of the protocol.
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let plays = Arm::ALL.into_iter().flat_map(move |arm| {
            let takes = self.takes(arm);
            self.tiles.intersection(takes.tiles).iter().flat_map(move |tile| {
                let ways = 0..self.ways(takes, tile);
                ways.map(move |way| Action::Play(arm, self.lay(takes, tile, way)))
            })
        });
        let others = [(self.draw, Action::Draw), (self.pass, Action::Pass), (self.refuse, Action::Refuse)];
        let others = others.into_iter().filter_map(|(legal, action)| legal.then_some(action));
        self.leads().iter().map(lead).chain(plays).chain(others)
    }

    /// Whether an action is legal.
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Lead(double) => self.leads().contains(double.tile()),
            Action::Play(arm, lay) => {
                let (tile, face) = (lay.tile(), self.faces[arm.index()]);
                self.phase == Phase::Play && self.tiles.contains(tile) && self.fits.allows(face, lay, tile)
            }
            Action::Draw => self.draw,
            Action::Pass => self.pass,
            Action::Refuse => self.refuse,
        }
    }

    /// The only legal action, when there is no choice.
    pub fn forced(&self) -> Option<Action> {
        if self.len() == 1 { self.nth(0) } else { None }
    }
}

impl fmt::Debug for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn lead(tile: Tile) -> Action {
    Action::Lead(Double::new(tile.low()))
}
