//! What is written can be read: once, in order, with sums that agree.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use leyden_model::BotIndex;
use leyden_protocol::{RulesName, Set};
use leyden_stats::Score;

use super::*;

#[test]
fn added_matches_are_read_in_schedule_order() {
    for (rules, seats, set) in sample::every_game() {
        let (folder, path) = fixture();
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats + 1, 1);
        let mut all: Vec<_> = sample::matches(&stored_plan).collect();
        let writer = Writer::create(&path, &stored_plan).unwrap();
        for (key, record) in all.iter().rev() {
            writer.add(key, record.clone()).unwrap();
        }
        writer.finish().unwrap();
        all.sort_by_key(|(key, _)| *key);
        assert!(records(&path) == all);
        assert_eq!(files(&folder), ["results.db"]);
        let results = Results::open(&path).unwrap();
        assert_eq!(results.stored_plan(), &stored_plan);
        assert_eq!(results.count().unwrap(), stored_plan.schedule().unwrap().matches());
        assert!(results.bot_sums().unwrap() == sums_of(&path));
    }
}

#[test]
fn closing_removes_the_log_despite_a_reader() {
    let (folder, path) = fixture();
    Writer::create(&path, &sample::stored_plan(2, 1)).unwrap().finish().unwrap();
    let file = file::open_to_write(&path).unwrap();
    file.execute("UPDATE bots SET author = 'late'", []).unwrap();
    let (looks, is_looked_at) = mpsc::channel();
    let author = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            Results::inspect(&path, |results| {
                looks.send(()).unwrap();
                thread::sleep(Duration::from_millis(200));
                results.stored_plan().bots[0].author.clone()
            })
        });
        is_looked_at.recv().unwrap();
        file::close(file, &path, Duration::from_mins(2)).unwrap();
        reader.join().unwrap().unwrap()
    });
    assert_eq!(author.as_deref(), Some("late"));
    assert_eq!(files(&folder), ["results.db"]);
}

#[test]
fn workers_write_beside_each_other() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(5, 10);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    thread::scope(|scope| {
        for share in all.chunks(all.len().div_ceil(3)) {
            let writer = &writer;
            scope.spawn(move || {
                for (key, record) in share.iter().rev() {
                    writer.add(key, record.clone()).unwrap();
                }
            });
        }
    });
    writer.finish().unwrap();
    assert!(records(&path) == all);
}

#[test]
fn match_is_never_written_twice() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 1);
    let (key, record) = sample::matches(&stored_plan).next().unwrap();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    writer.add(&key, record.clone()).unwrap();
    let _ = writer.add(&key, record.clone());
    let error = writer.finish().unwrap_err();
    assert!(matches!(error, StoreError::Misplaced { key: twice, .. } if twice == key), "{error}");
    // The batch with the second one was rejected as a whole or came after the first: never half.
    assert!(records(&path).len() <= 1);
}

#[test]
fn unbegun_blocks_are_removable_and_changes_recorded() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 5);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    // Three blocks; only one match of the last one is played.
    let played: Vec<_> =
        sample::matches(&stored_plan).take_while(|(key, _)| (key.block, key.leg) != (2, 1)).collect();
    for (key, record) in &played {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    let to = |blocks| sample::stored_plan(2, blocks);
    let refused = Writer::resume(&path, &to(2)).unwrap_err().to_string();
    assert!(refused.contains("blocks: in the file 5, now 2 (3 blocks have played matches"), "{refused}");
    assert_eq!(Results::open(&path).unwrap().stored_plan().changes, []);
    let (writer, done) = Writer::resume(&path, &to(3)).unwrap();
    assert_eq!(done.count(), played.len() as u64);
    writer.finish().unwrap();
    let results = Results::open(&path).unwrap();
    let what = ChangeKind::Blocks { from: 5, to: 3 };
    let change = TournamentChange { after: played.len() as u64, seed_known: false, what };
    assert_eq!((results.stored_plan().blocks, &*results.stored_plan().changes), (3, &[change.clone()][..]));
    let (schedule, _) = results.done().unwrap();
    assert_eq!(schedule.matches(), played.len() as u64 + 1);

    // A bot that joins once everything is played: the seed has been revealed.
    let (writer, _) = Writer::resume(&path, &to(3)).unwrap();
    let (key, record) = sample::matches(&to(3)).last().unwrap();
    writer.add(&key, record).unwrap();
    writer.finish().unwrap();
    Writer::resume(&path, &sample::stored_plan(3, 3)).unwrap().0.finish().unwrap();
    let what = ChangeKind::Joined { bot: "bot-2".to_owned() };
    let joined = TournamentChange { after: played.len() as u64 + 1, seed_known: true, what };
    assert_eq!(Results::open(&path).unwrap().stored_plan().changes, [change, joined]);
}

#[test]
fn match_outside_the_schedule_stops_the_writer() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 1);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let (mut key, record) = sample::matches(&stored_plan).next().unwrap();
    key.block = 1;
    assert_eq!(writer.add(&key, record.clone()), Err(WriterStoppedError));
    key.block = 0;
    assert_eq!(writer.add(&key, record), Err(WriterStoppedError));
    assert!(matches!(writer.finish(), Err(StoreError::Misplaced { .. })));
}

#[test]
fn full_disk_is_reported_and_the_file_resumes() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(4, 40);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    drop(Writer::create(&path, &stored_plan).unwrap());
    let file = file::open_to_write(&path).unwrap();
    // A page limit belongs to its connection, so the writer is given this one.
    file.pragma_update(None, "max_page_count", 40).unwrap();
    let writer = writer::tests::on(file, &path, &stored_plan);
    let results = Results::open(&path).unwrap();
    for (rank, (key, record)) in all.iter().enumerate() {
        // Some are stored before there is no more space.
        while rank == 20 && results.count().unwrap() < 20 {}
        if writer.add(key, record.clone()).is_err() {
            break;
        }
    }
    drop(results); // the writer waits for readers
    let error = writer.finish().unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    let kept = records(&path);
    assert!(!kept.is_empty() && kept.len() < all.len());
    assert!(Results::open(&path).unwrap().bot_sums().unwrap() == sums_of(&path));

    let (writer, done) = Writer::resume(&path, &stored_plan).unwrap();
    assert_eq!(done.count() as usize, kept.len());
    for rank in done.missing() {
        let (key, record) = &all[rank as usize];
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    assert!(records(&path) == all);
}

#[test]
fn voided_pair_scores_nothing_and_is_played_again() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    for (key, record) in &all[..5] {
        writer.add(key, record.clone()).unwrap();
    }
    // Leg 0 of this pair is stored, leg 1 was under way.
    writer.void(&all[5].0, "the host was overloaded", Some(all[5].1.clone())).unwrap();
    writer.void(&all[6].0, "a defect", None).unwrap();
    writer.finish().unwrap();

    let results = Results::open(&path).unwrap();
    assert!(records(&path) == all[..4]);
    assert!(results.bot_sums().unwrap() == sums_of(&path));
    let voided = results.voided().unwrap();
    let expected = [(4, "the host was overloaded"), (5, "the host was overloaded"), (6, "a defect")];
    assert_eq!(voided.len(), 3);
    for (void, (rank, reason)) in voided.iter().zip(expected) {
        assert_eq!((void.key, &*void.id, &*void.reason), (all[rank].0, &*all[rank].1.id, reason));
    }
    // Their records are kept.
    let file = rusqlite::Connection::open(&path).unwrap();
    let mut query =
        file.prepare("SELECT body FROM voided LEFT JOIN records USING (record) ORDER BY number").unwrap();
    let bodies = query.query_map([], |row| row.get(0)).unwrap();
    let bodies: Vec<Option<Vec<u8>>> = bodies.collect::<Result<_, _>>().unwrap();
    for (body, (key, record)) in bodies.iter().zip(&all[4..]) {
        let unpack = |body: &Vec<u8>| {
            pack::unpack(body, sample::record_template(&stored_plan).for_match(key)).unwrap()
        };
        assert_eq!(body.as_ref().map(unpack).as_ref(), (key != &all[6].0).then_some(record));
    }
    drop(query);
    drop(file);

    let (writer, done) = Writer::resume(&path, &stored_plan).unwrap();
    assert_eq!(done.missing().collect::<Vec<_>>(), (4..12).collect::<Vec<_>>());
    for (key, record) in &all[4..] {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    assert!(records(&path) == all);
    assert_eq!(Results::open(&path).unwrap().voided().unwrap().len(), 3);
}

#[test]
fn cells_hold_each_pairing_of_each_block() {
    for (seats, bots) in [(2, 4), (3, 5)] {
        let (_folder, path) = fixture();
        let stored_plan = sample::stored_plan_of(RulesName::Matador, seats, Set::DoubleSix, bots, 60);
        let mut all: Vec<_> =
            sample::matches(&stored_plan).chain(sample::faulted(&stored_plan).take(9)).collect();
        let faulted: std::collections::BTreeMap<_, _> = all.drain(all.len() - 9..).collect();
        let writer = Writer::create(&path, &stored_plan).unwrap();
        for (key, record) in &mut all {
            *record = faulted.get(key).unwrap_or(record).clone();
        }
        let last = all.pop().unwrap();
        for (key, record) in &all {
            writer.add(key, record.clone()).unwrap();
        }
        writer.finish().unwrap();

        let results = Results::open(&path).unwrap();
        let pairs: Vec<PairLegs> = Pairs::from_results(&results).collect::<Result<_, _>>().unwrap();
        assert_eq!(pairs.len() as u64, stored_plan.schedule().unwrap().tables() * 60);
        let ends: Vec<_> = pairs.iter().flat_map(PairLegs::legs).collect();
        assert!(ends.is_sorted_by_key(|(key, _)| *key));
        let incomplete: Vec<&PairLegs> = pairs.iter().filter(|pair| !pair.is_complete()).collect();
        assert!(matches!(incomplete[..], [pair] if pair.legs()[0].0.pair() == last.0.pair()));
        let file = rusqlite::Connection::open(&path).unwrap();
        let mut query = file
            .prepare("SELECT first, second, matches, won, drawn, lost, mean_margin FROM pairings")
            .unwrap();
        let mut rows = query.query([]).unwrap();
        let mut pairings = 0;
        while let Some(row) = rows.next().unwrap() {
            let name = |column: usize| row.get::<_, String>(column).unwrap();
            let of = |name: &str| {
                BotIndex(stored_plan.bots.iter().position(|bot| bot.name == name).unwrap() as u32)
            };
            let (first, second) = (of(&name(0)), of(&name(1)));
            let (mut counts, mut margins) = ([0; 4], Vec::new());
            for (key, end) in &ends {
                let seat = |bot| key.seating().iter().find(|(_, other)| **other == bot).map(|(seat, _)| seat);
                let (Some(one), Some(two)) = (seat(first), seat(second)) else { continue };
                let score = Score::from_legs(&[end.compare(one, two)]);
                let all = [score.matches(), score.wins(), score.draws(), score.losses()];
                counts.iter_mut().zip(all).for_each(|(sum, one)| *sum += i64::from(one));
                margins.extend(end.margin(one, two));
            }
            assert_eq!([2, 3, 4, 5].map(|column| row.get::<_, i64>(column).unwrap()), counts);
            let mean = margins.iter().sum::<i64>() as f64 / margins.len() as f64;
            assert!((row.get::<_, f64>(6).unwrap() - mean).abs() <= 0.000_5, "{mean}");
            pairings += 1;
        }
        assert_eq!(pairings, bots * (bots - 1) / 2);
    }
}

/// A row of the view `results`.
type Row = (String, [String; 2], Option<String>, Option<String>);

#[test]
fn plain_sql_finds_names_and_outcomes() {
    for (rules, seats) in [(RulesName::Leyden, 2), (RulesName::Matador, 3)] {
        let (_folder, path) = fixture();
        let stored_plan = sample::stored_plan_of(rules, seats, Set::DoubleSix, seats + 1, 4);
        let all: Vec<_> =
            sample::matches(&stored_plan).take(15).chain(sample::faulted(&stored_plan).skip(15)).collect();
        let writer = Writer::create(&path, &stored_plan).unwrap();
        for (key, record) in &all {
            writer.add(key, record.clone()).unwrap();
        }
        writer.finish().unwrap();
        let file = rusqlite::Connection::open(&path).unwrap();
        let mut query = file.prepare("SELECT id, bot0, bot1, winner, fault_of FROM results").unwrap();
        let rows = query
            .query_map([], |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?], row.get(3)?, row.get(4)?)));
        let rows: Vec<Row> = rows.unwrap().collect::<Result<_, _>>().unwrap();
        let name = |record: &MatchRecord, seat| -> String { record.bots[seat].clone() };
        for ((_, record), row) in all.iter().zip(&rows) {
            let seats: Vec<_> = record.bots.as_slice()[..2].to_vec();
            let fault = record.fault.as_ref().map(|fault| name(record, fault.seat));
            let winner = record.winner.map(|seat| name(record, seat));
            assert_eq!(row, &(record.id.clone(), [seats[0].clone(), seats[1].clone()], winner, fault));
        }
        // The view counts the same outcomes as the sums.
        for (bot, sums) in Results::open(&path).unwrap().bot_sums().unwrap() {
            let name = &stored_plan.bots[bot.index()].name;
            let counted: (i64, i64, i64) = file
                .query_row(
                    "SELECT sum(outcome = 'won'), sum(outcome = 'drawn'), sum(outcome = 'lost') FROM seats WHERE bot = ?",
                    [name],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .unwrap();
            assert_eq!(counted, (sums.won, sums.drawn, sums.lost), "{name}");
            let matches: i64 = file
                .query_row("SELECT matches FROM standings WHERE name = ?", [name], |row| row.get(0))
                .unwrap();
            assert_eq!(matches, sums.matches);
        }
    }
}
