//! Every form of the notation, spelled out.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use leyden_protocol::{
    Action, Arm, Arms, Double, End, FaultCode, HistoryAction, HistoryEntry, Lay, Matador, PerSeat, Pip,
    RulesName, Seat, Seats, Set, Tile, TileSet,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn pip(pips: u8) -> Pip {
    Pip::new(pips).unwrap()
}

fn tile(a: u8, b: u8) -> Tile {
    Tile::new(pip(a), pip(b))
}

fn seat(index: usize) -> Seat {
    Seat::new(index).unwrap()
}

/// The text and the JSON form agree, both ways.
fn is_written<T>(value: T, text: &str)
where
    T: Copy + Debug + Display + FromStr<Err: Debug> + PartialEq + Serialize + DeserializeOwned,
{
    assert_eq!(value.to_string(), text);
    assert_eq!(format!("{value:>14}|"), format!("{text:>14}|"), "columns of tables");
    assert_eq!(text.parse::<T>().unwrap(), value);
    let json = format!("\"{text}\"");
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
    let escaped = text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<Vec<_>>().concat();
    assert_eq!(serde_json::from_str::<T>(&format!("\"{escaped}\"")).unwrap(), value);
}

fn is_no<T: FromStr<Err: Display> + Debug>(texts: &[&str]) {
    for text in texts {
        let error = text.parse::<T>().expect_err(text).to_string();
        assert!(error.contains(&format!("{text:?}")), "{error}");
    }
}

#[test]
fn tile_is_read_as_it_is_written() {
    is_written(tile(0, 0), "0-0");
    is_written(tile(5, 2), "2-5");
    is_written(tile(12, 12), "12-12");
    is_written(tile(10, 9), "9-10");
    is_no::<Tile>(&[
        "", "-", "5-2", "2|5", "2 - 5", "02-5", "2-05", "2-13", "-2-5", "2-5 ", "+2-5", "2-5-6", "٢-٥",
    ]);
}

#[test]
fn action_is_read_as_it_is_written() {
    let in_line =
        |arm, touching, end| Action::Play(arm, Lay::InLine { touching: pip(touching), end: pip(end) });
    let across = |arm, a, b| Action::Play(arm, Lay::Across(Matador::new(tile(a, b)).unwrap()));
    is_written(Action::Lead(Double::new(pip(3))), "lead:3-3");
    is_written(Action::Lead(Double::new(pip(12))), "lead:12-12");
    is_written(in_line(Arm::N, 4, 1), "N:4-1");
    is_written(in_line(Arm::E, 1, 4), "E:1-4");
    is_written(in_line(Arm::W, 0, 0), "W:0-0");
    is_written(in_line(Arm::S, 12, 1), "S:12-1");
    is_written(across(Arm::S, 2, 5), "S:2|5");
    is_written(across(Arm::N, 6, 4), "N:4|6");
    is_written(across(Arm::W, 12, 1), "W:1|12");
    is_written(Action::Draw, "draw");
    is_written(Action::Pass, "pass");
    is_written(Action::Refuse, "refuse");
    is_no::<Action>(&[
        "",
        "N",
        "N:",
        "N4-1",
        "n:4-1",
        "X:4-1",
        "N:4",
        "N:4-13",
        "N:04-1",
        "N: 4-1",
        "N:4-1 ",
        " N:4-1",
        "N:4-1\n",
        "S:5|2",
        "S:3|3",
        "S:0|0",
        "S:5|5",
        "S:1|2",
        "S:0|7",
        "S:2-5|",
        "lead:3",
        "lead:2-5",
        "lead:",
        "Lead:3-3",
        "draw:2-5",
        "draw ",
        "DRAW",
        "passe",
        "refused",
        "0 draw",
        "lead:13-13",
    ]);
}

#[test]
fn history_entry_is_read_as_it_is_written() {
    let entry = |index, event| HistoryEntry { seat: seat(index), event };
    is_written(entry(0, HistoryAction::Lead(Double::new(pip(3)))), "0 lead:3-3");
    is_written(entry(7, HistoryAction::Lead(Double::new(pip(12)))), "7 lead:12-12");
    is_written(
        entry(1, HistoryAction::Play(Arm::S, Lay::Across(Matador::new(tile(2, 5)).unwrap()))),
        "1 S:2|5",
    );
    is_written(entry(1, HistoryAction::Draw(None)), "1 draw");
    is_written(entry(1, HistoryAction::Draw(Some(tile(0, 6)))), "1 draw:0-6");
    is_written(entry(2, HistoryAction::Pass), "2 pass");
    is_written(entry(3, HistoryAction::Refuse), "3 refuse");
    is_no::<HistoryEntry>(&[
        "",
        "draw",
        "8 draw",
        "-1 draw",
        "00 draw",
        "0  draw",
        "0draw",
        "0 ",
        "0 draw:6-0",
        "0 draw:",
        "0 0 draw",
    ]);
}

#[test]
fn entry_shows_drawn_tile_only_to_its_seat() {
    let drawn = "1 draw:0-6".parse::<HistoryEntry>().unwrap();
    assert_eq!(drawn.seen_by(seat(1)).to_string(), "1 draw:0-6");
    assert_eq!(drawn.seen_by(seat(0)).to_string(), "1 draw");
    let played = "1 N:4-1".parse::<HistoryEntry>().unwrap();
    assert_eq!(played.seen_by(seat(0)), played);
}

#[test]
fn arms_are_written_as_lists_in_arm_order() {
    let mut arms = Arms::default();
    assert_eq!(serde_json::to_string(&arms).unwrap(), "{}");
    arms.set(Arm::W, End::Pip(pip(0)));
    arms.set(Arm::E, End::Pip(pip(12)));
    arms.set(Arm::N, End::Across(Matador::new(tile(5, 2)).unwrap()));
    let json = r#"{"N":[2,5],"E":[12],"W":[0]}"#;
    assert_eq!(serde_json::to_string(&arms).unwrap(), json);
    assert_eq!(serde_json::from_str::<Arms>(json).unwrap(), arms);
    for wrong in [
        r#"{"N":[5,2]}"#,
        r#"{"N":[]}"#,
        r#"{"N":[1,2]}"#,
        r#"{"N":[13]}"#,
        r#"{"X":[1]}"#,
        r#"{"N":4}"#,
        "[]",
    ] {
        assert!(serde_json::from_str::<Arms>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn seats_and_their_values_are_checked_when_read() {
    assert_eq!(serde_json::from_str::<Seat>("7").unwrap(), seat(7));
    assert!(serde_json::from_str::<Seat>("8").is_err());
    assert_eq!(serde_json::from_str::<Seats>("8").unwrap(), Seats::new(8).unwrap());
    assert!(serde_json::from_str::<Seats>("1").is_err() && serde_json::from_str::<Seats>("9").is_err());
    let scores = PerSeat::from_list(vec![9_u32, 0, 7]).unwrap();
    assert_eq!(serde_json::to_string(&scores).unwrap(), "[9,0,7]");
    assert_eq!(serde_json::from_str::<PerSeat<u32>>("[9,0,7]").unwrap(), scores);
    assert!(serde_json::from_str::<PerSeat<u32>>("[9]").is_err());
    assert!(serde_json::from_str::<PerSeat<u32>>("[1,2,3,4,5,6,7,8,9]").is_err());
}

#[test]
fn sets_of_tiles_are_ascending_lists() {
    let tiles: TileSet = [tile(6, 6), tile(0, 4), tile(4, 2)].into_iter().collect();
    assert_eq!(serde_json::to_string(&tiles).unwrap(), r#"["0-4","2-4","6-6"]"#);
    assert_eq!(serde_json::from_str::<TileSet>(r#"["6-6","0-4","2-4"]"#).unwrap(), tiles);
    assert!(serde_json::from_str::<TileSet>(r#"["0-4","0-4"]"#).is_err());
    for set in Set::ALL {
        let top = set.top().get();
        assert_eq!(serde_json::to_string(&set).unwrap(), top.to_string());
        assert_eq!(serde_json::from_str::<Set>(&top.to_string()).unwrap(), set);
        assert_eq!(set.tiles().len(), set.size());
    }
    assert!(serde_json::from_str::<Set>("7").is_err());
}

#[test]
fn names_agree_as_text_and_as_json() {
    for name in RulesName::ALL {
        assert_eq!(serde_json::to_string(&name).unwrap(), format!("\"{name}\""));
        assert_eq!(name.as_str().parse(), Ok(name));
    }
    assert!("Leyden".parse::<RulesName>().is_err());
    for code in FaultCode::ALL {
        assert_eq!(serde_json::to_string(&code).unwrap(), format!("\"{code}\""));
    }
}
