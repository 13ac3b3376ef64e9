//! Where it is marked what the end of an arm shows: in front of it or at its side, on no tile that lies there meanwhile.

use leyden_protocol::{Arm, Lay};

use super::geometry::{Area, Bend, Direction, Point, Spot};
use super::table::TilePlace;

/// From the end of an arm to the middle of its mark.
const AWAY: i32 = 54;
/// Half the side of the square that a mark needs.
const REACH: i32 = 42;

/// The marks of a round.
pub(super) struct EndMarks {
    /// Before anybody has started an arm.
    pub(super) before: Vec<(Arm, Spot)>,
    /// After each tile that was played; none where there is no room.
    pub(super) after: Vec<Option<Spot>>,
}

/// From when to when something lies, as numbers of tiles.
type Time = (usize, usize);

impl EndMarks {
    /// `tiles` are all that lie in the end, the lead first; `starts` are where the arms begin.
    pub(super) fn mark(
        tiles: &[Area],
        starts: &[(Arm, (Point, Direction))],
        plays: &[(Arm, Lay)],
        places: &[TilePlace],
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
        let after = plays.iter().zip(places).enumerate();
        let after = after
            .map(|(n, (play, place))| find(place.cursor, place.way, (n + 1, next_of(play.0, n + 1))))
            .collect();
        Self { before, after }
    }

    /// The squares that the marks take.
    pub(super) fn areas(&self) -> impl Iterator<Item = Area> {
        let before = self.before.iter().map(|(_, spot)| *spot);
        before.chain(self.after.iter().flatten().copied()).map(|(x, y)| Area::around(Point { x, y }, REACH))
    }
}
