//! The options of a stage of a competition, typed or in a section `[[stage]]` of a configuration file.

use clap::{Args, ValueEnum};
use leyden_arena::format::{Play, Stage, TieBreak};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::value_names::value_names;
use crate::exit::CommandError;

/// How bots meet, as it is typed: by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FormatName {
    RoundRobin,
    Gauntlet,
    Swiss,
    Groups,
    Knockout,
    DoubleElimination,
}

/// A stage of a competition. Several of them in a row, each with the best of the one before, stand in a configuration file.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct StageOptions {
    /// How the bots meet. A few bots: round-robin; many: swiss, which ranks them all, or groups; a winner on a stage: knockout or
    /// double-elimination [default: round-robin, with --gauntlet gauntlet]
    #[arg(long, value_enum, hide_possible_values = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<FormatName>,
    /// The number of rounds of a Swiss
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rounds: Option<u32>,
    /// The number of groups
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) groups: Option<u32>,
    /// Instead of every table of a round-robin, this many in balance: all bots play, and meet each other, about equally often. For three
    /// to eight seats
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tables: Option<u32>,
    /// How many bots go on to the next stage, or to a knockout if no stage follows. From groups, the same number of each
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) advance: Option<u32>,
    /// A meeting of a knockout or double elimination has this many pairs, and ends once a lead cannot be made up
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best_of: Option<u32>,
    /// The losers of the semi-finals of a knockout meet
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) third_place: bool,
    /// What decides between bots with the same points, in order; bots that are still equal share a place [default:
    /// direct-encounter,buchholz-cut-1,buchholz,sonneborn-berger,wins,margin]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = value_names::<TieBreak>(),
        hide_possible_values = true
    )]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tie_breaks: Vec<TieBreak>,
    /// The number of pairs of each meeting of the stage; by default as many as `blocks` says
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blocks: Option<u32>,
}

impl StageOptions {
    /// One of each format, in a row that could be played.
    pub(crate) fn examples() -> Value {
        json!([
            { "format": "swiss", "rounds": 6, "blocks": 2, "advance": 16, "tie-breaks": TieBreak::ALL },
            { "format": "groups", "groups": 4, "advance": 8 },
            { "format": "knockout", "best-of": 5, "third-place": true },
            { "format": "double-elimination" },
            { "format": "round-robin", "tables": 40 },
        ])
    }

    /// Whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The stage that these options describe; `usual_blocks` are those of the whole tournament.
    pub(super) fn stage(&self, usual_blocks: Option<u32>) -> Result<Stage, CommandError> {
        let needs = |option: &str| CommandError::usage(format!("the format needs {option}"));
        let format = self.format.ok_or_else(|| needs("a name: --format, or `format` in [[stage]]"))?;
        let best_of = self.best_of.is_some();
        let play = match format {
            FormatName::RoundRobin => self.tables.map_or(Play::RoundRobin, |tables| Play::Tables { tables }),
            FormatName::Gauntlet => return Err(needs("--gauntlet BOT, and cannot be one of several stages")),
            FormatName::Swiss => Play::Swiss { rounds: self.rounds.ok_or_else(|| needs("rounds"))? },
            FormatName::Groups => Play::Groups { groups: self.groups.ok_or_else(|| needs("groups"))? },
            FormatName::Knockout => Play::Knockout { best_of, third_place: self.third_place },
            FormatName::DoubleElimination => Play::DoubleElimination { best_of },
        };
        let own = json!(play); // its fields are named as their options
        let is_bracket = own.get("best_of").is_some();
        let given = [
            ("rounds", self.rounds.is_some()),
            ("groups", self.groups.is_some()),
            ("tables", self.tables.is_some()),
            ("best-of", best_of),
            ("third-place", self.third_place),
            ("tie-breaks", !self.tie_breaks.is_empty()),
        ];
        let has = |option: &str| match option {
            // A bracket may follow a stage from which bots go on.
            "best-of" | "third-place" => is_bracket || self.advance.is_some(),
            "tie-breaks" => !is_bracket,
            _ => own.get(option).is_some(),
        };
        if let Some((option, _)) = given.iter().find(|(option, is_given)| *is_given && !has(option)) {
            return Err(CommandError::usage(format!("{option} is for another format: leave it out")));
        }
        let of_bracket = self.best_of.filter(|_| is_bracket);
        let tie_breaks = match (is_bracket, &self.tie_breaks[..]) {
            (true, _) => Vec::new(),
            (false, []) => TieBreak::ALL.to_vec(),
            (false, chosen) => chosen.to_vec(),
        };
        Ok(Stage {
            play,
            blocks: of_bracket.or(self.blocks).or(usual_blocks).unwrap_or(1),
            advance: self.advance,
            tie_breaks,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_format_but_a_league_can_be_typed() {
        let schema = json!(schemars::schema_for!(Play));
        let name = |format: &Value| format.as_str().unwrap().to_owned();
        let variants = schema["oneOf"].as_array().unwrap().iter();
        let mut expected: BTreeSet<String> =
            variants.map(|variant| name(&variant["properties"]["format"]["const"])).collect();
        assert!(expected.remove("league"));
        let mut examples: Vec<StageOptions> = serde_json::from_value(StageOptions::examples()).unwrap();
        examples.push(StageOptions { format: Some(FormatName::RoundRobin), ..<_>::default() });
        let played = examples.iter().map(|example| name(&json!(example.stage(None).unwrap().play)["format"]));
        assert_eq!(played.collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn bracket_options_need_a_bracket_or_advancing_bots() {
        let swiss = StageOptions { format: Some(FormatName::Swiss), rounds: Some(2), ..<_>::default() };
        let stage = StageOptions { best_of: Some(3), third_place: true, ..swiss };
        assert!(stage.stage(None).unwrap_err().message.starts_with("best-of is for another format"));
        assert!(StageOptions { advance: Some(4), ..stage.clone() }.stage(None).is_ok());
        let knockout = StageOptions { format: Some(FormatName::Knockout), rounds: None, ..stage };
        assert_eq!(knockout.stage(Some(5)).unwrap().blocks, 3);
        let ordered = StageOptions { tie_breaks: TieBreak::ALL.to_vec(), ..knockout };
        assert!(ordered.stage(None).unwrap_err().message.starts_with("tie-breaks is for another format"));
    }
}
