//! A table in a frame: the possible spots of an arm's next tile, their costs, and the choice.
//!
//! Knows only which tiles are adjacent, not which moves are legal.

use leyden_protocol::{Arm, Lay, LayoutShape, Pip};

use super::geometry::{Area, Bend, Direction, Point};

/// The gap between the lead and the arms.
const START: i32 = 30;
/// The gap between tiles that are not neighbours.
const GAP: i32 = 28;
/// The length of the area kept free in front of an arm without tiles: two tiles.
const CORRIDOR: i32 = START + 400;
/// How many tiles of an arm are considered together.
const FORESIGHT: usize = 3;

const BEND: i32 = 400;
/// The discount of a bend per hundred units of free run, and the longest run that counts.
const PER_HUNDRED: i32 = 35;
const FARTHEST: i32 = 1_100;
const NO_CORNER: i32 = 600;
const DEAD_END: i32 = 100_000;

/// The spot of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileSpot {
    pub(super) area: Area,
    /// Where the arm continues.
    pub(super) cursor: Point,
    pub(super) way: Direction,
    bend: Option<Bend>,
}

/// The kind of the last tile of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastTile {
    /// None yet, only the lead.
    Lead,
    InLine,
    /// A tile across: the half with this number is to the left of the arm's direction.
    Across {
        left: Pip,
    },
}

/// The end of an arm.
#[derive(Clone, Copy, Debug)]
struct Tip {
    cursor: Point,
    way: Direction,
    last: LastTile,
    /// The index of its last tile.
    tile: usize,
    first_bend: Option<Bend>,
    /// How many tiles the arm will still get.
    coming: usize,
}

/// The laid tiles, and the ends of the arms.
#[derive(Clone, Debug)]
pub(super) struct LaidTiles {
    frame: Area,
    sum: u8,
    tiles: Vec<Area>,
    tips: [Option<Tip>; 4],
}

impl LaidTiles {
    /// Creates a table with the lead at the origin: it lies flat, its long sides up and down. `coming` is the number of tiles that each arm will get.
    pub(super) fn new(frame: Area, sum: u8, shape: LayoutShape, coming: [usize; 4]) -> Self {
        let lead = Area { left: -100, top: -50, right: 100, bottom: 50 };
        let tip = |arm: Arm| {
            let (way, reach) = match arm {
                Arm::N => (Direction::Up, 50),
                Arm::E => (Direction::Right, 100),
                Arm::S => (Direction::Down, 50),
                Arm::W => (Direction::Left, 100),
            };
            let is_there = shape.arms().contains(&arm);
            is_there.then(|| Tip {
                cursor: Point { x: 0, y: 0 }.go(way, reach + START),
                way,
                last: LastTile::Lead,
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

    /// Enlarges the frame to contain this one.
    pub(super) fn widen(&mut self, frame: Area) {
        self.frame = self.frame.with(&frame);
    }

    pub(super) fn tiles(&self) -> &[Area] {
        &self.tiles
    }

    /// Returns the end of an arm and its direction.
    pub(super) fn tip(&self, arm: Arm) -> Option<(Point, Direction)> {
        self.tips[arm.index()].map(|tip| (tip.cursor, tip.way))
    }

    /// Lays the next tile of an arm at its best spot; `None` if it has none. `next` are the arm's tiles from this one on.
    pub(super) fn lay(&mut self, arm: Arm, next: &[Lay]) -> Option<TileSpot> {
        let (_, spot) = self.best(arm, &next[..next.len().min(FORESIGHT)])?;
        self.put(arm, *next.first()?, spot);
        Some(spot)
    }

    /// Returns the spot of the first tile with the lowest total cost, including the best spots of the other tiles.
    fn best(&mut self, arm: Arm, next: &[Lay]) -> Option<(i32, TileSpot)> {
        let (&lay, later) = next.split_first()?;
        let mut best: Option<(i32, TileSpot)> = None;
        for spot in self.spots(arm, lay) {
            let before = self.tips[arm.index()];
            self.put(arm, lay, spot);
            let own = self.cost(arm, spot);
            let is_worse = best.is_some_and(|(least, _)| own >= least);
            let cost = (!is_worse && !self.closes_an_end(arm)).then(|| {
                let rest =
                    if later.is_empty() { Some(0) } else { self.best(arm, later).map(|(cost, _)| cost) };
                own + rest.unwrap_or(DEAD_END)
            });
            self.tiles.pop();
            self.tips[arm.index()] = before;
            if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost < least)) {
                best = Some((cost, spot));
            }
        }
        best
    }

    fn put(&mut self, arm: Arm, lay: Lay, spot: TileSpot) {
        self.tiles.push(spot.area);
        let Some(tip) = &mut self.tips[arm.index()] else { return };
        *tip = Tip {
            cursor: spot.cursor,
            way: spot.way,
            last: match lay {
                Lay::InLine { .. } => LastTile::InLine,
                Lay::Across(matador) => LastTile::Across { left: matador.low() },
            },
            tile: self.tiles.len() - 1,
            first_bend: tip.first_bend.or(spot.bend),
            coming: tip.coming.saturating_sub(1),
        };
    }

    /// Returns the free spots of an arm's next tile: straight on, and bent either way.
    fn spots(&self, arm: Arm, lay: Lay) -> impl Iterator<Item = TileSpot> + use<> {
        let tip = self.tips[arm.index()];
        let bends = [None, Some(Bend::Counterclockwise), Some(Bend::Clockwise)];
        let all = bends.map(|bend| {
            let spot = tip.as_ref().and_then(|tip| self.spot(tip, lay, bend));
            spot.filter(|spot| self.is_free(arm, spot))
        });
        all.into_iter().flatten()
    }

    /// Returns the spot of a tile, whether it is free or not.
    fn spot(&self, tip: &Tip, lay: Lay, bend: Option<Bend>) -> Option<TileSpot> {
        let (length, aside) = match lay {
            Lay::InLine { .. } => (200, 50),
            Lay::Across(_) => (100, 100),
        };
        let (cursor, side) = self.slid(tip, lay);
        let Some(sense) = bend else {
            let area = Area::ahead(cursor, tip.way, length, aside);
            return Some(TileSpot { area, cursor: cursor.go(tip.way, length), way: tip.way, bend });
        };
        let way = tip.way.turned(sense);
        let from = match (tip.last, lay) {
            // Beside the half that it touches, away from the other half.
            (LastTile::Across { .. }, Lay::InLine { .. }) if side == Some(sense) => {
                cursor.go(tip.way, 50).go(way, -50)
            }
            (LastTile::InLine, Lay::InLine { .. }) => cursor.go(tip.way, 50).go(way, -50),
            // At the side of the last half: at its end, the tile would look as if it were in line.
            (LastTile::InLine, Lay::Across(_)) => cursor.go(tip.way, -50).go(way, 50),
            (LastTile::Lead | LastTile::Across { .. }, _) => return None,
        };
        let area = Area::ahead(from, way, length, aside);
        Some(TileSpot { area, cursor: from.go(way, length), way, bend })
    }

    /// Returns where the arm continues for this tile. After a tile across, that is the half that the new tile touches; its side is
    /// returned, too.
    fn slid(&self, tip: &Tip, lay: Lay) -> (Point, Option<Bend>) {
        let (LastTile::Across { left }, Lay::InLine { touching, .. }) = (tip.last, lay) else {
            return (tip.cursor, None);
        };
        // Touching halves add up to the sum; a wild tile may touch either half.
        let side =
            if touching.get() + left.get() == self.sum { Bend::Counterclockwise } else { Bend::Clockwise };
        (tip.cursor.go(tip.way.turned(side), 50), Some(side))
    }

    /// Whether a tile of this arm fits there: inside the frame, and far enough from other tiles.
    fn is_free(&self, arm: Arm, spot: &TileSpot) -> bool {
        let before = self.tips[arm.index()].map(|tip| tip.tile);
        let touches = |(tile, area): (usize, &Area)| {
            let gap = if Some(tile) == before { 0 } else { GAP };
            area.is_within(gap, &spot.area)
        };
        self.frame.holds(&spot.area)
            && !self.tiles.iter().enumerate().any(touches)
            && !self.bends_alike(arm, spot)
            && !self.corridors(arm).any(|corridor| corridor.is_within(GAP, &spot.area))
    }

    /// Whether this would be the third arm with its first bend in the same sense: four would draw a swastika.
    fn bends_alike(&self, arm: Arm, spot: &TileSpot) -> bool {
        let is_first = self.tips[arm.index()].is_some_and(|tip| tip.first_bend.is_none());
        let alike = |tip: &&Tip| tip.first_bend == spot.bend;
        is_first && spot.bend.is_some() && self.tips.iter().flatten().filter(alike).count() >= 2
    }

    /// Returns the areas kept free for arms without tiles.
    fn corridors(&self, but: Arm) -> impl Iterator<Item = Area> {
        let others = Arm::ALL.into_iter().filter(move |&arm| arm != but);
        let tips = others.filter_map(|arm| self.tips[arm.index()]).filter(|tip| tip.last == LastTile::Lead);
        tips.map(|tip| Area::ahead(tip.cursor, tip.way, CORRIDOR - START, 50))
    }

    /// Whether an arm other than `laid` still expects tiles but has no spot left.
    fn closes_an_end(&self, laid: Arm) -> bool {
        let plain = Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK };
        let mut others = Arm::ALL.into_iter().filter(|&arm| arm != laid);
        others.any(|arm| {
            let goes_on = self.tips[arm.index()].is_some_and(|tip| tip.coming > 0);
            goes_on && self.spots(arm, plain).next().is_none()
        })
    }

    /// Returns the cost of the spot of an arm's last tile.
    fn cost(&self, arm: Arm, spot: TileSpot) -> i32 {
        let mut cost = 0;
        if spot.bend.is_some() {
            cost += BEND - PER_HUNDRED * self.run(spot.cursor, spot.way).min(FARTHEST) / 100;
        }
        let plain = Lay::InLine { touching: Pip::BLANK, end: Pip::BLANK };
        let goes_on = self.tips[arm.index()].is_some_and(|tip| tip.coming > 0);
        if goes_on && !self.spots(arm, plain).any(|spot| spot.bend.is_some()) {
            cost += NO_CORNER;
        }
        cost
    }

    /// Returns how far an arm could continue straight.
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
        // Tiles behind or beside the cursor do not block the way.
        until.filter(|&far| far > 0).fold(free, i32::min)
    }
}
