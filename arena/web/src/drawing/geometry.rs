//! Points, directions and rectangles, in hundredths of half a tile. Coordinates grow to the right and downwards.

/// The middle of something, in hundredths of half a tile from the middle of the lead.
pub type Spot = (i32, i32);

/// A point on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

impl Point {
    /// Returns the point at this distance in a direction.
    pub(super) fn go(self, way: Direction, far: i32) -> Self {
        let (x, y) = way.step();
        Self { x: self.x + x * far, y: self.y + y * far }
    }
}

/// The direction of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Right,
    Down,
    Left,
}

impl Direction {
    const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    const fn step(self) -> (i32, i32) {
        match self {
            Self::Up => (0, -1),
            Self::Right => (1, 0),
            Self::Down => (0, 1),
            Self::Left => (-1, 0),
        }
    }

    /// Returns the direction in clockwise quarter turns from up.
    pub(super) const fn turns(self) -> u8 {
        self as u8
    }

    pub(super) const fn turned(self, sense: Bend) -> Self {
        let turns = match sense {
            Bend::Clockwise => 1,
            Bend::Counterclockwise => 3,
        };
        Self::ALL[(self as usize + turns) % 4]
    }
}

/// The sense in which an arm bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bend {
    Clockwise,
    Counterclockwise,
}

/// A rectangle with sides parallel to the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Area {
    /// Returns the rectangle that starts at `from`, the middle of an edge, extends `length` along `way`, and `aside` to each side.
    pub(super) fn ahead(from: Point, way: Direction, length: i32, aside: i32) -> Self {
        let to = from.go(way, length);
        let (x, y) = way.step();
        let (dx, dy) = (y.abs() * aside, x.abs() * aside);
        Self {
            left: from.x.min(to.x) - dx,
            top: from.y.min(to.y) - dy,
            right: from.x.max(to.x) + dx,
            bottom: from.y.max(to.y) + dy,
        }
    }

    /// Returns the square around a point.
    pub(super) fn around(middle: Point, reach: i32) -> Self {
        let Point { x, y } = middle;
        Self { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }
    }

    pub(super) fn middle(&self) -> Point {
        Point { x: i32::midpoint(self.left, self.right), y: i32::midpoint(self.top, self.bottom) }
    }

    pub(super) fn width(&self) -> i32 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> i32 {
        self.bottom - self.top
    }

    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }

    /// Whether the gap to the other rectangle is smaller than `gap`; with 0, whether they overlap.
    pub(super) fn is_within(&self, gap: i32, other: &Self) -> bool {
        self.left < other.right + gap
            && other.left < self.right + gap
            && self.top < other.bottom + gap
            && other.top < self.bottom + gap
    }

    /// Returns the smallest rectangle that contains both.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(super) fn grown(&self, by: i32) -> Self {
        Self { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// Returns how far a strip one unit wide can extend from a point before it leaves this rectangle.
    pub(super) fn room(&self, from: Point, way: Direction) -> i32 {
        match way {
            Direction::Up => from.y - self.top,
            Direction::Right => self.right - from.x,
            Direction::Down => self.bottom - from.y,
            Direction::Left => from.x - self.left,
        }
    }
}
