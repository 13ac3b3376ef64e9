//! A match inside this program: two bots that answer at once with the first legal action, each behind pipes in memory. What it
//! takes is the arena's own work, and the same each time.

use std::cell::RefCell;
use std::io::{self, Write};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use leyden_host::DirectRead;
use leyden_model::{MatchHeader, MatchRecord, TimeLimits, TournamentSeed};
use leyden_protocol::{RulesName, ToBot, Turn};
use leyden_referee::{DecisionResult, MatchOutcome, MatchSpec, PipedPlayer, Player, play_match};
use leyden_rules::Rules;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Both pipes of a bot. It has its answer ready, and gives it as soon as it is written to.
#[derive(Clone, Default)]
struct Pipes(Rc<RefCell<Answer>>);

#[derive(Default)]
struct Answer {
    ready: Vec<u8>,
    given: Vec<u8>,
}

impl Pipes {
    fn take(&self, buffer: &mut [u8]) -> Option<usize> {
        let given = &mut self.0.borrow_mut().given;
        let count = given.len();
        buffer[..count].copy_from_slice(given);
        given.clear();
        (count > 0).then_some(count)
    }
}

impl DirectRead for Pipes {
    const CONCLUSIVE: bool = true;

    fn read_within(&mut self, _: Duration, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(self.take(buffer))
    }
}

impl AsyncRead for Pipes {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Some(count) = self.take(buffer.initialize_unfilled()) else { return Poll::Pending };
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Pipes {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Answer { ready, given } = &mut *self.0.borrow_mut();
        given.append(ready);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The referee's player, and the bot's end of its pipes.
pub(crate) struct Instant {
    player: PipedPlayer<Pipes, Pipes>,
    pipes: Pipes,
}

impl Player for Instant {
    fn send(&mut self, message: &ToBot<'_>) {
        self.player.send(message);
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let line = format_args!(r#"{{"type":"action","id":{},"action":"{}"}}"#, turn.id, turn.legal[0]);
        writeln!(self.pipes.0.borrow_mut().ready, "{line}")?;
        self.player.decide(turn, allowance, watch).await
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.player.flush().await
    }
}

/// Two bots at a table of rule set leyden.
pub(crate) struct MatchInMemory {
    rules: Rules,
    limits: TimeLimits,
    players: Vec<Instant>,
    seed: TournamentSeed,
}

impl MatchInMemory {
    pub(crate) async fn new() -> Self {
        let (rules, limits) = (Rules::standard(RulesName::Leyden), TimeLimits::default());
        let mut players = Vec::new();
        for _ in rules.seats.iter() {
            let pipes = Pipes::default();
            let ready = b"{\"type\":\"ready\",\"protocol\":\"1.1\",\"name\":\"instant\"}\n";
            pipes.0.borrow_mut().ready.extend_from_slice(ready);
            let player = PipedPlayer::start(pipes.clone(), pipes.clone(), &rules, &limits).await;
            let player = player.expect("nothing fails in memory").expect("the bot is ready");
            players.push(Instant { player, pipes });
        }
        Self { rules, limits, players, seed: TournamentSeed::from_text("inside") }
    }

    /// Plays a block's first match.
    pub(crate) async fn play(&mut self, block: u32) -> Box<MatchRecord> {
        let bots = ["a", "b"];
        let seed = self.seed.match_seed(&bots, block);
        let rules = (&self.rules).into();
        let header = MatchHeader::new(self.seed.tournament_id(), seed, rules, (block, 0), &bots);
        let spec =
            MatchSpec { header, rules: self.rules, limits: self.limits, strikes: 0, show_names: false };
        match play_match(&spec, &mut self.players, None).await.expect("nothing fails in memory") {
            MatchOutcome::Finished(record) if record.fault.is_none() => record,
            other => panic!("the first legal action is legal, and given at once: {other:?}"),
        }
    }
}

/// The number of decisions that were asked for in a match.
pub(crate) fn decisions(record: &MatchRecord) -> u64 {
    record.think_us.as_slice().iter().map(|seat| seat.len() as u64).sum()
}
