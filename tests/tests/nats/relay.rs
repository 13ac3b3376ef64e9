//! A network that can be cut: between one client and the server, at any time or when a particular message passes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use leyden_tests::patience::Patience;

use crate::process::PATIENCE;

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToServer,
    FromServer,
}

/// Passes on what arrives, until it is cut. Connections stay open even then.
pub(crate) struct Relay {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_cut: bool,
    /// Cuts as soon as this is seen, before it is passed on.
    trap: Option<(Direction, &'static str)>,
    caught: bool,
}

impl Relay {
    /// A relay to the server at this address.
    pub(crate) fn to(url: &str) -> Self {
        Self::laid(url, None)
    }

    /// The same, but it cuts when a message contains this text, which does not arrive.
    pub(crate) fn with_trap(url: &str, way: Direction, text: &'static str) -> Self {
        Self::laid(url, Some((way, text)))
    }

    fn laid(url: &str, trap: Option<(Direction, &'static str)>) -> Self {
        let server = url.strip_prefix("nats://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        shared.state.lock().unwrap().trap = trap;
        let pumped = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&server) else { continue };
                for (from, to, way) in
                    [(&client, &server, Direction::ToServer), (&server, &client, Direction::FromServer)]
                {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let shared = Arc::clone(&pumped);
                    thread::spawn(move || pump(from, to, way, &shared));
                }
            }
        });
        Self { port, shared }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn cut(&self) {
        self.shared.state.lock().unwrap().is_cut = true;
    }

    pub(crate) fn mend(&self) {
        let mut state = self.shared.state.lock().unwrap();
        (state.is_cut, state.trap) = (false, None);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Waits until the trap has closed.
    pub(crate) fn until_caught(&self) {
        let mut patience = Patience::new(PATIENCE);
        while !self.shared.state.lock().unwrap().caught {
            assert!(patience.waits(), "nothing is caught");
        }
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, way: Direction, shared: &Shared) {
    let mut before = Vec::new();
    let mut piece = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        let mut state = shared.state.lock().unwrap();
        if let Some((_, text)) = state.trap.filter(|(trapped, _)| *trapped == way) {
            // The text may arrive in two pieces.
            before.extend_from_slice(&piece[..count]);
            if before.windows(text.len()).any(|part| part == text.as_bytes()) {
                (state.is_cut, state.caught) = (true, true);
            }
            before.drain(..before.len().saturating_sub(text.len()));
        }
        drop(shared.changed.wait_while(state, |state| state.is_cut).unwrap());
        if to.write_all(&piece[..count]).is_err() {
            break;
        }
    }
    for side in [from, to] {
        drop(side.shutdown(Shutdown::Both));
    }
}
