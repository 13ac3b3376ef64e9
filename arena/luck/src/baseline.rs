//! The baseline: a way to play without chance that both seats are held against.
//!
//! Any fixed way to play keeps the luck's mean at 0; one that plays like the bots leaves the least noise. This one looks one
//! play ahead: it plays for low pips, keeps matadors and its own options, and leaves the next seat little to play; it never
//! draws while it can play or lead. It knows no more than its seat.

use leyden_protocol::{
    Action, Arm, Double, End, Entry, Lay, LayoutShape, Opening, PerSeat, Pip, Seat, Set, Tile, TileSet,
};
use leyden_rules::{Round, Rules};

// Worth is counted in pips, in 32 bits: sums, products and quotients alone, the same on every machine.

/// What playing a matador costs, others and 0-0.
const MATADOR: f32 = 9.0;
const BLANK_DOUBLE: f32 = 5.0;
/// What it is worth to be rid of a tile that fits only one kind of end.
const STIFF: f32 = 2.5;
/// What it is worth if the next seat certainly cannot play, and what it costs if everything that it may hold fits.
const STARVED: f32 = 20.0;
const FED: f32 = 10.0;
/// What each own tile is worth that could follow, and again if it could whatever happens to one of the arms.
const OPTION: f32 = 2.0;

const PIPS: usize = Pip::MAX.index() + 1;

/// What is the same in all positions with a set.
struct Constants {
    /// The matadors, 0-0 included.
    wild: TileSet,
    /// The tiles that fit an end of these pips.
    on: [TileSet; PIPS],
}

impl Constants {
    const fn new(set: Set) -> Self {
        let sum = set.sum() as usize;
        let mut constants = Self { wild: TileSet::EMPTY, on: [TileSet::EMPTY; PIPS] };
        let mut tiles = set.tiles();
        while let Some(tile) = tiles.first() {
            tiles = tiles.without(tile);
            let (low, high) = (tile.low().index(), tile.high().index());
            if low + high == 0 || low + high == sum {
                constants.wild = constants.wild.with(tile);
            }
            if low > 0 {
                constants.on[sum - low] = constants.on[sum - low].with(tile);
            }
            if high > 0 {
                constants.on[sum - high] = constants.on[sum - high].with(tile);
            }
        }
        constants
    }

    fn of(set: Set) -> &'static Self {
        static ALL: [Constants; 3] = [
            Constants::new(Set::DoubleSix),
            Constants::new(Set::DoubleNine),
            Constants::new(Set::DoubleTwelve),
        ];
        &ALL[set as usize]
    }

    fn fitting(&self, end: End) -> TileSet {
        let pip = |pip: Pip| self.on[pip.index()];
        self.wild.union(match end {
            End::Pip(shown) => pip(shown),
            End::Across(matador) => pip(matador.low()).union(pip(matador.high())),
        })
    }

    /// What it is worth to be rid of a tile.
    fn parting(&self, tile: Tile) -> f32 {
        let pips = tile.pips() as f32;
        match (self.wild.contains(tile), tile.pips()) {
            (_, 0) => pips - BLANK_DOUBLE,
            (true, _) => pips - MATADOR,
            (false, _) if tile.double().is_some() || tile.low() == Pip::BLANK => pips + STIFF,
            (false, _) => pips,
        }
    }
}

/// What fits on each arm; nothing before the lead, and on an arm that the layout does not have.
#[derive(Clone, Copy)]
struct Ends {
    fitting: [TileSet; 4],
    /// The arms that the opening waits for, one bit each.
    waiting: u8,
}

impl Ends {
    fn led(rules: &Rules, fitting: TileSet) -> Self {
        let arms = match rules.layout {
            LayoutShape::Spinner => &Arm::ALL[..],
            LayoutShape::Line => &[Arm::E, Arm::W],
        };
        let mut ends = Self { fitting: [TileSet::EMPTY; 4], waiting: 0 };
        for arm in arms {
            ends.fitting[arm.index()] = fitting;
        }
        ends.waiting = match rules.opening {
            Opening::Sides => 1 << Arm::N.index() | 1 << Arm::S.index(),
            Opening::Cross => 0b1111,
            Opening::None => 0,
        };
        ends
    }

    fn played(mut self, arm: Arm, fitting: TileSet) -> Self {
        self.fitting[arm.index()] = fitting;
        self.waiting &= !(1 << arm.index());
        self
    }

    /// What may be played somewhere now.
    fn playable(&self) -> TileSet {
        let open = |arm: usize| self.waiting == 0 || self.waiting & 1 << arm != 0;
        (0..4).filter(|arm| open(*arm)).fold(TileSet::EMPTY, |all, arm| all.union(self.fitting[arm]))
    }

    /// How many tiles of a hand can be played even if the arm that it hurts most to lose is spoilt.
    fn safe_options(&self, hand: TileSet, wild: TileSet) -> usize {
        let there = (0..4).filter(|arm| !self.fitting[*arm].is_empty());
        let without = |spoilt: usize| {
            let others = (0..4).filter(|arm| *arm != spoilt);
            hand.intersection(others.fold(wild, |all, arm| all.union(self.fitting[arm]))).len()
        };
        there.map(without).min().unwrap_or(0)
    }
}

/// A round as the baseline plays it on.
#[derive(Clone, Copy)]
pub(crate) struct Walk {
    pub(crate) round: Round,
    constants: &'static Constants,
    ends: Ends,
    /// The tiles that are not in the layout.
    outside: TileSet,
    /// For each seat what it cannot hold if nobody draws while he can play: what it could not play when it drew or passed.
    lacking: PerSeat<TileSet>,
    /// How many tiles the seat to act has drawn in this turn.
    drawn: u8,
}

impl Walk {
    /// From a round and what has happened in it.
    pub(crate) fn new(round: &Round, entries: &[Entry]) -> Self {
        let rules = round.rules();
        let mut walk = Self {
            round: *round,
            constants: Constants::of(rules.set),
            ends: Ends { fitting: [TileSet::EMPTY; 4], waiting: 0 },
            outside: rules.set.tiles(),
            lacking: PerSeat::default_for(rules.seats),
            drawn: 0,
        };
        for entry in entries {
            walk.follow(entry.seat, Action::from(entry.event));
        }
        walk
    }

    /// The same with other tiles where nobody sees them.
    pub(crate) fn with_round(&self, round: &Round) -> Self {
        Self { round: *round, ..*self }
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
    fn after(&self, action: Action) -> Option<Ends> {
        match action {
            Action::Lead(double) => Some(self.led(double)),
            Action::Play(arm, lay) => Some(self.ends.played(arm, self.constants.fitting(end_of(lay)))),
            Action::Draw | Action::Pass | Action::Refuse => None,
        }
    }

    fn led(&self, double: Double) -> Ends {
        Ends::led(self.round.rules(), self.constants.fitting(End::Pip(double.pip())))
    }

    /// What the baseline would do; `None` once the round is over. Of equals the first.
    pub(crate) fn choice(&self) -> Option<Action> {
        let seat = self.round.to_act()?;
        let legal = self.round.legal();
        if legal.len() == 1 {
            return legal.nth(0);
        }
        let position = Position::new(self, seat);
        let (mut best, mut most) = (legal.nth(0)?, f32::NEG_INFINITY);
        let plays = self.round.plays();
        let leads = legal.iter().take_while(|action| matches!(action, Action::Lead(_)));
        let lays =
            plays.arms().flat_map(|arm| plays.on(arm).flatten().map(move |lay| Action::Play(arm, *lay)));
        for action in leads.chain(lays) {
            let worth = position.worth(action);
            if worth > most {
                (best, most) = (action, worth);
            }
        }
        Some(best)
    }

    /// Takes an action; false if it is not legal.
    pub(crate) fn apply(&mut self, action: Action) -> bool {
        let Some(seat) = self.round.to_act() else { return false };
        let taken = match action {
            Action::Play(arm, lay) => self.round.play(arm, lay).is_some(),
            _ => self.round.apply(action).is_ok(),
        };
        if taken {
            self.follow(seat, action);
        }
        taken
    }

    /// Plays until the round is over.
    pub(crate) fn finish(&mut self) {
        while let Some(action) = self.choice() {
            if !self.apply(action) {
                return;
            }
        }
    }
}

/// What is the same for all plays of a decision.
struct Position<'a> {
    walk: &'a Walk,
    hand: TileSet,
    /// What the next seat may hold, and how many tiles it does hold.
    may_hold: TileSet,
    holds: usize,
}

impl<'a> Position<'a> {
    fn new(walk: &'a Walk, seat: Seat) -> Self {
        let (hand, next) = (walk.round.hand(seat), walk.round.rules().seats.after(seat));
        let may_hold = walk.outside.minus(hand).minus(walk.lacking[next]);
        Self { walk, hand, may_hold, holds: walk.round.hand(next).len() }
    }

    /// How good a lead or play is, in pips.
    fn worth(&self, action: Action) -> f32 {
        let (Some(tile), Some(ends)) = (action.tile(), self.walk.after(action)) else {
            return f32::NEG_INFINITY;
        };
        let hand = self.hand.without(tile);
        if hand.is_empty() {
            return f32::INFINITY; // it goes out
        }
        let (constants, playable) = (self.walk.constants, ends.playable());
        let lead = if matches!(action, Action::Lead(_)) { tile.pips() as f32 } else { 0.0 };
        let options = hand.intersection(playable).len() + ends.safe_options(hand, constants.wild);
        lead + constants.parting(tile) + OPTION * options as f32 + self.next_seat(playable)
    }

    /// How little the next seat will like it.
    fn next_seat(&self, playable: TileSet) -> f32 {
        let all = self.may_hold.len();
        let fitting = self.may_hold.intersection(playable).len();
        // The chance that none of the tiles it holds fits, if all it may hold are equally likely.
        let starved: f32 = (0..self.holds)
            .map(|held| all.saturating_sub(fitting + held) as f32 / all.saturating_sub(held).max(1) as f32)
            .product();
        STARVED * starved - FED * fitting as f32 / all.max(1) as f32
    }
}

fn end_of(lay: Lay) -> End {
    match lay {
        Lay::InLine { end, .. } => End::Pip(end),
        Lay::Across(matador) => End::Across(matador),
    }
}
