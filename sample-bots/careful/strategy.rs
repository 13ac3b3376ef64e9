//! Looks one play ahead: keeps matadors, keeps its own options, and leaves the others little to play.

use leyden_protocol::{Action, Arm, Arms, End, Lay, Phase, Set, Tile, TileSet, Turn};
use leyden_rules::{Round, Rules};

use crate::dice::Dice;
use crate::strategy::Strategy;

/// Weighs each play by the position it leads to. Without `--blunder` there is no chance in it.
pub struct Careful {
    rules: Option<Rules>,
    blunder: u8,
    dice: Dice,
}

impl Careful {
    pub fn new() -> Self {
        Self { rules: None, blunder: 0, dice: Dice::seeded(0) }
    }

    /// The same, but `percent` of its answers are random ones.
    #[must_use]
    pub fn blundering(self, percent: u8) -> Self {
        Self { blunder: percent, ..self }
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
        if self.blunder > 0 && self.dice.percent(self.blunder) {
            return turn.legal.get(self.dice.below(turn.legal.len())).copied().unwrap_or(Action::Pass);
        }
        let Some(rules) = &self.rules else { return turn.legal.first().copied().unwrap_or(Action::Pass) };
        let seen = Seen::new(rules, turn);
        let mut best = (Action::Pass, i32::MIN);
        for &action in turn.legal.iter() {
            let worth = seen.worth(turn, action);
            if worth > best.1 {
                best = (action, worth);
            }
        }
        best.0
    }
}

/// What there is to know about a position, worked out once a decision.
struct Seen<'a> {
    rules: &'a Rules,
    unseen: TileSet,
}

impl<'a> Seen<'a> {
    fn new(rules: &'a Rules, turn: &Turn<'_>) -> Self {
        Self { rules, unseen: Round::unseen(rules, &turn.view()) }
    }

    fn worth(&self, turn: &Turn<'_>, action: Action) -> i32 {
        match action {
            Action::Lead(double) => 1_000 + 10 * double.tile().pips() as i32,
            Action::Play(arm, lay) => self.after_play(turn, arm, lay),
            Action::Draw if turn.phase == Phase::Lead => 0,
            Action::Refuse => 1,
            Action::Draw | Action::Pass => -1_000,
        }
    }

    fn after_play(&self, turn: &Turn<'_>, arm: Arm, lay: Lay) -> i32 {
        let tile = lay.tile();
        let hand = turn.hand.without(tile);
        if hand.is_empty() {
            return 10_000;
        }
        let mut arms = turn.arms;
        arms.set(
            arm,
            match lay {
                Lay::InLine { end, .. } => End::Pip(end),
                Lay::Across(matador) => End::Across(matador),
            },
        );
        let fitting = fitting(self.rules, arms);
        let own = hand.intersection(fitting).len() as i32;
        let theirs = self.unseen.intersection(fitting).len() as i32;
        let matador = if is_wild(self.rules.set, tile) { 12 } else { 0 };
        tile.pips() as i32 * 2 - matador + 2 * own - 2 * theirs
    }
}

fn is_wild(set: Set, tile: Tile) -> bool {
    tile.pips() == 0 || tile.pips() == u32::from(set.sum())
}

/// The tiles that fit some arm, the opening left aside.
fn fitting(rules: &Rules, arms: Arms) -> TileSet {
    let set = rules.set;
    let touches = |tile: Tile, shown: u8| {
        tile.low().get() + shown == set.sum() || tile.high().get() + shown == set.sum()
    };
    set.tiles()
        .iter()
        .filter(|&tile| {
            is_wild(set, tile)
                || arms.iter().any(|(_, end)| match end {
                    End::Pip(pip) => touches(tile, pip.get()),
                    End::Across(matador) => {
                        touches(tile, matador.low().get()) || touches(tile, matador.high().get())
                    }
                })
        })
        .collect()
}
