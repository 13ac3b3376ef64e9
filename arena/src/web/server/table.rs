//! Tables that are shown when their pairs are complete, each at a pace that people can follow.

use std::time::Duration;

use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{MatchEvent, replayed};
use leyden_protocol::{Arm, HistoryAction, HistoryEntry, Lay};
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};

use super::feed::{Feed, Message};
use crate::web::pages::TABLES;
use crate::web::pages::board::{Board, Changes};
use crate::web::snapshot::PairPlayed;

/// How long an action is looked at.
const PACE: Duration = Duration::from_millis(400);

/// How many times as long the end of a round, and that of a match, is.
const AFTER_ROUND: u32 = 4;
const AFTER_MATCH: u32 = 8;

/// Something that happened on a table, as it is told.
#[derive(Serialize)]
struct Move<'a> {
    table: usize,
    happened: &'a ShownEvent,
    drawn: &'a Changes,
}

/// Shows complete pairs for as long as the server is there. While nobody looks on nothing moves.
pub(super) async fn play(feed: &Feed) {
    let mut tables: Vec<Option<Playing>> = (0..TABLES).map(|_| None).collect();
    let mut ticks = interval(PACE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if feed.listeners() == 0 {
            continue;
        }
        for (number, table) in tables.iter_mut().enumerate() {
            let goes_on = table.as_mut().is_some_and(|playing| playing.step(number, feed));
            if !goes_on && let Some(pair) = feed.next_pair() {
                *table = Some(Playing::new(pair));
            }
            // The tables are not all at the same moment, and others are answered in between.
            tokio::task::yield_now().await;
        }
    }
}

/// A pair on its way over a table.
struct Playing {
    legs: std::vec::IntoIter<(leyden_model::MatchKey, leyden_model::MatchRecord)>,
    events: std::iter::Peekable<std::vec::IntoIter<MatchEvent>>,
    projection: Projection,
    board: Board,
    pause: u32,
}

impl Playing {
    fn new(pair: PairPlayed) -> Self {
        Self {
            legs: pair.into_iter(),
            events: Vec::new().into_iter().peekable(),
            projection: Projection::new(Audience::Spectator),
            board: Board::default(),
            pause: 0,
        }
    }

    /// Goes on by one action. False once the pair is over.
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
            let state = Message::new("table", &self.board.state(table));
            let change = match &shown {
                // Names and all: whoever is there already begins with the table anew.
                ShownEvent::Started { .. } => state.clone(),
                happened => Message::new("move", &Move { table, happened, drawn: &changes }),
            };
            feed.tell_table(table, state, change);
            if is_action || self.pause > 0 {
                return true;
            }
        }
    }

    /// What is laid in the round that begins: the table is drawn so that it has room for all of it.
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

/// Shows a pair from its beginning to its end, and calls `looked` after each step.
#[cfg(test)]
pub(super) fn run_through(pair: PairPlayed, feed: &Feed, mut looked: impl FnMut()) {
    let mut playing = Playing::new(pair);
    while playing.step(0, feed) {
        looked();
    }
}
