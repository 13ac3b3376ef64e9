//! One match: the rules on one side, the players on the other. The only place where bots meet the rules.

mod clock;
mod fault;
mod limit;
mod live;
mod off_turn;
mod overload;
mod player;
mod speaker;
mod table;
mod told;

pub use fault::Fault;
pub use live::{Launch, Live};
pub use overload::{Overload, TOO_LATE};
pub use player::{Answered, Decision, Failed, OffTurnUse, Player};
pub use table::{Setting, Verdict, forfeit, play_match};
