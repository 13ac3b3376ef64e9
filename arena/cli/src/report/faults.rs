//! The faults of a run in words, each with the command that shows it.

use std::fmt::Write;
use std::path::Path;

use leyden_arena::report::{Faults, LocatedFault, typed};
use leyden_model::words::counted;
use leyden_model::{BotEntry, MatchRecord};
use leyden_protocol::FaultCode;

use super::grid::plain;
use crate::out::quoted;

/// Returns the command that shows a fault as the bot at fault saw it: the round, or for a match that was lost before anything was
/// dealt the bot's start, if it is known how the bot is `named`. The only place that builds this command.
fn command(file: &Path, seen: &LocatedFault, named: Option<&str>) -> Option<String> {
    let (file, id) = (quoted(file.as_os_str()), quoted(seen.id.as_ref()));
    let bot = named.map(|bot| plain(&quoted(bot.as_ref())));
    Some(match (seen.round, bot) {
        (Some(round), _) => {
            format!("leyden replay {file} {id} --round {} --seat {}", round + 1, seen.seat)
        }
        // Checked alone, it would see the folder that was hidden from it.
        (None, Some(bot)) if seen.details.is_of_crowded_folder() => {
            format!("leyden rerun {file} {id} {bot} --seat {}", seen.seat)
        }
        (None, Some(bot)) => format!("leyden check {bot} --only start"),
        (None, None) => return None,
    })
}

/// Returns the command that shows whether a fault is fixed. An illegal action is asked for again; any other fault may follow from
/// earlier turns, so all are played again.
fn ask_again(file: &Path, code: FaultCode, seen: &LocatedFault, named: &str) -> Option<String> {
    let (file, id, turn_ref) = (quoted(file.as_os_str()), quoted(seen.id.as_ref()), seen.turn_ref?);
    let command = format!("leyden rerun {file} {id} {} --seat {}", plain(&quoted(named.as_ref())), seen.seat);
    Some(match code {
        FaultCode::Illegal => format!("ask it again: {command} --turn {turn_ref}"),
        _ => format!("play it to the bot again: {command}"),
    })
}

/// Returns the same for the fault that ended a match, if one did. `bots` are those of the match that are known.
pub(crate) fn replay_command(file: &Path, record: &MatchRecord, bots: &[BotEntry]) -> Option<String> {
    let seen = LocatedFault::from_record(record)?;
    let bot = bots.iter().find(|bot| bot.name == record.bots[seen.seat]);
    command(file, &seen, bot.and_then(typed).as_deref())
}

/// Returns a few sentences for each bot and kind of fault, with the bot's name: how often, what the first one was, and how to see
/// it in the results file, if that is kept.
pub(crate) fn sentences<'a>(
    faults: &'a Faults,
    file: Option<&'a Path>,
) -> impl Iterator<Item = (&'a str, String)> {
    faults.iter().map(move |(name, code, kind)| {
        let mut text = format!("lost {} by a fault ({code})", matches(kind.count));
        if let Some(seen) = kind.first.values().next() {
            let _ = write!(text, "; first: {}", seen.details); // writing to a String cannot fail
            if let Some(replay) = file.and_then(|file| command(file, seen, faults.named(name))) {
                let _ = write!(text, "\nsee it: {replay}");
            }
        }
        (name, text)
    })
}

/// Returns everything for authors to read at a terminal, a paragraph for each bot and kind.
pub(crate) fn paragraphs(faults: &Faults, file: Option<&Path>) -> String {
    let mut text = String::new();
    for (name, code, kind) in faults.iter() {
        let _ = writeln!(text, "\n{} lost {} ({code})", plain(name), matches(kind.count)); // writing to a String cannot fail
        if let Some(seen) = kind.first.values().next() {
            for line in seen.details.to_string().lines() {
                let _ = writeln!(text, "  {}", plain(line));
            }
        }
        let shown = kind.first.values().filter_map(|seen| command(file?, seen, faults.named(name)));
        let mut shown: Vec<String> = shown.collect();
        let again =
            kind.first.values().next().and_then(|seen| ask_again(file?, code, seen, faults.named(name)?));
        let seen = kind.first.len() as u64;
        shown.dedup(); // a bot that does not start fails the same way everywhere
        for replay in &shown {
            let _ = writeln!(text, "  see it: {replay}");
        }
        if let Some(again) = again {
            let _ = writeln!(text, "  {again}");
        }
        if file.is_some() && kind.count > seen {
            let _ = writeln!(text, "  and {} more", kind.count - seen);
        }
    }
    text
}

fn matches(count: u64) -> String {
    counted(count, "match", "matches")
}
