//! Thousands of rounds of every game are drawn, and none of them wrongly.

use leyden_protocol::{Event, Matador};
use leyden_rules::Rules;

use super::geometry::Sense;
use super::*;
use crate::record::sample;

/// A round as it was drawn.
struct Round {
    shape: LayoutShape,
    set: Set,
    lead: Double,
    plays: Vec<(Arm, Lay)>,
}

/// Rounds of matches between players who do whatever comes up.
fn rounds(name: leyden_protocol::RulesName, seats: usize, set: Set) -> impl Iterator<Item = Round> {
    let setup = sample::setup_of(name, seats, set, seats, 1_000);
    sample::matches(&setup).flat_map(|(_, record)| {
        let rules: Rules = record.rules.rules().unwrap();
        let drawn = |round: &leyden_model::RoundRecord| {
            let lead = round.actions.iter().find_map(|entry| match entry.event {
                Event::Lead(double) => Some(double),
                _ => None,
            })?;
            let plays = round.actions.iter().filter_map(|entry| match entry.event {
                Event::Play(arm, lay) => Some((arm, lay)),
                _ => None,
            });
            Some(Round { shape: rules.layout, set: rules.set, lead, plays: plays.collect() })
        };
        record.rounds.iter().filter_map(drawn).collect::<Vec<_>>()
    })
}

/// The area that a tile covers, and its halves in the order in which it names them.
fn covered(tile: &Placed) -> (Area, [Spot; 2]) {
    let (x, y) = tile.middle;
    let (dx, dy) = [(0, -50), (50, 0), (0, 50), (-50, 0)][usize::from(tile.turns)];
    let (w, h) = if tile.turns % 2 == 0 { (50, 100) } else { (100, 50) };
    (Area { left: x - w, top: y - h, right: x + w, bottom: y + h }, [(x + dx, y + dy), (x - dx, y - dy)])
}

fn check(round: &Round, window: Window) -> Drawing {
    let drawing = draw(round.shape, round.set, round.lead, &round.plays, window);
    let [left, top, width, height] = drawing.view;
    let view = Area { left, top, right: left + width, bottom: top + height };
    assert_eq!(drawing.tiles.len(), round.plays.len() + 1);
    let areas: Vec<_> = drawing.tiles.iter().map(covered).collect();
    let mut before: [Option<usize>; 4] = [None; 4];
    for (n, (area, halves)) in areas.iter().enumerate() {
        assert!(view.holds(area), "tile {n} is outside: {drawing:?}");
        let previous = drawing.tiles[n].arm.map(|arm| before[arm.index()].replace(n).unwrap_or(0));
        for (other, (earlier, _)) in areas[..n].iter().enumerate() {
            let gap = if previous == Some(other) { 0 } else { 28 };
            assert!(!area.is_within(gap, earlier), "tiles {n} and {other}: {drawing:?}");
        }
        let Some(previous) = previous else { continue };
        joined(round, &drawing, n, previous, *halves, areas[previous].1);
    }
    for tile in &drawing.tiles {
        let Some((x, y)) = tile.end else { continue };
        assert!(
            x > left && y > top && x < left + width && y < top + height,
            "a mark is outside: {drawing:?}"
        );
    }
    drawing
}

/// The half that touches lies beside the half that it touches, and the two make up the sum unless one is wild.
fn joined(round: &Round, drawing: &Drawing, n: usize, previous: usize, new: [Spot; 2], old: [Spot; 2]) {
    let (tile, before) = (&drawing.tiles[n], &drawing.tiles[previous]);
    let (lay, context) = (round.plays[n - 1].1, format!("tile {n} after {previous}: {drawing:?}"));
    let is_across = |n: usize| n > 0 && matches!(round.plays[n - 1].1, Lay::Across(_));
    if previous == 0 {
        let (x, y) = tile.middle;
        assert!(x == 0 || y == 0, "{context}");
        return;
    }
    let ends: Vec<_> = if is_across(previous) { old.to_vec() } else { vec![old[0]] };
    match lay {
        Lay::InLine { touching, .. } => {
            let at = ends.iter().position(|&(x, y)| (x - new[1].0).abs() + (y - new[1].1).abs() == 100);
            let at = at.unwrap_or_else(|| panic!("apart, {context}"));
            let pip = if at == 0 { before.first } else { before.second };
            let fits = touching.get() + pip.get() == round.set.sum();
            assert!(
                fits || crate::web::tile::is_wild(lay.tile(), round.set),
                "{touching} on {pip}, {context}"
            );
        }
        Lay::Across(_) if is_across(previous) => {
            let (dx, dy) = (tile.middle.0 - before.middle.0, tile.middle.1 - before.middle.1);
            assert!(dx.abs() + dy.abs() == 100 && (dx == 0 || dy == 0), "{context}");
        }
        Lay::Across(_) => {
            let (dx, dy) = (tile.middle.0 - old[0].0, tile.middle.1 - old[0].1);
            assert!(dx.abs() + dy.abs() == 100 && (dx == 0 || dy == 0), "{context}");
        }
    }
}

/// The tests of one game: how many rounds, and how many ends had no room for a mark at most in a thousand.
fn all_of(name: leyden_protocol::RulesName, seats: usize, set: Set, count: usize) {
    let (mut marks, mut missing, mut bent) = (0, 0, 0);
    for round in rounds(name, seats, set).take(count) {
        let drawing = check(&round, Window::WIDE);
        check(&round, Window::TALL);
        marks += drawing.tiles.len() - 1;
        missing += drawing.tiles[1..].iter().filter(|tile| tile.end.is_none()).count();
        bent += usize::from(round.plays.len() > 8);
    }
    assert!(bent > count / 4, "{name}: the rounds are short");
    assert!(missing * 50 < marks, "{name}: no room for {missing} of {marks} marks");
}

#[test]
fn rounds_of_leyden_lie_well() {
    all_of(leyden_protocol::RulesName::Leyden, 2, Set::DoubleSix, 400);
}
