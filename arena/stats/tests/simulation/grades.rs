//! Grades on one seed and on another: how often they differ, and how often that is predicted.

use leyden_stats::{Entrant, PairLuck, PairPoints, PairingTally, PointChances, PointScale, Repeat, adjust};

use super::luck::{expected, played};
use super::{Dice, World};

/// Shares, means over gradings.
#[derive(Debug, Default)]
pub(crate) struct OtherGrades {
    /// In which another seed gives another grade, and as predicted.
    pub(crate) came: f64,
    pub(crate) predicted: f64,
    /// In which the points of another seed lie in the interval for them.
    pub(crate) inside: f64,
    /// The standard deviation of points on other seeds.
    pub(crate) spread: f64,
}

/// The usual points for a score against `careful`, beside 45 others, and a grade for every ten points.
const SCALE: PointScale = PointScale { none_at: 0.25, full_at: 0.5, most: 50.0 };
const OTHERS: f64 = 45.0;
const GRADES: f64 = 10.0;

/// Grades `runs` bots twice each, from scores as played or without luck; `draw` plays the pairs of a bot.
pub(crate) fn other_grades(
    mut draw: impl FnMut(u32) -> Vec<PairLuck>,
    is_without_luck: bool,
    runs: u32,
) -> OtherGrades {
    let mut sum = OtherGrades::default();
    let share = 1.0 / f64::from(runs);
    for bot in 0..runs {
        let [one, other] = [0, 1].map(|_| {
            let repeat = repeat(&draw(bot), is_without_luck);
            let points = OTHERS + (10.0 * SCALE.points(repeat.score())).round() / 10.0;
            (points, PointChances::new(&SCALE, &repeat).plus(&PointChances::certain(OTHERS)))
        });
        let ((points, chances), (again, _)) = (one, other);
        let from = ((points + 1e-9) / GRADES).floor() * GRADES;
        let is_in = |inside: bool| if inside { share } else { 0.0 };
        sum.came += share - is_in((from..from + GRADES).contains(&(again + 1e-9)));
        sum.predicted += share * chances.outside(from, Some(from + GRADES));
        let [low, high] = chances.interval();
        sum.inside += is_in(low - 1e-9 <= again && again <= high + 1e-9);
        sum.spread += share * (points - again).powi(2) / 2.0;
    }
    OtherGrades { spread: sum.spread.sqrt(), ..sum }
}

/// As `leyden grade` has it.
fn repeat(pairs: &[PairLuck], is_without_luck: bool) -> Repeat {
    if is_without_luck {
        let estimate = adjust(pairs).expect("two pairs or more");
        return Repeat::from_mean(estimate.adjusted, estimate.adjusted_se, estimate.pairs)
            .expect("two pairs or more");
    }
    let mut tally = PairingTally::new(2);
    for pair in pairs {
        let points = PairPoints::from_half_points((4.0 * pair.score) as u8).expect("two matches");
        tally.record(points.into(), leyden_stats::Margin::default()).expect("two matches");
    }
    Repeat::from_tally(&tally).expect("two pairs or more")
}

/// Pairs of a bot this much weaker than the reference bot, whose luck is known as well as that of bots close to `careful`: its variance
/// without luck is a fifth.
pub(crate) fn known_luck(elo: f64, blocks: u32, dice: &mut Dice) -> Vec<PairLuck> {
    let world = World::ladder(2, elo);
    let mut pairings = played(&world, &expected(&world), blocks, (0.57, 0.25), dice);
    debug_assert_eq!(pairings[0].first, Entrant(0));
    // Seen from the weaker bot.
    let turned =
        |pair: PairLuck| PairLuck { score: 1.0 - pair.score, luck: pair.luck.map(|seen| -seen), ..pair };
    pairings.remove(0).pairs.into_iter().map(turned).collect()
}
