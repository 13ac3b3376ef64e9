//! A Python callable at a table of the arena.

use std::io;
use std::time::{Duration, Instant};

use leyden_arena::CancellationToken;
use leyden_env::Encoding;
use leyden_protocol::{ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, Player};
use pyo3::prelude::*;

use crate::strategy::{RaisedException, answer};

/// Asks a callable. If it raises, or its action is not legal, the run ends and the exception comes out of it: the callable is
/// the caller's own, so nothing is scored as a fault. Its time is recorded; nobody stops it.
pub(crate) struct CallablePlayer {
    pub(crate) ask: Py<PyAny>,
    pub(crate) encoding: Encoding,
    pub(crate) raised: RaisedException,
    pub(crate) stop: CancellationToken,
}

impl Player for CallablePlayer {
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let start = Instant::now();
        match Python::attach(|py| answer(py, self.ask.bind(py), turn, &self.encoding)) {
            Ok(action) => {
                let took = start.elapsed();
                let (charged, late) = (Duration::ZERO, Duration::ZERO);
                Ok(Ok(Decision { action, note: None, took, charged, late }))
            }
            Err(error) => {
                self.raised.keep(error);
                self.stop.cancel();
                Err(io::Error::other("a callable failed"))
            }
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
