//! What kind of mistake it is to take one action rather than another.

use leyden_model::Layout;
use leyden_protocol::{Action, HistoryEntry, TileSet, Turn};
use leyden_rules::{Fits, Round, Rules};
use leyden_sample_bots::strong::policy::PublicView;

use super::values::BlunderKind;

/// A double of this many pips is heavy.
const HEAVY: u32 = 8;

/// Returns the kind of mistake of taking an action although another was better.
pub(super) fn kind(rules: &Rules, turn: &Turn<'_>, taken: Action, best: Action) -> BlunderKind {
    let is_play = |action| matches!(action, Action::Play(..));
    let tile = |action: Action| action.tile().filter(|_| is_play(action));
    let is_wild = |action| tile(action).is_some_and(|tile| tile.is_wild(rules.set));
    let lays_heavy_double =
        tile(best).is_some_and(|tile| tile.double().is_some() && tile.pips() >= HEAVY) && !is_wild(best);
    match (taken, best) {
        (Action::Lead(_) | Action::Refuse, Action::Lead(_) | Action::Refuse) => BlunderKind::WrongLead,
        (Action::Draw, _) => BlunderKind::DrewNeedlessly,
        (_, Action::Draw) => BlunderKind::DidNotDraw,
        _ if is_wild(taken) && !is_wild(best) => BlunderKind::WastedMatador,
        _ if lays_heavy_double && tile(taken) != tile(best) => BlunderKind::KeptHeavyDouble,
        _ if feeds_starved(rules, turn, taken, best) => BlunderKind::OpenedForStarved,
        _ => BlunderKind::Other,
    }
}

/// Whether the next seat was known to have nothing that fits, and gets more to play on than the better action leaves it.
fn feeds_starved(rules: &Rules, turn: &Turn<'_>, taken: Action, best: Action) -> bool {
    let next = rules.seats.after(turn.seat);
    let lacks = PublicView::new(rules, &turn.history).lacks(next);
    let may_hold = Round::unseen(rules, &turn.view()).minus(lacks);
    let fitting = |action: Option<Action>| {
        let mut history = turn.history.to_vec();
        if let Some(Action::Play(arm, lay)) = action {
            history.push(HistoryEntry {
                seat: turn.seat,
                event: leyden_protocol::HistoryAction::Play(arm, lay),
            });
        }
        let Some(layout) = Layout::from_history(rules, &history) else { return 0 };
        let open = layout.arms().iter().filter(|(arm, _)| layout.is_open(*arm)).collect::<Vec<_>>();
        let fits = open.into_iter().map(|(_, end)| Fits::for_set(rules.set).on(end));
        fits.fold(TileSet::EMPTY, TileSet::union).intersection(may_hold).len()
    };
    !lacks.is_empty() && fitting(None) == 0 && fitting(Some(taken)) > fitting(Some(best))
}
