//! Places the marks that show what the end of an arm needs: in front of it or at its side, clear of all tiles that lie there while
//! the mark is shown.

use leyden_protocol::{Arm, Lay};

use super::geometry::{Area, Bend, Direction, Point, Spot};
use super::table::TileSpot;

/// The distance from the end of an arm to the middle of its mark.
const AWAY: i32 = 54;
/// Half the side of the square that a mark needs.
const REACH: i32 = 42;

/// The marks of a round.
pub(super) struct EndMarks {
    /// The marks of arms without tiles.
    pub(super) before: Vec<(Arm, Spot)>,
    /// The mark after each tile; `None` where there is no room.
    pub(super) after: Vec<Option<Spot>>,
}

/// A range of tile numbers during which something is on the table.
type Time = (usize, usize);

impl EndMarks {
    /// Places the marks. `tiles` are all tiles of the round, the lead first; `starts` are the beginnings of the arms.
    pub(super) fn mark(
        tiles: &[Area],
        starts: &[(Arm, (Point, Direction))],
        plays: &[(Arm, Lay)],
        tile_spots: &[TileSpot],
    ) -> Self {
        let next_of = |arm: Arm, from: usize| {
            plays.iter().skip(from).position(|play| play.0 == arm).map_or(plays.len(), |after| from + after)
        };
        let mut taken: Vec<(Area, Time)> = Vec::new();
        let mut find = |cursor: Point, way: Direction, (from, until): Time| {
            let ahead = cursor.go(way, AWAY);
            let aside = |sense| cursor.go(way, -50).go(way.turned(sense), 50 + AWAY);
            let spots = [ahead, aside(Bend::Counterclockwise), aside(Bend::Clockwise)];
            let is_free = |spot: &Point| {
                let area = Area::around(*spot, REACH);
                let met = |(other, time): &(Area, Time)| {
                    time.0 < until && from < time.1 && other.is_within(0, &area)
                };
                !tiles[..=until].iter().any(|tile| tile.is_within(0, &area)) && !taken.iter().any(met)
            };
            let spot = spots.into_iter().find(is_free)?;
            taken.push((Area::around(spot, REACH), (from, until)));
            Some((spot.x, spot.y))
        };
        let started = |(arm, (cursor, way)): &(Arm, (Point, Direction))| {
            Some((*arm, find(*cursor, *way, (0, next_of(*arm, 0)))?))
        };
        let before = starts.iter().filter_map(started).collect();
        let after = plays.iter().zip(tile_spots).enumerate();
        let after = after
            .map(|(n, (play, spot))| find(spot.cursor, spot.way, (n + 1, next_of(play.0, n + 1))))
            .collect();
        Self { before, after }
    }

    /// Returns the squares that the marks cover.
    pub(super) fn areas(&self) -> impl Iterator<Item = Area> {
        let before = self.before.iter().map(|(_, spot)| *spot);
        before.chain(self.after.iter().flatten().copied()).map(|(x, y)| Area::around(Point { x, y }, REACH))
    }
}
