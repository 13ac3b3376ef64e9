//! The faults of a run in words, each with the command that shows it.

use std::fmt::Write;
use std::path::Path;

use leyden_arena::report::{FaultSeen, Faults, typed};
use leyden_arena::words::counted;
use leyden_model::{BotEntry, MatchRecord};
use leyden_protocol::FaultCode;
use leyden_referee::Fault;

use super::super::out::quoted;
use super::grid::plain;

/// The command that shows a fault as the bot at fault saw it, put together here alone: the round, or of a match that was lost
/// before anything was dealt the bot's start once more, if it is known how the bot is `named`.
fn command(file: &Path, seen: &FaultSeen, named: Option<&str>) -> Option<String> {
    let (file, id) = (quoted(file.as_os_str()), quoted(seen.id.as_ref()));
    let bot = named.map(|bot| plain(&quoted(bot.as_ref())));
    Some(match (seen.round, bot) {
        (Some(round), _) => format!("leyden replay {file} {id} --round {round} --seat {}", seen.seat),
        // Alone, it would see the folder that hid from it what it lacked.
        (None, Some(bot)) if Fault::is_of_crowded_folder(&seen.message) => {
            format!("leyden rerun {file} {id} {bot} --seat {}", seen.seat)
        }
        (None, Some(bot)) => format!("leyden check {bot} --only start"),
        (None, None) => return None,
    })
}

/// What shows whether a fault is mended, with the command: an illegal action is asked for once more, and any other fault may follow
/// from the turns before it, so that these come, too.
fn ask_again(file: &Path, code: FaultCode, seen: &FaultSeen, named: &str) -> Option<String> {
    let (file, id, place) = (quoted(file.as_os_str()), quoted(seen.id.as_ref()), seen.place?);
    let command = format!("leyden rerun {file} {id} {} --seat {}", plain(&quoted(named.as_ref())), seen.seat);
    Some(match code {
        FaultCode::Illegal => format!("ask it once more: {command} --turn {place}"),
        _ => format!("play it to the bot once more: {command}"),
    })
}

/// The same for the fault that ended a match, if one did. `bots` are those of the match, as far as they are known.
pub(crate) fn replay_command(file: &Path, record: &MatchRecord, bots: &[BotEntry]) -> Option<String> {
    let seen = FaultSeen::of(record)?;
    let bot = bots.iter().find(|bot| bot.name == record.bots[seen.seat]);
    command(file, &seen, bot.and_then(typed).as_deref())
}

/// A few sentences for each bot and kind, with the bot they are about: how often, what the first one was, how to see it in
/// the results file, if that is kept.
pub(crate) fn sentences<'a>(
    faults: &'a Faults,
    file: Option<&'a Path>,
) -> impl Iterator<Item = (&'a str, String)> {
    faults.iter().map(move |(name, code, kind)| {
        let mut text = format!("lost {} by a fault ({code})", matches(kind.count));
        if let Some(seen) = kind.first.values().next() {
            let _ = write!(text, "; first: {}", seen.message); // a String takes all
            if let Some(replay) = file.and_then(|file| command(file, seen, faults.named(name))) {
                let _ = write!(text, "\nsee it: {replay}");
            }
        }
        (name, text)
    })
}

/// Everything for authors to read at a terminal, a paragraph for each bot and kind.
pub(crate) fn told(faults: &Faults, file: Option<&Path>) -> String {
    let mut text = String::new();
    for (name, code, kind) in faults.iter() {
        let _ = writeln!(text, "\n{} lost {} ({code})", plain(name), matches(kind.count)); // a String takes all
        if let Some(seen) = kind.first.values().next() {
            for line in seen.message.lines() {
                let _ = writeln!(text, "  {}", plain(line));
            }
        }
        let shown = kind.first.values().filter_map(|seen| command(file?, seen, faults.named(name)));
        let mut shown: Vec<String> = shown.collect();
        let again =
            kind.first.values().next().and_then(|seen| ask_again(file?, code, seen, faults.named(name)?));
        let seen = kind.first.len() as u64;
        shown.dedup(); // a bot that does not start does so everywhere
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
