//! The legal actions of a position: counted, picked, tested and listed without building a list.

use leyden_protocol::{Action, Arm, Double, End, Lay, Matador, Set, Tile, TileSet};

use crate::layout::{Fits, touches};

/// Every action that may be taken in a position.
#[derive(Clone, Copy, Debug)]
pub struct Legal {
    pub(crate) set: Set,
    /// Doubles that may be led.
    pub(crate) leads: TileSet,
    /// For each arm: what it shows, the tiles of the hand that may be played there, and whether across is allowed.
    pub(crate) arms: [ArmPlays; 4],
    pub(crate) draw: bool,
    pub(crate) pass: bool,
    pub(crate) refuse: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ArmPlays {
    pub(crate) end: End,
    pub(crate) tiles: TileSet,
    pub(crate) across: bool,
}

impl ArmPlays {
    /// How many plays the crossing tiles have here beyond one each: the other half, and across.
    const fn extra(self, crossing: TileSet) -> usize {
        self.tiles.intersection(crossing).len() * if self.across { 2 } else { 1 }
    }

    const fn count(self, crossing: TileSet) -> usize {
        self.tiles.len() + self.extra(crossing)
    }
}

/// The ways in which one tile may be laid on one end: one, or two or three for a matador.
fn lays(set: Set, tile: Tile, end: End, across: bool) -> ([Option<Lay>; 3], usize) {
    let low_touches = Lay::InLine { touching: tile.low(), end: tile.high() };
    let high_touches = Lay::InLine { touching: tile.high(), end: tile.low() };
    match Matador::new(tile).filter(|_| Fits::of(set).crossing.contains(tile)) {
        Some(matador) => {
            let crossed = across.then_some(Lay::Across(matador));
            ([Some(low_touches), Some(high_touches), crossed], 2 + usize::from(across))
        }
        // A wild double touches with either half alike; any other tile that fits has just one half that does.
        None if tile.double().is_some() || touches(set, end, tile.low()) => {
            ([Some(low_touches), None, None], 1)
        }
        None => ([Some(high_touches), None, None], 1),
    }
}

impl Legal {
    /// How many legal actions there are; at least one while the round is not over.
    pub fn len(&self) -> usize {
        let crossing = Fits::of(self.set).crossing;
        let plays: usize = self.arms.iter().map(|arm| arm.count(crossing)).sum();
        self.leads.len() + plays + usize::from(self.draw) + usize::from(self.pass) + usize::from(self.refuse)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The action at a place in the order of the protocol: leads; plays by arm, tile, low half touching, high half
    /// touching, across; then draw, pass, refuse.
    pub fn nth(&self, mut n: usize) -> Option<Action> {
        if n < self.leads.len() {
            return self.leads.iter().nth(n).map(lead);
        }
        n -= self.leads.len();
        let crossing = Fits::of(self.set).crossing;
        for (arm, plays) in Arm::ALL.into_iter().zip(&self.arms) {
            let count = plays.count(crossing);
            if n < count {
                return self.nth_on(arm, *plays, n);
            }
            n -= count;
        }
        self.others().nth(n)
    }

    fn nth_on(&self, arm: Arm, plays: ArmPlays, mut n: usize) -> Option<Action> {
        let crossing = Fits::of(self.set).crossing;
        let many = if plays.across { 3 } else { 2 };
        for tile in plays.tiles {
            let ways = if crossing.contains(tile) { many } else { 1 };
            if n < ways {
                let (lays, _) = lays(self.set, tile, plays.end, plays.across);
                return lays.get(n).copied().flatten().map(|lay| Action::Play(arm, lay));
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
        let plays = Arm::ALL.into_iter().zip(&self.arms).flat_map(move |(arm, plays)| {
            plays.tiles.iter().flat_map(move |tile| {
                let (lays, ways) = lays(self.set, tile, plays.end, plays.across);
                lays.into_iter().take(ways).flatten().map(move |lay| Action::Play(arm, lay))
            })
        });
        self.leads.iter().map(lead).chain(plays).chain(self.others())
    }

    /// Whether an action is legal.
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Lead(double) => self.leads.contains(double.tile()),
            Action::Play(arm, lay) => {
                let plays = &self.arms[arm.index()];
                let (ways, count) = lays(self.set, lay.tile(), plays.end, plays.across);
                plays.tiles.contains(lay.tile()) && ways[..count].contains(&Some(lay))
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

fn lead(tile: Tile) -> Action {
    Action::Lead(Double::new(tile.low()))
}
