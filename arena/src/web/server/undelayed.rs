//! Tables as they are played, for organisers who have asked for it: some of them, and a few times a second.

use std::collections::BTreeMap;
use std::time::Duration;

use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{MatchEvent, MatchKey, RunEvent};
use tokio::time::{MissedTickBehavior, interval};

use super::feed::{Feed, Message};
use crate::run::{Delivery, Subscription};
use crate::web::pages::TABLES;
use crate::web::pages::board::Board;

/// How often a table is told of.
const EVERY: Duration = Duration::from_millis(300);

/// A match that is being played, at a table.
struct Playing {
    table: usize,
    projection: Projection,
    board: Board,
    has_changed: bool,
    /// Its end is still to be told; then the table is free.
    is_over: bool,
}

/// Follows a run until it is over.
pub(super) async fn follow(mut moves: Subscription, feed: &Feed) {
    let mut playing: BTreeMap<MatchKey, Playing> = BTreeMap::new();
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            heard = moves.recv() => match heard {
                Some(Delivery::Event(event)) => match &*event {
                    RunEvent::Move { key, happened, .. } => take(&mut playing, *key, happened),
                    RunEvent::Void(void) => drop(playing.remove(&void.key)),
                    _ => {}
                },
                // The tables cannot be followed any further; others are begun.
                Some(Delivery::Missed(_)) => playing.clear(),
                None => return,
            },
            _ = ticks.tick() => tell(&mut playing, feed),
        }
    }
}

fn take(playing: &mut BTreeMap<MatchKey, Playing>, key: MatchKey, happened: &MatchEvent) {
    if matches!(happened, MatchEvent::Started(_)) {
        let is_free = |table: &usize| playing.values().all(|other| other.table != *table);
        let again = playing.get(&key).map(|playing| playing.table);
        let Some(table) = again.or_else(|| (0..TABLES).find(is_free)) else { return };
        let (projection, board) = (Projection::new(Audience::Spectator), Board::default());
        playing.insert(key, Playing { table, projection, board, has_changed: false, is_over: false });
    }
    let Some(at_table) = playing.get_mut(&key) else { return };
    let Some(shown) = at_table.projection.show(happened) else { return };
    at_table.board.take(&shown, None);
    at_table.has_changed = true;
    at_table.is_over = matches!(shown, ShownEvent::Ended { .. });
}

fn tell(playing: &mut BTreeMap<MatchKey, Playing>, feed: &Feed) {
    // As long as nobody listens a table is kept in mind, for the first who does.
    if feed.listeners() > 0 {
        for at_table in playing.values_mut().filter(|playing| playing.has_changed) {
            at_table.has_changed = false;
            at_table.board.redraw();
            let state = Message::new("table", &at_table.board.state(at_table.table));
            feed.tell_table(at_table.table, state.clone(), state);
        }
    }
    playing.retain(|_, playing| !playing.is_over);
}
