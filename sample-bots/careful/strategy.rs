//! Looks one play ahead: keeps matadors, keeps its own options, and leaves the next player little to play.
//!
//! For each play it imagines the resulting layout and adds up what is good and bad about it, in pips. It never draws when it can play
//! or lead: one more tile is one more to get rid of.

use leyden_protocol::{Action, Arm, PerSeat, TileSet, Turn};
use leyden_rules::{Fits, Round, Rules};

use crate::dice::Dice;
use crate::reading::{Layout, lacking, stiff};
use crate::strategy::Strategy;

/// What playing a matador costs: it would have been playable at any time.
const MATADOR: f32 = 9.0;
/// The same for 0-0, which costs nothing if it is left over.
const BLANK_DOUBLE: f32 = 5.0;
/// What it is worth to get rid of a tile if only one half of it can ever touch.
const STIFF: f32 = 2.5;
/// What it is worth if the next player certainly cannot play.
const STARVED: f32 = 20.0;
/// What it costs if every tile that the next player may hold fits.
const FED: f32 = 10.0;
/// What each tile that could be played next is worth.
const OPTION: f32 = 2.0;
/// What each tile is worth that could be played next no matter which arm the others spoil.
const SAFE_OPTION: f32 = 2.0;

/// Evaluates each play by the position it leads to. Apart from blunders it is deterministic.
pub struct Careful {
    rules: Option<Rules>,
    /// How many answers in a hundred are random.
    blunders: u8,
    dice: Dice,
}

impl Careful {
    pub fn new() -> Self {
        Self { rules: None, blunders: 0, dice: Dice::seeded(0) }
    }

    /// The same, but `percent` in 100 answers are random, determined by the match's `bot_seed`.
    #[must_use]
    pub fn blundering(self, percent: u8) -> Self {
        Self { blunders: percent, ..self }
    }
}

impl Default for Careful {
    fn default() -> Self {
        Self::new()
    }
}

impl Strategy for Careful {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.rules = Some(*rules);
        self.dice = Dice::seeded(bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        if self.blunders > 0 && self.dice.percent(self.blunders) {
            return turn.legal.get(self.dice.below(turn.legal.len())).copied().unwrap_or(Action::Pass);
        }
        let rules = self.rules.unwrap_or_else(|| Rules::standard(turn.rules));
        let position = Position::new(&rules, turn);
        let worth = |&action: &Action| (action, position.worth(action));
        // Of equals `max_by` takes the last, so the search goes backwards.
        let best = turn.legal.iter().rev().map(worth).max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(Action::Pass, |(action, _)| action)
    }
}

/// What is the same for all plays of a decision.
struct Position<'a> {
    rules: &'a Rules,
    turn: &'a Turn<'a>,
    fits: &'static Fits,
    layout: Layout,
    /// What the next player may hold, and how many tiles it holds.
    may_hold: TileSet,
    holds: usize,
}

impl<'a> Position<'a> {
    fn new(rules: &'a Rules, turn: &'a Turn<'a>) -> Self {
        let next = rules.seats.after(turn.seat);
        let lacking: PerSeat<TileSet> = lacking(rules, turn);
        Self {
            rules,
            turn,
            fits: Fits::for_set(rules.set),
            layout: Layout::from_turn(rules, turn),
            may_hold: Round::unseen(rules, &turn.view()).minus(lacking[next]),
            holds: turn.counts[next].into(),
        }
    }

    /// How good an action is, in pips; only differences matter.
    fn worth(&self, action: Action) -> f32 {
        match action {
            Action::Lead(double) => double.tile().pips() as f32 + self.after(action),
            Action::Play(..) => self.after(action),
            Action::Draw => -1_000.0,
            Action::Refuse | Action::Pass => -2_000.0,
        }
    }

    fn after(&self, action: Action) -> f32 {
        let Some(tile) = action.tile() else { return 0.0 };
        let hand = self.turn.hand.without(tile);
        if hand.is_empty() {
            return 1_000.0; // it goes out
        }
        let mut layout = self.layout;
        layout.follow(self.rules, action.into());
        let playable = layout.playable(self.fits);
        let mut worth = tile.pips() as f32;
        if tile.pips() == 0 {
            worth -= BLANK_DOUBLE;
        } else if self.fits.wild().contains(tile) {
            worth -= MATADOR;
        } else if stiff(tile) {
            worth += STIFF;
        }
        worth += OPTION * hand.intersection(playable).len() as f32;
        worth += SAFE_OPTION * self.safe_options(layout, hand) as f32;
        worth + self.next_player(playable)
    }

    /// How many of the tiles can still be played if the others spoil the arm whose loss hurts most.
    fn safe_options(&self, layout: Layout, hand: TileSet) -> usize {
        let without = |spoilt: Arm| {
            let kept = layout.arms.iter().filter(|&(arm, _)| arm != spoilt);
            let playable = kept.fold(self.fits.wild(), |all, (_, end)| all.union(self.fits.on(end)));
            hand.intersection(playable).len()
        };
        layout.arms.iter().map(|(arm, _)| without(arm)).min().unwrap_or(0)
    }

    /// How bad the position is for the next player.
    fn next_player(&self, playable: TileSet) -> f32 {
        let all = self.may_hold.len();
        let fitting = self.may_hold.intersection(playable).len();
        // The probability that none of its tiles fits, if all that it may hold are equally likely.
        let starved: f32 = (0..self.holds)
            .map(|held| all.saturating_sub(fitting + held) as f32 / all.saturating_sub(held).max(1) as f32)
            .product();
        STARVED * starved - FED * fitting as f32 / all.max(1) as f32
    }
}
