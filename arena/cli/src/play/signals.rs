//! SIGINT (Ctrl-C), SIGTERM and SIGHUP: the first one stops the run gracefully, a second one from the user at once.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread;

use leyden_arena::CancellationToken;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::{Code, CommandError};

/// The signals that end a program, to be waited for.
pub(crate) struct Signals {
    runtime: tokio::runtime::Runtime,
    interrupt: Signal,
    terminate: Signal,
    /// `None` if the program was started so that it survives its terminal.
    hangup: Option<Signal>,
}

/// Listens for SIGINT, SIGTERM and SIGHUP from now on. An ignored SIGHUP stays ignored, as `nohup` expects.
pub(crate) fn listen() -> Result<Signals, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(CommandError::from_system)?;
    let inside = runtime.enter();
    let listen = |kind| signal(kind).map_err(CommandError::from_system);
    let (interrupt, terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    let hangup = if ignores_hangup() { None } else { Some(listen(SignalKind::hangup())?) };
    drop(inside);
    Ok(Signals { runtime, interrupt, terminate, hangup })
}

/// Returns whether the program was started with SIGHUP ignored; false on systems without `/proc`.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0)
}

/// What a signal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalMeaning {
    /// The user asks the program to end.
    Asked,
    /// The terminal is gone. The system may say so more than once.
    HungUp,
}

impl Signals {
    /// Waits for the next signal.
    pub(crate) fn wait(&mut self) -> SignalMeaning {
        let Self { runtime, interrupt, terminate, hangup } = self;
        let hung_up = async {
            match hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => SignalMeaning::Asked,
                _ = terminate.recv() => SignalMeaning::Asked,
                () = hung_up => SignalMeaning::HungUp,
            }
        })
    }
}

/// A preparation that a signal stops; once it is over, a signal ends the program at once.
pub(crate) struct Preparing(Arc<AtomicU8>);

const UNDER_WAY: u8 = 0;
const INTERRUPTED: u8 = 1;
const OVER: u8 = 2;

impl Preparing {
    /// Cancels `stop` at a SIGINT, SIGTERM or SIGHUP from now on.
    pub(crate) fn start(stop: &CancellationToken) -> Result<Self, CommandError> {
        let (stop, state) = (stop.clone(), Arc::new(AtomicU8::new(UNDER_WAY)));
        let preparing = Self(Arc::clone(&state));
        on_signals(move |_| {
            if state.compare_exchange(UNDER_WAY, INTERRUPTED, SeqCst, SeqCst).is_ok() {
                return stop.cancel();
            }
            crate::out::say(format_args!("leyden: interrupted"));
            process::exit(Code::Interrupted.number().into());
        })?;
        Ok(preparing)
    }

    /// Ends the preparation. Returns an error if it was interrupted.
    pub(crate) fn finish(self) -> Result<(), CommandError> {
        let ended = self.0.compare_exchange(UNDER_WAY, OVER, SeqCst, SeqCst);
        ended.map(drop).map_err(|_| CommandError::interrupted("interrupted"))
    }
}

/// What is kept if the program is ended at once, and how to resume; set once there is a results file.
static EXIT_MESSAGE: OnceLock<String> = OnceLock::new();

/// Sets the message for when the program is ended at once.
pub(crate) fn set_exit_message(kept: String) {
    let _ = EXIT_MESSAGE.set(kept); // a run has only one results file
}

/// Cancels `stop` at the first SIGINT, SIGTERM or SIGHUP. At the second SIGINT or SIGTERM the program says what is kept and exits at
/// once; supervisors kill its bots.
pub(crate) fn stop_on_signals(stop: &CancellationToken) -> Result<(), CommandError> {
    let (stop, mut was_asked) = (stop.clone(), false);
    on_signals(move |signalled| {
        let asks = signalled == SignalMeaning::Asked;
        if asks && was_asked {
            let kept = EXIT_MESSAGE.get().map_or_else(String::new, |kept| format!(": {kept}"));
            crate::out::say(format_args!("leyden: interrupted{kept}"));
            process::exit(Code::Interrupted.number().into());
        }
        was_asked |= asks;
        stop.cancel();
    })
}

/// Handles signals in a thread of its own from now on.
fn on_signals(mut take: impl FnMut(SignalMeaning) + Send + 'static) -> Result<(), CommandError> {
    let mut signals = listen()?;
    let wait = move || loop {
        take(signals.wait());
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop).map_err(CommandError::from_system)
}
