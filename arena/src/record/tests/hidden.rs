//! What an audience may not know leaves no trace in what it is shown.
//!
//! At many moments of matches between random players, other matches are made up that the audience could not tell from
//! this one: tiles that it has not seen lie elsewhere, the seed is another, and of the other seats the times, strikes and
//! notes. What it was shown up to that moment has to be the same, byte for byte.

use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchEvent, MatchRecord, RecordedEnding, RoundRecord, replayed};
use leyden_protocol::{Action, FaultCode, HistoryAction, HistoryEntry, PerSeat, Seat, Tile, TileSet};
use leyden_rules::{Deck, Match, Rules};

use crate::record::sample;

/// Random numbers of which all that has to be good is that they differ.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// A moment of a match: after so many actions of a deal, or after it was settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) deal: usize,
    pub(crate) actions: usize,
    pub(crate) is_settled: bool,
}

/// What happened up to a moment; the question after the last action belongs to it, whether it is asked or not.
pub(crate) fn until(events: &[MatchEvent], moment: Moment) -> &[MatchEvent] {
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

/// The bytes that an audience is shown of events.
fn shown(events: &[MatchEvent], audience: Audience) -> String {
    let mut projection = Projection::new(audience);
    let lines = events.iter().filter_map(|event| projection.show(event));
    lines.map(|shown| serde_json::to_string(&shown).unwrap() + "\n").collect()
}

/// For each place of the deck the seat that got it and when: 0 when dealt, then counting actions.
fn places(rules: &Rules, actions: &[HistoryEntry]) -> Vec<(Option<Seat>, usize)> {
    let dealt = rules.seats.iter().flat_map(|seat| (0..rules.hand).map(move |_| (Some(seat), 0)));
    let drawn = actions.iter().enumerate().filter(|(_, entry)| matches!(entry.event, HistoryAction::Draw(_)));
    let mut places: Vec<_> = dealt.chain(drawn.map(|(n, entry)| (Some(entry.seat), n + 1))).collect();
    places.resize(rules.set.size(), (None, 0));
    places
}

/// A deck that the audience cannot tell from this one after these actions; `open` are hands that everybody has seen.
fn another(
    deck: &[Tile],
    rules: &Rules,
    actions: &[HistoryEntry],
    audience: Audience,
    open: Option<&[TileSet]>,
    dice: &mut Dice,
) -> Option<Vec<Tile>> {
    let places = places(rules, actions);
    let is_seen = |owner: Option<Seat>| match audience {
        Audience::Seat(seat) => owner == Some(seat),
        Audience::Spectator => owner.is_some(),
        Audience::Organiser => true,
    };
    let mut order: Vec<Option<Tile>> = vec![None; deck.len()];
    let mut free = rules.set.tiles();
    for (place, &tile) in deck.iter().enumerate() {
        if is_seen(places[place].0) {
            order[place] = Some(tile);
            free = free.without(tile);
        }
    }
    let mut put = |tile: Tile, order: &mut Vec<Option<Tile>>, fits: &dyn Fn(usize) -> bool| {
        let empty: Vec<usize> = (0..order.len()).filter(|&at| order[at].is_none() && fits(at)).collect();
        let at = *empty.get(dice.below(empty.len()))?;
        order[at] = Some(tile);
        Some(())
    };
    // What another seat has laid it had before: any of its places that old will do.
    for (time, entry) in actions.iter().enumerate() {
        let Some(tile) = Action::from(entry.event).tile().filter(|&tile| free.contains(tile)) else {
            continue;
        };
        put(tile, &mut order, &|at| places[at].0 == Some(entry.seat) && places[at].1 <= time)?;
        free = free.without(tile);
    }
    for (seat, hand) in rules.seats.iter().zip(open.unwrap_or_default()) {
        for tile in hand.intersection(free) {
            put(tile, &mut order, &|at| places[at].0 == Some(seat))?;
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

/// The deal on another deck with everybody doing the same up to a moment; `None` where somebody could not, or where
/// what everybody sees would differ: who is to act, or how the deal ends.
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

/// The match up to a deal, and what an audience may not know of the rest changed.
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

/// The match up to a moment, and another up to the same one that the audience cannot tell from it; nothing where none was
/// found.
pub(crate) fn twins(
    record: &MatchRecord,
    moment: Moment,
    audience: Audience,
    dice: &mut Dice,
) -> Option<(MatchRecord, MatchRecord)> {
    let rules = record.rules.rules().unwrap();
    let (game, round) = (before(record, moment.deal), &record.rounds[moment.deal]);
    let open = moment.is_settled && matches!(round.end, RecordedEnding::Dominoed | RecordedEnding::Blocked);
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

/// Compares what an audience is shown at a moment with what it would be shown of another match; says whether there was one.
fn compare(record: &MatchRecord, moment: Moment, audience: Audience, dice: &mut Dice) -> bool {
    let Some((_, other)) = twins(record, moment, audience, dice) else { return false };
    let (events, others) = (replayed(record).unwrap(), replayed(&other).unwrap());
    let (one, two) = (shown(until(&events, moment), audience), shown(until(&others, moment), audience));
    assert!(one == two, "{audience:?} can tell, at {moment:?}:\n{one}\n{two}");
    assert!(!one.contains(&record.seed.to_string()), "the seed is shown");
    other.rounds[moment.deal].deck != record.rounds[moment.deal].deck
}

#[test]
fn an_audience_is_shown_the_same_whatever_it_cannot_see() {
    let mut ends = 0;
    for (n, (name, seats, set)) in sample::every_game().into_iter().enumerate() {
        let mut dice = Dice(n as u64);
        let stored_plan = sample::stored_plan_of(name, seats, set, seats, 6);
        let (mut decisions, mut spectators) = (0, 0);
        for (_, record) in
            sample::faulted(&stored_plan).skip(2).take(8).chain(sample::matches(&stored_plan).take(4))
        {
            for _ in 0..10 {
                let deal = dice.below(record.rounds.len());
                let Some(round) = record.rounds.get(deal) else { continue };
                if round.end == RecordedEnding::NoDouble {
                    continue;
                }
                let viewer = Seat::new(dice.below(seats)).unwrap();
                // The longer a round, the fewer others could have gone the same way: half of the moments are early.
                let latest = if dice.below(2) == 0 { round.actions.len() } else { 2 * seats };
                let actions = dice.below(latest.min(round.actions.len()) + 1);
                let moment = Moment { deal, actions, is_settled: false };
                for _ in 0..4 {
                    decisions += usize::from(compare(&record, moment, Audience::Seat(viewer), &mut dice));
                }
                spectators += usize::from(compare(&record, moment, Audience::Spectator, &mut dice));
                if round.end != RecordedEnding::Unfinished {
                    let moment = Moment { deal, actions: round.actions.len(), is_settled: true };
                    ends += (0..6)
                        .map(|_| usize::from(compare(&record, moment, Audience::Seat(viewer), &mut dice)))
                        .sum::<usize>();
                }
            }
        }
        assert!(
            decisions > 20 && spectators > 20,
            "too few comparisons of {name} with {seats} seats: {decisions}, {spectators}"
        );
    }
    assert!(ends > 50, "too few comparisons at the end of rounds: {ends}");
}

/// What is only for a seat's author, and for the organiser.
#[test]
fn others_are_not_shown_what_is_for_a_bot_s_author() {
    let stored_plan = sample::stored_plan(2, 20);
    let (mut notes, mut strikes) = (0, 0);
    for (_, record) in sample::faulted(&stored_plan).filter(|(_, record)| record.stderr.is_some()) {
        let events = replayed(&record).unwrap();
        let fault = record.fault.as_ref().unwrap();
        let seats = record.bots.seats();
        for audience in seats.iter().map(Audience::Seat).chain([Audience::Spectator, Audience::Organiser]) {
            let text = shown(&events, audience);
            let is_author = |seat| audience == Audience::Seat(seat) || audience == Audience::Organiser;
            assert_eq!(text.contains("Traceback"), is_author(fault.seat), "{text}");
            assert_eq!(text.contains("expected an action"), is_author(fault.seat), "{text}");
            let mine = record.notes.iter().filter(|note| is_author(note.seat)).count();
            assert_eq!(text.matches("\"note\":").count(), mine, "{text}");
            let struck = record.strikes.iter();
            let struck = struck.filter(|strike| is_author(strike.seat) || audience == Audience::Spectator);
            let struck = struck.count();
            assert_eq!(text.matches("\"type\":\"struck\"").count(), struck, "{text}");
            assert!(!text.contains("seed"), "{text}");
            (notes, strikes) = (notes + mine, strikes + struck);
        }
    }
    assert!(notes > 20 && strikes > 20, "{notes} notes, {strikes} strikes");
}

/// Events that do not follow from the rules come from no match: they are shown nothing of, and nothing breaks.
#[test]
fn events_out_of_order_show_nothing() {
    let record = sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1;
    let events = replayed(&record).unwrap();
    let mut dice = Dice(3);
    for _ in 0..300 {
        let mut projection = Projection::new(Audience::Seat(Seat::FIRST));
        for _ in 0..20 {
            let _ = projection.show(&events[dice.below(events.len())]);
        }
    }
    let code = FaultCode::Timeout;
    let none = PerSeat::default_for(record.bots.seats());
    let strange =
        MatchEvent::Settled { end: RecordedEnding::Blocked, pips: none, points: none, scores: none };
    assert_eq!(Projection::new(Audience::Spectator).show(&strange), None);
    let struck = MatchEvent::Struck { seat: Seat::FIRST, code, took_us: 1, message: None };
    assert_eq!(Projection::new(Audience::Seat(Seat::new(1).unwrap())).show(&struck), None);
}
