//! A record as everybody may see it if names are hidden.

use leyden_language::{Language, text::matches};
use leyden_model::{FaultDetails, FaultRecord, MatchRecord};
use leyden_protocol::PerSeat;

/// Returns a record with the bots called like this, and without what they or their authors wrote.
pub(crate) fn nameless_record(record: MatchRecord, bots: PerSeat<String>, language: Language) -> MatchRecord {
    let fault = record
        .fault
        .map(|fault| FaultRecord { details: FaultDetails::new(language.say(matches::NotShown)), ..fault });
    MatchRecord { bots, fault, notes: Vec::new(), stderr: None, host: None, ..record }
}
