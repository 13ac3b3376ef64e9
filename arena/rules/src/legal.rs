//! The legal actions of a position: counted, picked, tested and listed without building a list.

use std::fmt;

use leyden_protocol::{Action, Arm, Double, Lay, Set, Tile, TileSet};

use crate::fits::{Fits, Need, Tally};
use crate::layout::ArmSet;

/// Every action that may be taken in a position.
#[derive(Clone, Copy)]
pub struct Legal {
    pub(crate) set: Set,
    /// Doubles that may be led.
    pub(crate) leads: TileSet,
    pub(crate) hand: TileSet,
    /// The tally of that hand.
    pub(crate) tally: Tally,
    /// What can touch each arm.
    pub(crate) needs: [Need; 4],
    /// The arms on which a tile may be played, if the hand has one that fits.
    pub(crate) open: ArmSet,
    /// Those of them that take a tile across.
    pub(crate) across: ArmSet,
    pub(crate) draw: bool,
    pub(crate) pass: bool,
    pub(crate) refuse: bool,
}

impl Legal {
    /// No legal action.
    pub(crate) const fn none(set: Set) -> Self {
        Self {
            set,
            leads: TileSet::EMPTY,
            hand: TileSet::EMPTY,
            tally: Tally::EMPTY,
            needs: [Need::NOTHING; 4],
            open: ArmSet::EMPTY,
            across: ArmSet::EMPTY,
            draw: false,
            pass: false,
            refuse: false,
        }
    }

    /// How many legal actions there are; at least one while the round is not over.
    pub fn len(&self) -> usize {
        let leads = if self.leads.is_empty() { 0 } else { self.leads.len() };
        let plays: usize = self.open.iter().map(|arm| self.plays_on(arm)).sum();
        leads + plays + usize::from(self.draw) + usize::from(self.pass) + usize::from(self.refuse)
    }

    /// Whether there is none: the round is over.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many plays there are on an open arm: one for each tile that fits, and for each that may lie across one with
    /// the other half touching, and one across.
    fn plays_on(&self, arm: Arm) -> usize {
        let across = if self.across.contains(arm) { self.tally.crossing() } else { 0 };
        self.tally.matching(self.needs[arm.index()]) + self.tally.wild() + self.tally.crossing() + across
    }

    /// The tiles that may be played on an open arm.
    fn tiles_on(&self, arm: Arm) -> TileSet {
        self.hand.intersection(Fits::of(self.set).at(self.needs[arm.index()]))
    }

    /// In how many ways a tile may be laid on an open arm that it fits.
    fn ways(&self, arm: Arm, tile: Tile) -> usize {
        match Fits::of(self.set).crossing(tile) {
            Some(_) => 2 + usize::from(self.across.contains(arm)),
            None => 1,
        }
    }

    /// One of these ways, counted from 0.
    fn lay(&self, arm: Arm, tile: Tile, way: usize) -> Lay {
        let (low, high) = (tile.low(), tile.high());
        let high_touches = match Fits::of(self.set).crossing(tile) {
            Some(matador) if way == 2 => return Lay::Across(matador),
            Some(_) => way == 1,
            // A wild double touches with either half alike; any other tile that fits has just one half that does.
            None => self.needs[arm.index()].met_by(high),
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
        if !self.leads.is_empty() {
            let leads = self.leads.len();
            if n < leads {
                return self.leads.iter().nth(n).map(lead);
            }
            n -= leads;
        }
        for arm in self.open.iter() {
            let plays = self.plays_on(arm);
            if n < plays {
                return self.nth_on(arm, n);
            }
            n -= plays;
        }
        self.others().nth(n)
    }

    fn nth_on(&self, arm: Arm, mut n: usize) -> Option<Action> {
        for tile in self.tiles_on(arm) {
            let ways = self.ways(arm, tile);
            if n < ways {
                return Some(Action::Play(arm, self.lay(arm, tile, n)));
            }
            n -= ways;
        }
        None
    }

    /// The actions that need no tile.
    fn others(&self) -> impl Iterator<Item = Action> + use<> {
        [(self.draw, Action::Draw), (self.pass, Action::Pass), (self.refuse, Action::Refuse)]
            .into_iter()
            .filter_map(|(legal, action)| legal.then_some(action))
    }

    /// All legal actions, in the order of the protocol.
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let plays = self.open.iter().flat_map(move |arm| {
            self.tiles_on(arm).iter().flat_map(move |tile| {
                (0..self.ways(arm, tile)).map(move |way| Action::Play(arm, self.lay(arm, tile, way)))
            })
        });
        self.leads.iter().map(lead).chain(plays).chain(self.others())
    }

    /// Whether an action is legal.
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Lead(double) => self.leads.contains(double.tile()),
            Action::Play(arm, lay) => self.hand.contains(lay.tile()) && self.takes(arm, lay),
            Action::Draw => self.draw,
            Action::Pass => self.pass,
            Action::Refuse => self.refuse,
        }
    }

    /// Whether a tile may be laid like this on an arm, whoever holds it.
    fn takes(&self, arm: Arm, lay: Lay) -> bool {
        let fits = Fits::of(self.set);
        match lay {
            Lay::InLine { touching, .. } => {
                self.open.contains(arm)
                    && (self.needs[arm.index()].met_by(touching) || fits.is_wild(lay.tile()))
            }
            Lay::Across(matador) => self.across.contains(arm) && fits.crossing(matador.tile()).is_some(),
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
