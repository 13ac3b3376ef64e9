//! Checks lines from a bot: a late answer, an unasked line, the answer to `hello` and to a turn.

use leyden_model::{Cause, Deviation};
use leyden_protocol::{
    Action, BotLine, FaultCode, MalformedLineError, Note, Turn, VERSION, Version, VersionError,
    cause_of_printed_value, printable, read_answer,
};

use crate::fault::Fault;

/// Returns which of these turns a line answers, if any.
pub(super) fn late_answer(line: &[u8], late: &[u64]) -> Option<u64> {
    match read_answer(line) {
        Ok(BotLine::Action { id, .. }) => id.whole().filter(|id| late.contains(id)),
        _ => None,
    }
}

/// Returns the fault of a line that was not asked for.
pub(super) fn unasked(line: &[u8], what: Deviation) -> Fault {
    let fault = Fault::new(FaultCode::Unexpected, what, line);
    match read_answer(line) {
        Ok(BotLine::Ready { .. }) => fault.likely(Cause::ReadyAgain),
        Ok(BotLine::Action { .. }) => fault.likely(Cause::AnsweredTwice),
        Err(error) => {
            let hint = error.hint().filter(|_| line.contains(&0));
            fault.likely(hint.map_or(printed(line), Cause::Line))
        }
    }
}

/// What an answer line turned out to be.
pub(super) enum Reply {
    Now(Action, Option<Note>),
    /// The answer to an earlier turn that got a strike.
    Late(u64),
}

pub(super) fn check_ready(line: &[u8]) -> Result<(), Fault> {
    let arena = VERSION;
    let other = |bot_major| Cause::OtherProtocol { arena, bot_major };
    let (what, likely) = match read_answer(line) {
        Ok(BotLine::Ready { protocol, .. }) => match protocol.parse::<Version>() {
            Ok(bot) if bot.major == arena.major => return Ok(()),
            Ok(bot) => (Deviation::OtherProtocol { arena, bot }, other(Some(bot.major))),
            Err(VersionError(got)) => (Deviation::NoVersion { got }, other(None)),
        },
        Ok(BotLine::Action { .. }) => (Deviation::ActionForReady, other(None)),
        Err(error) => {
            let hint = error.hint().filter(|_| line.trim_ascii_start().starts_with(b"{"));
            let what = Deviation::NoReady { arena, line: (&error).into() };
            (what, hint.map_or(Cause::PrintedBeforeReady, Cause::Line))
        }
    };
    Err(Fault::new(FaultCode::Handshake, what, line).likely(likely))
}

pub(super) fn check_answer(line: &[u8], turn: &Turn<'_>, late: &[u64]) -> Result<Reply, Fault> {
    let (id, action, note) = match read_answer(line) {
        Ok(BotLine::Action { id, action, note }) => (id, action, note),
        Ok(BotLine::Ready { .. }) => {
            let what = Deviation::SecondReady { turn: turn.id };
            return Err(Fault::new(FaultCode::Unexpected, what, line).likely(Cause::ReadyAgain));
        }
        Err(error) => return Err(malformed(line, turn.id, &error)),
    };
    if !id.is(turn.id) {
        if let Some(id) = id.whole().filter(|id| late.contains(id)) {
            return Ok(Reply::Late(id));
        }
        let what = Deviation::OtherId { turn: turn.id, got: id.to_string() };
        let fault = Fault::new(FaultCode::Unexpected, what, line);
        let earlier = id.whole().filter(|id| (1..turn.id).contains(id));
        return Err(fault.likely(match earlier {
            Some(id) => Cause::OldId(id),
            None => Cause::OwnId,
        }));
    }
    match action.parse::<Action>() {
        Ok(action) if turn.legal.contains(&action) => Ok(Reply::Now(action, note.map(|note| note.kept()))),
        _ => Err(illegal(line, &action, turn)),
    }
}

/// Whether a line is what Python's debugger prints when it stops: `> bot.py(12)choose()`.
fn is_of_debugger(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_stop =
        line.starts_with(b"> ") && line.ends_with(b")") && line.windows(4).any(|part| part == b".py(");
    is_stop || line.starts_with(b"(Pdb)") || line.starts_with(b"--Return--")
}

/// Guesses where text that is not an answer comes from.
fn printed(line: &[u8]) -> Cause {
    if is_of_debugger(line) { Cause::Debugger } else { Cause::DebugPrint }
}

fn malformed(line: &[u8], turn: u64, error: &MalformedLineError) -> Fault {
    let guess = if line.trim_ascii().is_empty() {
        Cause::EmptyLine
    } else if line.trim_ascii_start().starts_with(b"{") {
        Cause::AssembledJson
    } else {
        printed(line)
    };
    Fault::new(FaultCode::Malformed, Deviation::Malformed { turn, line: error.into() }, line)
        .likely(error.hint().filter(|_| !is_of_debugger(line)).map_or(guess, Cause::Line))
}

fn illegal(line: &[u8], action: &str, turn: &Turn<'_>) -> Fault {
    let what = Deviation::Illegal { legal: turn.legal.to_vec(), got: printable(action.as_bytes(), 60) };
    let likely = match (action.parse::<Action>(), meant(action, &turn.legal)) {
        (_, Some(meant)) => Cause::HalvesSwapped(meant),
        (Ok(_), None) => Cause::OwnMove,
        (Err(_), None) => cause_of_printed_value(action).map_or(Cause::NoAction, Cause::Line),
    };
    Fault::new(FaultCode::Illegal, what, line).likely(likely)
}

/// Returns the legal action with the same tile on the same arm and its halves swapped.
fn meant(action: &str, legal: &[Action]) -> Option<Action> {
    let sign = action.find(['-', '|'])?;
    let colon = action.find(':').filter(|&colon| colon < sign)?;
    let (arm, first, second) = (&action[..colon], &action[colon + 1..sign], &action[sign + 1..]);
    let turned = format!("{arm}:{second}{}{first}", &action[sign..=sign]);
    turned.parse().ok().filter(|turned| legal.contains(turned))
}
