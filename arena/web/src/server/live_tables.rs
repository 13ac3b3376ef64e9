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
                Some(delivery) => hear(&mut playing, &delivery, feed),
                None => return,
            },
            _ = ticks.tick() => publish(&mut playing, feed),
        }
    }
}

fn hear(playing: &mut BTreeMap<MatchKey, LiveMatch>, delivery: &Delivery, feed: &Feed) {
    let gone = match delivery {
        Delivery::Event(event) => match &**event {
            RunEvent::Move { key, happened, .. } => return take(playing, *key, happened),
            RunEvent::Void(void) => playing.remove(&void.key).into_iter().collect(),
            RunEvent::Start(_)
            | RunEvent::Stage(_)
            | RunEvent::Match { .. }
            | RunEvent::Disabled(_)
            | RunEvent::End(_) => Vec::new(),
        },
        // Some moves were missed, so these matches cannot be followed any more; new ones are.
        Delivery::Missed(_) => std::mem::take(playing).into_values().collect(),
    };
    for live in gone {
        feed.clear_table(live.table);
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

fn publish(playing: &mut BTreeMap<MatchKey, LiveMatch>, feed: &Feed) {
    // Without listeners, changes are kept for the first one; the end is for all who come later.
    let is_seen = feed.listeners() > 0;
    for at_table in playing.values_mut().filter(|live| live.has_changed && (is_seen || live.is_over)) {
        at_table.has_changed = false;
        at_table.board.redraw();
        let state = FeedMessage::new("table", &at_table.board.state(at_table.table));
        feed.publish_table(at_table.table, state.clone(), state);
    }
    playing.retain(|_, playing| !playing.is_over);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use leyden_arena::record::sample;
    use leyden_model::event::MatchVoid;
    use leyden_model::replayed;
    use leyden_protocol::{PerSeat, Seats};

    use super::*;

    /// What a new viewer gets of the tables after the first moves of a match and one more delivery.
    fn shown_after(last: impl Fn(MatchKey) -> Delivery) -> usize {
        let (feed, mut playing) = (Feed::new(), BTreeMap::new());
        let _viewer = feed.listen();
        let (key, record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
        for event in replayed(&record).unwrap().iter().take(6) {
            take(&mut playing, key, event);
        }
        publish(&mut playing, &feed);
        assert_eq!(feed.listen().unwrap().first.len(), 1);
        hear(&mut playing, &last(key), &feed);
        feed.listen().unwrap().first.len()
    }

    #[test]
    fn later_viewers_see_how_an_unwatched_match_ended() {
        let (feed, mut playing) = (Feed::new(), BTreeMap::new());
        let (key, record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
        let events = replayed(&record).unwrap();
        let (first, rest) = events.split_at(6);
        let viewer = feed.listen();
        for event in first {
            take(&mut playing, key, event);
        }
        publish(&mut playing, &feed);
        drop(viewer);
        let early = feed.listen().unwrap().first[0].text.clone();
        for event in rest {
            take(&mut playing, key, event);
        }
        publish(&mut playing, &feed);
        let late = feed.listen().unwrap().first[0].text.clone();
        let scores = format!("\"scores\":{}", serde_json::to_string(&record.scores).unwrap());
        assert!(playing.is_empty() && late.contains(&scores) && !early.contains(&scores), "{late}");
    }

    #[test]
    fn lost_table_is_not_shown_to_new_viewers() {
        assert_eq!(shown_after(|_| Delivery::Missed(3)), 0);
        let void = |key| MatchVoid {
            rank: 0,
            key,
            id: String::new(),
            block: 0,
            leg: 0,
            bots: PerSeat::default_for(Seats::TWO),
            reason: String::new(),
            with_its_pair: false,
            played: None,
            defect: Vec::new(),
        };
        assert_eq!(shown_after(|key| Delivery::Event(Arc::new(RunEvent::Void(void(key))))), 0);
    }
}
