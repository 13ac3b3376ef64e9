//! A data set holds every decision of its matches, in files that are complete or not there.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::Read;

use leyden_dataset::{Form, ReadError, Shards, WriteError, write};
use leyden_env::{ActionTable, Encoding};
use leyden_model::{MatchHeader, MatchRecord, RecordRules, RecordedEnding, RoundRecord, TournamentSeed};
use leyden_protocol::{PerSeat, RulesName};
use leyden_rules::{Match, RoundResult, Rules};
use leyden_sample_bots::Strategy;
use leyden_sample_bots::dice::Dice;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// Plays a match between greedy and careful, as the arena would record it; returns the number of decisions, too.
fn recorded(rules: &Rules, block: u32) -> (MatchRecord, usize) {
    let names = ["greedy", "careful"];
    let seed = TournamentSeed::from_text("dataset");
    let header = MatchHeader::new(
        seed.tournament_id(),
        seed.match_seed(&names, block),
        RecordRules::from(rules),
        (block, 0),
        &names,
    );
    let (seed, mut record) = (header.seed, header.record());
    let mut bots: Vec<Box<dyn Strategy>> =
        names.iter().map(|name| leyden_sample_bots::strategy(name, &[""; 0]).unwrap()).collect();
    let mut players: Vec<&mut dyn Strategy> = bots.iter_mut().map(|bot| &mut **bot as _).collect();
    let (game, deals) = leyden_sample_bots::table::play_recorded(rules, &mut players, &[1, 2], |deal| {
        seed.deck(rules.set, deal)
    });
    let mut again = Match::new(rules);
    let mut decisions = 0;
    for (deck, actions) in deals {
        let number = again.deal_number();
        again.deal(&deck);
        for entry in &actions {
            decisions += usize::from(again.round().unwrap().legal().len() > 1);
            again.apply(entry.event.into()).unwrap();
        }
        let none = PerSeat::default_for(rules.seats);
        let (pips, points, scores) =
            again.settle().map_or((none, none, *again.scores()), |result: RoundResult| {
                (result.pips, result.points, result.scores)
            });
        record.rounds.push(RoundRecord {
            round: number.round,
            redeal: number.redeal,
            deck: deck.tiles().to_vec(),
            actions,
            end: RecordedEnding::Dominoed,
            pips,
            points,
            scores,
        });
    }
    (record.scores, record.winner) = (*game.scores(), game.leading());
    (record, decisions)
}

fn records(matches: u32) -> (Vec<MatchRecord>, usize) {
    let rules = Rules::standard(RulesName::Leyden);
    let played: Vec<_> = (0..matches).map(|block| recorded(&rules, block)).collect();
    let decisions = played.iter().map(|(_, decisions)| decisions).sum();
    (played.into_iter().map(|(record, _)| record).collect(), decisions)
}

fn source(records: &[MatchRecord]) -> impl Iterator<Item = Result<MatchRecord, Infallible>> {
    records.iter().cloned().map(Ok)
}

#[test]
fn shards_hold_every_decision_once() {
    let (records, decisions) = records(12);
    let whole: Vec<_> = Shards::new(source(&records), 1_000_000).map(Result::unwrap).collect();
    assert_eq!((whole.len(), whole[0].rows()), (1, decisions));
    let mut parts = Shards::new(source(&records), 300);
    let mut actions = Vec::new();
    for shard in parts.by_ref() {
        actions.extend(shard.unwrap().action);
    }
    assert_eq!(actions, whole[0].action);
    assert_eq!(parts.bots(), ["greedy", "careful"]);
    let actions = ActionTable::new(leyden_protocol::Set::DoubleSix).len();
    for (mask, &action) in whole[0].action_mask.chunks(actions).zip(&whole[0].action) {
        assert_eq!(mask[usize::from(action)], 1);
    }
}

#[test]
fn points_to_come_are_those_of_the_scores() {
    let (records, _) = records(5);
    let shard = Shards::new(source(&records), 1_000_000).next().unwrap().unwrap();
    for row in 0..shard.rows() {
        let record = &records[shard.match_number[row] as usize];
        let seat = usize::from(shard.seat[row]);
        let won = record.winner.map_or(0.0, |winner| if winner.index() == seat { 1.0 } else { -1.0 });
        assert!((shard.result[row] - won).abs() < f32::EPSILON);
        // At the first decision of a match all of its points are still to come. The lower score is better.
        if row == 0 || shard.match_number[row - 1] != shard.match_number[row] {
            let scores = record.scores.as_slice();
            let advantage = scores[1 - seat] as f32 - scores[seat] as f32;
            assert!((shard.points_to_come[row] - advantage).abs() < 1e-3);
        }
    }
}

#[test]
fn other_rules_and_impossible_actions_are_named() {
    let (mut all, _) = records(2);
    all.push(recorded(&Rules::standard(RulesName::Senst), 0).0);
    let error = Shards::new(source(&all), 10_000).find_map(Result::err).unwrap();
    assert!(matches!(error, ReadError::Mixed { .. }), "{error}");
    assert!(error.to_string().contains("(senst to "), "{error}");
    all[1].rounds[0].actions.swap(1, 2);
    let error = Shards::new(source(&all), 10_000).find_map(Result::err).unwrap();
    assert!(matches!(error, ReadError::Unplayable { .. }), "{error}");
    let error = Shards::new(source(&[]), 10_000).find_map(Result::err).unwrap();
    assert!(matches!(error, ReadError::Empty), "{error}");
}

#[test]
fn data_set_is_complete_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let (mut all, decisions) = records(3);
    let path = folder.path().join("set");
    let summary = write(source(&all), &path, Form::Npz).unwrap();
    assert_eq!((summary.matches, summary.rows, summary.shards), (3, decisions as u64, 1));
    let about: serde_json::Value =
        serde_json::from_slice(&fs::read(path.join("about.json")).unwrap()).unwrap();
    assert_eq!((about["version"].as_u64(), about["rows"].as_u64()), (Some(1), Some(decisions as u64)));
    let again = write(source(&all), &path, Form::Npz).unwrap_err();
    assert!(matches!(again, WriteError::Exists(_)), "{again}");
    all[2].rounds[0].actions.swap(1, 2);
    let broken = folder.path().join("broken");
    write(source(&all), &broken, Form::Npz).unwrap_err();
    assert!(!broken.exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was left behind");
}

#[test]
fn npz_file_holds_columns_in_numpy_format() {
    let folder = tempfile::tempdir().unwrap();
    let (all, _) = records(2);
    let path = folder.path().join("set");
    write(source(&all), &path, Form::Npz).unwrap();
    let shard = Shards::new(source(&all), 1_000_000).next().unwrap().unwrap();
    let mut archive = zip::ZipArchive::new(File::open(path.join("decisions-00000.npz")).unwrap()).unwrap();
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        let length = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((length % 64, &bytes[..6]), (0, &b"\x93NUMPY"[..]));
        (String::from_utf8(bytes[10..length].to_vec()).unwrap(), bytes[length..].to_vec())
    };
    let (head, data) = read("observation.npy");
    assert!(head.contains(&format!("'shape': ({}, 136)", shard.rows())), "{head}");
    assert!(data == shard.observation);
    let (head, data) = read("action.npy");
    assert!(head.starts_with("{'descr': '<u2', 'fortran_order': False"), "{head}");
    assert_eq!(data.len(), 2 * shard.rows());
}

#[test]
fn parquet_file_has_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (all, _) = records(2);
    let path = folder.path().join("set");
    write(source(&all), &path, Form::Parquet).unwrap();
    let shard = Shards::new(source(&all), 1_000_000).next().unwrap().unwrap();
    let file = SerializedFileReader::new(File::open(path.join("decisions-00000.parquet")).unwrap()).unwrap();
    let width = Encoding::new(&Rules::standard(RulesName::Leyden)).len();
    let mut rows = 0;
    for (row, read) in file.get_row_iter(None).unwrap().enumerate() {
        let fields: Vec<(String, Field)> = read.unwrap().into_columns();
        let Field::Bytes(observation) = &fields[0].1 else { panic!("{:?}", fields[0]) };
        assert_eq!(observation.data(), &shard.observation[row * width..(row + 1) * width]);
        assert_eq!(fields[2].1, Field::UShort(shard.action[row]));
        assert_eq!(fields[5].1, Field::Float(shard.points_to_come[row]));
        rows += 1;
    }
    assert_eq!(rows, shard.rows());
}

#[test]
fn random_matches_of_any_table_can_be_read() {
    let mut dice = Dice::seeded(3);
    for name in RulesName::ALL {
        let rules = Rules::standard(name);
        let record = recorded(&rules, dice.below(9) as u32).0;
        assert!(Shards::new(source(&[record]), 1).all(|shard| shard.is_ok()), "{name}");
    }
}
