//! Competitions whose matches are played by chance, or by strength.

use leyden_model::{MatchKey, Table};
use leyden_protocol::{Seats, WinningScore};
use leyden_stats::FinalScores;
use proptest::prelude::*;

use super::*;
use crate::{Format, Schedule, ScheduleError, StageRound};

fn stage(play: Play, blocks: u32, advance: Option<u32>) -> Stage {
    Stage { play, blocks, advance, tie_breaks: TieBreak::ALL.to_vec() }
}

fn competition(bots: u32, stages: Vec<Stage>) -> Competition {
    let seeds = (0..bots).map(BotIndex).collect();
    Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages }
}

const KNOCKOUT: Play = Play::Knockout { best_of: false, third_place: true };

/// Qualification, groups and a knockout, as on a day with a final.
fn day(bots: u32) -> Competition {
    competition(
        bots,
        vec![
            stage(Play::Swiss { rounds: 4 }, 1, Some(8)),
            stage(Play::Groups { groups: 2 }, 2, Some(4)),
            stage(KNOCKOUT, 3, None),
        ],
    )
}

fn schedule(competition: Competition) -> Schedule {
    let bots = competition.seeds.len();
    Schedule::new(Format::Stages(competition), bots, Seats::TWO, 1).unwrap()
}

/// The scores of a match: the better bot wins, or a chance that follows from the match decides.
fn end(key: &MatchKey, chance: u64) -> FinalScores {
    let hash = |bot: BotIndex| {
        let mixed = (u64::from(bot.0) << 40 | u64::from(key.block) << 8 | u64::from(key.leg)) ^ chance;
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd134_2543_de82_ef95) >> 61
    };
    let score = |bot: &BotIndex| if chance == 0 { 100 - bot.0 } else { hash(*bot) as u32 };
    FinalScores { scores: key.seating().map(score), fault: None, better: WinningScore::Higher }
}

/// Plays all that is known.
fn play_round(schedule: &mut Schedule, chance: u64) {
    let first = schedule.matches() - schedule.rounds().last().map_or(0, StageRound::matches);
    for key in schedule.iter(first..u64::MAX).collect::<Vec<_>>() {
        schedule.count(&key, &end(&key, chance));
    }
}

/// Plays to the end; returns the schedule.
fn played(competition: Competition, chance: u64) -> Schedule {
    let mut schedule = schedule(competition);
    loop {
        play_round(&mut schedule, chance);
        if schedule.next_round().unwrap().is_none() {
            return schedule;
        }
    }
}

fn places(schedule: &Schedule) -> Vec<(u32, u32)> {
    let table = schedule.competition().unwrap();
    table.places.iter().map(|line| (line.place, line.bot.0)).collect()
}

#[test]
fn consecutive_stages_rank_the_strongest_bots_first() {
    let schedule = played(day(16), 0);
    let stages: Vec<(u32, u32, bool)> =
        schedule.rounds().iter().map(|round| (round.stage(), round.round(), round.is_extra())).collect();
    let swiss = [0, 1, 2, 3].map(|round| (0, round, false));
    assert_eq!(stages, [&swiss[..], &[(1, 0, false), (2, 0, false), (2, 1, false)]].concat());
    let table = schedule.competition().unwrap();
    assert!(table.over);
    assert_eq!(places(&schedule)[..4], [(1, 0), (2, 1), (3, 2), (4, 3)]);
    assert_eq!(table.places.len(), 16);
    let reached: Vec<u32> = table.places.iter().map(|line| line.stage).collect();
    assert_eq!(reached, [vec![2; 4], vec![1; 4], vec![0; 8]].concat());
    assert_eq!(schedule.matches(), schedule.expected_matches());
}

#[test]
fn level_meeting_gets_pairs_of_its_own() {
    let mut extra = 0;
    for chance in 1..40 {
        let schedule = played(competition(8, vec![stage(KNOCKOUT, 1, None)]), chance);
        for round in schedule.rounds().iter().filter(|round| round.is_extra()) {
            extra += 1;
            assert_eq!(round.blocks(), 1);
        }
        let table = schedule.competition().unwrap();
        for meeting in &table.stages[0].bracket {
            let [one, other] = meeting.half_points;
            assert_eq!(one + other, u64::from(meeting.pairs) * 4);
            assert!(one != other || meeting.pairs == 9, "{meeting:?}");
            assert_eq!(meeting.decision.unwrap() == Decision::Points, one != other, "{meeting:?}");
        }
    }
    assert!(extra > 20, "{extra}");
}

#[test]
fn swiss_pairs_only_bots_present_in_a_round() {
    let mut late = competition(9, vec![stage(Play::Swiss { rounds: 5 }, 1, None)]);
    late.presence = vec![
        Presence { bot: BotIndex(2), from: 2, until: None },
        Presence { bot: BotIndex(5), from: 0, until: Some(3) },
    ];
    let schedule = played(late, 3);
    let plays = |bot: u32| -> Vec<u32> {
        let rounds = schedule.rounds().iter().filter(|round| round.has(BotIndex(bot)));
        rounds.map(StageRound::round).collect()
    };
    assert!(plays(2).iter().all(|&round| round >= 2) && plays(5).iter().all(|&round| round < 3));
    let byes: Vec<u32> = schedule.competition().unwrap().stages[0]
        .meetings
        .iter()
        .filter(|meeting| meeting.second.is_none())
        .map(|meeting| meeting.round)
        .collect();
    assert_eq!(byes, [2], "eight, eight, nine, eight, eight play");
}

fn league(bots: u32, batches: Option<u32>) -> Competition {
    competition(bots, vec![stage(Play::League { batches }, 1, None)])
}

/// How everything ended that a schedule knows, last first.
fn ends(schedule: &Schedule, chance: u64) -> Vec<(MatchKey, FinalScores)> {
    let all: Vec<MatchKey> = schedule.iter(0..u64::MAX).collect();
    all.into_iter().rev().map(|key| (key, end(&key, chance))).collect()
}

/// The first batches, by their tables.
fn batches(schedule: &Schedule, count: usize) -> Vec<Vec<Table>> {
    let tables =
        |round: &StageRound| (0..round.tables().count()).filter_map(|at| round.tables().nth(at)).collect();
    schedule.rounds()[..count].iter().map(tables).collect()
}

#[test]
fn league_follows_from_its_results() {
    for chance in [0, 7] {
        let whole = played(league(66, Some(12)), chance);
        let all = ends(&whole, chance);
        assert_eq!(whole.rounds().len(), 12);
        assert_eq!(whole.rounds()[0].matches(), 65 * 2, "a tree of all bots");
        let (mut again, mut restored) = (schedule(league(66, Some(12))), schedule(league(66, Some(12))));
        again.replay(&all).unwrap();
        assert_eq!(again, whole);
        restored.restore(&all).unwrap();
        assert_eq!(batches(&restored, 12), batches(&whole, 12));
        assert_eq!(
            restored.iter(0..u64::MAX).collect::<Vec<_>>(),
            whole.iter(0..u64::MAX).collect::<Vec<_>>()
        );
    }
}

#[test]
fn league_goes_on_after_any_batch() {
    let whole = played(league(66, Some(20)), 7);
    let until = |rank: u64| -> Vec<_> {
        ends(&whole, 7).into_iter().filter(|(key, _)| whole.rank(key).is_some_and(|at| at < rank)).collect()
    };
    let matches = |batches: usize| whole.rounds()[..batches].iter().map(StageRound::matches).sum::<u64>();
    let first = matches(1);
    for known in [0, 1, first - 1, first, first + 1, matches(10)] {
        let mut unfinished = schedule(league(66, None));
        unfinished.restore(&until(known)).unwrap();
        let batch = (1..=20).find(|batch| matches(*batch) > known).unwrap();
        assert_eq!(batches(&unfinished, batch), batches(&whole, batch), "after {known} matches");
        assert_eq!((unfinished.rounds().len(), unfinished.expected_matches()), (batch, matches(batch)));
    }
}

#[test]
fn joining_or_leaving_changes_no_earlier_batch() {
    let before = played(league(70, Some(6)), 7);
    let mut grown = league(71, Some(30));
    grown.seeds.swap(40, 70); // a drawn seed among the others
    grown.seeds[41..].rotate_right(1);
    grown.join(BotIndex(70), 6);
    grown.leave(BotIndex(3), 7);
    assert_eq!(
        grown.seeds.iter().filter(|bot| bot.0 != 70).map(|bot| bot.0).collect::<Vec<_>>(),
        (0..70).collect::<Vec<_>>()
    );
    let mut after = schedule(grown);
    after.replay(&ends(&before, 7)).unwrap();
    assert_eq!(batches(&after, 6), batches(&before, 6));
    assert_eq!(after.open_round(), Some(6));
    let meets = |round: u32, bot: u32| after.rounds()[round as usize].has(BotIndex(bot));
    assert!(meets(6, 70) && !meets(5, 70), "it plays at once");
    let mut round = 7;
    while round < 30 {
        play_round(&mut after, 7);
        after.next_round().unwrap().unwrap();
        assert!(!after.rounds()[round].has(BotIndex(3)), "who has left plays no more");
        round += 1;
    }
}

#[test]
fn bye_has_three_quarters_of_the_points() {
    let mut schedule = schedule(competition(3, vec![stage(Play::Swiss { rounds: 3 }, 2, None)]));
    for _ in 0..3 {
        play_round(&mut schedule, 0);
        schedule.next_round().unwrap();
    }
    let table = schedule.competition().unwrap();
    let points: Vec<(u32, u64)> =
        table.stages[0].groups[0].iter().map(|line| (line.bot.0, line.half_points)).collect();
    assert_eq!(points, [(0, 8 + 8 + 6), (1, 8 + 6), (2, 6)]);
}

#[test]
fn impossible_stages_are_refused() {
    let refused = |stages: Vec<Stage>, seats: usize| {
        competition(10, stages).check(Seats::new(seats).unwrap()).unwrap_err()
    };
    let swiss = Play::Swiss { rounds: 3 };
    assert_eq!(refused(vec![], 2), ScheduleError::NoStage);
    assert_eq!(refused(vec![stage(swiss, 0, None)], 2), ScheduleError::NoBlocks);
    assert_eq!(refused(vec![stage(Play::Swiss { rounds: 0 }, 1, None)], 2), ScheduleError::NoRounds);
    assert_eq!(refused(vec![stage(swiss, 1, Some(4))], 2), ScheduleError::NowhereToAdvance);
    let league = Play::League { batches: None };
    let final_ = vec![stage(league, 1, Some(4)), stage(KNOCKOUT, 1, None)];
    assert_eq!(refused(final_, 2), ScheduleError::LeagueAlone);
    assert_eq!(refused(vec![stage(Play::League { batches: Some(0) }, 1, None)], 2), ScheduleError::NoRounds);
    assert_eq!(
        refused(vec![stage(swiss, 1, None), stage(KNOCKOUT, 1, None)], 2),
        ScheduleError::NobodyAdvances { stage: 1 }
    );
    for (stages, seats, text) in [
        (
            vec![stage(swiss, 1, Some(11)), stage(KNOCKOUT, 1, None)],
            2,
            "11 bots cannot go on from stage 1: it has 10",
        ),
        (
            vec![stage(swiss, 1, Some(1)), stage(KNOCKOUT, 1, None)],
            2,
            "1 bot cannot go on from stage 1: it has 10",
        ),
        (vec![stage(swiss, 1, None)], 3, "a Swiss of 3 rounds needs tables of two seats, not 3"),
        (vec![stage(Play::Groups { groups: 6 }, 1, None)], 2, "10 bots cannot be divided into 6 groups"),
        (
            vec![stage(Play::Groups { groups: 3 }, 1, Some(4)), stage(KNOCKOUT, 1, None)],
            2,
            "4 bots cannot go on from 3 groups, equally many from each",
        ),
        (
            vec![stage(Play::Tables { tables: 121 }, 1, None)],
            3,
            "121 tables of 3 cannot be chosen from 10 bots: there are 120",
        ),
    ] {
        let refused = refused(stages, seats).to_string();
        assert!(refused.starts_with(text), "{refused}");
    }
}

#[test]
fn stages_are_kept_as_text() {
    let format = Format::Stages(day(8));
    let text = serde_json::to_string(&format).unwrap();
    assert!(text.starts_with(r#"{"format":"stages","seeding":"list","seeds":[0,1,2"#), "{text}");
    assert_eq!(serde_json::from_str::<Format>(&text).unwrap(), format);
    assert!(serde_json::from_str::<Format>(&text.replace("\"blocks\"", "\"block\"")).is_err());
}

fn any_stages() -> impl Strategy<Value = Competition> {
    let first = prop_oneof![
        (1_u32..5).prop_map(|rounds| Play::Swiss { rounds }),
        Just(Play::Groups { groups: 2 }),
        Just(Play::RoundRobin),
        Just(Play::Tables { tables: 9 }),
    ];
    let last = prop_oneof![
        any::<(bool, bool)>().prop_map(|(best_of, third_place)| Play::Knockout { best_of, third_place }),
        any::<bool>().prop_map(|best_of| Play::DoubleElimination { best_of }),
        Just(Play::RoundRobin),
    ];
    (8_u32..20, first, last, 1_u32..4, 1_u32..4, 1_u32..4).prop_map(
        |(bots, first, last, blocks, more, half)| {
            competition(bots, vec![stage(first, blocks, Some(2 * half)), stage(last, more, None)])
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Ranks, keys, blocks and the order of play agree for every format; and who gets the results in another order draws the
    /// same rounds.
    #[test]
    fn competition_follows_from_its_results(competition in any_stages(), chance in any::<u64>()) {
        let bots = competition.seeds.len();
        let whole = played(competition.clone(), chance);
        let all: Vec<MatchKey> = whole.iter(0..u64::MAX).collect();
        prop_assert!(all.is_sorted());
        prop_assert_eq!(all.len() as u64, whole.matches());
        let mut in_play: Vec<u64> = (0..whole.pairs()).map(|at| whole.in_order_of_play(at).unwrap()).collect();
        prop_assert_eq!(whole.in_order_of_play(whole.pairs()), None);
        in_play.sort_unstable();
        prop_assert_eq!(in_play, (0..whole.pairs()).map(|pair| pair * 2).collect::<Vec<_>>());
        for (rank, key) in all.iter().enumerate() {
            prop_assert_eq!(whole.rank(key), Some(rank as u64));
            prop_assert_eq!(whole.pair(key.table, key.block), Some(key.pair()));
            prop_assert!(whole.nth_block(&key.pair()).is_none_or(|block| block < whole.blocks()));
        }
        let mut again = schedule(competition);
        loop {
            let known = again.matches();
            for key in all.iter().rev().filter(|key| again.rank(key).is_some()).copied().collect::<Vec<_>>() {
                if again.rank(&key).is_some_and(|rank| rank >= known - again.rounds().last().unwrap().matches()) {
                    again.count(&key, &end(&key, chance));
                }
            }
            if again.next_round().unwrap().is_none() {
                break;
            }
        }
        prop_assert_eq!(again.competition(), whole.competition());
        prop_assert_eq!(again, whole.clone());
        let table = whole.competition().unwrap();
        prop_assert!(table.over);
        let mut placed: Vec<u32> = table.places.iter().map(|line| line.bot.0).collect();
        placed.sort_unstable();
        prop_assert_eq!(placed, (0..bots as u32).collect::<Vec<_>>());
        for lines in table.places.chunk_by(|one, other| one.place == other.place) {
            prop_assert_eq!(lines[0].shared, lines.len() > 1);
        }
    }

    /// Every bot of a rated block plays as often as in any other.
    #[test]
    fn rated_blocks_are_alike(competition in any_stages(), chance in any::<u64>()) {
        let whole = played(competition, chance);
        let count = |block: u32, table: Table| {
            let of_block = whole.iter(0..u64::MAX).filter(|key| whole.nth_block(&key.pair()) == Some(block));
            of_block.filter(|key| key.table == table).count() as u64
        };
        let tables: std::collections::BTreeSet<Table> = whole.iter(0..u64::MAX).map(|key| key.table).collect();
        for table in tables {
            let [one, other] = table.bots() else { panic!("two seats") };
            for block in 0..whole.blocks() {
                prop_assert_eq!(count(block, table), whole.meetings(*one, *other));
            }
        }
    }
}
