//! A player at the other end of two pipes that nobody supervises: in this program, in a test, in a benchmark.

use std::io;
use std::time::Duration;

use leyden_host::{CHECK_INTERVAL, DirectRead, NextCheck, Watchdog};
use leyden_model::TimeLimits;
use leyden_protocol::{ClockKind, ToBot, Turn};
use leyden_rules::Rules;
use tokio::io::AsyncWrite;
use tokio::time::Instant;

use crate::client::Client;
use crate::limit::Limit;
use crate::player::{DecisionError, DecisionResult, Player};
use crate::process_player::hello;

/// A bot that speaks the protocol over two pipes and has sent `ready`. The referee asks it, and checks its answers, as it does with a process, but
/// charges real time alone and sees nothing of what it does.
pub struct PipedPlayer<R, W> {
    client: Client<R, W>,
}

impl<R: DirectRead, W: AsyncWrite + Unpin> PipedPlayer<R, W> {
    /// Shakes hands. The inner result is the bot's doing.
    pub async fn start(
        reader: R,
        writer: W,
        rules: &Rules,
        limits: &TimeLimits,
    ) -> io::Result<Result<Self, DecisionError>> {
        let mut client = Client::new(reader, writer);
        let greeted = client.greet(&hello(rules, limits), limits.startup()).await?;
        Ok(greeted.map(|()| Self { client }))
    }
}

impl<R: DirectRead, W: AsyncWrite + Unpin> Player for PipedPlayer<R, W> {
    fn send(&mut self, message: &ToBot<'_>) {
        self.client.send(message);
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let check = &mut || {
            watch();
            NextCheck::After(CHECK_INTERVAL)
        };
        let limit = Limit::new(ClockKind::Wall, allowance);
        let mut watchdog = Watchdog { first_check: CHECK_INTERVAL, check };
        self.client.ask(turn, limit, Instant::now(), &mut watchdog).await
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.client.flush().await
    }
}
