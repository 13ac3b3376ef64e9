//! The identity of a match in a tournament of any format: its stage, its table, the block and the leg.

use std::fmt;

use leyden_protocol::{MAX_SEATS, PerSeat, Seat, Seats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A bot's index among the bots of its tournament, from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct BotIndex(pub u32);

impl BotIndex {
    /// Returns it as an index into the tournament's bots.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The bots that meet: 2 to 8 different ones, in the order of the tournament. Serialised as the list of their indices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<BotIndex>", into = "Vec<BotIndex>")]
pub struct Table {
    bots: [BotIndex; MAX_SEATS],
    seats: Seats,
}

impl Table {
    /// Creates a table of these bots; `None` unless there are 2 to 8, in ascending order.
    pub fn new(bots: &[BotIndex]) -> Option<Self> {
        let seats = Seats::new(bots.len())?;
        if !bots.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let mut all = [BotIndex::default(); MAX_SEATS];
        all[..bots.len()].copy_from_slice(bots);
        Some(Self { bots: all, seats })
    }

    /// Returns the bots in the order of the tournament.
    pub fn bots(&self) -> &[BotIndex] {
        &self.bots[..self.seats.count()]
    }

    /// Returns how many bots sit at it.
    pub fn seats(&self) -> Seats {
        self.seats
    }

    /// Returns the bots in seat order: in leg ℓ, seat i is taken by player (i + ℓ) mod k.
    pub fn seating(&self, leg: u32) -> PerSeat<BotIndex> {
        let bots = self.bots();
        PerSeat::from_fn(self.seats, |seat| bots[(seat.index() + leg as usize) % bots.len()])
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.bots().iter().map(|bot| bot.0)).finish()
    }
}

impl From<Table> for Vec<BotIndex> {
    fn from(table: Table) -> Self {
        table.bots().to_vec()
    }
}

impl TryFrom<Vec<BotIndex>> for Table {
    type Error = &'static str;

    fn try_from(bots: Vec<BotIndex>) -> Result<Self, Self::Error> {
        Self::new(&bots)
            .ok_or("expected a table of 2 to 8 different bots, as their indices in ascending order")
    }
}

impl JsonSchema for Table {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Table".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 8,
            "description": "the bots that meet, as their indices in the tournament, ascending"
        })
    }
}

/// The matches that one table plays on one match seed: one in each seating. No format lets a table meet twice on the
/// same block, because the block and the bots' names determine the deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct PairKey {
    /// The stage of the competition, from 0. A round-robin and a gauntlet have only one.
    #[serde(alias = "phase")]
    pub stage: u32,
    /// From 0. Where results decide who meets next, the blocks of a round come behind those of all rounds before.
    pub block: u32,
    pub table: Table,
}

impl PairKey {
    /// Returns the match of one leg.
    pub fn leg(self, leg: u32) -> MatchKey {
        let Self { stage, block, table } = self;
        MatchKey { stage, block, table, leg }
    }

    /// Returns the matches of the pair, one for each seating.
    pub fn legs(self) -> impl Iterator<Item = MatchKey> {
        (0..self.table.seats.count() as u32).map(move |leg| self.leg(leg))
    }
}

/// One match of a tournament. Keys are ordered as the schedule is: by stage, block, table, leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct MatchKey {
    /// The stage of the competition, from 0.
    #[serde(alias = "phase")]
    pub stage: u32,
    /// From 0, as in [`PairKey`].
    pub block: u32,
    pub table: Table,
    /// Which seating of the pair, from 0: there are as many as seats.
    pub leg: u32,
}

impl MatchKey {
    /// Returns the pair that the match belongs to: the same deals from each seat.
    pub fn pair(self) -> PairKey {
        let Self { stage, block, table, .. } = self;
        PairKey { stage, block, table }
    }

    /// Returns the bot in a seat.
    pub fn seat(&self, seat: Seat) -> BotIndex {
        self.seating()[seat]
    }

    /// Returns the bots in seat order.
    pub fn seating(&self) -> PerSeat<BotIndex> {
        self.table.seating(self.leg)
    }

    /// Returns the seat of a bot; `None` if it does not play.
    pub fn seat_of(&self, bot: BotIndex) -> Option<Seat> {
        self.table.seats.iter().find(|&seat| self.seat(seat) == bot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(bots: &[u32]) -> Option<Table> {
        Table::new(&bots.iter().map(|&bot| BotIndex(bot)).collect::<Vec<_>>())
    }

    #[test]
    fn table_is_its_bots_ascending() {
        assert!(table(&[0, 3, 9]).is_some());
        for bad in [&[0][..], &[], &[1, 0], &[1, 1], &[0, 1, 2, 3, 4, 5, 6, 7, 8]] {
            assert_eq!(table(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn pair_seats_every_bot_once_in_every_seat() {
        let pair = PairKey { stage: 2, block: 5, table: table(&[1, 4, 6]).unwrap() };
        let seatings: Vec<Vec<u32>> =
            pair.legs().map(|key| key.seating().as_slice().iter().map(|bot| bot.0).collect()).collect();
        assert_eq!(seatings, [[1, 4, 6], [4, 6, 1], [6, 1, 4]]);
        assert!(pair.legs().all(|key| key.pair() == pair));
        assert_eq!(pair.leg(1).seat_of(BotIndex(1)), Seat::new(2));
        assert_eq!(pair.leg(1).seat_of(BotIndex(0)), None);
    }

    #[test]
    fn key_is_read_as_it_is_written() {
        let key = PairKey { stage: 0, block: 3, table: table(&[0, 2]).unwrap() }.leg(1);
        let text = serde_json::to_string(&key).unwrap();
        assert_eq!(text, r#"{"stage":0,"block":3,"table":[0,2],"leg":1}"#);
        assert_eq!(serde_json::from_str::<MatchKey>(&text).unwrap(), key);
        assert!(serde_json::from_str::<MatchKey>(&text.replace("[0,2]", "[2,0]")).is_err());
    }
}
