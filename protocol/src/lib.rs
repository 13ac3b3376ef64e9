//! The protocol between a Leyden bot and the arena: tiles, seats, actions, what a seat may see, and the messages.
//!
//! No clock, no I/O, no rules: the rules decide whether an action is legal, this crate whether a text *is* an action.
//! `protocol/README.md` describes the protocol for authors of bots.
#![forbid(unsafe_code)]

mod action;
mod answer;
mod line;
mod message;
mod note;
mod ruleset;
pub mod schema;
mod seat;
mod text;
mod tile;
mod turn_line;
mod view;
mod worded;

pub use action::{Action, Arm, HistoryAction, HistoryEntry, Lay};
pub use answer::{AnswerHint, BotId, BotLine, MalformedLineError, cause_of_printed_value, read_answer};
pub use line::{is_hidden, printable, push_line};
pub use message::{
    Answer, Clock, ClockKind, ErrorNotice, FaultCode, FaultNotice, FromBot, Hello, LONGEST_LINE, Limits,
    MatchEnd, MatchEnding, MatchStart, Ready, RoundEnd, RoundEnding, ToBot, Turn, VERSION, Version,
    VersionError,
};
pub use note::{LONGEST_LABEL, LONGEST_NOTE, Note, NoteError, NoteObject, WrittenNote};
pub use ruleset::{
    Drawing, LayoutShape, LeadRule, Leads, Opening, RuleSet, RulesName, Scoring, UnknownRulesError,
    WinningScore,
};
pub use seat::{MAX_SEATS, PerSeat, Seat, Seats};
pub use text::NotationError;
pub use tile::{Double, Matador, Pip, Set, Tile, TileSet, Tiles};
pub use turn_line::{DealText, push_round_end_with, push_turn, push_turn_with};
pub use view::{Arms, End, Phase, View};
