//! The arena's own defects. A panic while a match is played costs no bot anything: it voids the pair and is reported.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Once;
use std::task::Poll;

use leyden_model::RecordRules;

/// How often the arena may panic at one place before the tournament is given up: what comes back again and again would
/// void most of what is left.
pub const SAME_PANIC: u32 = 5;

/// What a panic said, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("panicked at {location}: {text}")]
pub struct Panic {
    pub text: String,
    /// File, line and column; the last two are not known if the hook was not ours.
    pub location: String,
}

/// A defect of the arena in one match, with everything that is needed to see it again. Display is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchDefect {
    pub panic: Panic,
    pub match_id: String,
    /// SHA-256 of the tournament's seed, from which the deals follow.
    pub commitment: String,
    pub rules: RecordRules,
    pub block: u32,
    pub leg: u32,
    /// In seat order: each bot's name, and the words that start it.
    pub bots: Vec<(String, String)>,
}

impl fmt::Display for MatchDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { panic, match_id, block, leg, bots, .. } = self;
        let names: Vec<&str> = bots.iter().map(|(name, _)| name.as_str()).collect();
        let bots = names.join(" – ");
        write!(f, "a defect of the arena in match {match_id} ({bots}, block {block}, leg {leg}): it {panic}")
    }
}

impl MatchDefect {
    /// What else has to stand in a report, a line each.
    pub fn circumstances(&self) -> Vec<String> {
        let RecordRules { name, seats, set, target } = self.rules;
        let mut lines = vec![
            format!("leyden {}", env!("CARGO_PKG_VERSION")),
            format!("rules {name} to {target} with {set}, {seats} seats"),
            format!("seed commitment {}", self.commitment),
        ];
        let seats = self.bots.iter().enumerate();
        lines.extend(
            seats.map(|(seat, (name, command))| format!("seat {seat}: {name}, started by {command}")),
        );
        lines
    }
}

thread_local! {
    /// Whether a panic on this thread is somebody's to report.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sees to it that the place of a panic in [`caught`] is known, and that it is not printed as well.
pub(super) fn know_locations() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if WATCHED.get() {
                LOCATION.set(panic.location().map(ToString::to_string));
            } else {
                before(panic);
            }
        }));
    });
}

/// What a future comes to; a panic in it is an error. Whoever gets one drops everything that the future could change.
pub(super) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Panic> {
    let mut future = pin!(future);
    poll_fn(|cx| {
        WATCHED.set(true);
        // Unwind safe: the future is not polled again, and the caller drops what it could reach.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        WATCHED.set(false);
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(Panic {
                text: text(&*panic),
                location: LOCATION.take().unwrap_or_else(|| "an unknown place".to_owned()),
            })),
        }
    })
    .await
}

/// What a panic said.
pub(super) fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned())
}
