//! Shows complete pairs on tables, at a pace that people can follow.

use std::time::Duration;

use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{MatchEvent, replayed};
use leyden_protocol::{Arm, HistoryAction, HistoryEntry, Lay};
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};

use super::feed::{Feed, FeedMessage};
use crate::pages::TABLES;
use crate::pages::board::{Board, Changes};
use crate::snapshot::PlayedPair;

/// How long an action is shown if nothing else is asked.
pub const PACE: Duration = Duration::from_millis(400);
/// The least that may be asked for.
pub const FASTEST_PACE: Duration = Duration::from_millis(50);

/// How many times as long the end of a round and of a match are shown.
const AFTER_ROUND: u32 = 4;
const AFTER_MATCH: u32 = 8;

/// An event on a table, as it is sent.
#[derive(Serialize)]
struct Move<'a> {
    table: usize,
    happened: &'a ShownEvent,
    drawn: &'a Changes,
}

/// Shows complete pairs for as long as the server runs, an action after each `pace`. Pauses while there are no listeners.
pub(super) async fn play(feed: &Feed, pace: Duration) {
    let mut tables: Vec<Option<LivePair>> = (0..TABLES).map(|_| None).collect();
    let mut ticks = interval(pace);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if feed.listeners() == 0 {
            continue;
        }
        for (number, table) in tables.iter_mut().enumerate() {
            let goes_on = table.as_mut().is_some_and(|playing| playing.step(number, feed));
            if !goes_on && let Some(pair) = feed.next_pair() {
                *table = Some(LivePair::new(pair));
            }
            // Spreads the work, so that requests are answered in between.
            tokio::task::yield_now().await;
        }
    }
}

/// A pair that is being shown on a table.
struct LivePair {
    legs: std::vec::IntoIter<(leyden_model::MatchKey, leyden_model::MatchRecord)>,
    events: std::iter::Peekable<std::vec::IntoIter<MatchEvent>>,
    projection: Projection,
    board: Board,
    pause: u32,
}

impl LivePair {
    fn new(pair: PlayedPair) -> Self {
        Self {
            legs: pair.into_iter(),
            events: Vec::new().into_iter().peekable(),
            projection: Projection::new(Audience::Spectator),
            board: Board::default(),
            pause: 0,
        }
    }

    /// Shows the next action. Returns false once the pair is over.
    fn step(&mut self, table: usize, feed: &Feed) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return true;
        }
        loop {
            let Some(event) = self.events.next() else {
                let Some((_, record)) = self.legs.next() else { return false };
                self.events = replayed(&record).unwrap_or_default().into_iter().peekable();
                (self.projection, self.board) = (Projection::new(Audience::Spectator), Board::default());
                continue;
            };
            let plays = matches!(event, MatchEvent::Dealt { .. }).then(|| self.round_ahead());
            let Some(shown) = self.projection.show(&event) else { continue };
            let changes = self.board.take(&shown, plays.as_deref());
            let is_action = matches!(shown, ShownEvent::Acted { .. });
            self.pause = match shown {
                ShownEvent::Settled { .. } => AFTER_ROUND,
                ShownEvent::Ended { .. } => AFTER_MATCH,
                _ => 0,
            };
            let state = FeedMessage::new("table", &self.board.state(table));
            let change = match &shown {
                // The whole state, with names: listeners start over with this table.
                ShownEvent::Started { .. } => state.clone(),
                happened => FeedMessage::new("move", &Move { table, happened, drawn: &changes }),
            };
            feed.publish_table(table, state, change);
            if is_action || self.pause > 0 {
                return true;
            }
        }
    }

    /// Returns the plays of the round that begins, so that the drawing has room for all of them.
    fn round_ahead(&mut self) -> Vec<(Arm, Lay)> {
        let rest = self.events.clone();
        let round = rest.take_while(|event| !matches!(event, MatchEvent::Settled { .. }));
        let laid = |event: MatchEvent| match event {
            MatchEvent::Acted {
                entry: HistoryEntry { event: HistoryAction::Play(arm, lay), .. }, ..
            } => Some((arm, lay)),
            _ => None,
        };
        round.filter_map(laid).collect()
    }
}

/// Shows a pair from beginning to end, and calls `looked` after each step.
#[cfg(test)]
pub(super) fn run_through(pair: PlayedPair, feed: &Feed, mut looked: impl FnMut()) {
    let mut playing = LivePair::new(pair);
    while playing.step(0, feed) {
        looked();
    }
}
