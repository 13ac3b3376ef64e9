//! The part of a page about play: how the layout grows, which tile goes where, and a turn.

use leyden_protocol::{Arm, Drawing, End, LayoutShape, Opening, Tile};
use leyden_rules::Rules;

use super::page::RulesPage;
use super::scene::{Impossible, Moment, Scene};
use super::words::{self, joined, list};

pub(super) fn layout(page: &mut RulesPage, rules: &Rules) -> Result<(), Impossible> {
    let shape = match rules.layout {
        LayoutShape::Spinner => {
            "The lead is laid flat in the middle. It is called the spinner here, because four arms grow from it: N up and S \
             down from its two long sides, E to the right and W to the left from its two short ends."
        }
        LayoutShape::Line => {
            "The lead is laid flat in the middle, in line with the tiles to come. Two arms grow from its short ends and make \
             one line: E goes to the right, W to the left."
        }
    };
    let opening = match rules.opening {
        Opening::Sides => {
            "The round has an opening. The first tile after the lead goes on N or S, and the second on the other of the two. \
             Until both lie there, E and W are closed. From then on all four arms are open."
        }
        Opening::Cross => {
            "The round has an opening. The first four tiles after the lead go one on each arm, in any order. An arm that has \
             its tile is closed until the others have theirs. From then on all four arms are open."
        }
        Opening::None => "All arms are open from the start.",
    };
    page.heading("layout");
    page.say(&format!(
        "{shape} Where an arm stops is its end. As long as an arm has no tile, its end shows the pips of the lead."
    ));
    page.say(opening);
    page.say("Say 3-3 is led. Letters stand where a tile may be laid now:");
    let scene = Scene::new(rules, Moment::Lead)?;
    page.drawing(|width| scene.draw(width));
    Ok(())
}

pub(super) fn joining(page: &mut RulesPage, rules: &Rules) -> Result<(), Impossible> {
    page.heading("what goes where");
    by_the_sum(page, rules);
    matadors(page, rules);
    in_line_and_across(page, rules)?;
    later(page, rules)
}

fn by_the_sum(page: &mut RulesPage, rules: &Rules) {
    let sum = rules.set.sum();
    let pairs = (1..=sum / 2).map(|low| {
        let with = if low == 1 { "goes with" } else { "with" };
        format!("{low} {with} {}", sum - low)
    });
    page.say(&format!(
        "Two halves that touch must add up to {sum}: {pairs}. The other half of your tile is the new end. Nothing can be \
         added to a blank to make {sum}, so a blank end takes matadors only.",
        pairs = list(pairs),
    ));
}

fn matadors(page: &mut RulesPage, rules: &Rules) {
    page.say(
        "A matador goes on every arm that is open, whatever its end shows: beside the lead, on a blank, on another matador. \
         There are two ways to lay it:",
    );
    page.point("In line. Either half may touch, and the other half is the new end.");
    page.point("Across. Then both halves are the end, and the next tile may match either of them.");
    let doubles: Vec<Tile> = words::matadors(rules.set).filter(|tile| tile.double().is_some()).collect();
    let lie = if doubles.len() == 1 { "lies" } else { "lie" };
    let again = if rules.across_on_across {
        "A matador may even lie across on a matador that lies across."
    } else {
        "On a matador that lies across, the next matador may lie in line only."
    };
    page.say(&format!(
        "{doubles} {lie} in line only, and so does every tile that is not a matador: doubles have no power of their own. \
         {again}",
        doubles = list(doubles),
    ));
}

fn in_line_and_across(page: &mut RulesPage, rules: &Rules) -> Result<(), Impossible> {
    let scene = Scene::new(rules, Moment::InLineAndAcross)?;
    page.say(
        "Here are two turns after the lead 3-3. Each is written as the arm, the half that touches, and the new end. A bar \
         between the halves says that the tile lies across.",
    );
    page.rows(&words::told(rules, &scene.played.turns[1..]));
    page.drawing(|width| scene.draw(width));
    let arms = scene.played.round.arms();
    let across = arms.iter().filter_map(|(arm, end)| match end {
        End::Across(matador) => Some((arm.letter(), matador.low(), matador.high())),
        End::Pip(_) => None,
    });
    for (arm, low, high) in across {
        page.say(&format!(
            "The end of {arm} is {low} or {high} now. So {high} may touch it, because {high} + {low} = {sum}, and {low} may \
             touch it, because {low} + {high} = {sum}.",
            sum = rules.set.sum(),
        ));
    }
    if rules.opening != Opening::None {
        page.say(&match scene.open() {
            open if open.len() < Arm::ALL.len() => {
                format!(
                    "The opening is not over yet: only {} are open.",
                    list(open.iter().map(|arm| arm.letter()))
                )
            }
            _ => "That was the opening: now all four arms are open.".to_owned(),
        });
    }
    Ok(())
}

fn later(page: &mut RulesPage, rules: &Rules) -> Result<(), Impossible> {
    let before = Scene::new(rules, Moment::InLineAndAcross)?.played.turns.len();
    let scene = Scene::new(rules, Moment::Later)?;
    page.say("A few turns later:");
    page.rows(&words::told(rules, &scene.played.turns[before..]));
    page.drawing(|width| scene.draw(width));
    page.say("Apart from matadors, this is what fits now:");
    let arms = scene.played.round.arms();
    let rows = arms.iter().map(|(arm, end)| {
        let partners = words::partners(rules.set, end).into_iter().map(words::one);
        (
            format!("{} shows {}", arm.letter(), words::shown(end)),
            format!("any tile with {}", joined(partners, "or")),
        )
    });
    page.rows(&rows.collect::<Vec<_>>());
    Ok(())
}

pub(super) fn turn(page: &mut RulesPage, rules: &Rules) {
    page.heading("your turn");
    match rules.drawing {
        Drawing::Any => {
            let limit = if rules.reserve > 0 { "down to the reserve" } else { "until the boneyard is empty" };
            page.say(&format!(
                "You lay one tile. Before that you may draw as many tiles from the boneyard as you like, {limit}. Drawing \
                 does not end your turn: if a tile of yours fits then, you must lay one.",
            ));
            page.say(
                "If no tile of yours fits, you must draw until one does. You pass only when no tile fits and there is none \
                 left to draw.",
            );
        }
        Drawing::One => {
            let empty = if rules.reserve > 0 { "only the reserve is left" } else { "the boneyard is empty" };
            page.say(&format!(
                "If a tile of yours fits, you must lay one, and you may not draw. If none fits, you must draw one tile: if \
                 it fits, you lay it at once, and if not, you pass. When {empty}, you pass without drawing.",
            ));
        }
    }
}
