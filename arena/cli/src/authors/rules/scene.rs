//! The layouts that illustrate a page: three moments of one round, each played by the rules.

use leyden_protocol::{Action, Arm, Double, Lay, LayoutShape, Pip, Seat, Set, Tile};
use leyden_rules::{Deck, DeckError, IllegalActionError, Rules};

use super::played_round::PlayedRound;

const BLANK_DOUBLE: Tile = Double::new(Pip::BLANK).tile();

/// Moments of a round, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// Only the lead has been laid.
    Lead,
    /// A tile in line and a matador across have been laid.
    InLineAndAcross,
    /// A tile on the matador, and a matador across on a blank.
    Later,
}

/// A moment of a round, and which arms are open then.
pub(super) struct Scene {
    pub(super) played: PlayedRound,
    pub(super) open: Vec<Arm>,
}

/// A round of the page that the rules do not allow: a mistake in this module.
#[derive(Debug, thiserror::Error)]
pub(super) enum SceneError {
    #[error("an example holds a wrong tile: {0}")]
    Notation(#[from] leyden_protocol::NotationError),
    #[error("an example cannot be dealt: {0}")]
    Deck(#[from] DeckError),
    #[error("an example cannot be dealt: no double can be led")]
    NoDouble,
    #[error("an example does not reach its end")]
    Unfinished,
    #[error("an example breaks the rules: {0}")]
    Illegal(#[from] IllegalActionError),
}

impl Scene {
    pub(super) fn new(rules: &Rules, moment: Moment) -> Result<Self, SceneError> {
        let actions = actions(rules, moment)?;
        let deck = deck(rules, &actions, BLANK_DOUBLE)?;
        let mut played = PlayedRound::deal(rules, &deck, rules.leads.first).ok_or(SceneError::NoDouble)?;
        for action in actions {
            played.act(action)?;
        }
        // 0-0 fits every open arm, and the next player holds it.
        let blank = Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK };
        let legal = played.round.legal();
        let open = Arm::ALL.into_iter().filter(|&arm| legal.contains(Action::Play(arm, blank))).collect();
        Ok(Self { played, open })
    }

    /// Returns the layout with letters at the arms that are open.
    pub(super) fn draw(&self, width: usize) -> Vec<String> {
        self.played.draw(width, |arm| self.open.contains(&arm))
    }
}

/// Returns the actions up to this moment, the same with every set of tiles. The lead is the only double, so that it leads by any
/// rule of leading.
pub(super) fn actions(rules: &Rules, moment: Moment) -> Result<Vec<Action>, leyden_protocol::NotationError> {
    let sum = rules.set.sum();
    let (top, to_two, to_three) = (sum - 1, sum - 2, sum - 3);
    let script = match rules.layout {
        LayoutShape::Spinner => format!(
            "lead:3-3 N:{to_three}-1 S:2|{to_two} \
             E:{to_three}-0 W:{to_three}-5 S:2-6 E:1|{top}"
        ),
        LayoutShape::Line => {
            format!("lead:3-3 E:{to_three}-1 W:2|{to_two} W:2-6 E:{top}-0 E:1|{top}")
        }
    };
    let until = match moment {
        Moment::Lead => 1,
        Moment::InLineAndAcross => 3,
        Moment::Later => usize::MAX,
    };
    script.split_whitespace().take(until).map(str::parse).collect()
}

/// Returns a deck that deals all players what they lay, and one tile more to the seat that plays next. The rest of the hands has
/// no doubles, so that the first player must lead that one.
pub(super) fn deck(rules: &Rules, actions: &[Action], next: Tile) -> Result<Deck, DeckError> {
    let mut hands = vec![Vec::new(); rules.seats.count()];
    let mut seat = Seat::FIRST;
    for tile in actions.iter().filter_map(|action| action.tile()).chain([next]) {
        hands[seat.index()].push(tile);
        seat = rules.seats.after(seat);
    }
    let mut others = others(rules.set, &hands).into_iter();
    for hand in &mut hands {
        let missing = usize::from(rules.hand).saturating_sub(hand.len());
        hand.extend(others.by_ref().take(missing));
    }
    let dealt: Vec<Tile> = hands.concat().into_iter().chain(others).collect();
    Deck::new(rules.set, &dealt)
}

/// Returns the tiles of a set that have not been dealt, doubles last.
fn others(set: Set, hands: &[Vec<Tile>]) -> Vec<Tile> {
    let given = hands.iter().flatten().copied().collect();
    let mut others: Vec<Tile> = set.tiles().minus(given).iter().collect();
    others.sort_by_key(|tile| tile.double().is_some());
    others
}
