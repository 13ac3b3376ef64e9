//! Matches that an audience cannot tell apart: at some moment, tiles that it has not seen lie elsewhere, and the seed, the times,
//! strikes and notes of the other seats differ.

use leyden_model::projection::Audience;
use leyden_model::{MatchEvent, MatchRecord, RecordedEnding, RoundRecord};
use leyden_protocol::{Action, HistoryAction, HistoryEntry, Seat, Tile, TileSet};
use leyden_rules::{Deck, Match, Rules};

/// Random numbers; they only need to differ.
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// A moment of a match: after a number of actions of a deal, or after it was settled.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Which deal, from 0.
    pub deal: usize,
    /// After how many of the deal's actions.
    pub actions: usize,
    /// Whether the deal is over and its points are counted.
    pub is_settled: bool,
}

/// The events up to a moment, including the question after the last action if there is one.
pub fn until(events: &[MatchEvent], moment: Moment) -> &[MatchEvent] {
    let (mut deals, mut actions) = (0, 0);
    let end = events.iter().position(|event| {
        let is_due = deals == moment.deal + 1 && actions == moment.actions;
        match event {
            MatchEvent::Dealt { .. } => (deals, actions) = (deals + 1, 0),
            MatchEvent::Acted { .. } => actions += 1,
            _ => {}
        }
        let is_next = if moment.is_settled {
            matches!(event, MatchEvent::Settled { .. })
        } else {
            !matches!(event, MatchEvent::Dealt { .. } | MatchEvent::Asked { .. })
        };
        is_due && is_next
    });
    &events[..end.expect("such a moment") + usize::from(moment.is_settled)]
}

/// For each tile of the deck, the seat that got it and when: 0 if it was dealt, otherwise the number of the action.
fn owners(rules: &Rules, actions: &[HistoryEntry]) -> Vec<(Option<Seat>, usize)> {
    let dealt = rules.seats.iter().flat_map(|seat| (0..rules.hand).map(move |_| (Some(seat), 0)));
    let drawn = actions.iter().enumerate().filter(|(_, entry)| matches!(entry.event, HistoryAction::Draw(_)));
    let mut owners: Vec<_> = dealt.chain(drawn.map(|(n, entry)| (Some(entry.seat), n + 1))).collect();
    owners.resize(rules.set.size(), (None, 0));
    owners
}

/// A deck that the audience cannot tell from this one after these actions; `open` are the hands that everyone has seen.
fn another(
    deck: &[Tile],
    rules: &Rules,
    actions: &[HistoryEntry],
    audience: Audience,
    open: Option<&[TileSet]>,
    dice: &mut Dice,
) -> Option<Vec<Tile>> {
    let owners = owners(rules, actions);
    let is_seen = |owner: Option<Seat>| match audience {
        Audience::Seat(seat) => owner == Some(seat),
        Audience::Spectator => owner.is_some(),
        Audience::Organiser => true,
    };
    let mut order: Vec<Option<Tile>> = vec![None; deck.len()];
    let mut free = rules.set.tiles();
    for (index, &tile) in deck.iter().enumerate() {
        if is_seen(owners[index].0) {
            order[index] = Some(tile);
            free = free.without(tile);
        }
    }
    let mut put = |tile: Tile, order: &mut Vec<Option<Tile>>, fits: &dyn Fn(usize) -> bool| {
        let empty: Vec<usize> = (0..order.len()).filter(|&at| order[at].is_none() && fits(at)).collect();
        let at = *empty.get(dice.below(empty.len()))?;
        order[at] = Some(tile);
        Some(())
    };
    // A tile that another seat played was in its hand before: any index that it owned by then will do.
    for (time, entry) in actions.iter().enumerate() {
        let Some(tile) = Action::from(entry.event).tile().filter(|&tile| free.contains(tile)) else {
            continue;
        };
        put(tile, &mut order, &|at| owners[at].0 == Some(entry.seat) && owners[at].1 <= time)?;
        free = free.without(tile);
    }
    for (seat, hand) in rules.seats.iter().zip(open.unwrap_or_default()) {
        for tile in hand.intersection(free) {
            put(tile, &mut order, &|at| owners[at].0 == Some(seat))?;
            free = free.without(tile);
        }
    }
    for tile in free {
        put(tile, &mut order, &|_| true)?;
    }
    order.into_iter().collect()
}

/// The game at the beginning of a deal.
fn before(record: &MatchRecord, deal: usize) -> Match {
    let mut game = Match::new(&record.rules.rules().unwrap());
    for round in &record.rounds[..deal] {
        game.deal(&Deck::new(record.rules.set, &round.deck).unwrap());
        for entry in &round.actions {
            game.apply(entry.event.into()).unwrap();
        }
        game.settle();
    }
    game
}

/// The deal on another deck in which everyone acts the same up to a moment; `None` if an action would be impossible, or if
/// something that everyone sees would differ: who is to act, or how the deal ends.
fn on(deck: &[Tile], game: &Match, round: &RoundRecord, moment: Moment) -> Option<RoundRecord> {
    let mut game = game.clone();
    game.deal(&Deck::new(game.rules().set, deck).ok()?);
    let mut changed = RoundRecord { deck: deck.to_vec(), actions: Vec::new(), ..round.clone() };
    for entry in &round.actions[..moment.actions] {
        if game.round()?.to_act()? != entry.seat {
            return None;
        }
        changed.actions.push(game.apply(entry.event.into()).ok()?);
    }
    let next = round.actions.get(moment.actions).map(|entry| entry.seat);
    if game.round()?.to_act() != next {
        return None;
    }
    if !moment.is_settled {
        changed.end = RecordedEnding::Unfinished;
        return Some(changed);
    }
    let settled = game.settle()?;
    (changed.pips, changed.points, changed.scores) = (settled.pips, settled.points, settled.scores);
    Some(changed)
}

/// The match up to a deal, with everything else that an audience may not know changed.
fn disguised(
    record: &MatchRecord,
    last: RoundRecord,
    deal: usize,
    viewer: Option<Seat>,
    dice: &mut Dice,
) -> MatchRecord {
    let mut other = record.clone();
    other.rounds.truncate(deal);
    other.rounds.push(last);
    other.seed = "5eed".repeat(16).parse().unwrap();
    let Some(viewer) = viewer else { return other };
    for (_, times) in other.think_us.iter_mut().filter(|(seat, _)| *seat != viewer) {
        *times = (0..2_000).map(|_| 20 + dice.below(1_000_000) as u64).collect();
    }
    other.notes.retain(|note| note.seat == viewer);
    other.strikes.retain(|strike| strike.seat == viewer);
    other
}

/// The match up to a moment, and another one up to the same moment that the audience cannot tell from it; `None` if none was
/// found.
pub fn twins(
    record: &MatchRecord,
    moment: Moment,
    audience: Audience,
    dice: &mut Dice,
) -> Option<(MatchRecord, MatchRecord)> {
    let rules = record.rules.rules().unwrap();
    let (game, round) = (before(record, moment.deal), &record.rounds[moment.deal]);
    let open = moment.is_settled && round.end.is_scored();
    let hands = {
        let mut game = game.clone();
        game.deal(&Deck::new(rules.set, &round.deck).unwrap());
        for entry in &round.actions {
            game.apply(entry.event.into()).unwrap();
        }
        game.round().unwrap().hands().as_slice().to_vec()
    };
    let open = open.then_some(&hands[..]);
    let actions = &round.actions[..moment.actions];
    let deck = another(&round.deck, &rules, actions, audience, open, dice)?;
    let last = on(&deck, &game, round, moment)?;
    let viewer = match audience {
        Audience::Seat(seat) => Some(seat),
        Audience::Spectator | Audience::Organiser => None,
    };
    let mut so_far = record.clone();
    so_far.rounds.truncate(moment.deal);
    so_far.rounds.push(on(&round.deck, &game, round, moment)?);
    Some((so_far, disguised(record, last, moment.deal, viewer, dice)))
}
