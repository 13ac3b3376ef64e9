//! A packed round does what the round itself does.

use std::collections::{BTreeMap, BTreeSet};

use leyden_protocol::{Action, Arm, Drawing, End, HistoryAction, Lay, Matador, Phase, Set, TileSet};
use leyden_rules::packed::{
    PackedLayout, PackedPlay, PackedRound, TILES, TilePair, WILD, bit, fit_counts, fitting, is_packable,
    laid, lay_index, number, pack, pips,
};
use leyden_rules::{Lead, Match, Round, RoundOutcome};

use crate::dice::{Dice, Taste};
use crate::laws::fits;
use crate::tables;

/// Whether the opening still waits for a tile on an arm.
fn waits_for(game: &Match, arm: Arm) -> bool {
    let started = |entry: &HistoryAction| matches!(entry, HistoryAction::Play(on, _) if *on == arm);
    game.rules().opening.arms().contains(&arm) && !game.entries().iter().any(|entry| started(&entry.event))
}

/// The plays of the seat to act, one of each that arms with the same end have in common.
fn plays(round: &Round) -> Vec<(Arm, Lay)> {
    let plays = round.plays();
    plays.arms().flat_map(|arm| plays.on(arm).flatten().map(move |lay| (arm, *lay))).collect()
}

fn take(packed: &mut PackedRound, action: Action) -> Option<RoundOutcome> {
    match action {
        Action::Play(arm, lay) => packed.play(PackedPlay::new(arm, lay)),
        Action::Draw => packed.draw(),
        _ => {
            packed.pass();
            None
        }
    }
}

/// Compares what both say of a position.
fn compare(packed: &PackedRound, game: &Match) {
    let round = game.round().expect("a round");
    let seat = round.to_act().expect("a seat to act");
    assert_eq!(packed.to_act(), seat.index());
    for (seat, hand) in round.hands().iter() {
        assert_eq!(packed.hand(seat.index()), pack(*hand));
    }
    assert_eq!(packed.pips(), [0, 1].map(|seat| round.pips().as_slice()[seat]));
    assert_eq!(usize::from(packed.drawable()), round.drawable());
    assert_eq!(packed.may_draw(), round.legal().contains(Action::Draw));
    assert_eq!(packed.playable(), pack(plays(round).iter().map(|(_, lay)| lay.tile()).collect()));

    let layout = packed.layout();
    let hands = round.hands().iter().fold(TileSet::EMPTY, |all, (_, hand)| all.union(*hand));
    let outside = hands.union(round.boneyard().iter().copied().collect());
    let waits_for = |arm| waits_for(game, arm);
    assert_eq!(*layout, PackedLayout::new(game.rules(), &round.arms(), waits_for, outside));
    assert_eq!(layout.outside(), pack(outside));
    for (arm, end) in round.arms().iter() {
        let shown = layout.shown()[arm.index()];
        let fitting_here =
            pack(Set::DoubleSix.tiles().iter().filter(|&tile| fits(Set::DoubleSix, tile, end)).collect());
        assert_eq!(fitting(shown), fitting_here, "{end:?}");
        assert_eq!(
            u32::from(layout.fits_outside().on(shown)),
            (layout.outside() & fitting_here).count_ones()
        );
        for seat in 0..2 {
            let fit = (packed.hand(seat) & fitting_here).count_ones();
            assert_eq!(u32::from(packed.fits(seat).on(shown)), fit);
        }
    }
    compare_plays(packed, round);
}

fn compare_plays(packed: &PackedRound, round: &Round) {
    let layout = packed.layout();
    let mut visited = Vec::new();
    layout.each_arm(packed.hand(packed.to_act()), |open| {
        layout.each_play(&open, |play, laid| visited.push((play, laid, open.fitting_after(laid.shows))));
    });
    let plays = plays(round);
    assert_eq!(visited.len(), plays.len());
    for ((arm, lay), (play, laid, fitting_after)) in plays.iter().zip(&visited) {
        assert_eq!(*play, PackedPlay::new(*arm, *lay));
        assert_eq!(laid.index, lay_index(*lay));
        let mut next = *packed;
        next.play(*play);
        assert_eq!(next.layout().fitting(), *fitting_after);
        assert_eq!(next.layout().shown()[arm.index()], laid.shows);
    }
    if packed.playable() != 0 {
        let only = if let [(play, ..)] = visited[..] { Some(play) } else { None };
        assert_eq!(layout.only_play(packed.playable()), only);
    }
    if packed.hand(packed.to_act()).is_power_of_two() && packed.playable() != 0 {
        let (mut played, mut out) = (*packed, *packed);
        assert_eq!(played.play(visited[0].0), Some(out.go_out()));
        assert_eq!(played.pips(), out.pips());
    }
}

/// How often things happened in the rounds compared, by name.
type EventCounts = BTreeMap<&'static str, u32>;

/// Notes what can be done in a position, and what is.
fn note(happened: &mut EventCounts, game: &Match, action: Action) {
    let round = game.round().expect("a round");
    let (plays, arms) = (plays(round), round.arms());
    let drew = matches!(game.entries().last().map(|entry| entry.event), Some(HistoryAction::Draw(_)));
    let one_draw = game.rules().drawing == Drawing::One;
    let mut note = |what, happens| *happened.entry(what).or_default() += u32::from(happens);
    note("refused", game.entries().iter().any(|entry| entry.event == HistoryAction::Refuse));
    note("opening", Arm::ALL.iter().any(|arm| waits_for(game, *arm)));
    note("drawn while able to play", action == Action::Draw && !plays.is_empty());
    note("passed after the one draw", one_draw && drew && action == Action::Pass);
    note("played after the one draw", one_draw && drew && action != Action::Pass);
    let on_across = plays.iter().filter(|(arm, _)| matches!(arms.get(*arm), Some(End::Across(_))));
    let turned = |(_, lay): &(Arm, Lay)| matches!(lay, Lay::Across(_));
    note("across on across", on_across.clone().any(turned));
    let matador = |(_, lay): &(Arm, Lay)| lay.tile().pips() == u32::from(Set::DoubleSix.sum());
    note("in line only on across", on_across.clone().any(matador) && !on_across.clone().any(turned));
}

#[test]
fn packed_round_does_what_the_round_does() {
    let mut happened = EventCounts::new();
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(4000 + n as u64);
        let mut game = Match::new(rules);
        for _ in 0..if is_packable(rules) { 400 } else { 5 } {
            if game.finish().is_some() {
                game = Match::new(rules);
            }
            let taste = dice.taste();
            game.deal(&dice.deck(rules.set));
            follow(&mut game, taste, &mut dice, &mut happened);
        }
    }
    assert_eq!(happened.len(), 7 + 3);
    assert!(happened.values().all(|times| *times > 20), "{happened:?}");
}

/// Plays a deal at random, packed and not.
fn follow(game: &mut Match, taste: Taste, dice: &mut Dice, happened: &mut EventCounts) {
    let mut packed: Option<PackedRound> = None;
    while let Some(round) = game.round() {
        if round.outcome().is_some() {
            assert!(PackedRound::from_round(round).is_none());
            game.settle();
            return;
        }
        let fresh = PackedRound::from_round(round);
        assert_eq!(fresh.is_some(), is_packable(game.rules()) && round.phase() == Phase::Play);
        let action = dice.choose(&round.legal(), taste);
        if let Some(fresh) = fresh {
            let so_far = packed.get_or_insert(fresh);
            compare(so_far, game);
            compare(&fresh, game);
            note(happened, game, action);
        }
        game.apply(action).expect("a legal action");
        if let (Some(packed), Some(round)) = (&mut packed, game.round()) {
            let over = take(packed, action);
            assert_eq!(over, round.outcome());
            if let Some(over) = over {
                let how = match over {
                    RoundOutcome::Dominoed { .. } => "dominoed",
                    _ if round.nothing_fits() => "nothing fits",
                    _ => "nobody can play",
                };
                *happened.entry(how).or_default() += 1;
            }
            assert_eq!(packed.pips(), [0, 1].map(|seat| round.pips().as_slice()[seat]));
        }
    }
}

#[test]
fn boneyard_is_drawn_in_the_order_given() {
    let rules = tables::all()[0];
    let mut dice = Dice::new(6);
    let mut game = Match::new(&rules);
    game.deal(&dice.deck(rules.set));
    let lead = game.round().expect("a round").legal().nth(0).expect("a lead");
    game.apply(lead).expect("legal");
    let round = game.round().expect("a round");
    let mut packed = PackedRound::from_round(round).expect("two seats, double-six");
    let boneyard: Vec<_> = round.boneyard().iter().rev().copied().collect();
    packed.order_boneyard(&boneyard);
    for tile in &boneyard[..round.drawable()] {
        assert_eq!(packed.hand(packed.to_act()) & bit(*tile), 0);
        packed.draw();
        assert_ne!(packed.hand(packed.to_act()) & bit(*tile), 0);
    }
}

#[test]
fn boneyard_can_be_drawn_from_at_either_end() {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(7000 + n as u64);
        let (mut drawn, mut refused) = ([0; 2], 0);
        while drawn.iter().any(|times| *times < 20) || refused < 5 {
            let Some(mut round) = Round::deal(rules, &dice.deck(rules.set), Lead::Lowest) else { continue };
            let (taste, mut packed) = (dice.taste(), None);
            while round.outcome().is_none() {
                packed = packed.or_else(|| PackedRound::from_round(&round));
                let (legal, last) = (round.legal(), dice.below(2) == 1);
                let before = round.boneyard().to_vec();
                if !legal.contains(Action::Draw) {
                    assert_eq!((round.draw_last(), round.boneyard()), (None, &before[..]));
                    refused += 1;
                }
                let action = dice.choose(&legal, taste);
                if action != Action::Draw {
                    round.apply(action).expect("a legal action");
                    packed.as_mut().and_then(|packed| take(packed, action));
                    continue;
                }
                let seat = round.to_act().expect("a seat to act");
                let (tile, rest) =
                    if last { before.split_last() } else { before.split_first() }.expect("a tile");
                assert_eq!(if last { round.draw_last() } else { round.draw() }, Some(*tile));
                assert_eq!(round.boneyard(), rest);
                assert!(round.hand(seat).contains(*tile));
                if let Some(packed) = &mut packed {
                    let over = if last { packed.draw_last() } else { packed.draw() };
                    assert_eq!(over, round.outcome());
                    assert_eq!(packed.hand(seat.index()), pack(round.hand(seat)));
                }
                drawn[usize::from(last)] += 1;
            }
        }
    }
}

#[test]
fn tiles_are_packed_by_their_numbers() {
    for (index, tile) in TILES.into_iter().enumerate() {
        assert_eq!(usize::from(number(tile)), index);
        assert_eq!((bit(tile), pips(bit(tile))), (1 << index, tile.pips()));
        assert_eq!(WILD & bit(tile) != 0, tile.pips() == 7 || tile.pips() == 0);
        assert_eq!(
            fit_counts(index as u8).on(tile.low().get()),
            u8::from(fits(Set::DoubleSix, tile, End::Pip(tile.low())))
        );
        assert_eq!(laid(index as u8, 0).shows, tile.high().get());
    }
    let mut dice = Dice::new(7);
    for _ in 0..1_000 {
        let [one, other, among] = [0; 3].map(|_: usize| dice.below(1 << TILES.len()) as u32);
        let pair = TilePair::new(one, other).intersection(among);
        assert_eq!(pair.sizes(), ((one & among).count_ones(), (other & among).count_ones()));
        let without = pair.without(3);
        assert_eq!(without.sizes(), ((one & among & !8).count_ones(), (other & among).count_ones()));
    }
}

#[test]
fn lays_of_a_set_have_distinct_indices() {
    for set in Set::ALL {
        let mut indices = BTreeSet::new();
        for tile in set.tiles() {
            let (low, high) = (tile.low(), tile.high());
            assert!(indices.insert(lay_index(Lay::InLine { touching: low, end: high })), "{tile}");
            if tile.double().is_none() {
                assert!(indices.insert(lay_index(Lay::InLine { touching: high, end: low })), "{tile}");
            }
            if let Some(matador) = Matador::new(tile).filter(|_| tile.pips() == u32::from(set.sum())) {
                assert!(indices.insert(lay_index(Lay::Across(matador))), "{tile}");
            }
        }
    }
}
