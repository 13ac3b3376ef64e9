//! A record in a few bytes. What the rest of the results file says about a match (its bots, seed and rules) is left out; a
//! tile takes one byte, an action two, a number as many as it needs. `README.md` describes the format in full.
//!
//! A record that would not come back equal is kept whole, as compressed JSON, so that nothing unusual is lost.

use leyden_protocol::{
    Arm, Double, HistoryAction, HistoryEntry, Lay, Matador, MatchEnding, PerSeat, Pip, Seat, Seats, Set, Tile,
};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{DecompressError, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};

use super::bytes::{TruncatedError, push_number, take_byte, take_bytes, take_count, take_number};
use leyden_model::{
    ActionNote, FaultRecord, MachineRecord, MatchRecord, RecordedEnding, RoundRecord, Strike,
};

/// The whole record as compressed JSON.
const WHOLE: u8 = 0;
/// The short form; rare fields follow as JSON, if there are any.
const SHORT: u8 = 1;

/// The size in bytes from which JSON is worth compressing.
const WORTH_COMPRESSING: usize = 200;

/// The compression level, of 10: higher levels save less than a fifth on notes and standard error.
const LEVEL: u8 = 3;

/// The largest size of a record's JSON in bytes: far more than any record has, and a limit for damaged or malicious files.
const MOST_JSON: usize = 64 << 20;

/// Fields that most records lack, kept as JSON.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Rare {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<FaultRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<ActionNote>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    strikes: Vec<Strike>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stderr: Option<PerSeat<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<MachineRecord>,
}

/// A body that this arena did not write.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error(transparent)]
    Cut(#[from] TruncatedError),
    #[error("its form {0} is unknown")]
    Form(u8),
    #[error("it cannot be decompressed: {0}")]
    Compression(#[from] DecompressError),
    #[error("its text is not a record: {0}")]
    Json(#[from] serde_json::Error),
}

/// Packs a record; `known` is the record with only the fields that the file stores elsewhere.
pub(super) fn pack(record: &MatchRecord, known: &MatchRecord) -> Vec<u8> {
    if !is_regular(record, known) {
        return [&[WHOLE], &*compressed(&json(record))].concat();
    }
    pack_short(record)
}

pub(super) fn unpack(mut body: &[u8], known: MatchRecord) -> Result<MatchRecord, BodyError> {
    match take_byte(&mut body)? {
        WHOLE => Ok(serde_json::from_slice(&decompressed(body)?)?),
        SHORT => unpack_short(body, known),
        form => Err(BodyError::Form(form)),
    }
}

/// Whether the fields that the short form leaves out are as expected.
fn is_regular(record: &MatchRecord, known: &MatchRecord) -> bool {
    let seats = known.bots.seats();
    record.v == known.v
        && record.id == known.id
        && record.tournament == known.tournament
        && (record.rules, record.rules_edition) == (known.rules, known.rules_edition)
        && record.seed == known.seed
        && (record.block, record.leg) == (known.block, known.leg)
        && record.bots == known.bots
        && record.scores.seats() == seats
        && record.think_us.seats() == seats
        && record.rounds.iter().all(|round| {
            [round.pips.seats(), round.points.seats(), round.scores.seats()].iter().all(|&s| s == seats)
        })
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("records hold only what JSON can represent")
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(bytes, LEVEL)
}

fn decompressed(bytes: &[u8]) -> Result<Vec<u8>, DecompressError> {
    decompress_to_vec_zlib_with_limit(bytes, MOST_JSON)
}

fn pack_short(record: &MatchRecord) -> Vec<u8> {
    // No `..`: a new field needs a decision here where it goes.
    let MatchRecord {
        v: _,
        id: _,
        tournament: _,
        rules: _,
        rules_edition: _,
        seed: _,
        block: _,
        stage: _,
        leg: _,
        bots: _,
        rounds,
        scores,
        winner,
        end,
        fault,
        think_us,
        notes,
        strikes,
        stderr,
        host,
    } = record;
    let mut body = Vec::with_capacity(1024);
    body.push(SHORT);
    push_number(&mut body, rounds.len() as u64);
    for round in rounds {
        push_round(&mut body, round);
    }
    push_each(&mut body, scores);
    body.push(winner.map_or(0, |seat| seat.index() as u8 + 1));
    body.push(ending_number(*end));
    for (_, times) in think_us.iter() {
        push_number(&mut body, times.len() as u64);
        for &us in times {
            push_number(&mut body, us);
        }
    }
    let rare = Rare {
        fault: fault.clone(),
        notes: notes.clone(),
        strikes: strikes.clone(),
        stderr: stderr.clone(),
        host: host.clone(),
    };
    if rare != Rare::default() {
        let text = json(&rare);
        body.extend(if text.len() < WORTH_COMPRESSING { text } else { compressed(&text) });
    }
    body
}

/// Rare fields: JSON as it is or compressed, distinguished by the first byte.
fn take_rare(bytes: &[u8]) -> Result<Rare, BodyError> {
    match bytes {
        [] => Ok(Rare::default()),
        [b'{', ..] => Ok(serde_json::from_slice(bytes)?),
        _ => Ok(serde_json::from_slice(&decompressed(bytes)?)?),
    }
}

fn unpack_short(mut body: &[u8], known: MatchRecord) -> Result<MatchRecord, BodyError> {
    let bytes = &mut body;
    let seats = known.bots.seats();
    let rounds = (0..take_count(bytes)?).map(|_| take_round(bytes, seats)).collect::<Result<_, _>>()?;
    let scores = take_each(bytes, seats)?;
    let winner = match take_byte(bytes)? {
        0 => None,
        number => Some(Seat::new(usize::from(number) - 1).ok_or(TruncatedError)?),
    };
    let end = *ENDINGS.get(usize::from(take_byte(bytes)?)).ok_or(TruncatedError)?;
    let mut think_us = PerSeat::<Vec<u64>>::default_for(seats);
    for (_, times) in think_us.iter_mut() {
        *times = (0..take_count(bytes)?).map(|_| take_number(bytes)).collect::<Result<_, _>>()?;
    }
    let Rare { fault, notes, strikes, stderr, host } = take_rare(bytes)?;
    Ok(MatchRecord { rounds, scores, winner, end, fault, think_us, notes, strikes, stderr, host, ..known })
}

/// In the order of their numbers in the file: new ones go last.
const ENDINGS: [MatchEnding; 3] = [MatchEnding::Target, MatchEnding::Fault, MatchEnding::RoundLimit];

/// In the order of their numbers in the file: new ones go last.
const ROUND_ENDINGS: [RecordedEnding; 5] = [
    RecordedEnding::Dominoed,
    RecordedEnding::Blocked,
    RecordedEnding::Refused,
    RecordedEnding::NoDouble,
    RecordedEnding::Unfinished,
];

/// The number of an ending in the file; its index in [`ENDINGS`].
const fn ending_number(end: MatchEnding) -> u8 {
    match end {
        MatchEnding::Target => 0,
        MatchEnding::Fault => 1,
        MatchEnding::RoundLimit => 2,
    }
}

/// The number of a round's ending in the file; its index in [`ROUND_ENDINGS`].
const fn round_ending_number(end: RecordedEnding) -> u8 {
    match end {
        RecordedEnding::Dominoed => 0,
        RecordedEnding::Blocked => 1,
        RecordedEnding::Refused => 2,
        RecordedEnding::NoDouble => 3,
        RecordedEnding::Unfinished => 4,
    }
}

const _: () = {
    let mut number = 0;
    while number < ENDINGS.len() {
        assert!(ending_number(ENDINGS[number]) as usize == number);
        number += 1;
    }
    number = 0;
    while number < ROUND_ENDINGS.len() {
        assert!(round_ending_number(ROUND_ENDINGS[number]) as usize == number);
        number += 1;
    }
};

fn push_round(body: &mut Vec<u8>, round: &RoundRecord) {
    let RoundRecord { round, redeal, deck, actions, end, pips, points, scores } = round;
    push_number(body, (*round).into());
    push_number(body, (*redeal).into());
    push_number(body, deck.len() as u64);
    body.extend(deck.iter().map(|tile| tile.index() as u8));
    push_number(body, actions.len() as u64);
    let mut expected = None;
    for &entry in actions {
        push_entry(body, entry, deck, &mut expected);
    }
    body.push(round_ending_number(*end));
    push_each(body, pips);
    push_each(body, points);
    push_each(body, scores);
}

fn take_round(bytes: &mut &[u8], seats: Seats) -> Result<RoundRecord, TruncatedError> {
    let round = take_u32(bytes)?;
    let redeal = take_u32(bytes)?;
    let tiles = take_count(bytes)?;
    let deck: Vec<Tile> =
        take_bytes(bytes, tiles)?.iter().map(|&index| tile(index.into())).collect::<Result<_, _>>()?;
    let mut expected = None;
    let actions =
        (0..take_count(bytes)?).map(|_| take_entry(bytes, &deck, &mut expected)).collect::<Result<_, _>>()?;
    let end = *ROUND_ENDINGS.get(usize::from(take_byte(bytes)?)).ok_or(TruncatedError)?;
    let (pips, points) = (take_each(bytes, seats)?, take_each(bytes, seats)?);
    Ok(RoundRecord { round, redeal, deck, actions, end, pips, points, scores: take_each(bytes, seats)? })
}

fn push_each(body: &mut Vec<u8>, numbers: &PerSeat<u32>) {
    for &number in numbers.as_slice() {
        push_number(body, number.into());
    }
}

fn take_each(bytes: &mut &[u8], seats: Seats) -> Result<PerSeat<u32>, TruncatedError> {
    let mut all = PerSeat::default_for(seats);
    for (_, number) in all.iter_mut() {
        *number = take_u32(bytes)?;
    }
    Ok(all)
}

fn take_u32(bytes: &mut &[u8]) -> Result<u32, TruncatedError> {
    u32::try_from(take_number(bytes)?).map_err(|_| TruncatedError)
}

const TILES: u16 = Set::DoubleTwelve.size() as u16;
const PIPS: u16 = Pip::MAX.get() as u16 + 1;

// Frequent actions take one byte: one of these kinds, shifted, plus the seat.
const SHORT_ENTRY: u8 = 0x80;
/// A draw of the next tile in the deck after the one drawn before.
const DRAW_NEXT: u8 = 0;
const PASS: u8 = 1;
const REFUSE: u8 = 2;
const HIDDEN_DRAW: u8 = 3;

// Any other entry is a number of 14 bits in two bytes: the seat in the upper three, then the action, numbered in this order.
const LEAD: u16 = 0;
const IN_LINE: u16 = LEAD + PIPS;
const ACROSS: u16 = IN_LINE + 4 * PIPS * PIPS;
const DRAW: u16 = ACROSS + 4 * TILES;
const EVENTS: u16 = 1 << 11;

/// `expected` is the index in the deck of the next drawn tile if it follows the one before.
fn push_entry(body: &mut Vec<u8>, entry: HistoryEntry, deck: &[Tile], expected: &mut Option<usize>) {
    let seat = entry.seat.index() as u8;
    let short = |kind: u8| SHORT_ENTRY | kind << 3 | seat;
    match entry.event {
        HistoryAction::Pass => body.push(short(PASS)),
        HistoryAction::Refuse => body.push(short(REFUSE)),
        HistoryAction::Draw(None) => body.push(short(HIDDEN_DRAW)),
        HistoryAction::Draw(Some(tile)) if expected.and_then(|index| deck.get(index)) == Some(&tile) => {
            body.push(short(DRAW_NEXT));
            *expected = following(deck, tile);
        }
        HistoryAction::Draw(Some(tile)) => {
            body.extend(long(seat, DRAW + tile.index() as u16));
            *expected = following(deck, tile);
        }
        HistoryAction::Lead(double) => body.extend(long(seat, LEAD + double.pip().index() as u16)),
        HistoryAction::Play(arm, Lay::InLine { touching, end }) => {
            let touching = arm.index() as u16 * PIPS + touching.index() as u16;
            body.extend(long(seat, IN_LINE + touching * PIPS + end.index() as u16));
        }
        HistoryAction::Play(arm, Lay::Across(matador)) => {
            body.extend(long(seat, ACROSS + arm.index() as u16 * TILES + matador.tile().index() as u16));
        }
    }
}

fn long(seat: u8, event: u16) -> [u8; 2] {
    (u16::from(seat) * EVENTS + event).to_be_bytes()
}

fn following(deck: &[Tile], tile: Tile) -> Option<usize> {
    deck.iter().position(|&other| other == tile).map(|index| index + 1)
}

fn take_entry(
    bytes: &mut &[u8],
    deck: &[Tile],
    expected: &mut Option<usize>,
) -> Result<HistoryEntry, TruncatedError> {
    let first = take_byte(bytes)?;
    if first >= SHORT_ENTRY {
        let seat = Seat::new((first & 7).into()).ok_or(TruncatedError)?;
        let event = match first >> 3 & 0xf {
            PASS => HistoryAction::Pass,
            REFUSE => HistoryAction::Refuse,
            HIDDEN_DRAW => HistoryAction::Draw(None),
            DRAW_NEXT => {
                let tile = *expected.and_then(|index| deck.get(index)).ok_or(TruncatedError)?;
                *expected = following(deck, tile);
                HistoryAction::Draw(Some(tile))
            }
            _ => return Err(TruncatedError),
        };
        return Ok(HistoryEntry { seat, event });
    }
    let entry = long_entry(u16::from_be_bytes([first, take_byte(bytes)?]))?;
    if let HistoryAction::Draw(Some(tile)) = entry.event {
        *expected = following(deck, tile);
    }
    Ok(entry)
}

fn long_entry(number: u16) -> Result<HistoryEntry, TruncatedError> {
    let seat = Seat::new((number / EVENTS).into()).ok_or(TruncatedError)?;
    let event = match number % EVENTS {
        event @ LEAD..IN_LINE => HistoryAction::Lead(Double::new(pip(event)?)),
        event @ IN_LINE..ACROSS => {
            let rest = event - IN_LINE;
            let lay = Lay::InLine { touching: pip(rest / PIPS % PIPS)?, end: pip(rest % PIPS)? };
            HistoryAction::Play(arm(rest / (PIPS * PIPS))?, lay)
        }
        event @ ACROSS..DRAW => {
            let rest = event - ACROSS;
            let matador = Matador::new(tile(rest % TILES)?).ok_or(TruncatedError)?;
            HistoryAction::Play(arm(rest / TILES)?, Lay::Across(matador))
        }
        event => HistoryAction::Draw(Some(tile(event - DRAW)?)),
    };
    Ok(HistoryEntry { seat, event })
}

fn pip(number: u16) -> Result<Pip, TruncatedError> {
    Pip::new(number as u8).ok_or(TruncatedError)
}

fn arm(number: u16) -> Result<Arm, TruncatedError> {
    Arm::ALL.get(usize::from(number)).copied().ok_or(TruncatedError)
}

/// The tile at an index in the order of all tiles.
fn tile(index: u16) -> Result<Tile, TruncatedError> {
    static ALL: [Tile; TILES as usize] = {
        let mut all = [Tile::new(Pip::BLANK, Pip::BLANK); TILES as usize];
        let mut low = 0;
        while let Some(first) = Pip::new(low) {
            let mut high = low;
            while let Some(second) = Pip::new(high) {
                let tile = Tile::new(first, second);
                all[tile.index()] = tile;
                high += 1;
            }
            low += 1;
        }
        all
    };
    ALL.get(usize::from(index)).copied().ok_or(TruncatedError)
}

#[cfg(test)]
#[path = "../../../tests/mutation/mod.rs"]
mod mutation;

#[cfg(test)]
mod tests;
