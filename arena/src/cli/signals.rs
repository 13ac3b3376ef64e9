//! Ctrl-C and its relatives: the first one ends the tournament in order, the second one at once.

use std::process;
use std::thread;

use leyden_arena::run::Halt;
use tokio::signal::unix::{SignalKind, signal};

use super::exit::{Code, Stop};

/// Calls `halt` at the first SIGINT, SIGTERM or SIGHUP. At the second the program ends at once; its bots are killed by
/// their supervisors.
pub(super) fn halt_on_signals(halt: &Halt) -> Result<(), Stop> {
    let halt = halt.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(Stop::defect)?;
    let inside = runtime.enter();
    let listen = |kind| signal(kind).map_err(Stop::defect);
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    let mut hangup = listen(SignalKind::hangup())?;
    drop(inside);
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                loop {
                    tokio::select! {
                        _ = interrupt.recv() => {}
                        _ = terminate.recv() => {}
                        _ = hangup.recv() => {}
                    }
                    if halt.is_called() {
                        process::exit(Code::Interrupted as i32);
                    }
                    halt.now();
                }
            });
        })
        .map_err(Stop::defect)?;
    Ok(())
}
