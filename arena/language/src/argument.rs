//! Values in texts.

use fluent_bundle::FluentValue;
use leyden_protocol::{
    Arm, Drawing, LayoutShape, LeadRule, Opening, Pip, RulesName, Scoring, Seat, Tile, TileSet, WinningScore,
};

/// A value as a text contains it.
pub type Value<'a> = FluentValue<'a>;

/// Something that can be put into a text, or that a text decides by.
pub trait Argument {
    /// Returns the value as texts contain it.
    fn value(&self) -> Value<'_>;
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl Argument for str {
    fn value(&self) -> Value<'_> {
        self.into()
    }
}

impl Argument for String {
    fn value(&self) -> Value<'_> {
        self.as_str().into()
    }
}

impl Argument for Value<'_> {
    fn value(&self) -> Value<'_> {
        self.clone()
    }
}

/// `[yes]` or `[no]`.
impl Argument for bool {
    fn value(&self) -> Value<'_> {
        if *self { "yes" } else { "no" }.into()
    }
}

macro_rules! argument {
    ($($kind:ty: $convert:expr),* $(,)?) => {$(
        impl Argument for $kind {
            fn value(&self) -> Value<'_> {
                let convert: fn($kind) -> _ = $convert;
                convert(*self).into()
            }
        }
    )*};
}

argument! {
    u8: |number| number,
    u16: |number| number,
    u32: |number| number,
    u64: |number| number,
    usize: |number| number,
    i32: |number| number,
    Seat: Seat::index,
    Pip: Pip::get,
    Arm: |arm| arm.letter().to_string(),
    RulesName: RulesName::as_str,
    LayoutShape: |shape| match shape {
        LayoutShape::Spinner => "spinner",
        LayoutShape::Line => "line",
    },
    Opening: |opening| match opening {
        Opening::Sides => "sides",
        Opening::Cross => "cross",
        Opening::None => "none",
    },
    LeadRule: |rule| match rule {
        LeadRule::Lowest => "lowest",
        LeadRule::Highest => "highest",
        LeadRule::HighestHolder => "highest-holder",
        LeadRule::Loser => "loser",
    },
    Drawing: |drawing| match drawing {
        Drawing::Any => "any",
        Drawing::One => "one",
    },
    Scoring: |scoring| match scoring {
        Scoring::OwnHand => "own-hand",
        Scoring::AllHands => "all-hands",
        Scoring::Difference => "difference",
    },
    WinningScore: |better| match better {
        WinningScore::Lower => "lower",
        WinningScore::Higher => "higher",
    },
    Tile: |tile| tile.to_string(),
    TileSet: |tiles| tiles.to_string(),
}
