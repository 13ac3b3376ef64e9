//! For tests, also those of other crates (feature `samples`): tournaments, and records of matches between random players.

pub mod twins;

use leyden_protocol::{
    Action, FaultCode, HistoryEntry, MatchEnding, Note, PerSeat, RulesName, Seat, Seats, Set,
};
use leyden_rules::{DealOutcome, Match, MatchFinish, RoundOutcome};

use super::store::{BotEntry, RecordTemplate, StoredPlan};
use leyden_format::Format;
use leyden_model::MatchKey;
use leyden_model::Settings;
use leyden_model::{
    ActionNote, FaultDetails, FaultRecord, MachineRecord, MatchRecord, RecordedEnding, RoundRecord, Strike,
};

/// Two-seat `leyden`.
pub fn stored_plan(bots: usize, blocks: u32) -> StoredPlan {
    stored_plan_of(RulesName::Leyden, 2, Set::DoubleSix, bots, blocks)
}

/// A round robin of builtin bots. Panics if no table has this many seats.
pub fn stored_plan_of(rules: RulesName, seats: usize, set: Set, bots: usize, blocks: u32) -> StoredPlan {
    let bot = |i| BotEntry {
        name: format!("bot-{i}"),
        command: vec![format!("builtin:bot-{i}")],
        hash: format!("hash-{i}"),
        author: None,
        language: Some("Rust".to_owned()),
        folder: None,
    };
    let settings = Settings {
        rules,
        set,
        ..Settings::new(Seats::new(seats).unwrap(), leyden_host::sandbox::SandboxLevel::None)
    };
    StoredPlan {
        left_out: Vec::new(),
        changes: Vec::new(),
        settings,
        seed: "a test".to_owned(),
        bots: (0..bots).map(bot).collect(),
        blocks,
        format: Format::RoundRobin,
        gate: None,
        files: Vec::new(),
        begun_in: None,
    }
}

/// A game of each rule set and of each number of seats.
pub fn every_game() -> Vec<(RulesName, usize, Set)> {
    let two = RulesName::ALL.into_iter().map(|rules| (rules, 2, Set::DoubleSix));
    let more = [(3, Set::DoubleSix), (4, Set::DoubleSix), (6, Set::DoubleNine), (8, Set::DoubleTwelve)];
    two.chain(more.map(|(seats, set)| (RulesName::Matador, seats, set))).collect()
}

/// What all records of this plan have in common.
pub fn record_template(stored_plan: &StoredPlan) -> RecordTemplate {
    RecordTemplate::new(stored_plan)
}

/// Every match of a tournament in schedule order, played at random, the same every time.
pub fn matches(stored_plan: &StoredPlan) -> impl Iterator<Item = (MatchKey, MatchRecord)> + use<> {
    let known = RecordTemplate::new(stored_plan);
    let schedule = stored_plan.schedule().unwrap();
    schedule.iter(0..u64::MAX).map(move |key| (key, play(known.for_match(&key), None)))
}

/// The same matches, each ended by a fault after as many decisions as its number, with every optional field of a record.
pub fn faulted(stored_plan: &StoredPlan) -> impl Iterator<Item = (MatchKey, MatchRecord)> + use<> {
    let known = RecordTemplate::new(stored_plan);
    let schedule = stored_plan.schedule().unwrap();
    schedule
        .iter(0..u64::MAX)
        .enumerate()
        .map(move |(n, key)| (key, play(known.for_match(&key), Some(n * 7))))
}

/// Random numbers from the match seed; they only need to differ.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    /// Mostly a few microseconds, sometimes many.
    fn us(&mut self) -> u64 {
        let size = self.below(12);
        20 + self.below(40 << size) as u64
    }
}

/// Plays a match at random; the decision of the given number is answered with a fault instead.
pub fn play(mut record: MatchRecord, fault: Option<usize>) -> MatchRecord {
    let rules = record.rules.rules().unwrap();
    let mut game = Match::new(&rules);
    let mut chance = Chance(record.seed.bot_seed(record.leg, Seat::FIRST));
    let mut asked = 0;
    let ended = loop {
        if let Some(finish) = game.finish() {
            break Some(finish);
        }
        let number = game.deal_number();
        let deck = record.seed.deck(rules.set, number);
        let mut round = RoundRecord {
            round: number.round,
            redeal: number.redeal,
            deck: deck.tiles().to_vec(),
            actions: Vec::new(),
            end: RecordedEnding::NoDouble,
            pips: PerSeat::default_for(rules.seats),
            points: PerSeat::default_for(rules.seats),
            scores: *game.scores(),
        };
        if game.deal(&deck) == DealOutcome::Round {
            round.end = play_round(&mut game, &mut record, &mut chance, &mut asked, fault);
            round.actions = game.entries().to_vec();
            if let Some(settled) = game.settle() {
                (round.pips, round.points, round.scores) = (settled.pips, settled.points, settled.scores);
            }
        }
        let unfinished = round.end == RecordedEnding::Unfinished;
        record.rounds.push(round);
        if unfinished {
            break None;
        }
    };
    record.scores = *game.scores();
    (record.end, record.winner) = match (ended, &record.fault) {
        (None, Some(fault)) if rules.seats == Seats::TWO => {
            (MatchEnding::Fault, Some(rules.seats.after(fault.seat)))
        }
        (None, _) => (MatchEnding::Fault, None),
        (Some(MatchFinish::Target), _) => (MatchEnding::Target, game.leading()),
        (Some(MatchFinish::RoundLimit), _) => (MatchEnding::RoundLimit, game.leading()),
    };
    record
}

fn play_round(
    game: &mut Match,
    record: &mut MatchRecord,
    chance: &mut Chance,
    asked: &mut usize,
    fault: Option<usize>,
) -> RecordedEnding {
    while let Some((seat, round)) = game.round().and_then(|round| Some((round.to_act()?, *round))) {
        let legal = round.legal();
        let action = match legal.forced() {
            Some(action) => action,
            None if fault == Some(*asked) => {
                fail(record, seat, chance);
                return RecordedEnding::Unfinished;
            }
            None => {
                *asked += 1;
                record.think_us[seat].push(chance.us());
                let at = (record.rounds.len() as u32, game.entries().len() as u32);
                let struck = fault.is_some() && remark(record, seat, at, *asked);
                if struck { legal.nth(0).unwrap() } else { choose(&legal, chance) }
            }
        };
        game.apply(action).unwrap();
    }
    match game.round().and_then(leyden_rules::Round::outcome) {
        Some(RoundOutcome::Dominoed { .. }) => RecordedEnding::Dominoed,
        Some(RoundOutcome::Blocked { .. }) => RecordedEnding::Blocked,
        Some(RoundOutcome::Refused) => RecordedEnding::Refused,
        None => RecordedEnding::Unfinished,
    }
}

/// A text, or every third time an object.
fn note(asked: usize) -> Note {
    if asked.is_multiple_of(3) {
        return Note::from_object(&format!(
            r#"{{"text":"\"hm\"","numbers":{{"value":{asked}.5}},"tags":["endgame"],"marks":{{"E":"77 %"}}}}"#
        ));
    }
    Note::from_text(&format!("decision {asked}: \"hm\" — 77 %"))
}

/// Leaves notes and strikes at some decisions; returns whether this one gets a strike.
fn remark(record: &mut MatchRecord, seat: Seat, (round, action): (u32, u32), asked: usize) -> bool {
    if asked % 5 == 1 {
        record.notes.push(ActionNote { seat, round, action, note: note(asked) });
    }
    let struck = asked % 7 == 3;
    if struck {
        record.strikes.push(Strike { seat, round, action, code: FaultCode::Illegal });
    }
    struck
}

/// Seldom draws without need, which keeps rounds about as long as between players with a plan.
fn choose(legal: &leyden_rules::LegalActions, chance: &mut Chance) -> Action {
    loop {
        let action = legal.nth(chance.below(legal.len())).unwrap();
        if action != Action::Draw || chance.below(4) == 0 {
            return action;
        }
    }
}

fn fail(record: &mut MatchRecord, seat: Seat, chance: &mut Chance) {
    // One of the codes that existed when the expected values of samples were written down.
    const CODES: usize = 8;
    let code = FaultCode::ALL[chance.below(CODES)];
    if chance.below(2) == 0 {
        record.think_us[seat].push(chance.us());
    }
    record.fault = Some(FaultRecord {
        seat,
        code,
        details: FaultDetails::from_text(format!("{code}: expected an action, got \"\\u{{7}}\"")),
    });
    let mut stderr = PerSeat::<String>::default_for(record.bots.seats());
    "Traceback (most recent call last):\n  ValueError: no such tile\n".clone_into(&mut stderr[seat]);
    record.stderr = Some(stderr);
    let off_turn_us = Some(PerSeat::from_fn(record.bots.seats(), |seat| seat.index() as u64 * 1_500));
    record.host =
        Some(MachineRecord { late_us: 1234, off_turn_us, stopped: vec![seat], ..MachineRecord::default() });
}

/// The first matching action of a record: the index of the round and of the action.
pub fn first(record: &MatchRecord, matches: impl Fn(&HistoryEntry) -> bool) -> (usize, usize) {
    let rounds = record.rounds.iter().enumerate();
    let mut all = rounds.flat_map(|(r, round)| round.actions.iter().enumerate().map(move |(a, e)| (r, a, e)));
    all.find(|(_, _, entry)| matches(entry)).map(|(r, a, _)| (r, a)).expect("such an action")
}
