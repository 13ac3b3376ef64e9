//! Ctrl-C and its relatives: the first one ends the tournament in order, the second one at once.

use std::process;
use std::thread;

use leyden_arena::run::Halt;
use tokio::signal::unix::{SignalKind, signal};

use super::exit::{Code, Stop};

/// The signals that end a program, to be waited for.
pub(super) struct Signals {
    runtime: tokio::runtime::Runtime,
    kinds: [tokio::signal::unix::Signal; 3],
}

/// Listens for SIGINT, SIGTERM and SIGHUP from now on.
pub(super) fn listen() -> Result<Signals, Stop> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(Stop::defect)?;
    let inside = runtime.enter();
    let listen = |kind| signal(kind).map_err(Stop::defect);
    let kinds =
        [listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?, listen(SignalKind::hangup())?];
    drop(inside);
    Ok(Signals { runtime, kinds })
}

impl Signals {
    /// Waits for the next one.
    pub(super) fn wait(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.kinds;
        self.runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        });
    }
}

/// Calls `halt` at the first SIGINT, SIGTERM or SIGHUP. At the second the program ends at once; its bots are killed by
/// their supervisors.
pub(super) fn halt_on_signals(halt: &Halt) -> Result<(), Stop> {
    let halt = halt.clone();
    let mut signals = listen()?;
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            loop {
                signals.wait();
                if halt.is_called() {
                    process::exit(Code::Interrupted as i32);
                }
                halt.now();
            }
        })
        .map_err(Stop::defect)?;
    Ok(())
}
