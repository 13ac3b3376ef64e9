//! How well a bot is confined: four named levels, and the organiser's choice among them.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How well a bot is confined, from not at all to as well as possible. The page of the sandbox in `leyden-host` lists what
/// each level prevents.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum SandboxLevel {
    /// A process group and time limits, nothing else.
    #[default]
    None,
    /// Landlock, a filter of system calls, and limits.
    Restrict,
    /// Namespaces of its own around all of `restrict`.
    Jail,
    /// A control group around all of `jail`.
    Full,
}

impl SandboxLevel {
    /// Every level, the best first.
    pub const ALL: [Self; 4] = [Self::Full, Self::Jail, Self::Restrict, Self::None];

    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// Returns its name as it is typed and stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Jail => "jail",
            Self::Restrict => "restrict",
            Self::None => "none",
        }
    }

    /// Returns the next better level.
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Full => None,
            Self::Jail => Some(Self::Full),
            Self::Restrict => Some(Self::Jail),
            Self::None => Some(Self::Restrict),
        }
    }

    /// Whether anything is forbidden to the bot: at every level but the lowest.
    pub const fn is_confined(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether the bot runs in namespaces of its own.
    pub const fn has_namespaces(self) -> bool {
        matches!(self, Self::Jail | Self::Full)
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SandboxLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|level| level.name() == text)
            .ok_or_else(|| format!("expected one of {}, got {text:?}", Self::names()))
    }
}

/// The level that the organiser wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SandboxLevelChoice {
    /// The best level that holds on this machine.
    #[default]
    Auto,
    /// This level; without it nothing is run.
    Exactly(SandboxLevel),
}

impl fmt::Display for SandboxLevelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::Exactly(level) => level.fmt(f),
        }
    }
}

impl FromStr for SandboxLevelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            text => text
                .parse()
                .map(Self::Exactly)
                .map_err(|_| format!("expected auto or one of {}, got {text:?}", SandboxLevel::names())),
        }
    }
}

impl From<SandboxLevelChoice> for String {
    fn from(choice: SandboxLevelChoice) -> Self {
        choice.to_string()
    }
}

impl TryFrom<String> for SandboxLevelChoice {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl JsonSchema for SandboxLevelChoice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sandbox".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": ["auto", "full", "jail", "restrict", "none"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_names_parse_and_better_levels_are_greater() {
        assert!(SandboxLevel::ALL.is_sorted_by(|better, worse| better > worse));
        for level in SandboxLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(level.name().parse(), Ok(SandboxLevelChoice::Exactly(level)));
            assert!(level.next().is_none_or(|next| next > level));
        }
        assert_eq!("auto".parse(), Ok(SandboxLevelChoice::Auto));
        assert!("Jail".parse::<SandboxLevelChoice>().unwrap_err().contains("expected auto"));
    }
}
