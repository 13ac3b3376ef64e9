//! What a player can do and what the others see of it: the notation of actions and histories.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::seat::{MAX_SEATS, Seat};
use crate::text::{NotationError, Text, written_as_text};
use crate::tile::{Double, Matador, Pip, Tile, across, in_line, parse_halves};

/// One of the four arms of the layout; a line layout has only `E` and `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Arm {
    N,
    E,
    S,
    W,
}

impl Arm {
    /// All arms, in the order in which they are listed everywhere.
    pub const ALL: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];

    /// Returns the index in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns its letter in actions.
    pub const fn letter(self) -> &'static str {
        match self {
            Self::N => "N",
            Self::E => "E",
            Self::S => "S",
            Self::W => "W",
        }
    }

    /// Returns the arm with this letter; `None` if there is none.
    pub fn from_letter(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|arm| arm.letter() == letter)
    }
}

/// How a tile is laid on an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lay {
    /// `touching` meets the old end, `end` becomes the new one.
    InLine { touching: Pip, end: Pip },
    /// Both halves become the end. Only a matador can lie across.
    Across(Matador),
}

impl Lay {
    /// Returns the tile that is laid.
    pub const fn tile(self) -> Tile {
        match self {
            Self::InLine { touching, end } => Tile::new(touching, end),
            Self::Across(matador) => matador.tile(),
        }
    }

    #[inline]
    fn text(self) -> Text {
        match self {
            Self::InLine { touching, end } => in_line(touching, end),
            Self::Across(matador) => across(matador.low(), matador.high()),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        if let Some((touching, end)) = parse_halves(text, '-') {
            return Some(Self::InLine { touching, end });
        }
        let (low, high) = parse_halves(text, '|')?;
        if low > high {
            return None;
        }
        Matador::new(Tile::new(low, high)).map(Self::Across)
    }
}

impl fmt::Display for Lay {
    /// Writes what stands behind the arm of an action: `4-1` in line, `2|5` across.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text(), f)
    }
}

/// A player's decision. As a text it has one spelling, which is also that of records.
///
/// ```
/// use leyden_protocol::{Action, Arm, Lay};
///
/// let Ok(Action::Play(arm, Lay::InLine { touching, end })) = "N:4-1".parse() else { panic!("it is a play") };
/// assert_eq!((arm, touching.get(), end.get()), (Arm::N, 4, 1)); // the 4 touches the end of the arm, the 1 is the new end
/// assert_eq!(Lay::InLine { touching, end }.to_string(), "4-1");
/// assert_eq!("draw".parse(), Ok(Action::Draw));
/// assert!("N:4-01".parse::<Action>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The first tile of a round: `lead:3-3`.
    Lead(Double),
    /// A tile on an arm: `N:4-1` in line, `S:2|5` across.
    Play(Arm, Lay),
    /// Take the next tile of the boneyard: `draw`.
    Draw,
    /// Pass, being able neither to play nor to draw: `pass`.
    Pass,
    /// Decline to lead: `refuse`.
    Refuse,
}

impl Action {
    /// Returns the tile that leaves the hand, if any.
    pub const fn tile(self) -> Option<Tile> {
        match self {
            Self::Lead(double) => Some(double.tile()),
            Self::Play(_, lay) => Some(lay.tile()),
            Self::Draw | Self::Pass | Self::Refuse => None,
        }
    }

    #[inline]
    pub(crate) fn text(self) -> Text {
        const LEAD: Text = Text::from_ascii("lead:");
        const ARMS: [Text; 4] =
            [Text::from_ascii("N:"), Text::from_ascii("E:"), Text::from_ascii("S:"), Text::from_ascii("W:")];
        const DRAW: Text = Text::from_ascii("draw");
        const PASS: Text = Text::from_ascii("pass");
        const REFUSE: Text = Text::from_ascii("refuse");
        match self {
            Self::Lead(double) => LEAD.then(double.tile().text()),
            Self::Play(arm, lay) => ARMS[arm.index()].then(lay.text()),
            Self::Draw => DRAW,
            Self::Pass => PASS,
            Self::Refuse => REFUSE,
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match HistoryAction::parse(text) {
            Some(HistoryAction::Lead(double)) => Ok(Self::Lead(double)),
            Some(HistoryAction::Play(arm, lay)) => Ok(Self::Play(arm, lay)),
            Some(HistoryAction::Draw(None)) => Ok(Self::Draw),
            Some(HistoryAction::Pass) => Ok(Self::Pass),
            Some(HistoryAction::Refuse) => Ok(Self::Refuse),
            Some(HistoryAction::Draw(Some(_))) | None => Err(NotationError::new(
                "an action, such as lead:3-3, N:4-1, S:2|5, draw, pass or refuse",
                text,
            )),
        }
    }
}

written_as_text!(
    Action,
    r"^(lead:([0-9]|1[0-2])-([0-9]|1[0-2])|[NESW]:([0-9]|1[0-2])[-|]([0-9]|1[0-2])|draw|pass|refuse)$",
    "an action: \"lead:3-3\", \"N:4-1\" (in line: touching half, new end), \"S:2|5\" (across), \"draw\", \"pass\", \"refuse\""
);

/// An action as a history shows it: a draw may carry the drawn tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HistoryAction {
    Lead(Double),
    Play(Arm, Lay),
    /// The tile is present only for those who may know it.
    Draw(Option<Tile>),
    Pass,
    Refuse,
}

impl HistoryAction {
    fn text(self) -> Text {
        const DRAWN: Text = Text::from_ascii("draw:");
        match self {
            Self::Draw(Some(tile)) => DRAWN.then(tile.text()),
            other => Action::from(other).text(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "draw" => return Some(Self::Draw(None)),
            "pass" => return Some(Self::Pass),
            "refuse" => return Some(Self::Refuse),
            _ => {}
        }
        let (what, tile) = text.split_once(':')?;
        match what {
            "lead" => tile.parse::<Tile>().ok()?.double().map(Self::Lead),
            "draw" => Some(Self::Draw(Some(tile.parse().ok()?))),
            arm => Some(Self::Play(Arm::from_letter(arm)?, Lay::parse(tile)?)),
        }
    }
}

impl From<Action> for HistoryAction {
    /// A draw carries no tile.
    fn from(action: Action) -> Self {
        match action {
            Action::Lead(double) => Self::Lead(double),
            Action::Play(arm, lay) => Self::Play(arm, lay),
            Action::Draw => Self::Draw(None),
            Action::Pass => Self::Pass,
            Action::Refuse => Self::Refuse,
        }
    }
}

impl From<HistoryAction> for Action {
    fn from(event: HistoryAction) -> Self {
        match event {
            HistoryAction::Lead(double) => Self::Lead(double),
            HistoryAction::Play(arm, lay) => Self::Play(arm, lay),
            HistoryAction::Draw(_) => Self::Draw,
            HistoryAction::Pass => Self::Pass,
            HistoryAction::Refuse => Self::Refuse,
        }
    }
}

/// One line of a round's history: who did what, such as `0 lead:3-3`, `1 draw`, `1 draw:0-6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HistoryEntry {
    pub seat: Seat,
    pub event: HistoryAction,
}

impl HistoryEntry {
    /// Returns this entry as `viewer` may know it: only its own draws show their tile.
    #[must_use]
    pub fn seen_by(self, viewer: Seat) -> Self {
        match self.event {
            HistoryAction::Draw(_) if self.seat != viewer => {
                Self { seat: self.seat, event: HistoryAction::Draw(None) }
            }
            _ => self,
        }
    }

    pub(crate) fn text(self) -> Text {
        const SPACE: Text = Text::from_ascii(" ");
        Text::number(self.seat.index() as u8).then(SPACE).then(self.event.text())
    }

    /// Returns the text between quotes.
    pub(crate) fn quoted(self) -> Text {
        const BEFORE: [Text; MAX_SEATS] = {
            let mut all = [Text::from_ascii("\""); MAX_SEATS];
            let mut seat = 0;
            while seat < MAX_SEATS {
                all[seat] = all[seat].then(Text::number(seat as u8)).then(Text::from_ascii(" "));
                seat += 1;
            }
            all
        };
        BEFORE[self.seat.index()].then(self.event.text()).then(Text::from_ascii("\""))
    }
}

impl FromStr for HistoryEntry {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let parse = || {
            let (seat, event) = text.split_once(' ')?;
            let seat = Seat::new(crate::text::number(seat)?.into())?;
            Some(Self { seat, event: HistoryAction::parse(event)? })
        };
        parse().ok_or_else(|| {
            NotationError::new("a seat and what it did, such as \"0 lead:3-3\" or \"1 draw\"", text)
        })
    }
}

written_as_text!(
    HistoryEntry,
    r"^[0-7] (lead:([0-9]|1[0-2])-([0-9]|1[0-2])|[NESW]:([0-9]|1[0-2])[-|]([0-9]|1[0-2])|draw(:([0-9]|1[0-2])-([0-9]|1[0-2]))?|pass|refuse)$",
    "a seat and what it did: \"0 lead:3-3\", \"1 N:4-1\", \"1 draw\" (another seat's draw), \"1 draw:0-6\" (the seat's own)"
);
