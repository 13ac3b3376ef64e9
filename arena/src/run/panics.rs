//! Catches panics while a match is played, with file, line and column.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::task::Poll;

/// A panic's message and location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PanicError {
    pub(super) text: String,
    /// File, line and column; an unknown location if the hook was not ours.
    pub(super) location: String,
}

thread_local! {
    /// Whether a panic on this thread is caught and reported.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a hook that records the location of a panic in [`caught`], which is then not printed.
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

/// Awaits a future; a panic in it is an error. On an error, the caller must drop everything that the future could change.
pub(super) async fn caught<T>(mut future: Pin<&mut impl Future<Output = T>>) -> Result<T, PanicError> {
    poll_fn(|cx| {
        WATCHED.set(true);
        // Unwind safe: the future is not polled again, and the caller drops what it could reach.
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        WATCHED.set(false);
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(PanicError {
                text: text(&*panic),
                location: LOCATION.take().unwrap_or_else(|| "an unknown location".to_owned()),
            })),
        }
    })
    .await
}

/// The message of a panic.
pub(super) fn text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
