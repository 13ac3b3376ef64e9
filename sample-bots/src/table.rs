//! Whole matches in one process, for tests and benchmarks: no clock, no faults, deals from any source.

use leyden_protocol::{Action, Clock, HistoryEntry, PerSeat, Turn};
use leyden_rules::{DealNumber, Deck, Match, Rules};

use crate::dice::Dice;
use crate::strategy::Strategy;

/// The clock of every decision at this table: long enough for a bot with a fixed amount of work to do all of it however busy the
/// machine is, so that the same seeds always play the same match.
const CLOCK: Clock = Clock { turn_ms: 3_600_000, bank_ms: 0, last_us: None };

/// A deal that was played, and every action taken in it, forced ones included.
pub type RecordedDeal = (Deck, Vec<HistoryEntry>);

/// Plays a match to its end. `players` are in seat order, and so are their bot seeds; `deal` makes the deck of each deal. As in
/// the arena, a player is asked only when there is a choice.
///
/// # Panics
/// If there is not one player per seat, or a player's answer is not legal.
pub fn play_match(
    rules: &Rules,
    players: &mut [&mut dyn Strategy],
    bot_seeds: &[u64],
    deal: impl FnMut(DealNumber) -> Deck,
) -> Match {
    play_recorded(rules, players, bot_seeds, deal).0
}

/// The same, and also returns everything that happened in the match.
///
/// # Panics
/// As [`play_match`] does.
pub fn play_recorded(
    rules: &Rules,
    players: &mut [&mut dyn Strategy],
    bot_seeds: &[u64],
    mut deal: impl FnMut(DealNumber) -> Deck,
) -> (Match, Vec<RecordedDeal>) {
    assert_eq!((players.len(), bot_seeds.len()), (rules.seats.count(), rules.seats.count()), "one a seat");
    for (player, &seed) in players.iter_mut().zip(bot_seeds) {
        player.begin(rules, seed);
    }
    let mut game = Match::new(rules);
    let mut asked: PerSeat<u64> = PerSeat::default_for(rules.seats);
    let mut deals = Vec::new();
    let mut legal: Vec<Action> = Vec::new();
    while game.finish().is_none() {
        let deck = deal(game.deal_number());
        game.deal(&deck);
        let mut actions = Vec::new();
        while let Some(round) = game.round() {
            let Some(seat) = round.to_act() else {
                game.settle();
                break;
            };
            let choices = round.legal();
            let action = choices.forced().unwrap_or_else(|| {
                asked[seat] += 1;
                let Some(view) = game.view(seat, &mut legal) else { unreachable!("a round is being played") };
                let turn = Turn::new(asked[seat], "table", view, CLOCK);
                players[seat.index()].choose(&turn)
            });
            match game.apply(action) {
                Ok(entry) => actions.push(entry),
                Err(illegal) => panic!("{seat} answered badly: {illegal}; legal are {legal:?}"),
            }
        }
        deals.push((deck, actions));
    }
    (game, deals)
}

/// A deck for a deal of a match: the same seed and number give the same deck.
pub fn shuffled(rules: &Rules, match_seed: u64, number: DealNumber) -> Deck {
    let mut dice =
        Dice::seeded(match_seed ^ (u64::from(number.round) << 40) ^ (u64::from(number.redeal) << 56));
    let mut deck = Deck::in_order(rules.set);
    deck.shuffle(|n| dice.below(n));
    deck
}
