//! Players of different kinds at one table.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use leyden_protocol::{ToBot, Turn};

use super::play::{Listener, MatchOutcome, play_match};
use super::player::{DecisionResult, Player, PlayerProcess};
use super::process_player::ProcessPlayer;
use super::spec::MatchSpec;

/// Plays a match as [`play_match`] does. It is compiled here, where code is optimised most: what a tournament plays is worth it.
pub async fn play_seated_match(
    spec: &MatchSpec,
    players: &mut [SeatedPlayer<'_>],
    listener: Listener<'_>,
) -> io::Result<MatchOutcome> {
    play_match(spec, players, listener).await
}

/// A player of any kind: a bot's process, or another player.
pub enum SeatedPlayer<'a> {
    /// Called directly, because there are millions of decisions.
    Process(&'a mut ProcessPlayer),
    /// A person, or a recorded game.
    Other(&'a mut dyn AnyPlayer),
}

impl Player for SeatedPlayer<'_> {
    fn send(&mut self, message: &ToBot<'_>) {
        match self {
            Self::Process(player) => player.send(message),
            Self::Other(player) => player.send_boxed(message),
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        allowance: Duration,
        watch: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        match self {
            Self::Process(player) => player.decide(turn, allowance, watch).await,
            Self::Other(player) => player.decide_boxed(turn, allowance, watch).await,
        }
    }

    async fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Process(player) => player.flush().await,
            Self::Other(player) => player.flush_boxed().await,
        }
    }

    fn process(&mut self) -> Option<&mut dyn PlayerProcess> {
        match self {
            Self::Process(player) => player.process(),
            Self::Other(player) => player.process_boxed(),
        }
    }
}

type Pending<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + 'a>>;

/// [`Player`] as a trait object. Implemented for every player.
pub trait AnyPlayer {
    #[doc(hidden)]
    fn send_boxed(&mut self, message: &ToBot<'_>);
    #[doc(hidden)]
    fn decide_boxed<'a>(
        &'a mut self,
        turn: &'a Turn<'a>,
        allowance: Duration,
        watch: &'a mut dyn FnMut(),
    ) -> Pending<'a, DecisionResult>;
    #[doc(hidden)]
    fn flush_boxed(&mut self) -> Pending<'_, ()>;
    #[doc(hidden)]
    fn process_boxed(&mut self) -> Option<&mut dyn PlayerProcess>;
}

impl<P: Player> AnyPlayer for P {
    fn send_boxed(&mut self, message: &ToBot<'_>) {
        self.send(message);
    }

    fn decide_boxed<'a>(
        &'a mut self,
        turn: &'a Turn<'a>,
        allowance: Duration,
        watch: &'a mut dyn FnMut(),
    ) -> Pending<'a, DecisionResult> {
        Box::pin(self.decide(turn, allowance, watch))
    }

    fn flush_boxed(&mut self) -> Pending<'_, ()> {
        Box::pin(self.flush())
    }

    fn process_boxed(&mut self) -> Option<&mut dyn PlayerProcess> {
        self.process()
    }
}
