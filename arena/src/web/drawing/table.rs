//! A table in a frame: where the next tile of an arm can lie, what each place costs, and which is taken.
//!
//! Of the rules it knows what lies next to what, not what may be played.

use leyden_protocol::{Arm, Lay, LayoutShape, Pip};

use super::geometry::{Area, Bend, Direction, Point};

/// Between the spinner and the arms.
const START: i32 = 30;
/// Between tiles that are not neighbours.
const GAP: i32 = 28;
/// How much in front of an arm that nobody has started is kept free: two tiles.
const CORRIDOR: i32 = START + 400;
/// How many tiles of an arm are looked at together.
const FORESIGHT: usize = 3;

const BEND: i32 = 400;
/// What a bend gets back for each hundred units that it may run on, and for how many at most.
const PER_HUNDRED: i32 = 35;
const FARTHEST: i32 = 1_100;
const NO_CORNER: i32 = 600;
const DEAD_END: i32 = 100_000;

/// Where a tile lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePlace {
    pub(super) area: Area,
    /// Where the arm goes on.
    pub(super) cursor: Point,
    pub(super) way: Direction,
    bend: Option<Bend>,
}

/// The kind of the last tile of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// None yet: the spinner.
    Lead,
    InLine,
    /// Its half of that number lies to the left of the arm's way, the other to the right.
    Across {
        left: Pip,
    },
}

/// Where an arm ends.
#[derive(Clone, Copy, Debug)]
struct Tip {
    cursor: Point,
    way: Direction,
    last: Last,
    /// Its last tile, among those that lie.
    tile: usize,
    first_bend: Option<Bend>,
    /// How many tiles are still to come.
    coming: usize,
}

/// Tiles that lie, and the ends of the arms.
#[derive(Clone, Debug)]
pub(super) struct LaidTiles {
    frame: Area,
    sum: u8,
    tiles: Vec<Area>,
    tips: [Option<Tip>; 4],
}

impl LaidTiles {
    /// The lead lies upright at the origin. `coming` says how many tiles each arm will have.
    pub(super) fn new(frame: Area, sum: u8, shape: LayoutShape, coming: [usize; 4]) -> Self {
        let lead = Area { left: -50, top: -100, right: 50, bottom: 100 };
        let tip = |arm: Arm| {
            let (way, reach) = match arm {
                Arm::N => (Direction::Up, 100),
                Arm::E => (Direction::Right, 50),
                Arm::S => (Direction::Down, 100),
                Arm::W => (Direction::Left, 50),
            };
            let is_there = shape == LayoutShape::Spinner || matches!(arm, Arm::E | Arm::W);
            is_there.then(|| Tip {
                cursor: Point { x: 0, y: 0 }.go(way, reach + START),
                way,
                last: Last::Lead,
                tile: 0,
                first_bend: None,
                coming: coming[arm.index()],
            })
        };
        Self { frame, sum, tiles: vec![lead], tips: Arm::ALL.map(tip) }
    }

    pub(super) fn frame(&self) -> Area {
        self.frame
    }

    /// From now on there is at least this much room.
    pub(super) fn widen(&mut self, frame: Area) {
        self.frame = self.frame.with(&frame);
    }

    pub(super) fn tiles(&self) -> &[Area] {
        &self.tiles
    }

    /// Where the end of an arm is and where it points.
    pub(super) fn tip(&self, arm: Arm) -> Option<(Point, Direction)> {
        self.tips[arm.index()].map(|tip| (tip.cursor, tip.way))
    }

    /// Lays the next tile of an arm at its best place, `next` being the arm's tiles from this one on. Nothing if it has none.
    pub(super) fn lay(&mut self, arm: Arm, next: &[Lay]) -> Option<TilePlace> {
        let (_, place) = self.best(arm, &next[..next.len().min(FORESIGHT)])?;
        self.put(arm, *next.first()?, place);
        Some(place)
    }

    /// The place of the first of these tiles that costs least together with the places of the others.
    fn best(&mut self, arm: Arm, next: &[Lay]) -> Option<(i32, TilePlace)> {
        let (&lay, later) = next.split_first()?;
        let mut best: Option<(i32, TilePlace)> = None;
        for place in self.places(arm, lay) {
            let before = self.tips[arm.index()];
            self.put(arm, lay, place);
            let own = self.cost(arm, place);
            let is_worse = best.is_some_and(|(least, _)| own >= least);
            let cost = (!is_worse && !self.closes_an_end(arm)).then(|| {
                let rest =
                    if later.is_empty() { Some(0) } else { self.best(arm, later).map(|(cost, _)| cost) };
                own + rest.unwrap_or(DEAD_END)
            });
            self.tiles.pop();
            self.tips[arm.index()] = before;
            if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost < least)) {
                best = Some((cost, place));
            }
        }
        best
    }

    fn put(&mut self, arm: Arm, lay: Lay, place: TilePlace) {
        self.tiles.push(place.area);
        let Some(tip) = &mut self.tips[arm.index()] else { return };
        *tip = Tip {
            cursor: place.cursor,
            way: place.way,
            last: match lay {
                Lay::InLine { .. } => Last::InLine,
                Lay::Across(matador) => Last::Across { left: matador.low() },
            },
            tile: self.tiles.len() - 1,
            first_bend: tip.first_bend.or(place.bend),
            coming: tip.coming.saturating_sub(1),
        };
    }

    /// Where the next tile of an arm can lie: straight on, and bent either way.
    fn places(&self, arm: Arm, lay: Lay) -> impl Iterator<Item = TilePlace> + use<> {
        let tip = self.tips[arm.index()];
        let bends = [None, Some(Bend::Counterclockwise), Some(Bend::Clockwise)];
        let all = bends.map(|bend| {
            let place = tip.as_ref().and_then(|tip| self.place(tip, lay, bend));
            place.filter(|place| self.is_free(arm, place))
        });
        all.into_iter().flatten()
    }

    /// Where a tile would lie, whatever lies there.
    fn place(&self, tip: &Tip, lay: Lay, bend: Option<Bend>) -> Option<TilePlace> {
        let (length, aside) = match lay {
            Lay::InLine { .. } => (200, 50),
            Lay::Across(_) => (100, 100),
        };
        let (cursor, side) = self.slid(tip, lay);
        let Some(sense) = bend else {
            let area = Area::ahead(cursor, tip.way, length, aside);
            return Some(TilePlace { area, cursor: cursor.go(tip.way, length), way: tip.way, bend });
        };
        let way = tip.way.turned(sense);
        let from = match (tip.last, lay) {
            // Beside the half that it touches, away from the other one.
            (Last::Across { .. }, Lay::InLine { .. }) if side == Some(sense) => {
                cursor.go(tip.way, 50).go(way, -50)
            }
            (Last::InLine, Lay::InLine { .. }) => cursor.go(tip.way, 50).go(way, -50),
            // At the side of the last half: beyond its end it would look as if it lay in line.
            (Last::InLine, Lay::Across(_)) => cursor.go(tip.way, -50).go(way, 50),
            _ => return None,
        };
        let area = Area::ahead(from, way, length, aside);
        Some(TilePlace { area, cursor: from.go(way, length), way, bend })
    }

    /// Where the arm goes on for this tile: after a tile across at the half that the new one touches, and on which side.
    fn slid(&self, tip: &Tip, lay: Lay) -> (Point, Option<Bend>) {
        let (Last::Across { left }, Lay::InLine { touching, .. }) = (tip.last, lay) else {
            return (tip.cursor, None);
        };
        // What touches makes up the sum; a wild tile touches any half.
        let side =
            if touching.get() + left.get() == self.sum { Bend::Counterclockwise } else { Bend::Clockwise };
        (tip.cursor.go(tip.way.turned(side), 50), Some(side))
    }

    /// Whether a tile of this arm can lie there without leaving the frame or coming too near to others.
    fn is_free(&self, arm: Arm, place: &TilePlace) -> bool {
        let before = self.tips[arm.index()].map(|tip| tip.tile);
        let touches = |(tile, area): (usize, &Area)| {
            let gap = if Some(tile) == before { 0 } else { GAP };
            area.is_within(gap, &place.area)
        };
        self.frame.holds(&place.area)
            && !self.tiles.iter().enumerate().any(touches)
            && !self.bends_alike(arm, place)
            && !self.corridors(arm).any(|corridor| corridor.is_within(GAP, &place.area))
    }

    /// Whether this would be the third arm whose first bend is of the same sense: four would draw a swastika.
    fn bends_alike(&self, arm: Arm, place: &TilePlace) -> bool {
        let is_first = self.tips[arm.index()].is_some_and(|tip| tip.first_bend.is_none());
        let alike = |tip: &&Tip| tip.first_bend == place.bend;
        is_first && place.bend.is_some() && self.tips.iter().flatten().filter(alike).count() >= 2
    }

    /// What is kept free for arms that nobody has started.
    fn corridors(&self, but: Arm) -> impl Iterator<Item = Area> {
        let others = Arm::ALL.into_iter().filter(move |&arm| arm != but);
        let tips = others.filter_map(|arm| self.tips[arm.index()]).filter(|tip| tip.last == Last::Lead);
        tips.map(|tip| Area::ahead(tip.cursor, tip.way, CORRIDOR - START, 50))
    }

    /// Whether another arm that goes on could no longer do so.
    fn closes_an_end(&self, laid: Arm) -> bool {
        let plain = Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK };
        let mut others = Arm::ALL.into_iter().filter(|&arm| arm != laid);
        others.any(|arm| {
            let goes_on = self.tips[arm.index()].is_some_and(|tip| tip.coming > 0);
            goes_on && self.places(arm, plain).next().is_none()
        })
    }

    /// What it costs that the last tile of an arm lies there.
    fn cost(&self, arm: Arm, place: TilePlace) -> i32 {
        let mut cost = 0;
        if place.bend.is_some() {
            cost += BEND - PER_HUNDRED * self.run(place.cursor, place.way).min(FARTHEST) / 100;
        }
        let plain = Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK };
        let goes_on = self.tips[arm.index()].is_some_and(|tip| tip.coming > 0);
        if goes_on && !self.places(arm, plain).any(|place| place.bend.is_some()) {
            cost += NO_CORNER;
        }
        cost
    }

    /// How far an arm could run straight on.
    fn run(&self, from: Point, way: Direction) -> i32 {
        let free = self.frame.room(from, way);
        let lane = Area::ahead(from, way, free.max(0), 50);
        let blocking =
            self.tiles.iter().filter(|area| area.is_within(GAP, &lane) && area.room(from, way) > 0);
        let until = blocking.map(|area| match way {
            Direction::Up => from.y - area.bottom,
            Direction::Right => area.left - from.x,
            Direction::Down => area.top - from.y,
            Direction::Left => from.x - area.right,
        });
        // What lies behind the cursor or beside it ends before it begins.
        until.filter(|&far| far > 0).fold(free, i32::min)
    }
}
