//! The legal actions of a position: counted, indexed, tested and listed without building a list.

use std::fmt;

use leyden_protocol::{Action, Arm, Double, Lay, Tile, TileSet};

use crate::fits::{Face, Fits, FittingTiles};
use crate::layout::ArmSet;

/// The plays of a hand: the tiles that it may lay on an arm, and in which ways.
#[derive(Clone, Copy)]
pub struct Plays {
    pub(crate) fits: &'static Fits,
    pub(crate) hand: TileSet,
    /// What each arm shows.
    pub(crate) faces: [Face; 4],
    /// The number of plays on each arm.
    pub(crate) counts: [u32; 4],
}

impl Plays {
    pub(crate) const fn none(fits: &'static Fits) -> Self {
        Self { fits, hand: TileSet::EMPTY, faces: [Face::CLOSED; 4], counts: [0; 4] }
    }

    /// Returns the number of plays; a tile counts once for each arm and each way to lay it there.
    #[inline]
    pub fn len(&self) -> usize {
        self.counts.iter().sum::<u32>() as usize
    }

    /// Whether no tile of the hand can be played.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.counts == [0; 4]
    }

    /// The arms that have a play; of arms that show the same, only the first, because they take the same tiles.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "the branches are unpredictable; all four are compared at once"
    )]
    pub fn arms(&self) -> impl Iterator<Item = Arm> + use<> {
        let [n, e, s, w] = self.faces;
        let again = [false, e == n, (s == n) | (s == e), (w == n) | (w == e) | (w == s)];
        let mut arms = ArmSet::EMPTY;
        for arm in Arm::ALL {
            arms = arms.with_if(arm, (self.counts[arm.index()] > 0) & !again[arm.index()]);
        }
        arms.iter()
    }

    /// Returns the tiles that fit an arm, in ascending order, each with the ways to lay it there: low half touching,
    /// high half touching, across.
    #[inline]
    pub fn on(&self, arm: Arm) -> impl Iterator<Item = &'static [Lay]> + use<> {
        let (fits, takes) = (self.fits, self.takes(arm));
        self.hand.intersection(takes.tiles).iter().map(|tile| fits.lays(takes, tile))
    }

    /// Returns the first play in the order of the protocol.
    #[inline]
    pub fn first(&self) -> Option<(Arm, Lay)> {
        let arm = self.arms().next()?;
        let lays = self.on(arm).next()?;
        Some((arm, *lays.first()?))
    }

    /// Returns all plays in the order of the protocol.
    fn iter(&self) -> impl Iterator<Item = Action> {
        Arm::ALL.into_iter().flat_map(|arm| self.on(arm).flatten().map(move |&lay| Action::Play(arm, lay)))
    }

    fn contains(&self, arm: Arm, lay: Lay) -> bool {
        let tile = lay.tile();
        self.hand.contains(tile) && self.fits.allows(self.faces[arm.index()], lay, tile)
    }

    #[inline]
    fn nth_on(&self, arm: Arm, mut n: usize) -> Option<Action> {
        let takes = self.takes(arm);
        for tile in self.hand.intersection(takes.tiles) {
            let lays = self.fits.lays(takes, tile);
            if let Some(&lay) = lays.get(n) {
                return Some(Action::Play(arm, lay));
            }
            n -= lays.len();
        }
        None
    }

    fn takes(&self, arm: Arm) -> &'static FittingTiles {
        self.fits.takes(self.faces[arm.index()])
    }
}

/// The legal actions of a position.
#[derive(Clone, Copy)]
pub struct LegalActions {
    /// The doubles that may be led.
    pub(crate) leads: TileSet,
    pub(crate) plays: Plays,
    pub(crate) draw: bool,
    pub(crate) pass: bool,
    pub(crate) refuse: bool,
}

impl LegalActions {
    /// No legal action.
    pub(crate) const fn none(fits: &'static Fits) -> Self {
        Self { leads: TileSet::EMPTY, plays: Plays::none(fits), draw: false, pass: false, refuse: false }
    }

    /// Returns the number of legal actions; at least one while the round is not over.
    #[inline]
    pub fn len(&self) -> usize {
        // Most positions have no lead, and testing for that is faster than counting.
        let leads = if self.leads.is_empty() { 0 } else { self.leads.len() };
        let others = u32::from(self.draw) + u32::from(self.pass) + u32::from(self.refuse);
        leads + self.plays.len() + others as usize
    }

    /// Whether there is no legal action: the round is over.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the action at an index in the order of the protocol: leads; plays by arm, tile, low half touching, high
    /// half touching, across; then draw, pass, refuse.
    #[inline]
    pub fn nth(&self, mut n: usize) -> Option<Action> {
        if !self.leads.is_empty() {
            let leads = self.leads.len();
            if n < leads {
                return self.leads.iter().nth(n).map(lead);
            }
            n -= leads;
        }
        for (arm, &plays) in Arm::ALL.into_iter().zip(&self.plays.counts) {
            let plays = plays as usize;
            if n < plays {
                return self.plays.nth_on(arm, n);
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

    /// Returns all legal actions in the order of the protocol.
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let others = self.others().into_iter().filter_map(|(legal, action)| legal.then_some(action));
        self.leads.iter().map(lead).chain(self.plays.iter()).chain(others)
    }

    /// Appends all legal actions in the order of the protocol: the same as [`iter`](Self::iter), but faster.
    pub fn push_to(&self, list: &mut Vec<Action>) {
        list.extend(self.leads.iter().map(lead));
        for arm in Arm::ALL {
            for lays in self.plays.on(arm) {
                for &lay in lays {
                    list.push(Action::Play(arm, lay));
                }
            }
        }
        for (legal, action) in self.others() {
            if legal {
                list.push(action);
            }
        }
    }

    const fn others(&self) -> [(bool, Action); 3] {
        [(self.draw, Action::Draw), (self.pass, Action::Pass), (self.refuse, Action::Refuse)]
    }

    /// Whether an action is legal.
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Lead(double) => self.leads.contains(double.tile()),
            Action::Play(arm, lay) => self.plays.contains(arm, lay),
            Action::Draw => self.draw,
            Action::Pass => self.pass,
            Action::Refuse => self.refuse,
        }
    }

    /// Returns the only legal action if there is no choice.
    pub fn forced(&self) -> Option<Action> {
        if self.len() == 1 { self.nth(0) } else { None }
    }
}

impl fmt::Debug for LegalActions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn lead(tile: Tile) -> Action {
    Action::Lead(Double::new(tile.low()))
}
