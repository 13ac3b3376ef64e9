//! A competition in the data model of `brackets-model`, version 1.7 (npm, ISC), which viewers of brackets read: participants, stages,
//! groups, rounds and matches, each with a number that the others refer to.
//!
//! That model knows knockout, double elimination and round-robin: a Swiss is a round-robin of one group there. Its scores are half
//! points.

use std::collections::BTreeMap;

use leyden_format::CompetitionTable;
use leyden_format::bracket::Side;
use leyden_format::competition::{BracketMeeting, MeetingLine, PointsLine, StageTable};
use leyden_language::Language;
use schemars::JsonSchema;
use serde::Serialize;

/// The tables of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "A competition in the data model of brackets-model")]
pub struct BracketsDocument {
    pub participant: Vec<Participant>,
    pub stage: Vec<BracketsStage>,
    pub group: Vec<Group>,
    pub round: Vec<Round>,
    #[serde(rename = "match")]
    pub matches: Vec<Meeting>,
    /// Always empty: the matches of a meeting are in the export.
    pub match_game: Vec<()>,
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Participant {
    pub id: usize,
    pub tournament_id: String,
    pub name: String,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BracketsStage {
    pub id: usize,
    pub tournament_id: String,
    pub name: String,
    /// `round_robin`, `single_elimination` or `double_elimination`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub settings: StageSettings,
    /// From 1.
    pub number: usize,
}

/// What viewers want to know of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageSettings {
    /// The number of bots.
    pub size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consolation_final: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grand_final: Option<&'static str>,
}

/// A group of a stage, or a part of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Group {
    pub id: usize,
    pub stage_id: usize,
    /// From 1.
    pub number: usize,
}

/// A round of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Round {
    pub id: usize,
    pub stage_id: usize,
    pub group_id: usize,
    /// From 1.
    pub number: usize,
}

/// A meeting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Meeting {
    pub id: usize,
    pub stage_id: usize,
    pub group_id: usize,
    pub round_id: usize,
    /// From 1.
    pub number: usize,
    /// Always 0.
    pub child_count: usize,
    /// 0 locked, 1 waiting, 2 ready, 3 running, 4 completed.
    pub status: u8,
    /// `null` for a bye.
    pub opponent1: Option<Opponent>,
    pub opponent2: Option<Opponent>,
}

/// A bot in a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Opponent {
    /// `null` as long as it is not known.
    pub id: Option<usize>,
    /// In half points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<u64>,
    /// `win`, `draw` or `loss`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

impl BracketsDocument {
    /// Makes the document of a competition as it stands.
    pub fn new(tournament: &str, table: &CompetitionTable<String>) -> Self {
        let mut names: Vec<&String> = table.places.iter().map(|line| &line.bot).collect();
        names.sort_unstable();
        let ids: BTreeMap<&str, usize> =
            names.iter().enumerate().map(|(id, name)| (name.as_str(), id)).collect();
        let participant = |(id, name): (usize, &&String)| Participant {
            id,
            tournament_id: tournament.to_owned(),
            name: (*name).clone(),
        };
        let participants = names.iter().enumerate().map(participant).collect();
        let mut document = Self { participant: participants, ..Self::default() };
        for (id, stage) in table.stages.iter().enumerate() {
            document.add(tournament, id, stage, &ids);
        }
        document
    }

    fn add(&mut self, tournament: &str, id: usize, stage: &StageTable<String>, ids: &BTreeMap<&str, usize>) {
        // From the meetings, not the play: three bots have none for third place, and a new format adds nothing here.
        let has = |side: Side| stage.bracket.iter().any(|meeting| meeting.side == side);
        let (kind, consolation, grand_final) = if stage.bracket.is_empty() {
            ("round_robin", None, None)
        } else if has(Side::GrandFinal) {
            ("double_elimination", None, Some("double"))
        } else {
            ("single_elimination", Some(has(Side::ThirdPlace)), None)
        };
        let group_count = (kind == "round_robin").then_some(stage.groups.len());
        let (size, number) = (stage.seeds.len(), id + 1);
        self.stage.push(BracketsStage {
            id,
            tournament_id: tournament.to_owned(),
            name: stage.play.describe(Language::English),
            kind,
            settings: StageSettings { size, group_count, consolation_final: consolation, grand_final },
            number,
        });
        for meeting in &stage.meetings {
            let is_in = |group: &Vec<PointsLine<String>>| group.iter().any(|line| line.bot == meeting.first);
            let group = stage.groups.iter().position(is_in).unwrap_or(0);
            let round = self.round_of(id, group + 1, meeting.round as usize + 1);
            self.push(round, points_meeting(meeting, stage.over, ids));
        }
        for meeting in &stage.bracket {
            let group = match meeting.side {
                Side::Winners => 1,
                Side::Losers | Side::ThirdPlace => 2,
                Side::GrandFinal => 3,
            };
            let round = self.round_of(id, group, meeting.round as usize + 1);
            self.push(round, bracket_meeting(meeting, ids));
        }
    }

    /// The round with these numbers, which is added if it is new.
    fn round_of(&mut self, stage_id: usize, group: usize, number: usize) -> Round {
        let known = self.group.iter().find(|known| (known.stage_id, known.number) == (stage_id, group));
        let group_id = known.map_or(self.group.len(), |known| known.id);
        if group_id == self.group.len() {
            self.group.push(Group { id: group_id, stage_id, number: group });
        }
        let known = self.round.iter().find(|known| (known.group_id, known.number) == (group_id, number));
        let round = known.copied().unwrap_or(Round { id: self.round.len(), stage_id, group_id, number });
        if round.id == self.round.len() {
            self.round.push(round);
        }
        round
    }

    fn push(&mut self, round: Round, (status, [first, second]): (u8, [Option<Opponent>; 2])) {
        let number = 1 + self.matches.iter().filter(|meeting| meeting.round_id == round.id).count();
        self.matches.push(Meeting {
            id: self.matches.len(),
            stage_id: round.stage_id,
            group_id: round.group_id,
            round_id: round.id,
            number,
            child_count: 0,
            status,
            opponent1: first,
            opponent2: second,
        });
    }
}

const LOCKED: u8 = 0;
const READY: u8 = 2;
const RUNNING: u8 = 3;
const COMPLETED: u8 = 4;

fn points_meeting(
    meeting: &MeetingLine<String>,
    over: bool,
    ids: &BTreeMap<&str, usize>,
) -> (u8, [Option<Opponent>; 2]) {
    let [one, other] = meeting.half_points;
    let opponent = |name: &String, own: u64, rival: u64| {
        let result = match own.cmp(&rival) {
            _ if !over => None,
            std::cmp::Ordering::Less => Some("loss"),
            std::cmp::Ordering::Equal => Some("draw"),
            std::cmp::Ordering::Greater => Some("win"),
        };
        Opponent { id: ids.get(name.as_str()).copied(), score: Some(own), result }
    };
    let second = meeting.second.as_ref().map(|name| opponent(name, other, one));
    let status = if over || second.is_none() { COMPLETED } else { RUNNING };
    (status, [Some(opponent(&meeting.first, one, other)), second])
}

fn bracket_meeting(
    meeting: &BracketMeeting<String>,
    ids: &BTreeMap<&str, usize>,
) -> (u8, [Option<Opponent>; 2]) {
    if meeting.void && meeting.winner.is_none() && meeting.bots.iter().all(Option::is_some) {
        // A second grand final that is not needed: for viewers its bots stay unknown.
        let unknown = Some(Opponent { id: None, score: None, result: None });
        return (LOCKED, [unknown; 2]);
    }
    let opponent = |index: usize| {
        let name = meeting.bots[index].as_ref();
        if meeting.void && name.is_none() {
            return None; // a bye
        }
        let played = meeting.pairs > 0;
        let won = meeting.winner.as_ref().zip(name).map(|(winner, name)| winner == name);
        Some(Opponent {
            id: name.and_then(|name| ids.get(name.as_str()).copied()),
            score: played.then_some(meeting.half_points[index]),
            result: won.filter(|_| played).map(|won| if won { "win" } else { "loss" }),
        })
    };
    let known = meeting.bots.iter().filter(|bot| bot.is_some()).count() as u8;
    let status = match (&meeting.winner, meeting.pairs) {
        (Some(_), _) => COMPLETED,
        (None, 0) => known.min(READY),
        (None, _) => RUNNING,
    };
    (status, [opponent(0), opponent(1)])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leyden_format::competition::PlaceLine;
    use leyden_format::{Competition, Format, Play, Schedule, Seeding, Stage};
    use leyden_model::BotIndex;
    use leyden_protocol::Seats;
    use serde_json::Value;

    use super::*;

    /// The interfaces of `brackets-model` 1.7.0: what each table has to hold, and the numbers that refer to another table.
    fn assert_has_types_of_model(json: &Value) {
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
        let set = |names: &str| names.split(' ').map(str::to_owned).collect::<BTreeSet<String>>();
        let of_match = "id stage_id group_id round_id number child_count status opponent1 opponent2";
        for (table, expected) in [
            ("participant", "id tournament_id name"),
            ("stage", "id tournament_id name type settings number"),
            ("group", "id stage_id number"),
            ("round", "id stage_id group_id number"),
            ("match", of_match),
        ] {
            for row in json[table].as_array().unwrap() {
                assert_eq!(keys(row), set(expected), "{table}");
                for (field, other) in [("stage_id", "stage"), ("group_id", "group"), ("round_id", "round")] {
                    let is_there =
                        |id: &Value| json[other].as_array().unwrap().iter().any(|row| row["id"] == *id);
                    assert!(row.get(field).is_none_or(is_there), "{row}");
                }
            }
        }
        for stage in json["stage"].as_array().unwrap() {
            assert!(
                set("round_robin single_elimination double_elimination")
                    .contains(stage["type"].as_str().unwrap())
            );
            assert!(keys(&stage["settings"]).is_subset(&set("size groupCount consolationFinal grandFinal")));
        }
        for meeting in json["match"].as_array().unwrap() {
            assert!(meeting["status"].as_u64().unwrap() <= COMPLETED.into());
            for opponent in
                ["opponent1", "opponent2"].map(|at| &meeting[at]).into_iter().filter(|of| !of.is_null())
            {
                assert!(keys(opponent).is_subset(&set("id score result")) && opponent.get("id").is_some());
                let result = opponent.get("result").map_or("win", |result| result.as_str().unwrap());
                assert!(set("win draw loss").contains(result));
            }
        }
    }

    #[test]
    fn unneeded_second_grand_final_stays_empty() {
        let meeting = BracketMeeting {
            side: Side::GrandFinal,
            round: 1,
            number: 0,
            bots: ["a", "b"].map(|bot| Some(bot.to_owned())),
            void: true,
            pairs: 0,
            half_points: [0, 0],
            winner: None,
            decision: None,
        };
        let unknown = Some(Opponent { id: None, score: None, result: None });
        assert_eq!(bracket_meeting(&meeting, &BTreeMap::from([("a", 0), ("b", 1)])), (LOCKED, [unknown; 2]));
    }

    #[test]
    fn bracket_with_a_bye_is_written_for_viewers() {
        let meeting = |number, bots: [Option<&str>; 2], winner: Option<&str>, round| BracketMeeting {
            side: Side::Winners,
            round,
            number,
            bots: bots.map(|bot| bot.map(str::to_owned)),
            void: bots[1].is_none(),
            pairs: u32::from(bots[1].is_some() && winner.is_some()),
            half_points: [3, 1],
            winner: winner.map(str::to_owned),
            decision: None,
        };
        let place = |bot: &str| PlaceLine { place: 1, shared: false, bot: bot.to_owned(), stage: 0 };
        let stage = StageTable {
            play: Play::Knockout { best_of: false, third_place: false },
            blocks: 1,
            over: false,
            seeds: ["a", "b", "c"].map(str::to_owned).to_vec(),
            tie_breaks: Vec::new(),
            groups: Vec::new(),
            balance: None,
            meetings: Vec::new(),
            bracket: vec![
                meeting(0, [Some("a"), None], Some("a"), 0),
                meeting(1, [Some("b"), Some("c")], Some("b"), 0),
                meeting(0, [Some("a"), Some("b")], None, 1),
            ],
        };
        let table = CompetitionTable {
            over: false,
            places: ["c", "a", "b"].map(place).to_vec(),
            stages: vec![stage],
        };
        let document = BracketsDocument::new("cup", &table);
        let statuses: Vec<u8> = document.matches.iter().map(|meeting| meeting.status).collect();
        assert_eq!(statuses, [COMPLETED, COMPLETED, READY]);
        assert_eq!(document.matches[0].opponent2, None);
        let winner = Opponent { id: Some(1), score: Some(3), result: Some("win") };
        assert_eq!(document.matches[1].opponent1, Some(winner));
        assert_eq!((document.round.len(), document.group.len(), document.matches[2].round_id), (2, 1, 1));
        let json = serde_json::to_value(&document).unwrap();
        assert_has_types_of_model(&json);
        assert_eq!(json["stage"][0]["type"], "single_elimination");
        assert_eq!(json["stage"][0]["settings"]["consolationFinal"], false);
        assert_eq!(json["match"][2]["opponent2"], serde_json::json!({ "id": 1 }));
    }

    #[test]
    fn stage_has_the_type_of_its_meetings() {
        let knockout = |third_place| Play::Knockout { best_of: false, third_place };
        for (play, bots, expected) in [
            (knockout(true), 4, ("single_elimination", Some(true), None)),
            (knockout(true), 3, ("single_elimination", Some(false), None)),
            (knockout(false), 4, ("single_elimination", Some(false), None)),
            (Play::DoubleElimination { best_of: false }, 2, ("double_elimination", None, Some("double"))),
            (Play::Swiss { rounds: 2 }, 4, ("round_robin", None, None)),
            (Play::Groups { groups: 2 }, 4, ("round_robin", None, None)),
        ] {
            let stages = vec![Stage { play, blocks: 1, advance: None, tie_breaks: Vec::new() }];
            let seeds = (0..bots).map(BotIndex).collect();
            let competition = Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages };
            let format = Format::Stages(competition);
            let schedule = Schedule::new(format, bots as usize, Seats::TWO, 1).unwrap();
            let table = schedule.competition().unwrap().named(|bot| bot.0.to_string());
            let BracketsStage { kind, settings, .. } = BracketsDocument::new("cup", &table).stage[0];
            let found = (kind, settings.consolation_final, settings.grand_final);
            assert_eq!(found, expected, "{play:?} of {bots} bots");
        }
    }
}
