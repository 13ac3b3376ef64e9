//! What an audience may not know leaves no trace in what it is shown.
//!
//! At many moments of matches between random players, other matches are made up that the audience could not tell from the
//! real one. What it was shown up to that moment must be the same, byte for byte.

use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchEvent, MatchRecord, RecordedEnding, replayed};
use leyden_protocol::{FaultCode, PerSeat, Seat};

use crate::record::sample;
use crate::record::sample::twins::{Dice, Moment, twins, until};

/// The bytes that an audience is shown of events.
fn shown(events: &[MatchEvent], audience: Audience) -> String {
    let mut projection = Projection::new(audience);
    let lines = events.iter().filter_map(|event| projection.show(event));
    lines.map(|shown| serde_json::to_string(&shown).unwrap() + "\n").collect()
}

/// Compares what an audience is shown at a moment with what it would be shown of another match; returns whether there was
/// one.
fn compare(record: &MatchRecord, moment: Moment, audience: Audience, dice: &mut Dice) -> bool {
    let Some((_, other)) = twins(record, moment, audience, dice) else { return false };
    let (events, others) = (replayed(record).unwrap(), replayed(&other).unwrap());
    let (one, two) = (shown(until(&events, moment), audience), shown(until(&others, moment), audience));
    assert!(one == two, "{audience:?} can tell, at {moment:?}:\n{one}\n{two}");
    assert!(!one.contains(&record.seed.to_string()), "the seed is shown");
    other.rounds[moment.deal].deck != record.rounds[moment.deal].deck
}

#[test]
fn events_shown_do_not_depend_on_anything_hidden() {
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
                // The longer a round, the fewer alternatives there are: half of the moments are early.
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

/// What only a seat's author and the organiser may see.
#[test]
fn details_for_the_author_are_hidden_from_others() {
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

/// Events that do not follow from the rules belong to no match: nothing of them is shown, and nothing panics.
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
