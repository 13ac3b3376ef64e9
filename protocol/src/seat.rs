//! Seats at a table, and one value per seat.

use std::fmt;
use std::ops::{Index, IndexMut};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The highest number of seats at a table.
pub const MAX_SEATS: usize = 8;

/// A seat at the table, counted from 0; play goes in seat order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(#[schemars(range(min = 0, max = 7))] u8);

impl Seat {
    /// The seat with index 0.
    pub const FIRST: Self = Self(0);

    /// Returns the seat with this index; `None` from 8 on.
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_SEATS { Some(Self(index as u8)) } else { None }
    }

    /// Returns its index, from 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Self::new(index.into())
            .ok_or_else(|| serde::de::Error::custom(format_args!("expected a seat from 0 to 7, got {index}")))
    }
}

/// How many seats a table has: 2 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Seats(#[schemars(range(min = 2, max = 8))] u8);

impl Seats {
    /// A table of two.
    pub const TWO: Self = Self(2);

    /// Returns this number of seats; `None` unless it is 2 to 8.
    pub const fn new(count: usize) -> Option<Self> {
        if count >= 2 && count <= MAX_SEATS { Some(Self(count as u8)) } else { None }
    }

    /// Returns the number of seats, from 2 to 8.
    pub const fn count(self) -> usize {
        self.0 as usize
    }

    /// Returns all seats in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..self.0).map(Seat)
    }

    /// Returns the seat that plays after `seat`.
    pub const fn after(self, seat: Seat) -> Seat {
        let next = seat.0 + 1;
        Seat(if next >= self.0 { 0 } else { next })
    }

    /// Whether a table of this size has the seat.
    pub const fn has(self, seat: Seat) -> bool {
        seat.0 < self.0
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Seats {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let count = u8::deserialize(deserializer)?;
        Self::new(count.into())
            .ok_or_else(|| serde::de::Error::custom(format_args!("expected 2 to 8 seats, got {count}")))
    }
}

/// One value per seat. Serialised as a list in seat order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PerSeat<T> {
    values: [T; MAX_SEATS],
    seats: Seats,
}

impl<T: Default> PerSeat<T> {
    /// Creates a default value for each seat.
    pub fn default_for(seats: Seats) -> Self {
        Self { values: std::array::from_fn(|_| T::default()), seats }
    }

    /// Creates the values in seat order by calling `value`.
    pub fn from_fn(seats: Seats, mut value: impl FnMut(Seat) -> T) -> Self {
        let mut all = Self::default_for(seats);
        for seat in seats.iter() {
            all[seat] = value(seat);
        }
        all
    }

    /// Creates the values from a list in seat order; `None` unless it has 2 to 8.
    pub fn from_list(list: Vec<T>) -> Option<Self> {
        let seats = Seats::new(list.len())?;
        let mut list = list.into_iter();
        Some(Self::from_fn(seats, |_| list.next().unwrap_or_default()))
    }
}

impl<T> PerSeat<T> {
    /// Returns how many seats have a value.
    pub fn seats(&self) -> Seats {
        self.seats
    }

    /// Returns the values in seat order.
    pub fn as_slice(&self) -> &[T] {
        &self.values[..self.seats.count()]
    }

    /// Returns each seat with its value, in seat order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Seat, &T)> + Clone {
        self.seats.iter().zip(&self.values)
    }

    /// Returns each seat with its value, to be changed, in seat order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Seat, &mut T)> {
        self.seats.iter().zip(&mut self.values)
    }

    /// Creates values for the same seats by calling `f` with each of these, in seat order.
    pub fn map<U: Default>(&self, mut f: impl FnMut(&T) -> U) -> PerSeat<U> {
        PerSeat::from_fn(self.seats, |seat| f(&self[seat]))
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.values[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.values[seat.index()]
    }
}

impl<T: fmt::Debug> fmt::Debug for PerSeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl<T: Serialize> Serialize for PerSeat<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for PerSeat<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::<T>::deserialize(deserializer)?;
        let found = list.len();
        Self::from_list(list).ok_or_else(|| {
            serde::de::Error::custom(format_args!(
                "expected one value per seat, for 2 to 8 seats, got {found}"
            ))
        })
    }
}

impl<T: JsonSchema> JsonSchema for PerSeat<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("PerSeat_{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let item = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "array", "items": item, "minItems": 2, "maxItems": 8, "description": "one value per seat, in seat order" })
    }
}
