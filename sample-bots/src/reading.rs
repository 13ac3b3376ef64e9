//! Reading the table: which tiles fit where, and what the history gives away about the other hands.

use leyden_protocol::{
    Arm, Arms, Double, End, HistoryAction, Lay, PerSeat, Pip, RuleSet, Tile, TileSet, Turn,
};
use leyden_rules::Fits;

/// The arms as they lie, and which of them the opening still requires to be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) arms: Arms,
    /// The arms that the opening still requires, one bit each in the order N, E, S, W.
    waiting: u8,
}

impl Layout {
    /// No tile lies yet.
    pub(crate) fn empty() -> Self {
        Self { arms: Arms::default(), waiting: 0 }
    }

    /// The layout at the moment of a turn.
    pub(crate) fn from_turn(rules: &RuleSet, turn: &Turn<'_>) -> Self {
        let mut layout = Self::empty();
        for entry in turn.history.iter() {
            layout.follow(rules, entry.event);
        }
        layout
    }

    /// Takes in the next event.
    pub(crate) fn follow(&mut self, rules: &RuleSet, event: HistoryAction) {
        match event {
            HistoryAction::Lead(double) => self.lead(rules, double),
            HistoryAction::Play(arm, lay) => self.play(arm, lay),
            HistoryAction::Draw(_) | HistoryAction::Pass | HistoryAction::Refuse => {}
        }
    }

    pub(crate) fn lead(&mut self, rules: &RuleSet, double: Double) {
        self.arms = Arms::from_lead(rules.layout, double);
        self.waiting = rules.opening.arms().iter().fold(0, |arms, arm| arms | bit(*arm));
    }

    #[inline]
    pub(crate) fn play(&mut self, arm: Arm, lay: Lay) {
        self.arms.set(arm, End::left_by(lay));
        self.waiting &= !bit(arm);
    }

    /// Which of the other arms will be open after a play on this one, in the order N, E, S, W; and whether this one will be.
    #[inline]
    pub(crate) fn open_beside(&self, arm: Arm) -> ([bool; 4], bool) {
        let waiting = self.waiting & !bit(arm);
        let open = |other: Arm| other != arm && (waiting == 0 || waiting & bit(other) != 0);
        (Arm::ALL.map(open), waiting == 0)
    }

    /// Whether the opening still requires this arm to be started.
    pub(crate) fn waits_for(&self, arm: Arm) -> bool {
        self.waiting & bit(arm) != 0
    }

    /// The arms that are open to play, with their ends.
    pub(crate) fn open_arms(&self) -> impl Iterator<Item = (Arm, End)> {
        let waiting = self.waiting;
        self.arms.iter().filter(move |&(arm, _)| waiting == 0 || waiting & bit(arm) != 0)
    }

    /// The ends that are open to play.
    pub(crate) fn open(&self) -> impl Iterator<Item = End> {
        self.open_arms().map(|(_, end)| end)
    }

    /// The tiles that can be played somewhere now.
    pub(crate) fn playable(&self, fits: &Fits) -> TileSet {
        self.open().fold(TileSet::EMPTY, |all, end| all.union(fits.on(end)))
    }
}

fn bit(arm: Arm) -> u8 {
    1 << arm.index()
}

/// For each seat, tiles that it cannot hold, provided that nobody draws who can play.
///
/// A seat that draws had nothing that fitted; of the tiles it then drew only the last one did, and that one it played. So nothing
/// left in its hand fits the ends of that moment. A seat that passes holds nothing that fits either.
pub(crate) fn lacking(rules: &RuleSet, turn: &Turn<'_>) -> PerSeat<TileSet> {
    let fits = Fits::for_set(rules.set);
    let mut layout = Layout::empty();
    let mut lacking: PerSeat<TileSet> = PerSeat::default_for(rules.seats);
    let mut draws = 0;
    for entry in turn.history.iter() {
        let playable = layout.playable(fits);
        let lacks = &mut lacking[entry.seat];
        match entry.event {
            HistoryAction::Draw(_) => draws += 1,
            // A drawn tile that stays in the hand may fit what earlier ends showed.
            HistoryAction::Play(..) if draws > 1 => *lacks = playable,
            HistoryAction::Play(..) if draws == 1 => *lacks = lacks.union(playable),
            HistoryAction::Pass if draws > 0 => *lacks = playable,
            HistoryAction::Pass => *lacks = lacks.union(playable),
            HistoryAction::Lead(_) | HistoryAction::Refuse | HistoryAction::Play(..) => {}
        }
        if !matches!(entry.event, HistoryAction::Draw(_)) {
            draws = 0;
        }
        layout.follow(rules, entry.event);
    }
    lacking
}

/// Whether only one half of a tile can ever touch an end: true of a double and of a tile with a blank.
pub(crate) fn stiff(tile: Tile) -> bool {
    tile.double().is_some() || tile.low() == Pip::BLANK
}
