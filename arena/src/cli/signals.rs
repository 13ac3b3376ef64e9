//! Ctrl-C and its relatives: the first one ends the tournament in order, a second one that somebody sends at once.

use std::process;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::thread;

use leyden_arena::halt::Halt;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::exit::{Code, CommandError};

/// The signals that end a program, to be waited for.
pub(super) struct Signals {
    runtime: tokio::runtime::Runtime,
    interrupt: Signal,
    terminate: Signal,
    /// None where whoever started the program wants it to go on without a terminal.
    hangup: Option<Signal>,
}

/// Listens for SIGINT, SIGTERM and SIGHUP from now on. A SIGHUP that is ignored stays so, as `nohup` wants it.
pub(super) fn listen() -> Result<Signals, CommandError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(CommandError::of_system)?;
    let inside = runtime.enter();
    let listen = |kind| signal(kind).map_err(CommandError::of_system);
    let (interrupt, terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    let hangup = if ignores_hangup() { None } else { Some(listen(SignalKind::hangup())?) };
    drop(inside);
    Ok(Signals { runtime, interrupt, terminate, hangup })
}

/// Whether the program was started with SIGHUP ignored; not known where the system has no `/proc`.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0)
}

/// What a signal says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signalled {
    /// Somebody wants an end.
    Asked,
    /// The terminal is gone. The system says so more than once.
    HungUp,
}

impl Signals {
    /// Waits for the next one.
    pub(super) fn wait(&mut self) -> Signalled {
        let Self { runtime, interrupt, terminate, hangup } = self;
        let hung_up = async {
            match hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => Signalled::Asked,
                _ = terminate.recv() => Signalled::Asked,
                () = hung_up => Signalled::HungUp,
            }
        })
    }
}

/// Something that is prepared, which a signal halts; once it is over, a signal ends the program at once.
pub(super) struct Preparing(Arc<AtomicU8>);

const UNDER_WAY: u8 = 0;
const INTERRUPTED: u8 = 1;
const OVER: u8 = 2;

impl Preparing {
    /// Calls `halt` at a SIGINT, SIGTERM or SIGHUP from now on.
    pub(super) fn start(halt: &Halt) -> Result<Self, CommandError> {
        let (halt, phase) = (halt.clone(), Arc::new(AtomicU8::new(UNDER_WAY)));
        let preparing = Self(Arc::clone(&phase));
        on_signals(move |_| {
            if phase.compare_exchange(UNDER_WAY, INTERRUPTED, SeqCst, SeqCst).is_ok() {
                return halt.now();
            }
            super::say(format_args!("leyden: interrupted"));
            process::exit(Code::Interrupted as i32);
        })?;
        Ok(preparing)
    }

    /// Says that it is over; an error if it was interrupted before.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let ended = self.0.compare_exchange(UNDER_WAY, OVER, SeqCst, SeqCst);
        ended
            .map(drop)
            .map_err(|_| CommandError { code: Code::Interrupted, message: "interrupted".to_owned() })
    }
}

/// What is kept if the program is ended at once, and how to go on: known once there is a results file.
static KEPT: OnceLock<String> = OnceLock::new();

/// Notes what is told if the program is ended at once from now on.
pub(super) fn tell_at_once(kept: String) {
    let _ = KEPT.set(kept); // there is one results file in a run
}

/// Calls `halt` at the first SIGINT, SIGTERM or SIGHUP. At the second SIGINT or SIGTERM the program says what is kept, and ends at
/// once; its bots are killed by their supervisors.
pub(super) fn halt_on_signals(halt: &Halt) -> Result<(), CommandError> {
    let (halt, mut was_asked) = (halt.clone(), false);
    on_signals(move |signalled| {
        let asks = signalled == Signalled::Asked;
        if asks && was_asked {
            let kept = KEPT.get().map_or_else(String::new, |kept| format!(": {kept}"));
            super::say(format_args!("leyden: interrupted{kept}"));
            process::exit(Code::Interrupted as i32);
        }
        was_asked |= asks;
        halt.now();
    })
}

/// Has a thread of its own take the signals from now on.
fn on_signals(mut take: impl FnMut(Signalled) + Send + 'static) -> Result<(), CommandError> {
    let mut signals = listen()?;
    let wait = move || loop {
        take(signals.wait());
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop).map_err(CommandError::of_system)
}
