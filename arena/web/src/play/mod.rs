//! The page of one table, where a person plays, or watches bots. Served on the loopback interface, behind a secret address.
//!
//! The page shows the state built from the table's messages (`state.rs`), so only what a seat may know. Anyone with the address
//! sees that hand and can play for it, so the address contains a secret of 128 bits: neither a bot that can reach the loopback
//! interface nor a page elsewhere knows it. Reading changes nothing but the language of the page; commands to the table are JSON in
//! a POST.

mod controller;
mod lesson;
mod page;
mod page_state;
mod parts;
mod routes;
mod state;
#[cfg(test)]
mod tests;
mod visit;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::mpsc;
use std::thread::JoinHandle;

use leyden_language::Language;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

use crate::server::access::{self, Access};
use crate::server::connection;
use controller::{Input, TableController};
use page_state::PageState;
pub(crate) use parts::table as drawn_table;
pub(crate) use state::PlayState;
pub use visit::{MakeTable, VisitEvent, VisitStart};

/// A page that can be opened. Dropping it closes the page and ends a running match.
pub struct PlayServer {
    url: String,
    inputs: mpsc::Sender<Input>,
    end: Option<oneshot::Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl PlayServer {
    /// Starts to serve on this port of the loopback interface; 0 means any free port.
    /// The page speaks this language, or the one that the browser asks for.
    pub fn start(
        port: u16,
        opening: VisitStart,
        language: Option<Language>,
        heard: mpsc::Sender<VisitEvent>,
    ) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = access::new_secret()?;
        let url = format!("http://{address}/{token}/");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (inputs, said) = mpsc::channel();
        let (to_show, shown) = watch::channel(PageState::default());
        let (end, ended) = oneshot::channel();
        let mut page = Self { url, inputs: inputs.clone(), end: Some(end), threads: Vec::new() };
        let to_table = inputs.clone();
        page.spawn("play", move || {
            TableController::new(to_table, to_show, heard, language.unwrap_or_default()).run(opening, &said);
        })?;
        let service = routes::router(token, Access::new(address.port(), &[], false), shown, inputs, language);
        let serve = async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            tokio::select! {
                outcome = connection::serve(listener, service, routes::LONGEST, None, None) => {
                    if let Err(error) = outcome {
                        tracing::warn!("serving the page ended: {error}");
                    }
                }
                _ = ended => {}
            }
        };
        page.spawn("page", move || {
            runtime.block_on(serve);
            runtime.shutdown_background();
        })?;
        Ok(page)
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.threads.push(std::thread::Builder::new().name(name.to_owned()).spawn(work)?);
        Ok(())
    }

    /// Returns the page's address. Anyone who knows it can play.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for PlayServer {
    fn drop(&mut self) {
        let _ = self.inputs.send(Input::Close); // it may have ended already
        drop(self.end.take());
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}
