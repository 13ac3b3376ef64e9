//! Draws hundreds of rounds of every game, and checks each drawing.

use leyden_protocol::{HistoryAction, RulesName};
use leyden_rules::Rules;

use super::*;
use leyden_arena::record::sample;

/// A round, as it was drawn.
struct Round {
    shape: LayoutShape,
    set: Set,
    lead: Double,
    plays: Vec<(Arm, Lay)>,
}

/// Returns rounds between players who choose at random.
fn rounds(name: RulesName, seats: usize, set: Set) -> impl Iterator<Item = Round> {
    let stored_plan = sample::stored_plan_of(name, seats, set, seats, 1_000);
    sample::matches(&stored_plan).flat_map(|(_, record)| {
        let rules: Rules = record.rules.rules().unwrap();
        let drawn = |round: &leyden_model::RoundRecord| {
            let lead = round.actions.iter().find_map(|entry| match entry.event {
                HistoryAction::Lead(double) => Some(double),
                _ => None,
            })?;
            let plays = round.actions.iter().filter_map(|entry| match entry.event {
                HistoryAction::Play(arm, lay) => Some((arm, lay)),
                _ => None,
            });
            Some(Round { shape: rules.layout, set: rules.set, lead, plays: plays.collect() })
        };
        record.rounds.iter().filter_map(drawn).collect::<Vec<_>>()
    })
}

/// Returns the area that a tile covers, and the middles of its halves in the order in which it names them.
fn covered(tile: &PlacedTile) -> (Area, [Spot; 2]) {
    let (x, y) = tile.middle;
    let (dx, dy) = [(0, -50), (50, 0), (0, 50), (-50, 0)][usize::from(tile.turns)];
    let (w, h) = if tile.turns.is_multiple_of(2) { (50, 100) } else { (100, 50) };
    (Area { left: x - w, top: y - h, right: x + w, bottom: y + h }, [(x + dx, y + dy), (x - dx, y - dy)])
}

fn check(round: &Round, window: Window) -> TableDrawing {
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
    let first: Vec<_> = Arm::ALL.into_iter().filter_map(|arm| first_bend(&drawing, round, arm)).collect();
    for turns in [1, 3] {
        let alike: Vec<_> = first.iter().filter(|bend| **bend == turns).collect();
        assert!(alike.len() <= 2, "a swastika: {drawing:?}");
    }
    drawing
}

/// Returns the first bend of an arm, in clockwise quarter turns: 1 or 3.
fn first_bend(drawing: &TableDrawing, round: &Round, arm: Arm) -> Option<u8> {
    let tiles = drawing.tiles[1..].iter().zip(&round.plays).filter(|(_, play)| play.0 == arm);
    let ways: Vec<u8> = tiles
        .map(|(tile, (_, lay))| if matches!(lay, Lay::Across(_)) { (tile.turns + 1) % 4 } else { tile.turns })
        .collect();
    ways.windows(2).map(|two| (two[1] + 4 - two[0]) % 4).find(|&turns| turns != 0)
}

/// Checks that the touching halves are next to each other and add up to the sum, unless one is wild.
fn joined(round: &Round, drawing: &TableDrawing, n: usize, previous: usize, new: [Spot; 2], old: [Spot; 2]) {
    let (tile, before) = (&drawing.tiles[n], &drawing.tiles[previous]);
    let lay = round.plays[n - 1].1;
    let context = || format!("tile {n} after {previous}: {drawing:?}");
    let is_across = |n: usize| n > 0 && matches!(round.plays[n - 1].1, Lay::Across(_));
    if previous == 0 {
        let (x, y) = tile.middle;
        assert!(x == 0 || y == 0, "{}", context());
        return;
    }
    let ends: Vec<_> = if is_across(previous) { old.to_vec() } else { vec![old[0]] };
    match lay {
        Lay::InLine { touching, .. } => {
            let at = ends.iter().position(|&(x, y)| (x - new[1].0).abs() + (y - new[1].1).abs() == 100);
            let at = at.unwrap_or_else(|| panic!("apart, {}", context()));
            let pip = if at == 0 { before.first } else { before.second };
            let fits = touching.get() + pip.get() == round.set.sum();
            assert!(fits || lay.tile().is_wild(round.set), "{touching} on {pip}, {}", context());
        }
        Lay::Across(_) if is_across(previous) => {
            let (dx, dy) = (tile.middle.0 - before.middle.0, tile.middle.1 - before.middle.1);
            assert!(dx.abs() + dy.abs() == 100 && (dx == 0 || dy == 0), "{}", context());
        }
        Lay::Across(_) => {
            let (dx, dy) = (tile.middle.0 - old[0].0, tile.middle.1 - old[0].1);
            assert!(dx.abs() + dy.abs() == 100 && (dx == 0 || dy == 0), "{}", context());
        }
    }
}

/// Draws this many rounds of a game, some of them for a phone. One end in fifty may have no room for a mark.
fn draw_all(name: RulesName, seats: usize, set: Set, count: usize) {
    let (mut marks, mut missing, mut long) = (0, 0, 0);
    for (n, round) in rounds(name, seats, set).take(count).enumerate() {
        let mut drawings = vec![check(&round, Window::WIDE)];
        if n % 5 == 0 {
            drawings.push(check(&round, Window::TALL));
        }
        let ends = drawings.iter().flat_map(|drawing| &drawing.tiles[1..]);
        marks += ends.clone().count();
        missing += ends.filter(|tile| tile.end.is_none()).count();
        long += usize::from(round.plays.len() > 8);
    }
    assert!(long > count / 4, "{name}: the rounds are short");
    assert!(missing * 50 <= marks, "{name}: no room for {missing} of {marks} marks");
}

/// One test per game, so that they run in parallel.
macro_rules! rounds_lie_well {
    ($($test:ident: $name:ident, $seats:literal, $set:ident, $count:literal;)*) => {
        $(#[test]
        fn $test() {
            draw_all(RulesName::$name, $seats, Set::$set, $count);
        })*
    };
}

rounds_lie_well! {
    leyden_rounds_lie_well: Leyden, 2, DoubleSix, 300;
    leyden_cross_rounds_lie_well: LeydenCross, 2, DoubleSix, 300;
    leiden_rounds_lie_well: Leiden, 2, DoubleSix, 300;
    senst_rounds_lie_well: Senst, 2, DoubleSix, 300;
    leyden_free_rounds_lie_well: LeydenFree, 2, DoubleSix, 300;
    matador_rounds_lie_well: Matador, 2, DoubleSix, 300;
    matador_rounds_for_three_lie_well: Matador, 3, DoubleSix, 100;
    matador_rounds_for_four_lie_well: Matador, 4, DoubleSix, 100;
    matador_rounds_for_six_lie_well: Matador, 6, DoubleNine, 50;
    matador_rounds_for_eight_lie_well: Matador, 8, DoubleTwelve, 20;
}

/// Any tiles in any order can be drawn: the largest set, on as few arms as possible.
#[test]
fn any_tiles_in_any_order_are_drawn() {
    for shape in [LayoutShape::Spinner, LayoutShape::Line] {
        let arms = shape.arms();
        for used in 1..=arms.len() {
            for across_each in [1, 2, 7] {
                let tiles = Set::DoubleTwelve.tiles().iter().skip(1).zip(0..);
                let plays = tiles.map(|(tile, i)| {
                    let lay = match leyden_protocol::Matador::new(tile) {
                        Some(matador) if i % across_each == 0 => Lay::Across(matador),
                        _ => Lay::InLine { touching: tile.low(), end: tile.high() },
                    };
                    (arms[i % used], lay)
                });
                let plays: Vec<_> = plays.collect();
                let drawing = draw(shape, Set::DoubleTwelve, Double::new(Pip::BLANK), &plays, Window::WIDE);
                assert_eq!(drawing.tiles.len(), 91);
            }
        }
    }
}

#[test]
fn lead_lies_alone() {
    let drawing = draw(LayoutShape::Spinner, Set::DoubleSix, Double::new(Pip::BLANK), &[], Window::WIDE);
    assert_eq!(drawing.tiles.len(), 1);
    assert_eq!(drawing.starts.len(), 4);
}
