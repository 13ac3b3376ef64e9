//! The six rule sets, as data.

use std::ops::Deref;

use leyden_protocol::{
    Drawing, LayoutShape, LeadRule, Leads, Opening, RuleSet, RulesName, Scoring, Seats, Set,
};

/// The score that ends a match unless the organiser says otherwise.
pub const DEFAULT_TARGET: u32 = 100;

/// A rule set that can be played: one of the six, with a number of seats and a set of tiles that it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules(RuleSet);

/// A combination of rule set, seats, set and target that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    #[error("{name} is played with double-six only, not with {set}; matador can be played with larger sets")]
    Set { name: RulesName, set: Set },
    #[error("{name} with {set} is played by {allowed}, not by {seats}")]
    Seats { name: RulesName, set: Set, seats: Seats, allowed: &'static str },
    #[error("the target must be 1 to {max}, not {target}", max = Rules::HIGHEST_TARGET)]
    Target { target: u32 },
}

impl Rules {
    /// The highest target. It keeps scores far below 2³²: at most 500 rounds of at most 1,092 pips.
    pub const HIGHEST_TARGET: u32 = 1_000_000;

    /// Returns the rule set of this name for a table with these seats, set and target.
    pub fn new(name: RulesName, seats: Seats, set: Set, target: u32) -> Result<Self, RulesError> {
        if !(1..=Self::HIGHEST_TARGET).contains(&target) {
            return Err(RulesError::Target { target });
        }
        if name != RulesName::Matador && set != Set::DoubleSix {
            return Err(RulesError::Set { name, set });
        }
        let (most, allowed) = match (name, set) {
            (RulesName::Matador, Set::DoubleSix) => (4, "2 to 4 seats"),
            (RulesName::Matador, Set::DoubleNine) => (6, "2 to 6 seats"),
            (RulesName::Matador, Set::DoubleTwelve) => (8, "2 to 8 seats"),
            _ => (2, "2 seats"),
        };
        if seats.count() > most {
            return Err(RulesError::Seats { name, set, seats, allowed });
        }
        Ok(Self(parameters(name, seats, set, target)))
    }

    /// Returns the rule set with its defaults: two seats, double-six, to 100.
    pub fn standard(name: RulesName) -> Self {
        Self(parameters(name, Seats::TWO, Set::DoubleSix, DEFAULT_TARGET))
    }
}

impl Deref for Rules {
    type Target = RuleSet;

    fn deref(&self) -> &RuleSet {
        &self.0
    }
}

/// The table of the rules page, one row per rule set.
fn parameters(name: RulesName, seats: Seats, set: Set, target: u32) -> RuleSet {
    use LeadRule::{Highest, HighestHolder, Loser, Lowest};
    let row = |opening, leads, across_on_across, scoring: Scoring| RuleSet {
        name,
        seats,
        set,
        hand: 6,
        reserve: 2,
        layout: LayoutShape::Spinner,
        opening,
        leads,
        drawing: Drawing::Any,
        across_on_across,
        scoring,
        better: scoring.better(),
        target,
    };
    let leads = |first, later| Leads { first, later };
    match name {
        RulesName::Leyden => row(Opening::Sides, leads(Lowest, Loser), false, Scoring::OwnHand),
        RulesName::LeydenCross => row(Opening::Cross, leads(Lowest, Loser), true, Scoring::OwnHand),
        RulesName::Leiden => row(Opening::Cross, leads(HighestHolder, Loser), true, Scoring::AllHands),
        RulesName::Senst => row(Opening::Cross, leads(HighestHolder, Loser), false, Scoring::AllHands),
        RulesName::LeydenFree => row(Opening::None, leads(Lowest, Lowest), true, Scoring::OwnHand),
        RulesName::Matador => RuleSet {
            hand: matador_hand(seats, set),
            reserve: 0,
            layout: LayoutShape::Line,
            drawing: Drawing::One,
            ..row(Opening::None, leads(Highest, Highest), true, Scoring::Difference)
        },
    }
}

fn matador_hand(seats: Seats, set: Set) -> u8 {
    match (set, seats.count()) {
        (Set::DoubleSix, 3) => 6,
        (Set::DoubleSix, 4..) => 5,
        _ => 7,
    }
}
