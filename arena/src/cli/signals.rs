//! Ctrl-C and its relatives: the first one ends the tournament in order, a second one that somebody sends at once.

use std::process;
use std::thread;

use leyden_arena::run::Halt;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::exit::{Code, Stop};

/// The signals that end a program, to be waited for.
pub(super) struct Signals {
    runtime: tokio::runtime::Runtime,
    interrupt: Signal,
    terminate: Signal,
    /// None where whoever started the program wants it to go on without a terminal.
    hangup: Option<Signal>,
}

/// Listens for SIGINT, SIGTERM and SIGHUP from now on. A SIGHUP that is ignored stays so, as `nohup` wants it.
pub(super) fn listen() -> Result<Signals, Stop> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(Stop::defect)?;
    let inside = runtime.enter();
    let listen = |kind| signal(kind).map_err(Stop::defect);
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

/// Calls `halt` at the first SIGINT, SIGTERM or SIGHUP. At the second SIGINT or SIGTERM the program ends at once; its bots are
/// killed by their supervisors.
pub(super) fn halt_on_signals(halt: &Halt) -> Result<(), Stop> {
    let halt = halt.clone();
    let mut signals = listen()?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let mut was_asked = false;
            loop {
                let asks = signals.wait() == Signalled::Asked;
                if asks && was_asked {
                    process::exit(Code::Interrupted as i32);
                }
                was_asked |= asks;
                halt.now();
            }
        })
        .map_err(Stop::defect)?;
    Ok(())
}
