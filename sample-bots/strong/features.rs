//! The features of a play, the kinds of position, and the weights of each feature in each kind, as they are read and written.

use std::str::FromStr;

/// A feature of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Feature {
    /// The pips of the tile.
    Pips,
    /// 1 for a matador other than 0-0.
    Matador,
    /// 1 for 0-0.
    BlankDouble,
    /// 1 for a matador laid across.
    Across,
    /// 1 for a tile with only one half that can ever touch: a double, or a tile with a blank.
    Stiff,
    /// 1 if the new end is a blank, which only matadors fit.
    BlankEnd,
    /// How many more own tiles fit the new end than fitted the one it covers.
    OwnFits,
    /// The same for the tiles that the seat does not see.
    UnseenFits,
    /// How many own tiles can be played afterwards.
    Options,
    /// The same as a share of the tiles left in the hand.
    ShareOfOptions,
    /// 1 if none of them can.
    Stuck,
    /// Of the tiles that the next seat may hold, the share that can be played afterwards.
    Fed,
    /// The probability that the next seat cannot play, if each of its tiles is drawn independently from those that it may hold.
    Starved,
}

impl Feature {
    pub const ALL: [Self; 13] = [
        Self::Pips,
        Self::Matador,
        Self::BlankDouble,
        Self::Across,
        Self::Stiff,
        Self::BlankEnd,
        Self::OwnFits,
        Self::UnseenFits,
        Self::Options,
        Self::ShareOfOptions,
        Self::Stuck,
        Self::Fed,
        Self::Starved,
    ];

    /// The name in the file of weights.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pips => "pips",
            Self::Matador => "matador",
            Self::BlankDouble => "blank-double",
            Self::Across => "across",
            Self::Stiff => "stiff",
            Self::BlankEnd => "blank-end",
            Self::OwnFits => "own-fits",
            Self::UnseenFits => "unseen-fits",
            Self::Options => "options",
            Self::ShareOfOptions => "share-of-options",
            Self::Stuck => "stuck",
            Self::Fed => "fed",
            Self::Starved => "starved",
        }
    }
}

/// The value of each feature for one play, in the order of [`Feature::ALL`].
pub type Features = [f32; Feature::ALL.len()];

/// The number of kinds of position: the fewest tiles of another seat are 1 or 2, 3 or 4, or more; and there either are tiles to draw
/// or there are none.
pub const KINDS: usize = 6;

pub(super) fn kind(fewest: usize, drawable: usize) -> usize {
    let few = match fewest {
        ..=2 => 0,
        3 | 4 => 1,
        _ => 2,
    };
    few + if drawable == 0 { 3 } else { 0 }
}

/// The weight of each feature in each kind of position. A difference of 1 in value makes a play e times as likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(pub [Features; KINDS]);

/// A table of weights that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a line \"{feature}\" with {KINDS} numbers, not {line:?}")]
pub struct WeightsError {
    feature: &'static str,
    line: String,
}

impl FromStr for Weights {
    type Err = WeightsError;

    /// One line per feature, in order: its name, and its weight in each kind of position.
    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut weights = Self([[0.0; Feature::ALL.len()]; KINDS]);
        let mut lines = text.lines();
        for feature in Feature::ALL {
            let line = lines.next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let name = words.next();
            let numbers: Vec<f32> = words.map_while(|word| word.parse().ok()).collect();
            if name != Some(feature.name()) || numbers.len() != KINDS {
                return Err(WeightsError { feature: feature.name(), line: line.to_owned() });
            }
            for (kind, number) in numbers.into_iter().enumerate() {
                weights.0[kind][feature as usize] = number;
            }
        }
        Ok(weights)
    }
}

impl std::fmt::Display for Weights {
    /// In the same format.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for feature in Feature::ALL {
            write!(f, "{:<17}", feature.name())?;
            for kind in &self.0 {
                write!(f, " {:>8.4}", kind[feature as usize])?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
