//! One match: the rules on one side, the players on the other. The only place where bots meet the rules.
//!
//! It knows nothing of other matches, or of where records go.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod client;
mod clock;
mod fair_clock;
mod fault;
mod hidden_paths;
mod lateness;
mod limit;
mod memory_watch;
mod mistakes;
mod mixed_table;
mod off_turn;
mod overload;
mod piped_player;
mod play;
mod player;
mod process_player;
mod sandbox_denials;
mod sent_deal;
mod spec;
mod traceback;

pub use fault::Fault;
pub use mixed_table::{AnyPlayer, SeatedPlayer, play_seated_match};
pub use overload::{Lateness, OverloadError, TOO_LATE};
pub use piped_player::PipedPlayer;
pub use play::{Listener, MatchOutcome, forfeit, play_match};
pub use player::{Decision, DecisionError, DecisionResult, OffTurnUse, Player, PlayerProcess};
pub use process_player::{Launch, ProcessPlayer, hello, hello_with_unknown_words};
pub use spec::MatchSpec;
