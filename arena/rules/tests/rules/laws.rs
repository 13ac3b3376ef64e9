//! What must hold in every position, checked in random positions at every table.

use leyden_protocol::{
    Action, Arm, Double, End, HistoryAction, HistoryEntry, Lay, Matador, Opening, Phase, Pip, RulesName,
    Seat, Set, Tile, TileSet,
};
use leyden_rules::{Deck, Match, MatchFinish, ROUND_LIMIT, Round, RoundOutcome, Rules};

use crate::dice::Dice;
use crate::tables;

/// Every action that can be written, in the order of the protocol.
fn all_actions() -> Vec<Action> {
    let pips: Vec<Pip> = (0..).map_while(Pip::new).collect();
    let mut actions: Vec<Action> = pips.iter().map(|&pip| Action::Lead(Double::new(pip))).collect();
    for arm in Arm::ALL {
        for tile in Set::DoubleTwelve.tiles() {
            let (low, high) = (tile.low(), tile.high());
            actions.push(Action::Play(arm, Lay::InLine { touching: low, end: high }));
            if tile.double().is_none() {
                actions.push(Action::Play(arm, Lay::InLine { touching: high, end: low }));
            }
            actions.extend(Matador::new(tile).map(|matador| Action::Play(arm, Lay::Across(matador))));
        }
    }
    actions.extend([Action::Draw, Action::Pass, Action::Refuse]);
    actions
}

/// Calls `look` at every position of `rounds` deals at every table.
fn at_every_position(rounds: u32, mut look: impl FnMut(&Match)) {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(n as u64);
        let mut game = Match::new(rules);
        for _ in 0..rounds {
            if game.finish().is_some() {
                game = Match::new(rules);
            }
            let taste = dice.taste();
            game.deal(&dice.deck(rules.set));
            while let Some(round) = game.round() {
                look(&game);
                if round.outcome().is_some() {
                    game.settle();
                } else {
                    let action = dice.choose(&round.legal(), taste);
                    game.apply(action).expect("a legal action");
                }
            }
        }
    }
}

#[test]
fn tiles_are_neither_lost_nor_made() {
    at_every_position(60, |game| {
        let round = game.round().expect("a round");
        let played = game.entries().iter().filter_map(|entry| Action::from(entry.event).tile());
        let hands = round.rules().seats.iter().flat_map(|seat| round.hand(seat));
        let everything: Vec<Tile> = played.chain(hands).chain(round.boneyard().iter().copied()).collect();
        assert_eq!(everything.len(), round.rules().set.size());
        assert_eq!(everything.into_iter().collect::<TileSet>(), round.rules().set.tiles());
    });
}

#[test]
fn legal_actions_are_exactly_those_that_apply() {
    let actions = all_actions();
    at_every_position(6, |game| {
        let round = game.round().expect("a round");
        let legal = round.legal();
        let before = format!("{round:?}");
        let mut tried = *round;
        for &action in &actions {
            let mut next = *round;
            let applies = next.apply(action).is_ok();
            assert_eq!(legal.contains(action), applies, "{action} in {round:?}");
            if !applies {
                assert_eq!(tried.apply(action).expect_err("not legal").action, action);
            }
        }
        assert_eq!(format!("{tried:?}"), before, "what is refused changes nothing");
    });
}

#[test]
fn legal_list_count_and_choice_agree_in_order() {
    let actions = all_actions();
    at_every_position(10, |game| {
        let legal = game.round().expect("a round").legal();
        let listed: Vec<Action> = legal.iter().collect();
        let ordered: Vec<Action> = actions.iter().copied().filter(|&action| legal.contains(action)).collect();
        assert_eq!(listed, ordered);
        let mut pushed = Vec::new();
        legal.push_to(&mut pushed);
        assert_eq!(pushed, listed);
        assert_eq!(legal.len(), listed.len());
        assert_eq!(legal.is_empty(), listed.is_empty());
        let picked: Vec<Action> = (0..listed.len()).filter_map(|n| legal.nth(n)).collect();
        assert_eq!(picked, listed);
        assert_eq!(legal.nth(listed.len()), None);
        assert_eq!(legal.forced(), if listed.len() == 1 { Some(listed[0]) } else { None });
    });
}

#[test]
fn somebody_can_act_exactly_until_the_round_ends() {
    at_every_position(40, |game| {
        let round = game.round().expect("a round");
        assert_eq!(round.to_act().is_some(), round.outcome().is_none());
        assert_eq!(round.legal().is_empty(), round.outcome().is_some());
        if round.outcome().is_some() {
            let mut after = game.clone();
            assert!(after.apply(Action::Draw).is_err());
            assert!(after.apply(Action::Pass).is_err());
        }
    });
}

#[test]
fn round_ends_as_its_hands_say() {
    at_every_position(40, |game| {
        let round = game.round().expect("a round");
        let hands = round.hands().iter();
        let out: Vec<Seat> = hands.filter(|(_, hand)| hand.is_empty()).map(|(seat, _)| seat).collect();
        match round.outcome() {
            Some(RoundOutcome::Dominoed { winner }) => assert_eq!(out, [winner]),
            Some(RoundOutcome::Blocked { winner }) => {
                assert!(out.is_empty());
                let pips = round.pips();
                let lightest = *pips.as_slice().iter().min().expect("two or more seats");
                let seats = pips.iter().filter(|&(_, &pips)| pips == lightest).map(|(seat, _)| seat);
                let seats: Vec<Seat> = seats.collect();
                assert_eq!(winner, if seats.len() == 1 { Some(seats[0]) } else { None });
            }
            Some(RoundOutcome::Refused) | None => assert!(out.is_empty()),
        }
    });
}

/// Returns the ends that are open to play, given what is shown and what was played.
fn open_ends(game: &Match) -> Vec<End> {
    let started = |arm| {
        game.entries().iter().any(|entry| matches!(entry.event, HistoryAction::Play(on, _) if on == arm))
    };
    let opening: &[Arm] = match game.rules().opening {
        Opening::Sides => &[Arm::N, Arm::S],
        Opening::Cross => &Arm::ALL,
        Opening::None => &[],
    };
    let waiting: Vec<Arm> = opening.iter().copied().filter(|&arm| !started(arm)).collect();
    let arms = game.round().expect("a round").arms();
    arms.iter().filter(|(arm, _)| waiting.is_empty() || waiting.contains(arm)).map(|(_, end)| end).collect()
}

/// Whether a tile may be played on an end, as the rules page defines it.
pub(crate) fn fits(set: Set, tile: Tile, end: End) -> bool {
    let sum = u32::from(set.sum());
    let joins =
        |pip: Pip| [tile.low(), tile.high()].iter().any(|half| u32::from(half.get() + pip.get()) == sum);
    tile.pips() == sum
        || tile.pips() == 0
        || match end {
            End::Pip(pip) => joins(pip),
            End::Across(matador) => joins(matador.low()) || joins(matador.high()),
        }
}

#[test]
fn round_is_blocked_once_no_play_is_possible() {
    let mut ended = [0; 2];
    at_every_position(60, |game| {
        let round = game.round().expect("a round");
        if round.phase() == Phase::Lead
            || matches!(round.outcome(), Some(RoundOutcome::Dominoed { .. } | RoundOutcome::Refused))
        {
            return;
        }
        let ends = open_ends(game);
        let some_fits = |tiles: TileSet| {
            tiles.iter().any(|tile| ends.iter().any(|&end| fits(round.rules().set, tile, end)))
        };
        let hands = round.hands().iter().fold(TileSet::EMPTY, |all, (_, &hand)| all.union(hand));
        let outside = hands.union(round.boneyard().iter().copied().collect());
        assert_eq!(round.nothing_fits(), !some_fits(outside));
        let blocked = !some_fits(outside) || round.drawable() == 0 && !some_fits(hands);
        assert_eq!(round.outcome().is_some(), blocked, "{round:?}");
        if blocked {
            ended[usize::from(round.nothing_fits())] += 1;
        }
    });
    assert!(ended.iter().all(|&times| times > 20), "too few rounds end in one of the two ways: {ended:?}");
}

#[test]
fn pass_is_legal_only_when_nothing_else_is() {
    at_every_position(40, |game| {
        let round = game.round().expect("a round");
        let legal = round.legal();
        if legal.contains(Action::Pass) {
            assert_eq!(legal.len(), 1);
        }
    });
}

#[test]
fn history_hides_only_tiles_drawn_by_others() {
    at_every_position(20, |game| {
        for seat in game.rules().seats.iter() {
            let masked: Vec<HistoryEntry> = game
                .entries()
                .iter()
                .map(|&entry| match entry.event {
                    HistoryAction::Draw(_) if entry.seat != seat => {
                        HistoryEntry { event: HistoryAction::Draw(None), ..entry }
                    }
                    _ => entry,
                })
                .collect();
            assert_eq!(game.history(seat), masked);
        }
    });
}

/// Replays the same actions on another deck; both must offer the same at every step.
fn replay_alike(rules: &Rules, round: &Round, deck: &Deck, game: &Match, start: &Match) {
    let mut other = start.clone();
    other.deal(deck);
    for entry in game.entries() {
        let again = other.apply(entry.event.into()).expect("as legal as before");
        assert_eq!(again, *entry, "{rules:?}");
    }
    let other = other.round().expect("a round");
    assert_eq!(other.outcome(), round.outcome());
    assert_eq!(other.hands(), round.hands());
    assert_eq!(other.arms(), round.arms());
}

#[test]
fn order_of_undrawn_tiles_changes_nothing() {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(1000 + n as u64);
        for _ in 0..40 {
            let rounds = dice.below(3) as u32;
            let start = tables::after_rounds(rules, rounds, &mut dice);
            if start.finish().is_some() {
                continue;
            }
            let (deck, taste) = (dice.deck(rules.set), dice.taste());
            let mut game = start.clone();
            game.deal(&deck);
            while let Some(round) = game.round().filter(|round| round.outcome().is_none()) {
                let action = dice.choose(&round.legal(), taste);
                game.apply(action).expect("a legal action");
            }
            let Some(round) = game.round() else { continue };
            let mut tiles = deck.tiles().to_vec();
            let left = tiles.len() - round.boneyard().len();
            dice.shuffle(&mut tiles[left..]);
            let other = Deck::new(rules.set, &tiles).expect("a whole set");
            replay_alike(rules, round, &other, &game, &start);
        }
    }
}

#[test]
fn nobody_ever_draws_from_the_reserve() {
    at_every_position(40, |game| {
        let round = game.round().expect("a round");
        assert!(round.boneyard().len() >= usize::from(game.rules().reserve));
        assert_eq!(round.drawable(), round.boneyard().len() - usize::from(game.rules().reserve));
    });
}

#[test]
fn every_match_ends() {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(2000 + n as u64);
        for _ in 0..20 {
            let mut game = Match::new(rules);
            while game.finish().is_none() {
                tables::play_deal(&mut game, &mut dice);
            }
            assert!(game.deal_number().round <= ROUND_LIMIT);
        }
    }
}

#[test]
fn endless_match_stops_at_the_round_limit() {
    for (n, table) in tables::all().iter().enumerate() {
        let rules = Rules::new(table.name, table.seats, table.set, Rules::HIGHEST_TARGET).expect("possible");
        let mut dice = Dice::new(3000 + n as u64);
        let mut game = Match::new(&rules);
        while game.finish().is_none() {
            assert!(game.deal_number().round < ROUND_LIMIT);
            tables::play_deal(&mut game, &mut dice);
        }
        assert_eq!(game.finish(), Some(MatchFinish::RoundLimit));
        assert_eq!(game.deal_number().round, ROUND_LIMIT);
    }
}

#[test]
fn match_ends_even_if_players_always_refuse() {
    let stubborn = crate::dice::Taste { draw: 100, refuse: 100 };
    for rules in tables::all().iter().filter(|rules| rules.name != RulesName::Matador) {
        let mut dice = Dice::new(5);
        let mut game = Match::new(rules);
        let (mut refused, mut most) = (0, 0);
        while game.finish().is_none() {
            game.deal(&dice.deck(rules.set));
            while let Some(round) = game.round().filter(|round| round.outcome().is_none()) {
                let action = dice.choose(&round.legal(), stubborn);
                game.apply(action).expect("a legal action");
            }
            match game.settle().map(|settled| settled.outcome) {
                Some(RoundOutcome::Refused) => refused += 1,
                Some(_) => refused = 0,
                None => {}
            }
            most = most.max(refused);
        }
        // More than three in a row needs a deal whose doubles are all out of reach.
        assert!(most <= 4, "{rules:?}: {most}");
    }
}
