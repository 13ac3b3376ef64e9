//! Shows tables as they are played, for organisers who ask for it: a few tables, a few times a second.

use std::collections::BTreeMap;
use std::time::Duration;

use leyden_model::projection::{Audience, Projection, ShownEvent};
use leyden_model::{MatchEvent, MatchKey, RunEvent};
use tokio::time::{MissedTickBehavior, interval};

use super::feed::{Feed, FeedMessage};
use crate::pages::TABLES;
use crate::pages::board::Board;
use leyden_arena::run::{Delivery, Subscription};

/// The interval of updates.
const EVERY: Duration = Duration::from_millis(300);

/// A match in progress, at a table.
struct LiveMatch {
    table: usize,
    projection: Projection,
    board: Board,
    has_changed: bool,
    /// Its end is still to be sent; then the table is free.
    is_over: bool,
}

/// Follows a run until it is over.
pub(super) async fn follow(mut moves: Subscription, feed: &Feed) {
    let mut playing: BTreeMap<MatchKey, LiveMatch> = BTreeMap::new();
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
                // Some moves were missed, so these matches cannot be followed any more; new ones are.
                Some(Delivery::Missed(_)) => playing.clear(),
                None => return,
            },
            _ = ticks.tick() => tell(&mut playing, feed),
        }
    }
}

fn take(playing: &mut BTreeMap<MatchKey, LiveMatch>, key: MatchKey, happened: &MatchEvent) {
    if matches!(happened, MatchEvent::Started(_)) {
        let is_free = |table: &usize| playing.values().all(|other| other.table != *table);
        let again = playing.get(&key).map(|playing| playing.table);
        let Some(table) = again.or_else(|| (0..TABLES).find(is_free)) else { return };
        let (projection, board) = (Projection::new(Audience::Spectator), Board::default());
        playing.insert(key, LiveMatch { table, projection, board, has_changed: false, is_over: false });
    }
    let Some(at_table) = playing.get_mut(&key) else { return };
    let Some(shown) = at_table.projection.show(happened) else { return };
    at_table.board.take(&shown, None);
    at_table.has_changed = true;
    at_table.is_over = matches!(shown, ShownEvent::Ended { .. });
}

fn tell(playing: &mut BTreeMap<MatchKey, LiveMatch>, feed: &Feed) {
    // Without listeners, changes are kept for the first one.
    if feed.listeners() > 0 {
        for at_table in playing.values_mut().filter(|playing| playing.has_changed) {
            at_table.has_changed = false;
            at_table.board.redraw();
            let state = FeedMessage::new("table", &at_table.board.state(at_table.table));
            feed.tell_table(at_table.table, state.clone(), state);
        }
    }
    playing.retain(|_, playing| !playing.is_over);
}
