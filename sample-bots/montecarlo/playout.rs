//! Playing a round to its end, quickly and halfway sensibly.
//!
//! There is no chance in a playout. Two first moves that are compared on the same deal therefore differ by their own
//! effect only, and fewer deals are needed to tell them apart *(against playouts with some chance in each choice: 67 %
//! instead of 58 % of the matches against `careful`, 250 pairs, ± 4, with 300 playouts a decision)*.

use leyden_protocol::{Action, End, Lay, Matador, Phase, Pip, Seat, Tile, TileSet};
use leyden_rules::Round;

use crate::reading::{Fits, Layout, end_of, stiff};

/// What playing a matador costs, 0-0 and others, in pips.
const BLANK_DOUBLE: f32 = 1.0;
const MATADOR: f32 = 5.0;
/// What it costs to lay one across instead of in line.
const ACROSS: f32 = 1.5;
/// What it is worth to be rid of a tile that fits only one kind of end.
const STIFF: f32 = 1.25;
/// What each own tile that fits an end is worth, and what each unseen one costs.
const OWN_FIT: f32 = 0.75;
const UNSEEN_FIT: f32 = 1.0;

/// For each half, how many tiles of some set have it. Matadors are left out: they fit everywhere anyway.
#[derive(Clone, Copy)]
struct Halves([i16; Pip::MAX.index() + 1]);

impl Halves {
    fn of(tiles: TileSet, fits: &Fits) -> Self {
        let mut halves = Self([0; Pip::MAX.index() + 1]);
        for tile in tiles.minus(fits.wild) {
            halves.count(tile, 1);
        }
        halves
    }

    fn count(&mut self, tile: Tile, change: i16) {
        self.0[tile.low().index()] += change;
        if tile.low() != tile.high() {
            self.0[tile.high().index()] += change;
        }
    }
}

/// What an end that shows each pip is worth to the seat to play.
type Worth = [f32; Pip::MAX.index() + 1];

/// A round on its way to the end.
pub(super) struct Playout<'a> {
    round: &'a mut Round,
    fits: &'static Fits,
    sum: usize,
    layout: Layout,
    /// Of all tiles that do not lie on the table.
    left: Halves,
}

impl<'a> Playout<'a> {
    /// Starts from a round whose layout is `layout`.
    pub(super) fn new(round: &'a mut Round, layout: Layout) -> Self {
        let (fits, sum) = (Fits::of(round.rules().set), round.rules().set.sum().into());
        let hands = round.hands().iter().fold(TileSet::EMPTY, |all, (_, hand)| all.union(*hand));
        let left = round.boneyard().iter().fold(hands, |all, &tile| all.with(tile));
        Self { round, fits, sum, layout, left: Halves::of(left, fits) }
    }

    /// Takes an action; false if it is not legal.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        if self.round.apply(action).is_err() {
            return false;
        }
        if let Some(tile) = action.tile() {
            self.layout.follow(self.round.rules(), action.into());
            if !self.fits.wild.contains(tile) {
                self.left.count(tile, -1);
            }
        }
        true
    }

    /// Plays until the round is over. No seat uses what it cannot know: only its own hand, the layout, and which tiles
    /// are not seen.
    pub(super) fn finish(&mut self) {
        while let Some(seat) = self.round.to_act() {
            let tile = match self.round.phase() {
                Phase::Lead => self.lead(),
                Phase::Play => self.play(seat),
            };
            // Without a tile to play there is only one thing to do, and without a double to lead drawing comes first.
            let mut choices = tile.into_iter().chain([Action::Draw, Action::Pass, Action::Refuse]);
            if !choices.any(|action| self.apply(action)) {
                return;
            }
        }
    }

    /// The heaviest double that may be led.
    fn lead(&self) -> Option<Action> {
        self.round.legal().iter().take_while(|action| matches!(action, Action::Lead(_))).last()
    }

    /// The play that leaves the best ends for what it costs.
    fn play(&self, seat: Seat) -> Option<Action> {
        let hand = self.round.hand(seat);
        let worth = self.worth_of_ends(hand);
        let mut best = (None, f32::MIN);
        let mut tried = [None; 4];
        for (arm, end) in self.layout.open_arms() {
            if tried.contains(&Some(end)) {
                continue; // equal ends take equal plays
            }
            tried[arm.index()] = Some(end);
            let before = worth_of(&worth, end);
            for tile in hand.intersection(self.fits.on(end)) {
                let base = self.worth_of_parting(tile) - before;
                let mut consider = |lay: Lay| {
                    let value = base + self.worth_after(&worth, tile, lay);
                    if value > best.1 {
                        best = (Some(Action::Play(arm, lay)), value);
                    }
                };
                self.lays(tile, end).into_iter().flatten().for_each(&mut consider);
            }
        }
        best.0
    }

    fn worth_of_ends(&self, hand: TileSet) -> Worth {
        let own = Halves::of(hand, self.fits);
        let mut worth = [0.0; Pip::MAX.index() + 1];
        // No tile but a matador fits a blank end.
        for (shown, worth) in worth.iter_mut().enumerate().take(self.sum).skip(1) {
            let (mine, all) = (own.0[self.sum - shown], self.left.0[self.sum - shown]);
            *worth = OWN_FIT * f32::from(mine) - UNSEEN_FIT * f32::from(all - mine);
        }
        worth
    }

    /// What it is worth to be rid of a tile.
    fn worth_of_parting(&self, tile: Tile) -> f32 {
        let pips = tile.pips() as f32;
        match (self.fits.wild.contains(tile), tile.pips()) {
            (true, 0) => -BLANK_DOUBLE,
            (true, _) => pips - MATADOR,
            (false, _) if stiff(tile) => pips + STIFF,
            (false, _) => pips,
        }
    }

    fn worth_after(&self, worth: &Worth, tile: Tile, lay: Lay) -> f32 {
        match lay {
            Lay::Across(_) => worth_of(worth, end_of(lay)) - ACROSS,
            // A tile such as 3-3 with an end of 4 no longer waits for the end that it makes.
            Lay::InLine { end, .. } => {
                let waited =
                    self.touches(End::Pip(end), tile.low()) || self.touches(End::Pip(end), tile.high());
                worth_of(worth, end_of(lay))
                    - if waited && !self.fits.wild.contains(tile) { OWN_FIT } else { 0.0 }
            }
        }
    }

    /// The ways in which a tile that fits an end may be laid there.
    fn lays(&self, tile: Tile, end: End) -> [Option<Lay>; 3] {
        let (low, high) = (tile.low(), tile.high());
        let wild = self.fits.wild.contains(tile);
        let across = wild && (self.round.rules().across_on_across || matches!(end, End::Pip(_)));
        [
            (wild || self.touches(end, low)).then_some(Lay::InLine { touching: low, end: high }),
            (low != high && (wild || self.touches(end, high)))
                .then_some(Lay::InLine { touching: high, end: low }),
            Matador::new(tile).filter(|_| across).map(Lay::Across),
        ]
    }

    fn touches(&self, end: End, half: Pip) -> bool {
        let adds_up = |shown: Pip| shown.index() + half.index() == self.sum;
        match end {
            End::Pip(pip) => adds_up(pip),
            End::Across(matador) => adds_up(matador.low()) || adds_up(matador.high()),
        }
    }
}

fn worth_of(worth: &Worth, end: End) -> f32 {
    match end {
        End::Pip(pip) => worth[pip.index()],
        End::Across(matador) => worth[matador.low().index()] + worth[matador.high().index()],
    }
}
