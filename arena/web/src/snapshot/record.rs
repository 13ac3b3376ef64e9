//! A record as everybody may see it if names are hidden.

use leyden_model::{Deviation, FaultDetails, FaultRecord, MatchRecord};
use leyden_protocol::{PerSeat, Seat};

/// Returns a record with these names for the bots, and without what they or their authors wrote.
pub(crate) fn nameless_record(record: MatchRecord, bots: PerSeat<String>) -> MatchRecord {
    let details = FaultDetails::new(Deviation::NotShown);
    let fault = record.fault.map(|fault| FaultRecord { details, ..fault });
    MatchRecord { bots, fault, notes: Vec::new(), stderr: None, host: None, ..record }
}

/// Returns a record as the author of the bot at this seat may see it if names are hidden: what this bot wrote to the arena, and what
/// is known of a fault of its own, stay.
pub(crate) fn own_record(record: MatchRecord, seat: Seat, bots: PerSeat<String>) -> MatchRecord {
    let fault = record.fault.clone().filter(|fault| fault.seat == seat);
    let notes = record.notes.iter().filter(|note| note.seat == seat).cloned().collect();
    let shown = nameless_record(record, bots);
    MatchRecord { fault: fault.or(shown.fault), notes, ..shown }
}

#[cfg(test)]
mod tests {
    use leyden_arena::record::sample;

    use super::*;

    #[test]
    fn author_reads_only_notes_of_its_bot() {
        let plan = sample::stored_plan(2, 4);
        let all: Vec<MatchRecord> = sample::faulted(&plan).map(|(_, record)| record).collect();
        let has_both = |record: &MatchRecord| {
            let of = |seat| record.notes.iter().any(|note| note.seat == seat);
            record.bots.iter().all(|(seat, _)| of(seat))
        };
        let record = all.into_iter().find(has_both).unwrap();
        let fault = record.fault.clone().unwrap();
        for (seat, _) in record.bots.clone().iter() {
            let bots = record.bots.map(|_| "a bot".to_owned());
            let shown = own_record(record.clone(), seat, bots);
            let own = record.notes.iter().filter(|note| note.seat == seat).count();
            assert!(shown.notes.len() == own && shown.notes.iter().all(|note| note.seat == seat));
            assert!(shown.stderr.is_none() && shown.bots.iter().all(|(_, bot)| bot == "a bot"));
            let hidden = FaultDetails::new(Deviation::NotShown);
            let expected = if seat == fault.seat { &fault.details } else { &hidden };
            assert_eq!(shown.fault.unwrap().details, *expected);
        }
    }
}
