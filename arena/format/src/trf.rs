//! A Swiss as a Tournament Report File of FIDE, version 2026: what pairing programs, checkers and tie-break servers read.
//!
//! A meeting is one game there: the bot with more points has won it. Points that are not those of a win, a draw or a loss stand in
//! records of their own (299). Nobody has a colour here, so the first of two bots is noted as white.

use std::fmt::Write;

use crate::competition::{MeetingLine, Play, StageTable};
use crate::meeting::POINTS_OF_PAIR;
use crate::ties::TieBreak;

/// Why a stage cannot be written as a Tournament Report File.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrfError {
    #[error("a Tournament Report File holds a Swiss, and the first stage is none")]
    NoSwiss,
    #[error(
        "a Tournament Report File holds scores of up to 99.5 points, and this Swiss has more (up to {points})"
    )]
    ManyPoints { points: u64 },
}

/// The most half points that four columns hold.
const MOST: u64 = 199;

/// Writes a Swiss with its complete rounds. `name` is that of the tournament.
pub fn trf(name: &str, stage: &StageTable<String>) -> Result<String, TrfError> {
    let Play::Swiss { rounds } = stage.play else { return Err(TrfError::NoSwiss) };
    let all = u64::from(stage.blocks) * POINTS_OF_PAIR;
    if all * u64::from(rounds) > MOST {
        return Err(TrfError::ManyPoints { points: all * u64::from(rounds) / 2 });
    }
    let (win, draw, bye) = (points(all), points(all / 2), points(all * 3 / 4));
    let ties: Vec<&str> = stage.tie_breaks.iter().filter_map(|tie| code(*tie)).collect();
    let mut text = format!(
        "012 {}\r\n062 {}\r\n092 Swiss without colours, each meeting {} matches\r\n142 {rounds}\r\n152 W\r\n\
         162  W{win:>4}    D{draw:>4}    P{bye:>4}\r\n192 FIDE_DUTCH_2025\r\n212 {}\r\n",
        plain(name),
        stage.seeds.len(),
        2 * stage.blocks,
        [&["PTS"][..], &ties].concat().join(",")
    );
    let is_open = |meeting: &&MeetingLine<String>| {
        meeting.second.is_some() && meeting.half_points.iter().sum::<u64>() < all
    };
    let open = stage.meetings.iter().filter(is_open).map(|meeting| meeting.round).min();
    let known = stage.meetings.iter().map(|meeting| meeting.round + 1).max().unwrap_or(0);
    let played = open.unwrap_or(known);
    for (at, bot) in stage.seeds.iter().enumerate() {
        let place = stage.groups.iter().flatten().find(|line| line.bot == *bot).map_or(0, |line| line.place);
        let won = |meeting: &MeetingLine<String>| match meeting.half_points {
            _ if meeting.round >= played => 0,
            [one, _] if meeting.first == *bot => one,
            [_, other] if meeting.second.as_ref() == Some(bot) => other,
            _ => 0,
        };
        let own = stage.meetings.iter().map(won).sum();
        let name: String = plain(bot).chars().take(33).collect();
        let _ = write!(text, "001 {:>4}      {name:<33}{:>37} {place:>4}", at + 1, points(own)); // writing to a String cannot fail
        for round in 0..played {
            let is_of = |meeting: &&MeetingLine<String>| {
                meeting.round == round && (meeting.first == *bot || meeting.second.as_ref() == Some(bot))
            };
            text.push_str(
                &stage
                    .meetings
                    .iter()
                    .find(is_of)
                    .map_or("  0000 - Z".to_owned(), |of| game(of, bot, &stage.seeds)),
            );
        }
        text.push_str("\r\n");
    }
    for meeting in stage.meetings.iter().filter(|meeting| meeting.second.is_some() && meeting.round < played)
    {
        let [one, other] = meeting.half_points;
        let bots =
            [(&meeting.first, one, other), (meeting.second.as_ref().unwrap_or(&meeting.first), other, one)];
        for (bot, own, other) in bots {
            let (kind, usual) = match own.cmp(&other) {
                std::cmp::Ordering::Greater => ('W', all),
                std::cmp::Ordering::Equal => ('D', all / 2),
                std::cmp::Ordering::Less => ('L', 0),
            };
            if own != usual {
                let (round, number) = (meeting.round + 1, number(bot, &stage.seeds));
                let _ = write!(text, "299 {kind}        {:>4}  {round:03} {number:>4}\r\n", points(own));
            }
        }
    }
    Ok(text)
}

/// A meeting or a bye as one of its bots sees it.
fn game(meeting: &MeetingLine<String>, bot: &String, seeds: &[String]) -> String {
    let Some(second) = &meeting.second else { return "  0000 - U".to_owned() };
    let [one, other] = meeting.half_points;
    let (rival, colour, own, other) =
        if meeting.first == *bot { (second, 'w', one, other) } else { (&meeting.first, 'b', other, one) };
    let result = match own.cmp(&other) {
        std::cmp::Ordering::Greater => '1',
        std::cmp::Ordering::Equal => '=',
        std::cmp::Ordering::Less => '0',
    };
    format!("  {:>4} {colour} {result}", number(rival, seeds))
}

/// The pairing number of a bot.
fn number(bot: &String, seeds: &[String]) -> usize {
    seeds.iter().position(|seed| seed == bot).map_or(0, |at| at + 1)
}

/// Half points as points with one decimal.
fn points(half: u64) -> String {
    format!("{}.{}", half / 2, half % 2 * 5)
}

/// FIDE's code of a tie-break; game points have none.
const fn code(tie: TieBreak) -> Option<&'static str> {
    match tie {
        TieBreak::DirectEncounter => Some("DE"),
        TieBreak::BuchholzCut1 => Some("BH/C1"),
        TieBreak::Buchholz => Some("BH"),
        TieBreak::SonnebornBerger => Some("SB"),
        TieBreak::Wins => Some("WIN"),
        TieBreak::Margin => None,
    }
}

/// A name on one line.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use crate::competition::PointsLine;

    use super::*;

    #[test]
    fn swiss_report_follows_the_fide_column_format() {
        let bots = ["ann", "bo", "cleo"].map(str::to_owned);
        let line = |place, bot: &str, half_points| PointsLine {
            place,
            shared: false,
            bot: bot.to_owned(),
            half_points,
            ties: Vec::new(),
            advances: false,
        };
        let meeting = |round, first: &str, second: Option<&str>, half_points| MeetingLine {
            round,
            first: first.to_owned(),
            second: second.map(str::to_owned),
            half_points,
        };
        let mut stage = StageTable {
            play: Play::Swiss { rounds: 2 },
            blocks: 1,
            over: true,
            seeds: bots.to_vec(),
            tie_breaks: TieBreak::ALL.to_vec(),
            groups: vec![vec![line(1, "ann", 7), line(2, "cleo", 6), line(3, "bo", 1)]],
            balance: None,
            meetings: vec![
                meeting(0, "ann", Some("bo"), [3, 1]),
                meeting(0, "cleo", None, [3, 0]),
                meeting(1, "cleo", Some("ann"), [0, 4]),
            ],
            bracket: Vec::new(),
        };
        let text = trf("cup", &stage).unwrap();
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines[5], "162  W 2.0    D 1.0    P 1.5");
        assert_eq!(lines[7], "212 PTS,DE,BH/C1,BH,SB,WIN");
        let ann = lines[8];
        // Positions are counted from 1 in the specification.
        let at = |from: usize, to: usize| &ann[from - 1..to];
        assert_eq!(
            (at(1, 3), at(5, 8), at(15, 17), at(81, 84), at(86, 89)),
            ("001", "   1", "ann", " 3.5", "   1")
        );
        assert_eq!((at(92, 95), at(97, 97), at(99, 99)), ("   2", "w", "1"));
        assert_eq!((at(102, 105), at(107, 107), at(109, 109)), ("   3", "b", "1"));
        assert!(lines[9].ends_with("     1 b 0  0000 - Z"), "{}", lines[9]);
        assert!(lines[10].contains("  0000 - U     1 w 0"), "{}", lines[10]);
        assert_eq!(lines[11..13], ["299 W         1.5  001    1", "299 L         0.5  001    2"]);
        // A round that is not complete is not in it, and no points of it.
        stage.meetings[2].half_points = [0, 2];
        let text = trf("cup", &stage).unwrap();
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert!(lines[8].contains(" 1.5    1     2 w 1") && lines[8].ends_with("w 1"), "{}", lines[8]);
        stage.blocks = 50;
        assert_eq!(trf("cup", &stage), Err(TrfError::ManyPoints { points: 200 }));
        stage.play = Play::RoundRobin;
        assert_eq!(trf("cup", &stage), Err(TrfError::NoSwiss));
    }
}
