//! One match: the rules on one side, the players on the other. The only place where bots meet the rules.
//!
//! It knows nothing of other matches, or of where records go.

#![forbid(unsafe_code)]

mod client;
mod clock;
mod fair_clock;
mod fault;
mod hidden_paths;
mod lateness;
mod limit;
mod memory_watch;
mod mistakes;
mod off_turn;
mod overload;
mod piped;
mod play;
mod player;
mod process_player;
mod sandbox_denials;
mod seated;
mod sent_deal;
mod spec;
mod traceback;

pub use fault::Fault;
pub use overload::{Lateness, OverloadError, TOO_LATE};
pub use piped::PipedPlayer;
pub use play::{Listener, MatchOutcome, forfeit, play_match};
pub use player::{Answered, Decision, DecisionError, OffTurnUse, Player, PlayerProcess};
pub use process_player::{Launch, ProcessPlayer, hello, hello_with_unknown_words};
pub use seated::{AnyPlayer, Seated, play_seated_match};
pub use spec::MatchSpec;
