//! The domain: seeds and deals, keys of matches, settings, events, a match as the fold of its events, what may be seen of it, and
//! the table as the fold of what is shown.
//!
//! Plays recorded matches again through the rules. No clock, no thread, no I/O: nothing here stores or prints. Secrets are in plain form: a record,
//! an organiser's event and a seed hold every hidden tile, so everything that is shown while a tournament runs must go
//! through a [`projection`] first.
#![forbid(unsafe_code)]

mod bot;
mod change;
pub mod event;
mod fault;
mod fold;
pub mod job;
mod key;
mod position;
pub mod projection;
mod record;
mod replay;
mod sandbox;
mod seed;
mod settings;
mod table_state;
mod turn_ref;
pub mod words;

pub use bot::{BotEntry, FROM_GIT, LeftOut, numbered_name, shared_name};
pub use change::{ChangeKind, TournamentChange};
pub use event::{MatchEvent, MatchHeader, RunEvent};
pub use fault::{
    AwaitedAnswer, Cause, Deviation, DisabledBot, EarlierDenial, EndCause, ExecObstacle, FaultDetails,
    FaultFact, FaultRecord, MalformedLine, MemoryShortage, Mistake, PartialLine, ProcessEnding,
    SandboxDenial, StandardError, TimeAllowed, ValidAnswer, stored_details,
};
pub use fold::{Fold, IncompleteError};
pub use key::{BotIndex, MatchKey, PairKey, Table};
pub use position::{Position, PositionError, Question, TurnCounter, position, questions};
pub use record::{
    ActionNote, MachineRecord, MatchRecord, RECORD_VERSION, RESULTS_MARK, RULES_EDITION, RecordRules,
    RecordStage, RecordedEnding, RoundRecord, Strike,
};
pub use replay::{UnplayableError, replayed};
pub use sandbox::{SandboxLevel, SandboxLevelChoice};
pub use seed::{
    Commitment, CommitmentError, MatchSeed, SeedError, SeedTextError, TournamentSeed, check_seed_text, hex,
    random_hex, shell_seed_text,
};
pub use settings::{Pondering, Settings, TimeLimits};
pub use table_state::{ForgivenFault, Layout, OpenQuestion, TableState};
pub use turn_ref::{TurnRef, TurnRefError};
