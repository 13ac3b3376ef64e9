//! Nothing that a seat may not know leaves a trace in what it is sent.
//!
//! At every decision, and at the end of every round, other rounds are constructed that differ only in tiles the seat
//! has not seen: they lie elsewhere in the boneyard, in another hand, or were drawn instead of dealt. If everyone could
//! have done the same in such a round, the seat's whole stream of bytes must be the same.

use std::borrow::Cow;

use leyden_protocol::{
    Action, Clock, HistoryAction, HistoryEntry, RoundEnd, RoundEnding, Seat, Tile, TileSet, ToBot, Turn,
    push_line,
};
use leyden_rules::{Deck, Match, Round, RoundOutcome, Rules};

use crate::dice::Dice;
use crate::tables;

/// The lines that each seat was sent in one round, as the referee builds them from the match.
struct Lines {
    of: Vec<Vec<u8>>,
    asked: Vec<u64>,
}

impl Lines {
    fn new(rules: &Rules) -> Self {
        Self { of: vec![Vec::new(); rules.seats.count()], asked: vec![0; rules.seats.count()] }
    }

    /// Asks the seat to act, if it has a choice.
    fn ask(&mut self, game: &Match) {
        let Some(round) = game.round() else { return };
        let Some(seat) = round.to_act() else { return };
        if round.legal().len() < 2 {
            return;
        }
        let mut legal = Vec::new();
        let view = game.view(seat, &mut legal).expect("a round is being played");
        self.asked[seat.index()] += 1;
        let turn = Turn::new(self.asked[seat.index()], "match", view, Clock::default());
        push_line(&mut self.of[seat.index()], &ToBot::Turn(turn));
    }

    /// Sends everyone how the round ended.
    fn send_round_end(&mut self, game: &mut Match) {
        let settled = game.settle().expect("a round that is over");
        let (end, shown) = match settled.outcome {
            RoundOutcome::Dominoed { .. } => (RoundEnding::Dominoed, true),
            RoundOutcome::Blocked { .. } => (RoundEnding::Blocked, true),
            RoundOutcome::Refused => (RoundEnding::Refused, false),
        };
        for seat in game.rules().seats.iter() {
            let line = RoundEnd {
                round: settled.deal.round,
                redeal: settled.deal.redeal,
                end,
                hands: shown.then_some(settled.hands),
                pips: shown.then_some(settled.pips),
                points: shown.then_some(settled.points),
                scores: settled.scores,
                history: Cow::Borrowed(game.history(seat)),
            };
            push_line(&mut self.of[seat.index()], &ToBot::RoundEnd(line));
        }
    }
}

/// Where a tile of the deck went: into which hand, and when (0 when dealt, then counting entries).
#[derive(Clone, Copy)]
struct Slot {
    owner: Option<Seat>,
    since: usize,
}

/// Returns who got each tile of the deck and when, if `entries` show it.
fn slots(rules: &Rules, entries: &[HistoryEntry]) -> Vec<Slot> {
    let dealt = rules.seats.iter().flat_map(|seat| (0..rules.hand).map(move |_| (Some(seat), 0)));
    let drawn = entries.iter().enumerate().filter(|(_, entry)| matches!(entry.event, HistoryAction::Draw(_)));
    let drawn = drawn.map(|(n, entry)| (Some(entry.seat), n + 1));
    let mut slots: Vec<Slot> = dealt.chain(drawn).map(|(owner, since)| Slot { owner, since }).collect();
    slots.resize(rules.set.size(), Slot { owner: None, since: 0 });
    slots
}

/// Returns another deck that `viewer` cannot tell from this one after `entries`; `shown` are hands that everyone has
/// seen.
fn another(
    deck: &Deck,
    rules: &Rules,
    entries: &[HistoryEntry],
    viewer: Seat,
    shown: Option<&[TileSet]>,
    dice: &mut Dice,
) -> Option<Deck> {
    let slots = slots(rules, entries);
    let mut order: Vec<Option<Tile>> = vec![None; deck.tiles().len()];
    let mut free: TileSet = rules.set.tiles();
    for (index, &tile) in deck.tiles().iter().enumerate() {
        if slots[index].owner == Some(viewer) {
            order[index] = Some(tile);
            free = free.without(tile);
        }
    }
    // Another seat held a tile before it laid it: any of its slots that are old enough will do.
    for (time, entry) in entries.iter().enumerate() {
        let Some(tile) = Action::from(entry.event).tile() else { continue };
        if entry.seat != viewer {
            put(&mut order, tile, |at| slots[at].owner == Some(entry.seat) && slots[at].since <= time, dice)?;
            free = free.without(tile);
        }
    }
    for (seat, hand) in rules.seats.iter().zip(shown.unwrap_or_default()) {
        for tile in hand.intersection(free) {
            put(&mut order, tile, |at| slots[at].owner == Some(seat), dice)?;
            free = free.without(tile);
        }
    }
    for tile in free {
        put(&mut order, tile, |_| true, dice)?;
    }
    let tiles: Vec<Tile> = order.into_iter().collect::<Option<_>>()?;
    Deck::new(rules.set, &tiles).ok()
}

/// Puts a tile at a random empty index that will do.
fn put(
    order: &mut [Option<Tile>],
    tile: Tile,
    will_do: impl Fn(usize) -> bool,
    dice: &mut Dice,
) -> Option<()> {
    let empty: Vec<usize> = (0..order.len()).filter(|&at| order[at].is_none() && will_do(at)).collect();
    let at = *empty.get(dice.below(empty.len().max(1)))?;
    order[at] = Some(tile);
    Some(())
}

/// Returns the lines of a round on another deck in which everyone does the same, up to the turn of `next` or to the
/// end; `None` if someone could not, or another seat would be to act: everyone sees that.
fn resent(start: &Match, deck: &Deck, entries: &[HistoryEntry], next: Option<Seat>) -> Option<Lines> {
    let mut game = start.clone();
    game.deal(deck);
    let mut lines = Lines::new(game.rules());
    for entry in entries {
        if game.round()?.to_act()? != entry.seat {
            return None;
        }
        lines.ask(&game);
        game.apply(entry.event.into()).ok()?;
    }
    if game.round()?.to_act() != next {
        return None;
    }
    if next.is_some() {
        lines.ask(&game);
    } else {
        lines.send_round_end(&mut game);
    }
    Some(lines)
}

/// The number of comparisons made.
#[derive(Default, Debug)]
struct ComparisonCounts {
    decisions: usize,
    ends: usize,
}

/// Plays a random round and compares it, for every seat, with others that the seat cannot tell from it.
fn check_a_round(start: &Match, dice: &mut Dice, made: &mut ComparisonCounts) {
    let rules = *start.rules();
    let (deck, taste) = (dice.deck(rules.set), dice.taste());
    let mut game = start.clone();
    game.deal(&deck);
    let mut lines = Lines::new(&rules);
    while let Some((round, viewer)) = game.round().and_then(|round| Some((round, round.to_act()?))) {
        let legal = round.legal();
        let asked_before = lines.asked[viewer.index()];
        lines.ask(&game);
        if lines.asked[viewer.index()] > asked_before {
            for _ in 0..3 {
                let Some(other) = another(&deck, &rules, game.entries(), viewer, None, dice) else {
                    continue;
                };
                let Some(resent) = resent(start, &other, game.entries(), Some(viewer)) else { continue };
                let text = &resent.of[viewer.index()];
                assert!(
                    *text == lines.of[viewer.index()],
                    "{viewer:?} can tell {deck:?} from {other:?}:\n{}{}",
                    String::from_utf8_lossy(&lines.of[viewer.index()]),
                    String::from_utf8_lossy(text)
                );
                made.decisions += usize::from(other != deck);
            }
        }
        let action = dice.choose(&legal, taste);
        game.apply(action).expect("a legal action");
    }
    let entries = game.entries().to_vec();
    let Some(round) = game.round() else { return };
    let refused = round.outcome() == Some(RoundOutcome::Refused);
    let hands = round.hands().as_slice().to_vec();
    lines.send_round_end(&mut game);
    for viewer in rules.seats.iter() {
        let shown = if refused { None } else { Some(&hands[..]) };
        let mut comparisons = 0;
        for _ in 0..30 {
            let Some(other) = another(&deck, &rules, &entries, viewer, shown, dice) else { continue };
            let Some(resent) = resent(start, &other, &entries, None) else { continue };
            assert!(resent.of[viewer.index()] == lines.of[viewer.index()], "{viewer:?}: {deck:?}, {other:?}");
            comparisons += usize::from(other != deck);
            if comparisons == 2 {
                break;
            }
        }
        made.ends += comparisons;
    }
}

#[test]
fn hidden_tiles_leave_no_trace_in_sent_bytes() {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(4000 + n as u64);
        let mut made = ComparisonCounts::default();
        for _ in 0..150 {
            let rounds = dice.below(3) as u32;
            let start = tables::after_rounds(rules, rounds, &mut dice);
            if start.finish().is_none() {
                check_a_round(&start, &mut dice, &mut made);
            }
        }
        // In a long round with passes, few other rounds could have gone the same way.
        assert!(made.decisions > 200 && made.ends > 0, "too few comparisons: {made:?} of {rules:?}");
    }
}

/// Whether play is blocked because no tile outside the layout fits.
fn shut(round: &Round) -> bool {
    matches!(round.outcome(), Some(RoundOutcome::Blocked { .. })) && round.nothing_fits()
}

/// Returns the same round on another deck after the same entries; `None` if they are not possible.
fn replayed(start: &Match, deck: &Deck, entries: &[HistoryEntry]) -> Option<Round> {
    let mut game = start.clone();
    game.deal(deck);
    for entry in entries {
        if game.round()?.to_act()? != entry.seat {
            return None;
        }
        game.apply(entry.event.into()).ok()?;
    }
    game.round().copied()
}

#[test]
fn every_seat_can_see_whether_remaining_tiles_fit() {
    let mut compared = [0; 2];
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(5000 + n as u64);
        for _ in 0..20 {
            let start = tables::after_rounds(rules, 1, &mut dice);
            let (deck, taste) = (dice.deck(rules.set), dice.taste());
            let mut game = start.clone();
            game.deal(&deck);
            while let Some(round) = game.round() {
                for viewer in rules.seats.iter() {
                    let Some(other) = another(&deck, rules, game.entries(), viewer, None, &mut dice) else {
                        continue;
                    };
                    let Some(other) = replayed(&start, &other, game.entries()) else { continue };
                    assert_eq!(
                        round.nothing_fits(),
                        other.nothing_fits(),
                        "{viewer:?}: {round:?}, {other:?}"
                    );
                    assert_eq!(shut(round), shut(&other), "{viewer:?}: {round:?}, {other:?}");
                    compared[usize::from(shut(round))] += 1;
                }
                if round.outcome().is_some() {
                    break;
                }
                let action = dice.choose(&round.legal(), taste);
                game.apply(action).expect("a legal action");
            }
        }
    }
    assert!(compared.iter().all(|&times| times > 50), "too few comparisons: {compared:?}");
}
